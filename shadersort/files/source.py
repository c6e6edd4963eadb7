"""Sources of keys: keys of one type that are read in pieces."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import InputChanged, KeysNotFlat, UnsupportedKeys
from shadersort.keys.inputs import convert, is_number
from shadersort.keys.types import Integers, Keys


class Source:
    """Keys of one type that are read in pieces, in the order of the file or of memory."""

    name: str  # what messages call it: the path, perhaps with a column
    stored: np.dtype[Any]  # the type of the keys, with its byte order

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the keys, in native byte order."""
        return self.stored.newbyteorder("=")

    def check(self) -> None:
        """Raise InputChanged if a change of the keys since the source was opened is seen."""


class Indexed(Source, ABC):
    """A source whose keys can be read from any place, by several threads at once."""

    size: int  # the number of keys
    shape: tuple[int, ...]  # of the array; one dimension where places are those of the caller
    scattered: bool = False  # whether a few single keys are read faster than a whole piece
    largest_piece: int = 0  # bytes of the largest piece that is only read as a whole, if any

    @abstractmethod
    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another, in native byte order."""

    def starts(self, limit: int) -> list[int]:
        """Return where pieces of about equal size begin, and the end: `limit` keys at most."""
        pieces = -(-self.size // max(limit, 1))
        return [self.size * place // pieces for place in range(pieces)] + [self.size]

    def take(self, places: Integers) -> Keys:
        """Return the keys at ascending places: of a `scattered` source only."""
        raise NotImplementedError


class Converted(Indexed):
    """The keys of another source, in another type; too large ones become infinite."""

    def __init__(self, source: Indexed, dtype: np.dtype[Any]) -> None:
        self.name, self.size, self._source = source.name, source.size, source
        self.stored = dtype.newbyteorder(source.stored.byteorder)

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another."""
        return convert(self._source.read(first, last), self.dtype)


class ArrayKeys(Indexed):
    """The keys of an array in memory, or of an `np.memmap`."""

    scattered = True

    def __init__(self, array: Keys) -> None:
        self._path: Any = getattr(array, "filename", None)
        self.name = str(self._path or "the array")
        self.stored, self.size, self.shape = array.dtype, array.size, array.shape
        self._length, array = self._now(), np.asarray(array)
        whole = array.flags.c_contiguous or array.flags.f_contiguous or array.ndim < 2
        self._flat: Any = array.reshape(-1, order="A") if whole else array.flat

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another: a view, if they are in one stretch."""
        return self.take(slice(first, last))

    def take(self, places: Any) -> Keys:
        """Return the keys at some places."""
        self.check()
        return np.asarray(self._flat[places]).astype(self.dtype, copy=False)

    def check(self) -> None:
        """Raise InputChanged if the file of a memmap has another length."""
        # the system ends a process that reads beyond the end of a mapped file
        if (now := self._now()) not in (None, self._length):
            before = f"it had {self._length:,} bytes, and has {now:,}"
            raise InputChanged(f"{self.name} was changed while it was read: {before}")

    def _now(self) -> int | None:
        """Return the length of the mapped file; a file that was removed is still mapped."""
        path = Path(self._path or "")
        return path.stat().st_size if self._path is not None and path.exists() else None


class InFile(Indexed):
    """The keys of a file that is opened anew for each reading: a change is seen."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, str(path)
        self._state = self._now()

    def open(self) -> FileIO:
        """Open the file; raise InputChanged if it was changed or removed."""
        self.check()
        return self.path.open("rb", buffering=0)

    def check(self) -> None:
        """Raise InputChanged if the file was changed, replaced or removed."""
        try:
            now = self._now()
        except FileNotFoundError as error:
            raise InputChanged(f"{self.path} was removed while it was read") from error
        if now != self._state:
            raise InputChanged(
                f"{self.path} was changed while it was read: it had {self._state[0]:,} bytes, and "
                f"has {now[0]:,}, or was written again; ask again when nothing writes to it"
            )

    def _now(self) -> tuple[int, int, int]:
        status = self.path.stat()
        return status.st_size, status.st_mtime_ns, status.st_ino


Accept = Callable[[Keys], Keys]  # raises UnsupportedKeys for keys that the caller does not take


def as_numbers(keys: Keys) -> Keys:
    """Return keys; raise UnsupportedKeys unless their type is one of numbers."""
    if not is_number(keys.dtype):
        raise UnsupportedKeys(
            f"numbers are integers, or floats of at most 64 bits, not {keys.dtype}"
        )
    return keys


def check_type(stored: np.dtype[Any], name: str, accept: Accept, dtype: Any = None) -> None:
    """Raise UnsupportedKeys for a type that is not accepted, or not the requested one."""
    if stored.hasobject:
        advice = "save numbers, or text with a type such as '<U40'"
        raise UnsupportedKeys(f"{name} holds objects of Python: {advice}")
    if dtype is not None and np.dtype(dtype).newbyteorder("=") != stored.newbyteorder("="):
        raise UnsupportedKeys(f"{name} holds keys of {stored}, not of {np.dtype(dtype)}")
    try:
        accept(np.empty(0, stored))
    except UnsupportedKeys as error:
        raise UnsupportedKeys(f"{name} holds {stored}: {error}") from error


def check_flat(shape: tuple[int, ...], name: str) -> None:
    """Raise KeysNotFlat unless there is one dimension."""
    if len(shape) != 1:
        raise KeysNotFlat(f"keys have one dimension; {name} has {len(shape)}")


def raw_type(dtype: npt.DTypeLike | None, name: str, advice: str = ", say") -> np.dtype[Any]:
    """Return the type of raw numbers, which must be given."""
    if dtype is None:
        what = f"{name} does not say what its numbers are"
        raise UnsupportedKeys(f"{what}: pass dtype='float32'{advice}")
    return np.dtype(dtype)
