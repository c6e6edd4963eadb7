"""`.npy` and raw files, of any number of dimensions and in either order."""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from threading import local
from typing import Any

import numpy as np

from shadersort.errors import InputChanged, UnknownColumn, UnsupportedKeys
from shadersort.keys.files import check_end, check_type, npy_header, raw_type_and_count
from shadersort.keys.types import Integers, Keys
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.source import Source, checked_type, cut
from shadersort.selection.primitives.between_blocks import BLOCK

NEIGHBOURS = 32
"""At most so many neighbouring pieces are read by one thread: more are not read faster."""

SHARES = 8
"""At least so many times each thread gets neighbours, so that all threads end at about one time."""


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
        self.path, self._known = path, _told(path.stat())

    @contextmanager
    def opened(self) -> Iterator[FileIO]:
        """Open the file; raise InputChanged if it is another, or gone."""
        with self._there(), self.path.open("rb", buffering=0) as file:
            self.compare(file)
            yield file

    def compare(self, file: FileIO) -> None:
        """Raise InputChanged if an open file is another."""
        self._compare(_told(os.fstat(file.fileno())))

    def check(self) -> None:
        """Raise InputChanged if the file, or one that took its place, is another."""
        with self._there():
            self._compare(_told(self.path.stat()))

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


def _told(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_size, found.st_mtime_ns, found.st_ino


class PlainFile(Source):
    """Numbers that lie one after the other in a file.

    Each run of neighbouring pieces opens the file anew: so no file stays open, and threads share
    nothing. Within a run the thread reads on in one open file, and only then the system reads large
    pages ahead of it.
    """

    scattered = True

    def __init__(
        self,
        path: Path,
        budget: Budget,
        *,
        form: str,
        dtype: np.dtype[Any] | None = None,
        column: str | None = None,
        offset: int = 0,
    ) -> None:
        self.name, self._state = str(path), FileState(path)
        self._field, self._own = column, local()
        with path.open("rb", buffering=0) as file:
            layout = _npy(file, dtype) if form == "npy" else _raw(file, dtype, offset)
        self._offset, self._stored, count, self.flat = layout
        if column is not None or self._stored.names:
            self.dtype = checked_type(_field(self._stored, self.name, column), self.name)
        else:
            self.dtype = checked_type(self._stored, self.name)
        self.sizes = cut(count, budget.piece // self._stored.itemsize)
        self._starts = np.cumsum([0, *self.sizes]).tolist()
        self.threads = budget.threads
        self.neighbours = max(1, min(NEIGHBOURS, len(self.sizes) // (SHARES * self.threads)))

    @contextmanager
    def one_after_another(self) -> Iterator[None]:
        """Keep the file open while this thread reads neighbouring pieces."""
        with self._state.opened() as file:
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
            self._own.file = file
            try:
                yield
            finally:
                self._own.file = None

    @property
    def _held(self) -> FileIO | None:
        """The file that this thread keeps open, if it reads neighbouring pieces."""
        return getattr(self._own, "file", None)

    @contextmanager
    def _opened(self) -> Iterator[FileIO]:
        """Yield the file that this thread keeps open, or open it."""
        if (held := self._held) is None:
            with self._state.opened() as file:
                yield file
        else:
            self._state.compare(held)
            yield held

    def read(self, place: int) -> Keys:
        """Return the keys of a piece, in memory that the thread's next piece overwrites."""
        data = self._buffer(self.sizes[place] * self._stored.itemsize)
        self._read_bytes(place, data)
        return self._keys(data.view(self._stored))

    def read_into(self, place: int, room: Keys) -> None:
        """Fill an array with the keys of a piece, without a copy if they are stored as they are."""
        if self._stored == self.dtype:
            self._read_bytes(place, room.view(np.uint8))
        else:
            super().read_into(place, room)

    def _read_bytes(self, place: int, data: Keys) -> None:
        """Fill an array of bytes with those of a piece."""
        with self._opened() as file:
            file.seek(self._offset + self._starts[place] * self._stored.itemsize)
            if self._held is None:  # else the system foresees what is read
                self._ahead(file, place)
            _fill(file, data, self.name)

    def blocks(self, place: int) -> Iterator[Keys]:
        """Yield the keys of a piece in blocks that a cache holds until they are counted."""
        width = self._stored.itemsize
        step = max(BLOCK // width, 1)
        with self._opened() as file:
            file.seek(self._offset + self._starts[place] * width)
            for first in range(0, self.sizes[place], step):
                data = self._buffer(min(step, self.sizes[place] - first) * width)
                _fill(file, data, self.name)
                yield self._keys(data.view(self._stored))

    def take(self, place: int, within: Integers, run: int = 1) -> Keys:
        """Return some keys of a piece, or runs."""
        width = self._stored.itemsize
        begins = (self._offset + (self._starts[place] + within) * width).tolist()
        with self._opened() as file:
            for begin in begins:  # a disk reads many places at once if it knows of them
                _announce(file, begin, run * width)
            found = b"".join(_at(file, begin, run * width) for begin in begins)
        if len(found) != within.size * run * width:
            raise InputChanged(f"{self.name} became shorter while it was read")
        return self._keys(np.frombuffer(found, self._stored))

    def check(self) -> None:
        """Raise InputChanged if the file is another."""
        self._state.check()

    def _keys(self, records: Keys) -> Keys:
        keys = records if self._field is None else np.ascontiguousarray(records[self._field])
        return keys.astype(self.dtype, copy=False)

    def _buffer(self, size: int) -> Keys:
        """Return memory of this thread: new memory would have to be cleared first."""
        held: Keys | None = getattr(self._own, "buffer", None)
        if held is None or held.size < size:
            held = self._own.buffer = np.empty(size, np.uint8)
        return held[:size]

    def _ahead(self, file: FileIO, place: int) -> None:
        """Let the system read the pieces that the next threads will want."""
        width, last = self._stored.itemsize, len(self.sizes)
        first, after = (min(place + self.threads * each, last) for each in (1, 2))
        begin, end = self._starts[first] * width, self._starts[after] * width
        if begin < end:
            _announce(file, self._offset + begin, end - begin)


def _announce(file: FileIO, begin: int, size: int) -> None:
    """Let the system read some bytes of a file, which are wanted soon."""
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(file.fileno(), begin, size, os.POSIX_FADV_WILLNEED)


def _at(file: FileIO, begin: int, size: int) -> bytes:
    """Return some bytes of a file; fewer at its end."""
    file.seek(begin)
    return file.read(size)


def _fill(file: FileIO, data: Keys, name: str) -> None:
    rest = data.data
    while len(rest):
        got = file.readinto(rest)
        if not got:
            raise InputChanged(f"{name} became shorter while it was read")
        rest = rest[got:]


def _npy(file: FileIO, dtype: np.dtype[Any] | None) -> tuple[int, np.dtype[Any], int, bool]:
    """Return where numbers of a .npy file begin, their type and number, and if they are flat."""
    name = str(file.name)
    shape, stored = npy_header(file, name, "numbers")
    if stored.hasobject:
        raise UnsupportedKeys(
            f"{name} holds objects of Python, which have no order: save numbers, as by "
            "np.save(path, keys.astype(float))"
        )
    check_type(stored, dtype, name)
    count = math.prod(shape)
    check_end(file, name, stored, count)
    return file.tell(), stored, count, len(shape) == 1


def _raw(
    file: FileIO, dtype: np.dtype[Any] | None, offset: int
) -> tuple[int, np.dtype[Any], int, bool]:
    """Return the same of a raw file."""
    stored, count = raw_type_and_count(str(file.name), file, dtype, offset, checked_type)
    return offset, stored, count, True


def _field(stored: np.dtype[Any], name: str, column: str | None) -> np.dtype[Any]:
    """Return the type of a field of a structured array."""
    names = stored.names or ()
    if column not in names:
        if not names:
            raise UnknownColumn(f"{name} has no columns: leave out column=")
        raise UnknownColumn(f"{name} has the columns {', '.join(names)}: choose one, with column=")
    return stored[column]
