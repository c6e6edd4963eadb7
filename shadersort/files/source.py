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
    """Keys of one type that are read in pieces, in the order of the file or of memory.

    Attributes
    ----------
    name
        What messages call it: the path, perhaps with a column.
    dtype
        The type of the keys, in native byte order.
    stored
        Their type in the file, with its byte order.
    shape
        The shape of the array in the file; None if it is not known before all keys are read.
    again
        Whether the keys can be read more than once.
    """

    name: str
    stored: np.dtype[Any]
    shape: tuple[int, ...] | None = None
    again: bool = True

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the keys, in native byte order."""
        return self.stored.newbyteorder("=")

    @property
    def size(self) -> int | None:
        """The number of keys, or None if it is not known before they are read."""
        return None if self.shape is None else int(np.prod(self.shape, dtype=object))

    @abstractmethod
    def chunks(self, limit: int) -> Iterator[Keys]:
        """Yield all keys as flat arrays of at most `limit`, in their order."""

    def check(self) -> None:  # noqa: B027  (not every source can see that)
        """Raise InputChanged if the file is seen to be another than in the beginning."""


class Indexed(Source):
    """A source whose keys can be read from any place, by several threads at once.

    Attributes
    ----------
    scattered
        Whether a few single keys are read faster than a whole piece.
    in_memory
        Whether pieces are parts of an array, which reading does not copy.
    largest_piece
        Bytes of the largest piece that can only be read as a whole; 0 if there is none.
    """

    shape: tuple[int, ...]
    scattered: bool = False
    in_memory: bool = False
    largest_piece: int = 0

    @property
    def size(self) -> int:
        """The number of keys."""
        return int(np.prod(self.shape, dtype=object))

    @abstractmethod
    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another, in native byte order."""

    def starts(self, limit: int) -> list[int]:
        """Return where pieces of about equal size begin, and the end: `limit` keys at most."""
        pieces = -(-self.size // max(limit, 1))
        return [self.size * place // max(pieces, 1) for place in range(pieces)] + [self.size]

    def chunks(self, limit: int) -> Iterator[Keys]:
        """Yield all keys as flat arrays of at most `limit`, in their order."""
        for first, last in pairwise(self.starts(limit)):
            yield self.read(first, last)

    def read_into(self, first: int, room: Keys) -> Keys:
        """Fill an array of the type of the keys with those from one place on; return it."""
        room[:] = self.read(first, first + len(room))
        return room

    def take(self, places: Integers, run: int = 1) -> Keys:
        """Return the keys at some places, or the `run` keys from each place on, in a row."""
        return np.concatenate(
            [np.empty(0, self.dtype), *(self.read(at, at + run) for at in places.tolist())]
        )


class Converted(Indexed):
    """The keys of another source, in another type."""

    def __init__(self, source: Indexed, dtype: np.dtype[Any]) -> None:
        self.name, self.shape, self._source = source.name, source.shape, source
        self.stored = dtype.newbyteorder(source.stored.byteorder)

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
        self.name = "the array" if path is None else str(path)
        self._path, self._length = None if path is None else Path(path), 0
        self._length = self._now()
        self.stored, self.shape, array = array.dtype, array.shape, np.asarray(array)
        whole = array.flags.c_contiguous or array.flags.f_contiguous or array.ndim < 2
        self._flat: Any = array.reshape(-1, order="A") if whole else array.flat

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another: a view, if they are in one stretch."""
        self.check()
        return np.asarray(self._flat[first:last]).astype(self.dtype, copy=False)

    def take(self, places: Integers, run: int = 1) -> Keys:
        """Return the keys at some places, or the `run` keys from each place on, in a row."""
        self.check()
        return np.asarray(self._flat[in_runs(places, run)]).astype(self.dtype, copy=False)

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


class FileState:
    """What the system says of a file, so that a change is seen.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     state = FileState(Path(file.name))
    ...     state.check()
    ...     _ = file.write(b"more")
    ...     file.flush()
    ...     state.check()
    Traceback (most recent call last):
    ...
    shadersort.errors.InputChanged: ... was changed while it was read: ...
    """

    def __init__(self, path: Path) -> None:
        self.path, self._known = path, _stamp(path.stat())

    @contextmanager
    def opened(self) -> Iterator[FileIO]:
        """Open the file; raise InputChanged if it is another, or gone."""
        with self._there(), self.path.open("rb", buffering=0) as file:
            self._compare(_stamp(os.fstat(file.fileno())))
            yield file

    def check(self) -> None:
        """Raise InputChanged if the file, or one that took its place, is another."""
        with self._there():
            self._compare(_stamp(self.path.stat()))

    @contextmanager
    def _there(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise InputChanged(f"{self.path} was removed while it was read") from error

    def _compare(self, now: tuple[int, int, int]) -> None:
        if now != self._known:
            raise InputChanged(
                f"{self.path} was changed while it was read: it had {self._known[0]:,} bytes, and "
                f"has {now[0]:,}, or was written again; ask again when nothing writes to it"
            )


def _stamp(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ino


def in_runs(starts: Integers, run: int) -> Integers:
    """Return the places of runs, one run after the other.

    Examples
    --------
    >>> in_runs(np.array([7, 2]), 3)
    array([7, 8, 9, 2, 3, 4])
    """
    return starts if run == 1 else (starts[:, None] + np.arange(run)).reshape(-1)
