"""Files of keys: `.npy` or raw ones, read piece by piece."""

import math
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from shadersort.errors import ForeignFile, KeysNotFlat, TruncatedFile, UnsupportedKeys
from shadersort.keys.accepted import accepted, converted
from shadersort.keys.outputs import form_of
from shadersort.keys.types import Keys

NO_HEADER = (ValueError, KeyError, TypeError, SyntaxError, TokenError)
"""What NumPy raises for a damaged header: it reads it as Python."""

CheckType = Callable[[np.dtype[Any], str], object]
"""Raises an error, with the name of the file, for keys of a type that is not taken."""


@dataclass(frozen=True, slots=True)
class Source:
    """Keys that are read piece by piece."""

    count: int  # the number of keys
    stored: np.dtype[Any]  # their type in the file, with its byte order
    # returns the keys from one position up to another, in native byte order
    read: Callable[[int, int], Keys]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Their type in native byte order."""
        return self.stored.newbyteorder("=")

    def converted(self, dtype: np.dtype[Any]) -> "Source":
        """Return the same keys in another type, in the same byte order."""
        stored = dtype.newbyteorder(self.stored.byteorder)
        return Source(self.count, stored, lambda a, b: converted(self.read(a, b), dtype))


@contextmanager
def opened_source(src: Any, dtype: npt.DTypeLike | None) -> Iterator[Source]:
    """Open an array or a file of keys; raise an error if it is neither."""
    if not isinstance(src, str | os.PathLike):
        yield _array_source(src, dtype)
        return
    path = Path(src)
    with path.open("rb", buffering=0) as file:
        if not path.is_file():
            raise ForeignFile(f"{path} is not a regular file, and its size is not known")
        yield file_source(file, str(path), dtype, form_of(path))


def file_source(
    file: FileIO,
    name: str,
    dtype: npt.DTypeLike | None,
    form: str,
    offset: int = 0,
    check: CheckType | None = None,
) -> Source:
    """Return the keys of an open file, "npy" or "raw"; raw ones begin after `offset` bytes.

    `check` raises an error for types that the caller does not take: `check_accepted` by default.
    """
    check = check or check_accepted
    if form == "npy":
        stored, count = _npy_type_and_count(name, file, dtype, check)
        offset = file.tell()
    else:
        stored, count = raw_type_and_count(name, file, dtype, offset, check)

    def read(first: int, last: int) -> Keys:
        keys = np.empty(last - first, stored)
        file.seek(offset + first * stored.itemsize)
        read_all(file, keys)
        return keys.astype(stored.newbyteorder("="), copy=False)

    return Source(count, stored, read)


def read_all(file: FileIO, keys: Keys) -> None:
    """Fill an array from a file, or raise TruncatedFile."""
    rest = keys.view(np.uint8).data
    while len(rest):
        got = file.readinto(rest)
        if not got:
            raise TruncatedFile(f"{file.name} became shorter while it was read")
        rest = rest[got:]


def _array_source(src: npt.ArrayLike, dtype: npt.DTypeLike | None) -> Source:
    array = src if isinstance(src, np.ndarray) else np.asarray(src)
    if array.ndim != 1:
        raise KeysNotFlat(_not_flat("the array", array.ndim))
    native = accepted(array[:0]).dtype
    check_type(array.dtype, dtype, "the array")
    return Source(len(array), array.dtype, lambda a, b: array[a:b].astype(native, copy=False))


def npy_header(file: IO[bytes], name: str, what: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Read the header of a .npy file, and return the shape and the type of its array."""
    try:
        version = npy.read_magic(file)
        read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 2 has written other headers, which are read
            shape, _, stored = read_header[version](file)
    except NO_HEADER as error:
        raise ForeignFile(
            f"{name} is not a .npy file of {what} ({error}): if it is a raw one, rename it"
        ) from error
    if any(length < 0 for length in shape):
        raise ForeignFile(f"{name} is damaged: its array has the shape {shape}")
    return shape, stored


def _npy_type_and_count(
    name: str, file: FileIO, dtype: npt.DTypeLike | None, check: CheckType
) -> tuple[np.dtype[Any], int]:
    """Read the head of a .npy file of keys, and check that the file ends where its keys do."""
    shape, stored = npy_header(file, name, "keys")
    if len(shape) != 1:
        raise KeysNotFlat(_not_flat(name, len(shape)))
    check(stored, name)
    check_type(stored, dtype, name)
    count = math.prod(shape)
    check_end(file, name, stored, count)
    return stored, count


def check_end(file: FileIO, name: str, stored: np.dtype[Any], count: int) -> None:
    """Raise an error unless a file, which is read up to its keys, ends where they do."""
    size = os.fstat(file.fileno()).st_size
    surplus = size - file.tell() - count * stored.itemsize
    if surplus < 0:
        raise TruncatedFile(
            f"{name} is cut off: {-surplus:,} bytes of its {count:,} keys are missing"
        )
    if surplus > 0:
        raise ForeignFile(f"{name} holds {surplus:,} bytes after its {count:,} keys")


def raw_type_and_count(
    name: str, file: FileIO, dtype: npt.DTypeLike | None, offset: int, check: CheckType
) -> tuple[np.dtype[Any], int]:
    """Return the type of the keys of a raw file and their number, which its size tells."""
    if dtype is None:
        raise UnsupportedKeys(f"{name} does not say what its keys are: pass dtype='float32', say")
    stored = np.dtype(dtype)
    check(stored, name)
    size = os.fstat(file.fileno()).st_size - offset
    if size < 0:
        raise TruncatedFile(f"{name} is cut off: it ends {-size:,} bytes before its keys begin")
    if surplus := size % stored.itemsize:
        raise TruncatedFile(
            f"{name} has {size:,} bytes, {surplus} more than a whole number of {stored} keys: it "
            "is cut off, or of another type"
        )
    return stored, size // stored.itemsize


def check_accepted(stored: np.dtype[Any], name: str) -> None:
    """Raise UnsupportedKeys, with the name of the file, if keys of a type cannot be sorted."""
    try:
        accepted(np.empty(0, stored))
    except UnsupportedKeys as error:
        raise UnsupportedKeys(f"{name}: {error}") from error


def check_type(stored: np.dtype[Any], dtype: npt.DTypeLike | None, what: str) -> None:
    """Raise UnsupportedKeys if a type was asked for, and keys have another one."""
    if dtype is not None and np.dtype(dtype).newbyteorder("=") != stored.newbyteorder("="):
        raise UnsupportedKeys(f"{what} holds keys of {stored}, not of {np.dtype(dtype)}")


def _not_flat(what: str, ndim: int) -> str:
    return f"keys have 1 dimension; {what} has {ndim}"
