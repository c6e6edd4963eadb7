"""A chunk of a Dask array as a part, and a question to it that runs in a task."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from modern.opening import is_on_gpu
from modern.parts import on_gpu
from modern.primitives.numpy import BlockedPrimitives
from shadersort.errors import InputChanged, UnsupportedKeys
from shadersort.keys.accepted import SELECTED, selectable
from shadersort.keys.stand_ins import StandIn
from shadersort.keys.types import Integers
from shadersort.selection.primitives.parts import Ask, Call, InMemory
from shadersort.selection.primitives.parts.part import closed_between
from shadersort.selection.primitives.parts.sums import Join, sum_of_bits

PIECE = 1 << 21
"""A task asks this many keys of its chunk at a time, which bounds the memory beside the chunk."""

COUNTERS, COUNTERS_ON_GPU = 1 << 16, 1 << 13
"""The largest number of counters in a histogram; any GPU has room for so many."""

COPIES = ("between", closed_between, "with_prefixes", "of_buckets")
"""The calls that copy some keys."""


@dataclass(frozen=True)
class Kind:
    """What all chunks of an array have.

    Attributes
    ----------
    given
        The type of the keys, as the array names it.
    dtype, stand_in
        Their type, as primitives take and return them, and what they stand in for.
    counters
        The largest number of counters in a histogram.
    """

    given: np.dtype[Any]
    dtype: np.dtype[Any]
    stand_in: StandIn | None
    counters: int

    @classmethod
    def of(cls, array: Any) -> "Kind":
        """Return the kind of a Dask array's chunks; raise UnsupportedKeys if they are no keys."""
        keys, stand_in = selectable(np.empty(0, array.dtype))
        counters = COUNTERS_ON_GPU if is_on_gpu(array._meta) else COUNTERS
        return cls(np.dtype(array.dtype), keys.dtype, stand_in, counters)


@dataclass(frozen=True)
class Chunk:
    """A part: the keys of a chunk, or those that filters leave. `DaskPrimitives` asks it.

    Attributes
    ----------
    kind
        What all chunks have.
    place
        The place of the chunk among all chunks.
    size
        How many keys it has.
    filters
        Calls that copy some keys, applied one after the other.
    """

    kind: Kind
    place: int
    size: int
    filters: tuple[Ask, ...] = ()

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the keys, as primitives take and return them."""
        return self.kind.dtype

    @property
    def stand_in(self) -> StandIn | None:
        """What the keys stand in for."""
        return self.kind.stand_in

    @property
    def counters(self) -> int:
        """The largest number of counters in a histogram."""
        return self.kind.counters

    def ask(self, call: Call, *args: Any) -> Any:
        """Raise: a chunk is asked by a task."""
        raise NotImplementedError("chunks are asked in rounds, by tasks")


@dataclass(frozen=True)
class Asked:
    """A question to a chunk, which runs in a task: on another machine, perhaps.

    With a join, the chunk is asked piece by piece, unless the answer has places in it.
    """

    chunk: Chunk
    call: Call
    args: tuple[Any, ...] = ()
    join: Join[Any] | None = None
    has_places: bool = False

    def __call__(self, chunk: Any, *shared: Any) -> tuple[Any, dict[int, int]]:
        """Return what a chunk answers, and the sum of its bits by its place.

        Arguments that all chunks share follow those of this question.
        """
        keys = self._checked(chunk)
        return self._answer(keys, shared), {self.chunk.place: sum_of_bits(keys)}

    def _answer(self, keys: Any, shared: tuple[Any, ...]) -> Any:
        """Return what keys answer; of a copy of some keys, how many these are."""
        found, seen = [], 0
        for piece in self._pieces(keys):
            part = InMemory(BlockedPrimitives(piece)) if not is_on_gpu(piece) else on_gpu(piece)
            for call, args in self.chunk.filters:
                part = part.ask(call, *args)
            seen += part.size
            found.append(part.ask(self.call, *self.args, *shared))
        if seen != self.chunk.size:
            raise InputChanged(
                f"chunk {self.chunk.place} has {seen} keys, and had {self.chunk.size} before: "
                "keys are read in several rounds, and have to be the same each time"
            )
        if isinstance(found[0], InMemory):
            return sum(each.size for each in found)
        return found[0] if self.join is None else self.join(found)

    def _checked(self, chunk: Any) -> Any:
        """Return a chunk as a flat array of NumPy or of a library on a GPU."""
        array = chunk if is_on_gpu(chunk) else SELECTED.array(chunk)
        if array.dtype != self.chunk.kind.given:
            raise UnsupportedKeys(
                f"chunk {self.chunk.place} has keys of {array.dtype}, and the array says "
                f"{self.chunk.kind.given}: pass chunks of one type, array.astype(...)"
            )
        return array.reshape(-1) if is_on_gpu(array) else np.ascontiguousarray(array).reshape(-1)

    def _pieces(self, keys: Any) -> list[Any]:
        joins = self.join is not None or self.call in COPIES
        if not joins or self.has_places or keys.size <= PIECE or is_on_gpu(keys):
            return [keys]
        return [keys[start : start + PIECE] for start in range(0, keys.size, PIECE)]


@dataclass(frozen=True)
class Box:
    """Where a chunk is in an array.

    Examples
    --------
    >>> Box(starts=(1, 2), shape=(2, 2), whole=(5, 10)).places(np.array([0, 3]))
    array([12, 23])
    """

    starts: tuple[int, ...]
    shape: tuple[int, ...]
    whole: tuple[int, ...]

    def places(self, places: Integers) -> Integers:
        """Return places in the flat chunk as places in the flat array."""
        if not self.shape:
            return places
        numbers = np.unravel_index(places, self.shape)
        moved = [each + start for each, start in zip(numbers, self.starts, strict=True)]
        return np.asarray(np.ravel_multi_index(moved, self.whole), np.int64)
