"""The time of each phase of a method, as the papers report it, and of all of it, in one run.

A mark is set before and after each call of a primitive. Nothing waits for it: on a GPU, marks are
events. Every call, and every pause between two calls, belongs to a phase.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast
from unittest.mock import patch

from bench.shared.machines import Machine
from shadersort.selection.primitives import Primitives


class Clock:
    """Marks between calls, and what was before each; a pause is "after" its previous call."""

    def __init__(self, machine: Machine) -> None:
        machine.begin()
        self._machine, self._names, self._marks = machine, list[str](), [machine.mark()]
        self._last, self._running = "start", ""

    def run(self, name: str, call: Callable[[], Any]) -> Any:
        """Make a call between two marks."""
        self.mark(f"after {self._last}")
        self._running = name
        found = call()
        self.mark(self._running)
        self._last, self._running = name, ""
        return found

    @contextmanager
    def sums_apart(self) -> Iterator[None]:
        """Give the rest of an assignment, from its first cumulative sum on, the name "sums"."""
        plain = self._machine.xp.cumsum

        def cumsum(*arguments: Any, **named: Any) -> Any:
            if self._running == "assign":
                self.mark(self._running)
                self._running = "sums"
            return plain(*arguments, **named)

        with patch.object(self._machine.xp, "cumsum", cumsum):
            yield

    def mark(self, name: str = "") -> None:
        """Set a mark: what was before it has this name, or is the pause at the end."""
        self._marks.append(self._machine.mark())
        self._names.append(name or f"after {self._last}")

    def wrap(self, keys: Primitives) -> Primitives:
        """Return primitives of the same keys that mark each call."""
        return cast(Primitives, _Clocked(keys, self))

    def spent(self) -> list[tuple[str, float]]:
        """Return what was done, and the milliseconds of it."""
        return list(zip(self._names, self._machine.between(self._marks), strict=True))


class _Clocked:
    """Primitives that mark each call, also on the copies that their calls return."""

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


@dataclass(frozen=True, eq=False)
class Phases:
    """The phases of a method by call; a call without a phase belongs to `rest`."""

    of: Mapping[str, str]
    rest: str

    def times(self, clock: Clock) -> dict[str, float]:
        """Return the milliseconds of each phase."""
        found: dict[str, float] = defaultdict(float)
        for name, ms in clock.spent():
            found[self.of.get(name, self.rest)] += ms
        return dict(found)


CUTTING_PLANE = Phases(
    {
        "between": "compaction",
        **dict.fromkeys(("after between", "sort", "after sort", "take", "look_up_ranks"), "sort"),
    },
    "iterations",
)
"""Phases of Beliakov's method."""

INITIALIZATION = dict.fromkeys(("after start", "extent", "after extent"), "initialization")
CREATE = dict.fromkeys(("sample", "after sample"), "create-buckets")

BUCKETS = Phases(
    {
        **INITIALIZATION,
        **CREATE,
        "bucket_histogram": "assign",
        "after bucket_histogram": "identify-active",
        "of_buckets": "reduce",
    },
    "sort-choose",
)
"""Phases of bucketMultiSelect; the proofs belong to sort-choose."""

BUCKETS_AS_PRINTED = Phases(
    {
        **INITIALIZATION,
        **CREATE,
        **dict.fromkeys(("printed_vector", "after printed_vector"), "initialization"),
        "assign": "assign",
        **dict.fromkeys(("sums", "after assign"), "identify-active"),
        **dict.fromkeys(("reduce_to_segments", "reduce_by_flags"), "reduce"),
    },
    "sort-choose",
)
"""Phases of bucketMultiSelect as printed; the proofs belong to sort-choose.

Subroutine 3 begins with the sums of CounterArray's rows: here a part of the call that assigns.
"""
