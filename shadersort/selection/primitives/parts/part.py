"""A part: some of the keys, and what asks them. Here they are in the memory of this process.

A part is whatever answers to `ask`: an array in memory, a piece of a file, or a chunk that a
cluster holds.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from shadersort.keys.stand_ins import StandIn
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.protocol import Primitives
from shadersort.sorting.external.schedule import cores

Ask = tuple[str, tuple[Any, ...]]
"""A call's name, and its arguments."""


class Part(Protocol):
    """Some of the keys, and what runs the calls of the primitives on them."""

    @property
    def size(self) -> int:
        """How many keys it has."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Their type, as all calls take and return them."""

    @property
    def stand_in(self) -> StandIn | None:
        """What they stand in for; None if they are the keys that were given."""

    @property
    def counters(self) -> int:
        """The largest number of counters in a histogram."""

    def ask(self, call: str, *args: Any) -> Any:
        """Return what a call of the primitives answers; copies of some keys are parts, too."""


AskAll = Callable[[Sequence[Any], Sequence[Ask]], list[Any]]
"""Asks each part something, all at once, and returns their answers in the order of the parts."""


@dataclass(frozen=True, slots=True)
class InMemory:
    """A part in memory: any primitives over an array.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> part = InMemory(NumPyPrimitives([30, 10, 20]))
    >>> part.ask("counts", np.int64(20)), part.ask("between", np.int64(10), None).size
    (Counts(below=1, equal=1, above=1), 2)
    """

    keys: Primitives

    @property
    def size(self) -> int:
        """How many keys it has."""
        return self.keys.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """Their type."""
        return self.keys.dtype

    @property
    def stand_in(self) -> StandIn | None:
        """What they stand in for."""
        return self.keys.stand_in

    @property
    def counters(self) -> int:
        """The largest number of counters in a histogram."""
        return self.keys.tuning.counters

    def ask(self, call: str, *args: Any) -> Any:
        """Return what a call answers."""
        return asked(self.keys, call, *args)


def asked(keys: Primitives, call: str, *args: Any) -> Any:
    """Return what primitives answer; copies as parts in memory.

    Some calls are of parts only (`EXTRA`).
    """
    found = EXTRA[call](keys, *args) if call in EXTRA else getattr(keys, call)(*args)
    if isinstance(found, tuple) and not hasattr(found, "_make"):
        return tuple(map(_as_part, found))
    return _as_part(found)


def _as_part(found: Any) -> Any:
    return InMemory(found) if isinstance(found, Primitives) else found


def in_threads(parts: Sequence[Part], asks: Sequence[Ask]) -> list[Any]:
    """Ask parts in this process, as many at once as the CPU has cores."""
    together = list(zip(parts, asks, strict=True))
    if len(together) == 1 or cores() == 1:
        return [part.ask(call, *args) for part, (call, args) in together]
    with ThreadPoolExecutor(cores()) as pool:
        waiting = [pool.submit(part.ask, call, *args) for part, (call, args) in together]
        return [each.result() for each in waiting]


def _collected(keys: Any) -> Keys:
    """Return all keys on the host."""
    return np.asarray(keys.keys if isinstance(keys.keys, np.ndarray) else keys.keys.get())


def _copied(keys: Primitives, call: str, args: tuple[Any, ...]) -> Keys:
    """Copy some keys by a call, and return them on the host."""
    return _collected(EXTRA[call](keys, *args) if call in EXTRA else getattr(keys, call)(*args))


def _closed_between(keys: Primitives, low: Key | None, high: Key | None) -> Primitives:
    return keys.between(low, high, closed=True)


def _counted(keys: Primitives, buckets: Buckets) -> tuple[Integers, int]:
    """Return how many keys are in each bucket, and how many are NaN."""
    return keys.bucket_histogram(buckets), keys.size - keys.count_numbers()


EXTRA: dict[str, Callable[..., Any]] = {
    "collected": _collected,
    "copied": _copied,
    "closed_between": _closed_between,
    "counted": _counted,
}
"""Calls of parts that are no calls of the primitives."""
