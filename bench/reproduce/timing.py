"""Times of selection: keys are drawn once, every answer is checked, and what ran is named."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from bench.reproduce.phases import Clock, Phases
from bench.shared.data import Data, ensure
from bench.shared.machines import Card, Host, Machine
from bench.shared.versions import LIBRARY, Attempt, Version
from shadersort.errors import AnswerRefuted
from shadersort.keys import datasets

KEPT, KEPT_KEYS = 10, 1 << 24
"""How many vectors are kept for the next method, and the most keys of each on the host. On a GPU
they take half of the free memory at most. Of longer vectors two are kept."""

LONG, SHORT = 300.0, 5.0
"""Milliseconds: a longer first call is not repeated; of several ranks, longer calls are made once.
Kernels were compiled for fewer keys."""


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


class Bench:
    """Times of one machine; each is measured once."""

    def __init__(self, machine: Machine, repeats: int) -> None:
        self.machine, self.repeats = machine, repeats
        for name in ("many", "over_ranks", "parts", "on_host", "memory"):
            setattr(self, name, cache(getattr(self, name)))
        self._short, self._long = (
            lru_cache(maxsize=count)(partial(Data, machine.xp)) for count in (KEPT, 2)
        )
        self._most = KEPT_KEYS
        if isinstance(machine, Card):
            free, _ = machine.xp.cuda.runtime.memGetInfo()
            self._most = free // (4 * KEPT * 8)  # half of it for keys and keys in order

    def data(self, distribution: str, dtype: str, n: int, seed: int = 1) -> Data:
        """Return a vector of keys, drawn now or kept."""
        return (self._short if n <= self._most else self._long)(distribution, dtype, n, seed)

    def time(self, version: Version, data: Data, ks: Any, machine: Machine | None = None) -> Timed:
        """Return the time of a method for one rank or several: of what was checked before."""
        machine = machine or self.machine
        ms, first = machine.timed(lambda: version.traced(data.keys, ks))
        check(data, first, ks, version)
        if ms < LONG:
            again = partial(version.timed, data.keys, ks)
            ms = median(machine.timed(again)[0] for _ in range(self.repeats))
        return Timed(ms, *describe_run(version, first.trace), first.fault)

    def many(self, version: Version, distribution: str, dtype: str, n: int, count: int) -> Timed:
        """Return the time of a method for evenly spaced ranks together; for the median if 0."""
        return self.time(version, self.data(distribution, dtype, n), ranks_of(n, count))

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

        The first, the middle and the last rank go ahead untimed. Every answer is checked, after it
        is timed.
        """
        ahead = self.data(distribution, dtype, n, 1).keys
        first, *_ = [version.traced(ahead, k) for k in {ks[0]: 0, ks[len(ks) // 2]: 0, ks[-1]: 0}]
        version.timed(ahead, ks[0])
        times, faults = list[float](), Counter[str]()
        for seed in range(1, vectors + 1):
            data = self.data(distribution, dtype, n, seed)
            for k in ks:
                ms, found = self._median(partial(version.timed, data.keys, k))
                times.append(ms)
                if fault := check(data, found, k, version):
                    faults[fault] += 1
        return Times(times, *describe_run(version, first.trace), faults)

    def _median(self, call: Callable[[], Attempt]) -> tuple[float, Attempt]:
        """Return the median time of a few calls, and the first answer; a long call is made once."""
        ms, found = self.machine.timed(call)
        again = range(self.repeats - 1 if ms <= SHORT else 0)
        return median([ms, *(self.machine.timed(call)[0] for _ in again)]), found

    def parts(
        self, version: Version, phases: Phases, *of: Any, ranks: int = 0
    ) -> tuple[dict[str, float], Timed]:
        """Return the time of each phase of a method in its median run, and their sum, which is all.

        `of` is a distribution, a type and a number of keys.
        """
        data = self.data(*of)
        ks = ranks_of(data.n, ranks)
        first = version.traced(data.keys, ks)
        check(data, first, ks, version)
        runs = [self._phases(data, ks, version, phases) for _ in range(self.repeats + 1)][1:]
        run = sorted(runs, key=lambda run: sum(run.values()))[len(runs) // 2]
        return run, Timed(sum(run.values()), *describe_run(version, first.trace), first.fault)

    def _phases(self, data: Data, ks: Any, version: Version, phases: Phases) -> dict[str, float]:
        clock = Clock(self.machine)
        with clock.sums_apart():
            found = version.timed(data.keys, ks, clock.wrap)
        clock.mark()
        check(data, found, ks, version)
        return phases.times(clock)

    def on_host(
        self, version: Version, distribution: str, dtype: str, n: int
    ) -> tuple[float, Timed]:
        """Return the time of a copy of a GPU's keys to the host, and of the median there."""
        data = self.data(distribution, dtype, n)
        if data.xp is np:
            return 0.0, self.time(version, data, n // 2)
        hosted, copy = data.on_host(), partial(data.xp.asnumpy, data.keys)
        copied = median(self.machine.timed(copy)[0] for _ in range(self.repeats))
        return copied, self.time(version, hosted, n // 2, Host())

    def memory(
        self, version: Version, distribution: str, dtype: str, n: int, count: int = 0
    ) -> Timed:
        """Return the most memory of a selection with its input, in units of n keys."""
        data, ks = self.data(distribution, dtype, n), ranks_of(n, count)
        first = version.traced(data.keys, ks)
        check(data, first, ks, version)
        most = 1 + self.machine.peak(lambda: version.timed(data.keys, ks)) / data.keys.nbytes
        return Timed(most, *describe_run(version, first.trace), first.fault)


def ranks_of(n: int, count: int) -> Any:
    """Return evenly spaced ranks of n keys; the rank of the median if `count` is 0."""
    return datasets.ranks("uniform", n, count) if count else n // 2


def check(data: Data, found: Attempt, ks: Any, version: Version) -> str:
    """Return the fault of an attempt; a wrong answer is one only of a method as printed.

    Raises AssertionError if our version is wrong.
    """
    if found.fault or data.right(found.answer, ks):
        return found.fault
    ensure(version.as_printed, version)
    return AnswerRefuted.__name__


def describe_run(version: Version, trace: Any) -> tuple[str, str]:
    """Return the label of what ran, and the names of its steps without the proof."""
    if version.method == LIBRARY:
        return f"{LIBRARY}, NumPy {np.__version__}", "introselect"
    if trace is None:
        return f"{version.method}, modern", ""
    names = dict.fromkeys(step.name for step in trace.steps if step.name != "proof")
    return trace.label, ", ".join(names)
