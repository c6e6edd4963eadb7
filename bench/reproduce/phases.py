"""The time of each phase of a method, as the papers report it.

Each call of a primitive is timed, and the host waits after each. Every call, and every pause
between two calls, belongs to a phase.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any, cast

from bench.shared.machines import Machine
from shadersort.selection.primitives import Primitives

__all__ = ["BUCKETS", "CUTTING_PLANE", "Clock", "by_phase", "clocked"]

CUTTING_PLANE = {"between": "compaction"} | dict.fromkeys(
    ("sort", "take", "ranked", "fused_radix"), "sort"
)
"""Phases of Beliakov's method by call. All other calls are iterations."""

BUCKETS = {
    "extent": "initialization",
    "sample": "create-buckets",
    "after sample": "create-buckets",
    "bucket_histogram": "assign",
    "after bucket_histogram": "identify-active",
    "of_buckets": "reduce",
}
"""Phases of bucketMultiSelect by call. All other calls, proofs included, are sort-choose."""


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


class _Clocked:
    """Primitives that time each call, also on the copies that their calls return."""

    def __init__(self, inner: Any, clock: Clock) -> None:
        self._inner, self._clock = inner, clock

    def __getattr__(self, name: str) -> Any:
        if name == "around":  # as single calls; a device may fuse them
            return MethodType(Primitives.around, self)
        found = getattr(self._inner, name)
        if not callable(found) or name == "supports":
            return found

        def call(*arguments: Any, **named: Any) -> Any:
            return self._wrapped(self._clock.run(name, lambda: found(*arguments, **named)))

        return call

    def _wrapped(self, found: Any) -> Any:
        if isinstance(found, list | tuple):
            return type(found)(self._wrapped(each) for each in found)
        return _Clocked(found, self._clock) if hasattr(found, "traffic") else found


def clocked(keys: Primitives, clock: Clock) -> Primitives:
    """Return primitives of the same keys that time each call."""
    return cast(Primitives, _Clocked(keys, clock))


def by_phase(clock: Clock, phases: Mapping[str, str], rest: str) -> dict[str, float]:
    """Return the milliseconds of each phase; a call without a phase belongs to `rest`."""
    found: dict[str, float] = defaultdict(float)
    for name, ms in clock.spent.items():
        found[phases.get(name, rest)] += ms
    return dict(found)
