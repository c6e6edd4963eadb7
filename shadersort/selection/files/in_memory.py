"""Arrays that are in memory, or that the system maps into it: `np.memmap`."""

from pathlib import Path
from typing import Any

import numpy as np

from shadersort.errors import InputChanged
from shadersort.keys.types import Integers, Keys
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.source import Source, checked_type, cut, in_runs


class MappedArray(Source):
    """An array whose pieces are parts of its memory, if it is in one stretch, or else copies.

    A file that became shorter is noticed before its memory is touched: the system ends processes
    that touch what is not there.
    """

    scattered = in_memory = True

    def __init__(self, array: Any, budget: Budget) -> None:
        path = getattr(array, "filename", None)
        self.name = "the array" if path is None else str(path)
        self.dtype, self.threads = checked_type(array.dtype, self.name), budget.threads
        self._path, self._length = None if path is None else Path(path), 0
        self._length = self._now()
        self.flat, array = array.ndim == 1, np.asarray(array)
        whole = array.flags.c_contiguous or array.flags.f_contiguous or array.ndim < 2
        self._rows = array.reshape(-1, order="A") if whole else array
        each = self._rows[:1].nbytes
        if not whole:
            budget.threads_for(each, f"a row of {self.name}")
        rows = cut(len(self._rows), budget.piece // max(each, 1) or 1)
        self._starts = np.cumsum([0, *rows]).tolist()
        self.sizes = [count * self._rows[:1].size for count in rows]

    def read(self, place: int) -> Keys:
        """Return the keys of a piece."""
        self.check()
        rows = self._rows[self._starts[place] : self._starts[place + 1]]
        return np.ascontiguousarray(rows.reshape(-1)).astype(self.dtype, copy=False)

    def take(self, place: int, within: Integers, run: int = 1) -> Keys:
        """Return some keys of a piece, or runs."""
        self.check()
        rows = self._rows[self._starts[place] : self._starts[place + 1]]
        return np.asarray(rows.reshape(-1)[in_runs(within, run)]).astype(self.dtype, copy=False)

    def check(self) -> None:
        """Raise InputChanged if the file of a memmap has another length."""
        if (now := self._now()) != self._length:
            raise InputChanged(
                f"{self.name} was changed while it was read: it had {self._length:,} bytes, and "
                f"has {now:,}"
            )

    def _now(self) -> int:
        """Return the length of the mapped file; a file that was removed is still mapped."""
        if self._path is None or not self._path.exists():
            return self._length
        return self._path.stat().st_size
