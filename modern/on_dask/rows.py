"""Rows that are too long for one chunk: ranks in all of them at once, by the rounds of groups.

Each row is a group. Nothing is rechunked, and a worker holds the chunks that it computes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from modern.arrays import is_on_gpu
from modern.on_dask.chunk import Box
from modern.on_dask.chunks import Chunks
from modern.on_dask.group_tasks import Codes, Sampled, all_known
from modern.on_dask.groups import codes_of_ranks
from shadersort.errors import InputChanged, UnsupportedKeys
from shadersort.keys.accepted import SELECTED, selectable
from shadersort.keys.codes import decode, encode
from shadersort.keys.stand_ins import back
from shadersort.keys.types import Integers, Keys

RanksWanted = Callable[[int], Integers]
"""Takes how many keys of a row are no NaN; returns the ranks that are wanted of it, ascending."""


@dataclass(frozen=True)
class RowsOf:
    """Reads a chunk; its groups are the rows of the whole array.

    Attributes
    ----------
    box
        Where the chunk is in the array.
    along
        The axes along which rows lie.
    dtype
        The type of the keys, as the array names it.
    """

    box: Box
    along: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def left(self) -> tuple[int, ...]:
        """The axes that are left."""
        return tuple(axis for axis in range(len(self.box.whole)) if axis not in self.along)

    def read(self, chunk: Any, groups: Any = None) -> tuple[Integers, Codes]:
        """Return the row of each key, and its code; rows need no names."""
        keys = SELECTED.array(chunk.get() if is_on_gpu(chunk) else chunk)
        if keys.dtype != self.dtype:
            raise UnsupportedKeys(
                f"a chunk has keys of {keys.dtype}, and the array says {self.dtype}: pass chunks "
                "of one type, array.astype(...)"
            )
        if keys.shape != self.box.shape:
            raise InputChanged(
                f"a chunk has the shape {keys.shape}, and had {self.box.shape} before: keys are "
                "read in several rounds, and have to be the same each time"
            )
        ids = np.broadcast_to(self._numbers(), keys.shape).ravel()
        flat, _ = selectable(keys.ravel())
        number = keys.ravel() == keys.ravel()  # neither NaN nor NaT
        return ids[number], encode(flat[number]).astype(np.uint64)

    def _numbers(self) -> Integers:
        """Return the number of each row of the chunk, with axes of length 1 along rows."""
        number = np.zeros((1,) * len(self.box.whole), np.int64)
        for axis in self.left:
            start, length = self.box.starts[axis], self.box.shape[axis]
            shape = [length if each == axis else 1 for each in range(len(self.box.whole))]
            number = number * self.box.whole[axis] + np.arange(start, start + length).reshape(shape)
        return number


def keys_of_rows(
    x: Any, along: tuple[int, ...], name: str, wanted: RanksWanted
) -> tuple[Integers, list[Keys]]:
    """Return how many keys of each row are no NaN, and the keys of the wanted ranks of each."""
    chunks = Chunks(x, name)
    places = range(len(chunks.rounds.keys))
    sources = [RowsOf(chunks.box(place), along, np.dtype(x.dtype)) for place in places]
    questions = [Sampled(each, place) for place, each in enumerate(sources)]
    count = prod(length for axis, length in enumerate(x.shape) if axis not in along)
    known = chunks.rounds.joined("sample", places, questions, all_known, (None, count))
    ranks = [wanted(count) for count in known.counts.tolist()]
    sizes = [each.size for each in ranks]
    ids = np.repeat(np.arange(len(ranks)), sizes)
    codes = codes_of_ranks(chunks.rounds, sources, None, known, ids, np.concatenate(ranks))
    none, stand_in = selectable(np.empty(0, x.dtype))
    found = back(stand_in, decode(codes.astype(f"u{none.itemsize}"), none.dtype))
    return known.counts, np.split(found, np.cumsum(sizes)[:-1])
