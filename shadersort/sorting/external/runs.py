"""Sorted runs of ordinals in a temporary file, and their merging as a stream."""

import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np

from shadersort.files.arrays import read_all
from shadersort.files.source import Indexed
from shadersort.keys.outputs import ROOM, report_full_disk, write_all
from shadersort.keys.types import Keys
from shadersort.sorting.merge import merge


@dataclass(frozen=True, slots=True)
class SortedRun:
    """A part of a spool: the positions of its first key, and of the one after its last."""

    first: int
    last: int


class Spool(Indexed):
    """Keys in a temporary file without a name: nothing is left of it, however a process ends.

    Several threads may use it; they take turns.
    """

    def __init__(self, folder: Path, stored: np.dtype[Any]) -> None:
        with report_full_disk(folder, ROOM):
            self._file: Any = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115
        self._folder, self._lock = folder, Lock()
        self.name, self.stored, self.size = "the temporary file", stored, 0

    def add(self, keys: Keys, first: int | None = None) -> int:
        """Write keys from one place on, None being the end; return the place of the first one."""
        with self._lock:
            first = self.size if first is None else first
            self._file.seek(first * self.stored.itemsize)
            write_all(self._file, keys, self._folder)
            self.size = max(self.size, first + len(keys))
        return first

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another."""
        keys = np.empty(last - first, self.stored)
        with self._lock:
            self._file.seek(first * keys.itemsize)
            read_all(self._file, keys, self.name)
        return keys.astype(self.dtype, copy=False)

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
    def unread(self) -> int:
        """Keys of the run beyond the block."""
        return self._last - self._next

    def take(self, count: int) -> Keys:
        """Return the block's first keys, and fill it up again."""
        taken, self.block = self.block[:count], self.block[count:]
        wanted = min(self._size - len(self.block), self.unread)
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
    bounds = [cursor.block[-1] for cursor in cursors if cursor.unread]
    if not bounds:
        return [cursor.take(len(cursor.block)) for cursor in cursors]
    bound = min(bounds)
    counts = [int(np.searchsorted(cursor.block, bound, side="right")) for cursor in cursors]
    return [cursor.take(count) for cursor, count in zip(cursors, counts, strict=True) if count]
