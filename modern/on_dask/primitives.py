"""The primitives over a Dask array, and its first keys in an order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from modern.on_dask.chunk import Box, Chunk, Kind
from modern.on_dask.chunks import Chunks
from modern.parts import TopParts, topped
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.driver import selected
from shadersort.selection.primitives.parts import Ask, Call
from shadersort.selection.primitives.parts.sums import Join, T
from shadersort.selection.top_keys import LARGEST, SMALLEST, order_codes


class DaskPrimitives(TopParts):
    """Primitives over a Dask array: its chunks in the order of their places, flat each.

    Parameters
    ----------
    array
        A Dask array of any number of dimensions.
    name
        What the tasks are for: the beginning of their names.

    Examples
    --------
    >>> import dask.array
    >>> keys = DaskPrimitives.of(dask.array.arange(10, chunks=(5, 1, 4)), "median")
    >>> keys.counts(np.int64(6)), keys.first(LARGEST, 2)
    (Counts(below=6, equal=1, above=3), (array([9, 8]), array([9, 8])))
    """

    name = "a Dask array"

    @classmethod
    def of(cls, array: Any, name: str, **options: Any) -> "DaskPrimitives":
        """Return the primitives over an array, whose unknown chunk sizes are found in a round."""
        kind, chunks = Kind.of(array), Chunks(array, name)
        parts = [Chunk(kind, place, size) for place, size in enumerate(chunks.sizes)]
        return cls(parts, chunks, **options)

    def _together(self, join: Join[T], call: Call, *args: Any) -> T:
        """Ask all parts the same, and join their answers by a tree of tasks."""
        self.traffic.add(self.size)
        self.traffic.rounds += 1
        return self._chunks.together(self.parts, call, args, join)

    def _over(self, parts: list[Any]) -> "DaskPrimitives":
        """Return primitives over filtered chunks."""
        return DaskPrimitives(parts, self.ask_all, most=self.most, traffic=self.traffic)

    @property
    def _chunks(self) -> Chunks:
        return cast(Chunks, self.ask_all)

    def first(self, by: int, count: int) -> tuple[Keys, Integers]:
        """Return the `count` largest or smallest keys in order, and their places in the array.

        Among equal keys those at the lowest places are taken; places are those of the flat array.
        """
        if not count:
            return np.empty(0, self.dtype), np.empty(0, np.int64)
        last, counts = selected(self, self.size - count if by == LARGEST else count - 1)
        left = count - (counts.below if by == SMALLEST else counts.above)
        chunks = self._chunks
        asks: list[Ask] = [
            (top_of, (by, last, left, chunks.box(part.place))) for part in self.parts
        ]
        self.traffic.add(self.size, count)
        self.traffic.rounds += 1
        found: tuple[Keys, Integers] = chunks.with_places(self.parts, asks, First(by, count))
        return found


@dataclass(frozen=True)
class First:
    """Joins the first keys of several chunks, in order, with their places."""

    by: int
    count: int

    def __call__(self, found: Sequence[tuple[Keys, Integers]]) -> tuple[Keys, Integers]:
        """Return the first of them; of equal keys, those at the lowest places."""
        values = np.concatenate([keys for keys, _ in found])
        places = np.concatenate([places for _, places in found])
        order = np.lexsort((places, order_codes(values, self.by)))[: self.count]
        return values[order], places[order]


def top_of(keys: Any, by: int, last: Key, left: int, box: Box) -> tuple[Keys, Integers]:
    """Return the keys before a last one, at most `left` equal to it, and their places."""
    at = keys.counts(last)
    before = at.below if by == SMALLEST else at.above
    values, places = topped(keys, by, last, at, before, min(left, at.equal))
    return values, box.places(places)
