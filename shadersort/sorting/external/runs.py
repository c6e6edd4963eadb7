"""Sorted runs in a temporary file, and their merging as a stream.

In a run, keys are integers that have the keys' order: floats of other signs and both zeros differ,
and no NaN is among them. So equal keys are equal bits, and a merge need not care which comes first.
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

from shadersort.keys.files import read_all
from shadersort.keys.outputs import ROOM, reported, write_all
from shadersort.keys.types import Keys
from shadersort.sorting.merge import merge

__all__ = [
    "PIECE",
    "Run",
    "Spool",
    "complemented",
    "from_ordinals",
    "merged",
    "ordinal_type",
    "ordinals",
    "sort_ordinals",
]


PIECE = 1 << 18
"""Keys read, moved or written at a time where the number does not matter."""


def ordinal_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of the integers that stand for keys of a type."""
    return np.dtype(f"i{dtype.itemsize}") if dtype.kind == "f" else dtype


def ordinals(ordered: Keys) -> Keys:
    """Turn sorted keys without NaNs into integers of the same order, in place.

    Examples
    --------
    >>> ordinals(np.float16([-1, -0.0, 0.0, 1]))
    array([-15361,     -1,      0,  15360], dtype=int16)
    """
    if ordered.dtype.kind != "f":
        return ordered
    numbers = ordered.view(ordinal_type(ordered.dtype))
    negatives = bisect_left(range(len(numbers)), True, key=lambda i: bool(numbers[i] >= 0))
    numbers[:negatives] ^= np.iinfo(numbers.dtype).max
    return numbers


def sort_ordinals(keys: Keys) -> Keys:
    """Sort keys without NaNs by NumPy, in place, and return them as `ordinals`.

    They are sorted as integers: some of NumPy's sorts of floats lose the sign of a zero.
    """
    numbers = keys.view(ordinal_type(keys.dtype))
    numbers.sort(kind="stable" if keys.itemsize == 2 else None)  # radix sort, faster for halves
    if keys.dtype.kind == "f":
        _reverse(numbers[: _negatives(numbers)])
    return ordinals(keys)


def _negatives(numbers: Keys) -> int:
    """Count the negative ones of ordered integers.

    The zero has their type: NumPy would convert them all to the type of a Python integer.
    """
    return int(np.searchsorted(numbers, numbers.dtype.type(0)))


def _reverse(keys: Keys) -> None:
    """Reverse an array in place, with little memory beside it."""
    count, half = len(keys), len(keys) // 2
    for first in range(0, half, PIECE):
        last = min(first + PIECE, half)
        low, high = keys[first:last], keys[count - last : count - first]
        kept = low.copy()
        low[:] = high[::-1]
        high[:] = kept[::-1]


def from_ordinals(numbers: Keys, dtype: np.dtype[Any]) -> Keys:
    """Turn ordered integers back into keys, in place.

    Examples
    --------
    >>> from_ordinals(np.int16([-15361, -1, 0, 15360]), np.dtype(np.float16))
    array([-1., -0.,  0.,  1.], dtype=float16)
    """
    if dtype.kind == "f":
        numbers[: _negatives(numbers)] ^= np.iinfo(numbers.dtype).max
    return numbers.view(dtype)


def complemented(numbers: Keys) -> Keys:
    """Turn ordered integers into others whose order is the reverse, in place, and order those.

    Examples
    --------
    >>> complemented(np.int16([-2, 0, 5]))
    array([-6, -1,  1], dtype=int16)
    """
    np.invert(numbers, out=numbers)
    _reverse(numbers)
    return numbers


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a spool: the positions of its first key, and of the one after its last."""

    first: int
    last: int


class Spool:
    """Keys in a temporary file without a name, so that nothing is left however a process ends.

    Several threads may use it; they take turns.
    """

    def __init__(self, folder: Path, dtype: np.dtype[Any]) -> None:
        with reported(folder, ROOM):
            self._file: Any = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115
        self._folder, self._lock = folder, Lock()
        self.dtype, self.count = dtype, 0
        self.runs: list[Run] = []

    def add(self, keys: Keys) -> Run:
        """Append keys."""
        with self._lock:
            self._file.seek(self.count * self.dtype.itemsize)
            write_all(self._file, keys, self._folder)
            run = Run(self.count, self.count + len(keys))
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

    def __init__(self, spool: Spool, run: Run, size: int) -> None:
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
    spool: Spool,
    runs: Sequence[Run],
    block: int,
    pool: Executor,
    ahead: int,
) -> Iterator[Keys]:
    """Yield the keys of sorted runs in order, some at a time.

    Of each run, a block of keys is held. What is not above the smallest of the blocks' last keys
    can be merged now: nothing smaller is to come. Such slices are merged in threads, `ahead` of
    them before their turn, while the blocks are filled up again.
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
    """Take all keys from the blocks that come before everything that is not in a block yet."""
    bounds = [cursor.block[-1] for cursor in cursors if not cursor.at_end]
    if not bounds:
        return [cursor.take(len(cursor.block)) for cursor in cursors]
    bound = min(bounds)
    counts = [int(np.searchsorted(cursor.block, bound, side="right")) for cursor in cursors]
    return [cursor.take(count) for cursor, count in zip(cursors, counts, strict=True) if count]
