"""What a path or an object is: which source has its keys, cut into pieces."""

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.files.arrays import ArrayFile
from shadersort.files.source import ArrayKeys, Indexed
from shadersort.files.sources import open_source
from shadersort.keys.types import Integers, Keys
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.chunks import Chunks, makes_chunks
from shadersort.selection.files.source import Source


class IndexedPieces(Source):
    """Pieces of keys that are read from any place."""

    def __init__(self, keys: Indexed, budget: Budget) -> None:
        self.keys, self.name, self.dtype = keys, keys.name, keys.dtype
        self._starts = keys.starts(max(budget.piece // keys.stored.itemsize, 1))
        self.sizes = np.diff(self._starts).tolist()
        self.flat, self.scattered = len(keys.shape) == 1, keys.scattered
        self.threads = budget.threads
        if keys.largest_piece:
            what = f"the largest row group of {keys.name}"
            advice = ", or write the file with smaller row groups"
            self.threads = budget.threads_for(keys.largest_piece, what, advice)

    def read(self, place: int) -> Keys:
        """Return the keys of a piece."""
        return self.keys.read(self._starts[place], self._starts[place + 1])

    def take(self, place: int, within: Integers, run: int = 1) -> Keys:
        """Return some keys of a piece, or runs."""
        if not isinstance(self.keys, ArrayFile | ArrayKeys):
            return super().take(place, within, run)
        return self.keys.take(self._starts[place] + within, run)

    def check(self) -> None:
        """Raise InputChanged if the file is another."""
        self.keys.check()


def source_of(
    given: Any,
    budget: Budget,
    *,
    column: str | int | None = None,
    dtype: npt.DTypeLike | None = None,
    offset: int = 0,
) -> Source:
    """Return the pieces of some keys: of a path, of an array, or of what makes chunks.

    Raises what `open_source` raises, and NotRereadable if the keys can be read only once.
    """
    if isinstance(given, str | os.PathLike | np.ndarray):
        keys = open_source(given, column=column, dtype=dtype, offset=offset)
        assert isinstance(keys, Indexed)
        return IndexedPieces(keys, budget)
    for name, option in (("column", column), ("dtype", dtype), ("offset", offset or None)):
        if option is not None:
            raise BadOption(f"{name}= is for files, and the keys are in a {type(given).__name__}")
    return Chunks(makes_chunks(given), budget)
