"""Times of selection: keys are drawn once, every answer is checked, and what ran is named."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial, wraps
from statistics import median
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from bench.reproduce.phases import Clock, Phases, clocked
from bench.shared.data import WRONG, Data
from bench.shared.machines import Host, Machine
from bench.shared.versions import Attempt, Version, attempted
from shadersort.errors import AnswerRefuted
from shadersort.keys import datasets
from shadersort.selection import SelectionTrace, select, select_many
from shadersort.selection.primitives import NumPyPrimitives

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

KEPT, KEPT_KEYS = 12, 1 << 24
"""How many vectors are kept for the next method, and the most keys of each: 3 GB at most. Of longer
vectors two are kept."""

COMPILING = 5.0
"""Seconds: a first call may compile kernels, which takes less; a longer call is not repeated."""

SHORT = 5.0
"""Milliseconds: a longer call is made once for each rank of each vector."""


class Timed(NamedTuple):
    """A time in milliseconds, what ran, the steps of its trace, and its fault if there is one."""

    ms: float
    label: str
    how: str
    fault: str = ""


class Times(NamedTuple):
    """Times in milliseconds, one for each rank of each vector; and how often each fault was."""

    ms: list[float]
    label: str
    how: str
    faults: Counter[str]


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
    """Times of one machine."""

    def __init__(self, machine: Machine, repeats: int) -> None:
        self.machine, self.repeats = machine, repeats
        self.known: dict[str, Any] = {}
        self._short, self._long = (
            lru_cache(maxsize=count)(partial(Data, machine.xp)) for count in (KEPT, 2)
        )

    def data(self, distribution: str, dtype: str, n: int, seed: int = 1) -> Data:
        """Return a vector of keys, drawn now or kept."""
        return (self._short if n <= KEPT_KEYS else self._long)(distribution, dtype, n, seed)

    def time(self, version: Version, distribution: str, dtype: str, n: int, ks: Any) -> Timed:
        """Return the time of a method for one rank or several, measured anew.

        The answer is checked before it is timed. A call that takes very long is timed only then.
        """
        data = self.data(distribution, dtype, n)
        ms, first = self.machine.timed(lambda: version.traced(data.keys, ks))
        _check(data, first, ks, version)
        if ms < 1e3 * COMPILING:
            ms = self.machine.ms(lambda: version.timed(data.keys, ks), self.repeats)
        return Timed(ms, *told(first.trace), first.fault)

    @_once
    def one(self, version: Version, distribution: str, dtype: str, n: int, k: int) -> Timed:
        """Return the time of a method for one key."""
        return self.time(version, distribution, dtype, n, k)

    @_once
    def many(self, version: Version, distribution: str, dtype: str, n: int, count: int) -> Timed:
        """Return the time of a method for evenly spaced ranks together."""
        return self.time(version, distribution, dtype, n, datasets.ranks("uniform", n, count))

    @_once
    def over_ranks(
        self,
        version: Version,
        distribution: str,
        dtype: str,
        n: int,
        ks: Sequence[int],
        vectors: int,
    ) -> Times:
        """Return the times of a method for each rank of each vector.

        One vector goes ahead untimed, as other ranks may need other kernels. Every answer is
        checked, after it is timed.
        """
        ahead = self.data(distribution, dtype, n, 0).keys
        first, *_ = [version.traced(ahead, k) for k in ks]
        for k in ks:
            version.timed(ahead, k)
        found = [
            each
            for seed in range(1, vectors + 1)
            for each in self._each(version, self.data(distribution, dtype, n, seed), ks)
        ]
        faults = Counter(fault for _, fault in found if fault)
        return Times([ms for ms, _ in found], *told(first.trace), faults)

    def _each(self, version: Version, data: Data, ks: Sequence[int]) -> list[tuple[float, str]]:
        """Return the time of each rank, and the name of its fault."""
        found = [self._median(partial(version.timed, data.keys, k)) for k in ks]
        return [
            (ms, _check(data, each, k, version)) for (ms, each), k in zip(found, ks, strict=True)
        ]

    def _median(self, call: Callable[[], Attempt]) -> tuple[float, Attempt]:
        """Return the median time of a few calls, and the first answer; a long call is made once."""
        ms, found = self.machine.timed(call)
        if ms > SHORT:
            return ms, found
        again = [self.machine.timed(call) for _ in range(self.repeats - 1)]
        return median([ms, *(each for each, _ in again)]), found

    @_once
    def parts(
        self, version: Version, phases: Phases, *of: Any, ranks: int = 1
    ) -> tuple[dict[str, float], Timed]:
        """Return the time of each phase of a method, in the fastest of several runs; and its sum.

        `of` is a distribution, a type and a number of keys. A single rank is the median.
        """
        data = self.data(*of)
        ks = datasets.ranks("uniform", data.n, ranks) if ranks > 1 else data.n // 2
        first = version.traced(data.keys, ks)
        _check(data, first, ks, version)
        runs = [self._phases(data, ks, version, phases) for _ in range(self.repeats + 1)]
        fastest = min(runs[1:], key=lambda run: sum(run.values()))
        return fastest, Timed(sum(fastest.values()), *told(first.trace), first.fault)

    def _phases(self, data: Data, ks: Any, version: Version, phases: Phases) -> dict[str, float]:
        keys = self.machine.primitives(data.keys)
        self.machine.wait()
        clock = Clock(self.machine)
        calls = clocked(keys, clock)
        find: Any = select if np.ndim(ks) == 0 else select_many
        call = partial(find, **version.given)
        found = attempted(partial(version.unproved if version.as_printed else call, calls, ks))
        _check(data, found, ks, version)
        return phases.times(clock)

    @_once
    def copied(self, distribution: str, dtype: str, n: int) -> float:
        """Return the time of a copy of a GPU's keys to the host."""
        copy = partial(self.machine.xp.asnumpy, self.data(distribution, dtype, n).keys)
        copy()
        return self.machine.ms(copy, self.repeats)

    @_once
    def on_host(self, method: str, distribution: str, dtype: str, n: int) -> Timed:
        """Return the time of NumPy's primitives on the host, for the median."""
        data = self.data(distribution, dtype, n)
        keys = data.keys if data.xp is np else data.xp.asnumpy(data.keys)

        def call(**more: Any) -> Any:
            return select(NumPyPrimitives(keys), n // 2, method=method, **more)

        first = Attempt(*call(return_trace=True))
        data.check(first.answer, n // 2, method)
        return Timed(Host().ms(call, self.repeats), *told(first.trace))

    @_once
    def memory(
        self, version: Version, distribution: str, dtype: str, n: int, count: int = 1
    ) -> Timed:
        """Return the most memory of a selection with its input, in units of n keys."""
        data = self.data(distribution, dtype, n)
        ks = datasets.ranks("uniform", n, count) if count > 1 else n // 2
        first = version.traced(data.keys, ks)
        _check(data, first, ks, version)
        most = 1 + self.machine.peak(lambda: version.timed(data.keys, ks)) / data.keys.nbytes
        return Timed(most, *told(first.trace), first.fault)

    @_once
    def memory_of_sort(self, distribution: str, dtype: str, n: int) -> float:
        """Return the most memory of a sort in place with its input, in units of n keys."""
        keys = self.data(distribution, dtype, n).keys.copy()
        return float(1 + self.machine.peak(keys.sort) / keys.nbytes)


def _check(data: Data, found: Attempt, ks: Any, version: Version) -> str:
    """Return the fault of an attempt; a wrong answer is one only of a method as printed.

    Raises AssertionError if our version is wrong.
    """
    if found.fault or data.right(found.answer, ks):
        return found.fault
    if version.as_printed:
        return AnswerRefuted.__name__
    raise AssertionError(WRONG.format(version))


def told(trace: SelectionTrace) -> tuple[str, str]:
    """Return the label of a trace, and the names of its steps without the proof."""
    names = dict.fromkeys(step.name for step in trace.steps if step.name != "proof")
    return trace.label, ", ".join(names)
