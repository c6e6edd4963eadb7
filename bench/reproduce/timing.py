"""Times of selection: keys are drawn once, the answer is checked, and then the call is timed."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

import modern
from bench.reproduce.phases import Clock, by_phase, clocked
from bench.shared.data import Data
from bench.shared.machines import Host, Machine
from shadersort.keys import datasets
from shadersort.selection import select, select_many
from shadersort.selection.primitives import NumPyPrimitives

__all__ = ["Bench"]


class Bench:
    """Times of one machine, each measured once."""

    def __init__(self, machine: Machine, repeats: int) -> None:
        self.machine, self.repeats = machine, repeats
        self._known: dict[tuple[Any, ...], Any] = {}
        self.data = lru_cache(maxsize=2)(self._data)

    def _data(self, distribution: str, dtype: str, n: int) -> Data:
        return Data(self.machine.xp, distribution, dtype, n)

    def _once(self, *what: Any, measure: Callable[[], Any]) -> Any:
        if what not in self._known:
            self._known[what] = measure()
        return self._known[what]

    def one(self, method: str, distribution: str, dtype: str, n: int, k: int) -> float:
        """Return the milliseconds that a method takes for one key."""

        def measure() -> float:
            data = self.data(distribution, dtype, n)
            data.check(modern.select(data.keys, k, method=method), k, method)
            return self.machine.ms(lambda: modern.select(data.keys, k, method=method), self.repeats)

        return float(self._once("one", method, distribution, dtype, n, k, measure=measure))

    def many(self, method: str, distribution: str, dtype: str, n: int, count: int) -> float:
        """Return the milliseconds that a method takes for evenly spaced ranks together."""

        def measure() -> float:
            data = self.data(distribution, dtype, n)
            ks = datasets.ranks("uniform", n, count)
            data.check(modern.multiselect(data.keys, ks, method=method), ks, method)
            return self.machine.ms(
                lambda: modern.multiselect(data.keys, ks, method=method), self.repeats
            )

        return float(self._once("many", method, distribution, dtype, n, count, measure=measure))

    def parts(
        self, method: str, phases: Mapping[str, str], rest: str, *of: Any, ranks: int = 1
    ) -> dict[str, float]:
        """Return the milliseconds of each phase of a method, in the fastest of several runs.

        `of` is a distribution, a type and a number of keys. A single rank is the median.
        """

        def measure() -> dict[str, float]:
            data = self.data(*of)
            ks = datasets.ranks("uniform", data.n, ranks) if ranks > 1 else data.n // 2
            runs = [self._phases(data, ks, method, phases, rest) for _ in range(self.repeats + 1)]
            return min(runs[1:], key=lambda run: sum(run.values()))

        found: dict[str, float] = self._once("parts", method, rest, *of, ranks, measure=measure)
        return found

    def _phases(
        self, data: Data, ks: Any, method: str, phases: Mapping[str, str], rest: str
    ) -> dict[str, float]:
        keys = self.machine.primitives(data.keys)
        self.machine.wait()
        clock = Clock(self.machine)
        find: Any = select if np.ndim(ks) == 0 else select_many
        found = find(clocked(keys, clock), ks, method=method)
        data.check(found, ks, method)
        return by_phase(clock, phases, rest)

    def copied(self, distribution: str, dtype: str, n: int) -> float:
        """Return the milliseconds of a copy of a GPU's keys to the host."""

        def measure() -> float:
            keys = self.data(distribution, dtype, n).keys
            self.machine.xp.asnumpy(keys)
            return self.machine.ms(lambda: self.machine.xp.asnumpy(keys), self.repeats)

        return float(self._once("copied", distribution, dtype, n, measure=measure))

    def on_host(self, method: str, distribution: str, dtype: str, n: int) -> float:
        """Return the milliseconds that NumPy's primitives take on the host to find the median."""

        def measure() -> float:
            data = self.data(distribution, dtype, n)
            keys = data.keys if data.xp is np else data.xp.asnumpy(data.keys)
            data.check(select(NumPyPrimitives(keys), n // 2, method=method), n // 2, method)
            return Host().ms(
                lambda: select(NumPyPrimitives(keys), n // 2, method=method), self.repeats
            )

        return float(self._once("host", method, distribution, dtype, n, measure=measure))

    def memory(self, method: str, distribution: str, dtype: str, n: int, count: int = 1) -> float:
        """Return the most memory of a selection with its input, in units of n keys."""

        def measure() -> float:
            data = self.data(distribution, dtype, n)
            ks = datasets.ranks("uniform", n, count) if count > 1 else n // 2
            find: Any = modern.select if count == 1 else modern.multiselect
            data.check(find(data.keys, ks, method=method), ks, method)
            held = self.machine.peak(lambda: find(data.keys, ks, method=method))
            return 1 + held / (n * np.dtype(dtype).itemsize)

        return float(self._once("memory", method, distribution, dtype, n, count, measure=measure))
