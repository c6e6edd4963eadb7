"""Sorted runs in a temporary file, and their merging as a stream.

In a run, keys are their ordinals: integers in the order of the keys. No NaN is among them, and the
two zeros differ. So equal keys are equal bits, and a merge may take either of them first.
"""

import tempfile
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np

from shadersort.keys.codes import from_ordinals, ordinals
from shadersort.keys.files import read_all
from shadersort.keys.outputs import ROOM, reported, write_all
from shadersort.keys.types import Keys
from shadersort.sorting.merge import merge

PIECE = 1 << 18
"""Keys that are read, moved or written at a time where the number does not matter."""


def sort_ordinals(keys: Keys) -> Keys:
    """Sort keys without NaNs by NumPy, in place, and return their ordinals.

    Integers are sorted, because some of NumPy's sorts of floats lose the sign of a zero.

    Examples
    --------
    >>> sort_ordinals(np.float16([1, 0.0, -0.0, -1]))
    array([-15361,     -1,      0,  15360], dtype=int16)
    """
    numbers = keys.view(f"i{keys.itemsize}") if keys.dtype.kind == "f" else keys
    numbers.sort(kind="stable" if keys.itemsize == 2 else None)  # radix sort, faster for 16 bits
    if keys.dtype.kind == "f":
        _reverse(numbers[: _negatives(numbers)])
    return ordinals_of_sorted(keys)


def ordinals_of_sorted(ordered: Keys) -> Keys:
    """Replace sorted keys without NaNs by their ordinals, in place; positive ones do not change."""
    if ordered.dtype.kind != "f":
        return ordered
    numbers = ordered.view(f"i{ordered.itemsize}")
    first = bisect_left(range(len(numbers)), True, key=lambda i: bool(numbers[i] >= 0))
    ordinals(ordered[:first], in_place=True)
    return numbers


def keys_of_sorted(numbers: Keys, dtype: np.dtype[Any]) -> Keys:
    """Replace sorted ordinals by their keys, in place; positive ones do not change."""
    if dtype.kind == "f":
        from_ordinals(numbers[: _negatives(numbers)], dtype, in_place=True)
    return numbers.view(dtype)


def _negatives(numbers: Keys) -> int:
    """Count the negative ones of ordered integers; a zero of their type keeps them as they are."""
    return int(np.searchsorted(numbers, numbers.dtype.type(0)))


def complemented(numbers: Keys) -> Keys:
    """Replace ordered integers by others whose order is the reverse, in place, and order those.

    Examples
    --------
    >>> complemented(np.int16([-2, 0, 5]))
    array([-6, -1,  1], dtype=int16)
    """
    np.invert(numbers, out=numbers)
    _reverse(numbers)
    return numbers


def _reverse(keys: Keys) -> None:
    """Reverse an array in place, with little memory beside it."""
    count, half = len(keys), len(keys) // 2
    for first in range(0, half, PIECE):
        last = min(first + PIECE, half)
        low, high = keys[first:last], keys[count - last : count - first]
        kept = low.copy()
        low[:] = high[::-1]
        high[:] = kept[::-1]


@dataclass(frozen=True, slots=True)
class SortedRun:
    """A part of a spool: the positions of its first key, and of the one after its last."""

    first: int
    last: int


class Spool:
    """Keys in a temporary file without a name: nothing is left of it, however a process ends.

    Several threads may use it; they take turns.
    """

    def __init__(self, folder: Path, dtype: np.dtype[Any]) -> None:
        with reported(folder, ROOM):
            self._file: Any = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115
        self._folder, self._lock = folder, Lock()
        self.dtype, self.count = dtype, 0
        self.runs: list[SortedRun] = []

    def add(self, keys: Keys) -> SortedRun:
        """Append keys."""
        with self._lock:
            self._file.seek(self.count * self.dtype.itemsize)
            write_all(self._file, keys, self._folder)
            run = SortedRun(self.count, self.count + len(keys))
            self.count = run.last
        return run

    def add_run(self, ordered: Keys) -> None:
        """Append a sorted run."""
        self.runs.append(self.add(ordered))

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one position up to another."""
        keys = np.empty(last - first, self.dtype)
        with self._lock:
            self._file.seek(first * self.dtype.itemsize)
            read_all(self._file, keys)
        return keys

    def close(self) -> None:
        """Give back the disk's space. Closing twice does nothing."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Cursor:
    """How far a run has been merged, and its next block of keys."""

    def __init__(self, spool: Spool, run: SortedRun, size: int) -> None:
        self._spool, self._size = spool, size
        self._next, self._last = run.first, run.last
        self.block: Keys = np.empty(0, spool.dtype)
        self.take(0)

    @property
    def at_end(self) -> bool:
        """Whether the block holds all that is left of the run."""
        return self._next == self._last

    def take(self, count: int) -> Keys:
        """Return the block's first keys, and fill it up again."""
        taken, self.block = self.block[:count], self.block[count:]
        wanted = min(self._size - len(self.block), self._last - self._next)
        if wanted:
            more = self._spool.read(self._next, self._next + wanted)
            self.block = np.concatenate([self.block, more])
            self._next += wanted
        return taken


def merged(
    spool: Spool, runs: Sequence[SortedRun], block: int, pool: Executor, ahead: int
) -> Iterator[Keys]:
    """Yield the keys of sorted runs in order, some at a time.

    A block of keys of each run is in memory. Keys that are not above the smallest of the blocks'
    last keys can be merged now, because no smaller key will be read. Threads merge such slices, up
    to `ahead` of them in advance, while the blocks are filled up again.
    """
    cursors = [Cursor(spool, run, block) for run in runs if run.first < run.last]
    waiting: deque[Future[Keys]] = deque()
    while cursors or waiting:
        if cursors:
            waiting.append(pool.submit(merge, _next_slices(cursors)))
            cursors = [cursor for cursor in cursors if len(cursor.block)]
        if len(waiting) > ahead or not cursors:
            yield waiting.popleft().result()


def _next_slices(cursors: Sequence[Cursor]) -> list[Keys]:
    """Take from the blocks all keys that come before every key that was not read yet."""
    bounds = [cursor.block[-1] for cursor in cursors if not cursor.at_end]
    if not bounds:
        return [cursor.take(len(cursor.block)) for cursor in cursors]
    bound = min(bounds)
    counts = [int(np.searchsorted(cursor.block, bound, side="right")) for cursor in cursors]
    return [cursor.take(count) for cursor, count in zip(cursors, counts, strict=True) if count]
