"""The time of each phase of a method, as the papers report it.

Each call of a primitive is timed, and the host waits after each. Every call, and every pause
between two calls, belongs to a phase.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from bench.shared.machines import Machine
from shadersort.selection.primitives import Primitives


class Clock:
    """Milliseconds by the name of the call; a pause is called "after" its previous call."""

    def __init__(self, machine: Machine) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._wait, self._last, self._at = machine.wait, "start", time.perf_counter()

    def run(self, name: str, call: Callable[[], Any]) -> Any:
        """Make a call and wait for it."""
        self._tick(f"after {self._last}")
        found = call()
        self._wait()
        self._tick(name)
        self._last = name
        return found

    def _tick(self, name: str) -> None:
        now = time.perf_counter()
        self.spent[name] += 1e3 * (now - self._at)
        self._at = now


class Phases(NamedTuple):
    """The phases of a method by call; a call without a phase belongs to `rest`."""

    of: Mapping[str, str]
    rest: str

    def times(self, clock: Clock) -> dict[str, float]:
        """Return the milliseconds of each phase."""
        found: dict[str, float] = defaultdict(float)
        for name, ms in clock.spent.items():
            found[self.of.get(name, self.rest)] += ms
        return dict(found)


CUTTING_PLANE = Phases(
    {
        "between": "compaction",
        "after between": "sort",
        "sort": "sort",
        "after sort": "sort",
        "take": "sort",
        "look_up_ranks": "sort",
    },
    "iterations",
)
"""Phases of Beliakov's method."""

BUCKETS = Phases(
    {
        "after start": "initialization",
        "extent": "initialization",
        "after extent": "initialization",
        "sample": "create-buckets",
        "after sample": "create-buckets",
        "bucket_histogram": "assign",
        "after bucket_histogram": "identify-active",
        "of_buckets": "reduce",
    },
    "sort-choose",
)
"""Phases of bucketMultiSelect; the proofs belong to sort-choose."""


BUCKETS_AS_PRINTED = Phases(
    {
        "after start": "initialization",
        "extent": "initialization",
        "after extent": "initialization",
        "sample": "create-buckets",
        "after sample": "create-buckets",
        "printed_vector": "initialization",
        "after printed_vector": "initialization",
        "assign": "assign",
        "after assign": "identify-active",
        "reduce_to_segments": "reduce",
        "reduce_by_flags": "reduce",
    },
    "sort-choose",
)
"""Phases of bucketMultiSelect as printed; the proofs belong to sort-choose.

The sums of the rows of CounterArray, with which the paper's Subroutine 3 begins, are one call with
the assignment here, and belong to it.
"""


class _Clocked:
    """Primitives that time each call, also on the copies that their calls return."""

    def __init__(self, inner: Any, clock: Clock) -> None:
        self._inner, self._clock = inner, clock

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found) or name in ("supports", "restore"):  # no work on keys
            return found

        def call(*arguments: Any, **named: Any) -> Any:
            return self._wrapped(self._clock.run(name, lambda: found(*arguments, **named)))

        return call

    def _wrapped(self, found: Any) -> Any:
        if isinstance(found, list | tuple):
            made = getattr(type(found), "_make", type(found))  # of a tuple with names
            return made(self._wrapped(each) for each in found)
        return _Clocked(found, self._clock) if hasattr(found, "traffic") else found


def clocked(keys: Primitives, clock: Clock) -> Primitives:
    """Return primitives of the same keys that time each call."""
    return cast(Primitives, _Clocked(keys, clock))
