"""A part: some of the keys, and what asks them. Here they are in the memory of this process.

A part is whatever answers to `ask`: an array in memory, a piece of a file, or a chunk that a
cluster holds.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from shadersort.errors import UnsupportedKeys
from shadersort.keys.stand_ins import StandIn
from shadersort.keys.types import Key, Keys
from shadersort.selection.primitives.protocol import Primitives
from shadersort.sorting.external.schedule import cores

Call = str | Callable[..., Any]
"""A call of the primitives by its name; or a function that takes primitives."""

Ask = tuple[Call, tuple[Any, ...]]
"""A call, and its arguments."""


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

    def ask(self, call: Call, *args: Any) -> Any:
        """Return what a call of the primitives answers; copies of some keys are parts, too."""


AskAll = Callable[[Sequence[Any], Sequence[Ask]], list[Any]]
"""Asks each part something, all at once, and returns their answers in the order of the parts.

Histograms are only added up. So they may come as sums, each over several parts.
"""


@dataclass(frozen=True, slots=True)
class InMemory:
    """A part in memory: any primitives over an array.

    Attributes
    ----------
    keys
        The primitives.
    here
        Makes a context in which their calls run: one in which their device is the current one.
    device
        What answers for them, if only one part at a time can use it; None if many can.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> part = InMemory(NumPyPrimitives([30, 10, 20]))
    >>> part.ask("counts", np.int64(20)), part.ask("between", np.int64(10), None).size
    (Counts(below=1, equal=1, above=1), 2)
    """

    keys: Primitives
    here: Callable[[], AbstractContextManager[object]] = nullcontext
    device: int | None = None

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

    def ask(self, call: Call, *args: Any) -> Any:
        """Return what a call answers; copies of some keys are parts in the same memory."""
        with self.here():
            found = answer(self.keys, call, args)
        if isinstance(found, tuple) and not hasattr(found, "_make"):
            return tuple(map(self._as_part, found))
        return self._as_part(found)

    def _as_part(self, found: Any) -> Any:
        return replace(self, keys=found) if isinstance(found, Primitives) else found


def answer(keys: Primitives, call: Call, args: tuple[Any, ...]) -> Any:
    """Return what primitives answer to a call, by its name or as a function of primitives.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> answer(NumPyPrimitives([30, 10, 20]), collected, ())
    array([30, 10, 20])
    """
    return getattr(keys, call)(*args) if isinstance(call, str) else call(keys, *args)


def in_threads(parts: Sequence[Part], asks: Sequence[Ask]) -> list[Any]:
    """Ask parts in this process, as many at once as the CPU has cores."""
    together = list(zip(parts, asks, strict=True))
    if len(together) == 1 or cores() == 1:
        return [part.ask(call, *args) for part, (call, args) in together]
    with ThreadPoolExecutor(cores()) as pool:
        waiting = [pool.submit(part.ask, call, *args) for part, (call, args) in together]
        return [each.result() for each in waiting]


def collected(keys: Any) -> Keys:
    """Return all keys on the host: a call for parts."""
    return np.asarray(keys.keys if isinstance(keys.keys, np.ndarray) else keys.keys.get())


def copied(keys: Primitives, call: Call, args: tuple[Any, ...]) -> Keys:
    """Copy some keys by a call, and return them on the host: a call for parts."""
    return collected(answer(keys, call, args))


def closed_between(keys: Primitives, low: Key | None, high: Key | None) -> Primitives:
    """Copy the keys from one to another, ends included: a call for parts."""
    return keys.between(low, high, closed=True)


def one_type(parts: Sequence[Any]) -> tuple[np.dtype[Any], StandIn | None]:
    """Return the type of all parts' keys, and what they stand in for; or raise."""
    own = {part.dtype if part.stand_in is None else part.stand_in.dtype for part in parts}
    if len(own) > 1:
        names = ", ".join(sorted(map(str, own)))
        raise UnsupportedKeys(f"parts have keys of {names}: pass parts of one type")
    return parts[0].dtype, parts[0].stand_in
