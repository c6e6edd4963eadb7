"""Times of selection: keys are drawn once, the answer is checked, and then the call is timed."""

from collections.abc import Callable
from functools import lru_cache, partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import numpy as np

import modern
from bench.reproduce.phases import Clock, Phases, clocked
from bench.shared.data import Data
from bench.shared.machines import Host, Machine
from shadersort.keys import datasets
from shadersort.selection import select, select_many
from shadersort.selection.primitives import NumPyPrimitives

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def _once(
    measure: Callable[Concatenate["Bench", Arguments], Result],
) -> Callable[Concatenate["Bench", Arguments], Result]:
    """Make a method measure each thing once."""

    @wraps(measure)
    def known(bench: "Bench", /, *of: Arguments.args, **named: Arguments.kwargs) -> Result:
        what = f"{measure.__name__}{of}{named}"
        if what not in bench.known:
            bench.known[what] = measure(bench, *of, **named)
        found: Result = bench.known[what]
        return found

    return cast(Callable[Concatenate["Bench", Arguments], Result], known)


class Bench:
    """Times of one machine, in milliseconds."""

    def __init__(self, machine: Machine, repeats: int) -> None:
        self.machine, self.repeats = machine, repeats
        self.known: dict[str, Any] = {}
        self.data = lru_cache(maxsize=2)(partial(Data, machine.xp))

    def _checked(self, method: str, data: Data, ks: Any) -> Callable[[], Any]:
        """Return a selection whose answer is right."""
        find: Any = modern.select if np.ndim(ks) == 0 else modern.multiselect
        call = partial(find, data.keys, ks, method=method)
        data.check(call(), ks, method)
        return call

    def time(self, method: str, distribution: str, dtype: str, n: int, ks: Any) -> float:
        """Return the time of a method for one rank or several, measured anew."""
        call = self._checked(method, self.data(distribution, dtype, n), ks)
        return self.machine.ms(call, self.repeats)

    @_once
    def one(self, method: str, distribution: str, dtype: str, n: int, k: int) -> float:
        """Return the time of a method for one key."""
        return self.time(method, distribution, dtype, n, k)

    @_once
    def many(self, method: str, distribution: str, dtype: str, n: int, count: int) -> float:
        """Return the time of a method for evenly spaced ranks together."""
        ks = datasets.ranks("uniform", n, count)
        return self.time(method, distribution, dtype, n, ks)

    @_once
    def parts(self, method: str, phases: Phases, *of: Any, ranks: int = 1) -> dict[str, float]:
        """Return the time of each phase of a method, in the fastest of several runs.

        `of` is a distribution, a type and a number of keys. A single rank is the median.
        """
        data = self.data(*of)
        ks = datasets.ranks("uniform", data.n, ranks) if ranks > 1 else data.n // 2
        runs = [self._phases(data, ks, method, phases) for _ in range(self.repeats + 1)]
        return min(runs[1:], key=lambda run: sum(run.values()))

    def _phases(self, data: Data, ks: Any, method: str, phases: Phases) -> dict[str, float]:
        keys = self.machine.primitives(data.keys)
        self.machine.wait()
        clock = Clock(self.machine)
        find: Any = select if np.ndim(ks) == 0 else select_many
        data.check(find(clocked(keys, clock), ks, method=method), ks, method)
        return phases.times(clock)

    @_once
    def copied(self, distribution: str, dtype: str, n: int) -> float:
        """Return the time of a copy of a GPU's keys to the host."""
        copy = partial(self.machine.xp.asnumpy, self.data(distribution, dtype, n).keys)
        copy()
        return self.machine.ms(copy, self.repeats)

    @_once
    def on_host(self, method: str, distribution: str, dtype: str, n: int) -> float:
        """Return the time of NumPy's primitives on the host, for the median."""
        data = self.data(distribution, dtype, n)
        keys = data.keys if data.xp is np else data.xp.asnumpy(data.keys)

        def call() -> Any:
            return select(NumPyPrimitives(keys), n // 2, method=method)

        data.check(call(), n // 2, method)
        return Host().ms(call, self.repeats)

    @_once
    def memory(self, method: str, distribution: str, dtype: str, n: int, count: int = 1) -> float:
        """Return the most memory of a selection with its input, in units of n keys."""
        ks = datasets.ranks("uniform", n, count) if count > 1 else n // 2
        call = self._checked(method, self.data(distribution, dtype, n), ks)
        return 1 + self.machine.peak(call) / (n * np.dtype(dtype).itemsize)
