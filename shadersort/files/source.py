"""What a source of keys is: keys of one type that are read in pieces."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from shadersort.errors import InputChanged
from shadersort.keys.accepted import converted
from shadersort.keys.types import Integers, Keys


class Source(ABC):
    """Keys of one type that are read in pieces, in the order of the file or of memory."""

    name: str  # what messages call it: the path, perhaps with a column
    stored: np.dtype[Any]  # the type of the keys, with its byte order
    size: int | None = None  # the number of keys; None: not known before they are read
    again: bool = True  # whether the keys can be read more than once

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the keys, in native byte order."""
        return self.stored.newbyteorder("=")

    @abstractmethod
    def chunks(self, limit: int) -> Iterator[Keys]:
        """Yield all keys as flat arrays of at most `limit`, in their order."""


class Indexed(Source):
    """A source whose keys can be read from any place, by several threads at once."""

    size: int
    shape: tuple[int, ...]  # of the array; one dimension where places are those of the caller
    scattered: bool = False  # whether a few single keys are read faster than a whole piece
    in_memory: bool = False  # whether pieces are parts of an array, which reading does not copy
    largest_piece: int = 0  # bytes of the largest piece that is only read as a whole, if any

    @abstractmethod
    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another, in native byte order."""

    def starts(self, limit: int) -> list[int]:
        """Return where pieces of about equal size begin, and the end: `limit` keys at most."""
        pieces = -(-self.size // max(limit, 1))
        return [self.size * place // pieces for place in range(pieces)] + [self.size]

    def chunks(self, limit: int) -> Iterator[Keys]:
        """Yield all keys as flat arrays of at most `limit`, in their order."""
        for first, last in pairwise(self.starts(limit)):
            yield self.read(first, last)

    def take(self, places: Integers, run: int = 1) -> Keys:
        """Return the keys at some places, or the `run` keys from each place on, in a row."""
        return np.concatenate(
            [np.empty(0, self.dtype), *(self.read(at, at + run) for at in places.tolist())]
        )

    def check(self) -> None:
        """Raise InputChanged if the file is seen to be another than in the beginning."""


class Converted(Indexed):
    """The keys of another source, in another type."""

    def __init__(self, source: Indexed, dtype: np.dtype[Any]) -> None:
        self.name, self.size = source.name, source.size
        self.stored, self._source = dtype.newbyteorder(source.stored.byteorder), source

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another; too large ones become infinite."""
        return converted(self._source.read(first, last), self.dtype)


class ArrayKeys(Indexed):
    """The keys of an array in memory, or of an `np.memmap`.

    A mapped file that became shorter is noticed before its memory is touched: the system ends
    processes that touch what is not there.
    """

    scattered = in_memory = True

    def __init__(self, array: Keys) -> None:
        path = getattr(array, "filename", None)
        self.name, self._path = "the array" if path is None else str(path), path
        self.stored, self.size, self.shape = array.dtype, array.size, array.shape
        self._length, array = self._now(), np.asarray(array)
        whole = array.flags.c_contiguous or array.flags.f_contiguous or array.ndim < 2
        self._flat: Any = array.reshape(-1, order="A") if whole else array.flat

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another: a view, if they are in one stretch."""
        self.check()
        return np.asarray(self._flat[first:last]).astype(self.dtype, copy=False)

    def take(self, places: Integers, run: int = 1) -> Keys:
        """Return the keys at some places, or the `run` keys from each place on, in a row."""
        self.check()
        places = (places[:, None] + np.arange(run)).reshape(-1)
        return np.asarray(self._flat[places]).astype(self.dtype, copy=False)

    def check(self) -> None:
        """Raise InputChanged if the file of a memmap has another length."""
        if (now := self._now()) not in (None, self._length):
            raise InputChanged(
                f"{self.name} was changed while it was read: it had {self._length:,} bytes, and "
                f"has {now:,}"
            )

    def _now(self) -> int | None:
        """Return the length of the mapped file; a file that was removed is still mapped."""
        there = self._path is not None and Path(self._path).exists()
        return Path(self._path).stat().st_size if there else None


class FileState:
    """What the system says of a file, so that a change is seen."""

    def __init__(self, path: Path) -> None:
        self.path, self._known = path, _stamp(path.stat())

    @contextmanager
    def opened(self) -> Iterator[FileIO]:
        """Open the file; raise InputChanged if it is another, or gone."""
        self.check()
        with self.path.open("rb", buffering=0) as file:
            yield file

    def check(self) -> None:
        """Raise InputChanged if the file, or one that took its place, is another."""
        try:
            now = _stamp(self.path.stat())
        except FileNotFoundError as error:
            raise InputChanged(f"{self.path} was removed while it was read") from error
        if now != self._known:
            raise InputChanged(
                f"{self.path} was changed while it was read: it had {self._known[0]:,} bytes, and "
                f"has {now[0]:,}, or was written again; ask again when nothing writes to it"
            )


def _stamp(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ino
