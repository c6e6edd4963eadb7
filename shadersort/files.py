"""Files of keys: `.npy` or raw ones, read piece by piece, and written whole or not at all."""

import errno
import math
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from shadersort.errors import (
    DiskFull,
    ForeignFile,
    KeysNotFlat,
    OutputExists,
    TruncatedFile,
    UnsupportedKeys,
)
from shadersort.keys import accepted

__all__ = ["Source", "Write", "opened_source", "output_file", "read_all", "write_all"]

Keys = npt.NDArray[Any]

Write = Callable[[Keys], None]
"""Takes the next keys of an output, of native byte order."""

SUFFIX = ".npy"


@dataclass(frozen=True, slots=True)
class Source:
    """Keys that are read piece by piece.

    Attributes
    ----------
    count
        How many there are.
    stored
        Their type as it is stored, with its byte order.
    read
        Returns the keys from one position up to another, in native byte order.
    """

    count: int
    stored: np.dtype[Any]
    read: Callable[[int, int], Keys]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Their type in native byte order."""
        return self.stored.newbyteorder("=")


@contextmanager
def opened_source(src: Any, dtype: npt.DTypeLike | None) -> Iterator[Source]:
    """Open an array or a file of keys, and check that it is one."""
    if not isinstance(src, str | os.PathLike):
        yield _array_source(src, dtype)
        return
    path = Path(src)
    with path.open("rb", buffering=0) as file:
        if not path.is_file():
            raise ForeignFile(f"{path} is not a regular file, and its size is not known")
        layout = _npy_layout if path.suffix == SUFFIX else _raw_layout
        stored, count, start = layout(path, file, dtype)

        def read(first: int, last: int) -> Keys:
            keys = np.empty(last - first, stored)
            file.seek(start + first * stored.itemsize)
            read_all(file, keys)
            return keys.astype(stored.newbyteorder("="), copy=False)

        yield Source(count, stored, read)


@contextmanager
def output_file(
    dst: Path, stored: np.dtype[Any], count: int, *, overwrite: bool
) -> Iterator[Write]:
    """Write keys to a file that appears, whole and on the disk, when all is written.

    Until then they are in a file of another name in the same folder, and if anything fails, so
    that the block is left by an error, in none.
    """
    path = dst.resolve()  # a symbolic link stays one
    check_output(path, overwrite=overwrite)
    hidden = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with hidden.open("xb", buffering=0) as file:
            if path.suffix == SUFFIX:
                description = npy.dtype_to_descr(stored)
                header = {"descr": description, "fortran_order": False, "shape": (count,)}
                with reported(hidden.parent):
                    npy.write_array_header_1_0(file, header)
            yield lambda keys: write_all(file, keys.astype(stored, copy=False), path.parent)
            with reported(path.parent):
                os.fsync(file.fileno())
        check_output(path, overwrite=overwrite)  # it may have come meanwhile
        if path.exists():
            shutil.copymode(path, hidden)
        hidden.replace(path)
        _flush_folder(path.parent)
    finally:
        hidden.unlink(missing_ok=True)


def check_output(path: Path, *, overwrite: bool) -> None:
    """Raise OutputExists unless the output may be written."""
    if not path.exists():
        return
    if not path.is_file():
        raise OutputExists(f"{path} is not a file, and cannot be replaced by one")
    if not overwrite:
        raise OutputExists(f"{path} exists: choose another name, or say overwrite=True")


def read_all(file: FileIO, keys: Keys) -> None:
    """Fill an array from a file, or raise TruncatedFile."""
    rest = keys.view(np.uint8).data
    while len(rest):
        got = file.readinto(rest)
        if not got:
            raise TruncatedFile(f"{file.name} became shorter while it was read")
        rest = rest[got:]


def write_all(file: FileIO, keys: Keys, folder: Path) -> None:
    """Write an array to a file in a folder, or raise DiskFull."""
    rest = np.ascontiguousarray(keys).view(np.uint8).data
    with reported(folder):
        while len(rest):
            rest = rest[file.write(rest) :]


@contextmanager
def reported(folder: Path) -> Iterator[None]:
    """Raise DiskFull where the system says that a disk is full."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DiskFull(
            error.errno,
            f"no room is left in {folder}: the output takes as much as the input, and the runs, "
            "which temporary_folder= can send elsewhere, as much again, or twice as much where "
            "they are merged in several rounds",
        ) from error


def _array_source(src: npt.ArrayLike, dtype: npt.DTypeLike | None) -> Source:
    array = src if isinstance(src, np.ndarray) else np.asarray(src)
    _check_shape(array.shape, "the array")
    accepted(array[:0])
    _check_type(array.dtype, dtype, "the array")
    native = array.dtype.newbyteorder("=")
    return Source(len(array), array.dtype, lambda a, b: array[a:b].astype(native, copy=False))


Layout = tuple[np.dtype[Any], int, int]
"""Type and number of the keys of a file, and the position of the first."""


def _npy_layout(path: Path, file: FileIO, dtype: npt.DTypeLike | None) -> Layout:
    size = os.fstat(file.fileno()).st_size
    try:
        version = npy.read_magic(file)
        read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        shape, _, stored = read_header[version](file)
    except (ValueError, KeyError) as error:
        raise ForeignFile(
            f"{path} is not a .npy file of keys ({error}): if it is a raw one, rename it"
        ) from error
    _check_shape(shape, str(path))
    accepted(np.empty(0, stored))
    _check_type(stored, dtype, str(path))
    count, start = math.prod(shape), file.tell()
    surplus = size - start - count * stored.itemsize
    if surplus < 0:
        raise TruncatedFile(f"{path} is cut off: {-surplus:,} bytes of its {count:,} keys miss")
    if surplus > 0:
        raise ForeignFile(f"{path} holds {surplus:,} bytes after its {count:,} keys")
    return stored, count, start


def _raw_layout(path: Path, file: FileIO, dtype: npt.DTypeLike | None) -> Layout:
    if dtype is None:
        raise UnsupportedKeys(f"{path} does not say what its keys are: pass dtype='float32', say")
    stored = np.dtype(dtype)
    accepted(np.empty(0, stored))
    size = os.fstat(file.fileno()).st_size
    if surplus := size % stored.itemsize:
        raise TruncatedFile(
            f"{path} has {size:,} bytes, {surplus} more than a whole number of {stored} keys: it "
            "is cut off, or of another type"
        )
    return stored, size // stored.itemsize, 0


def _check_shape(shape: tuple[int, ...], what: str) -> None:
    if len(shape) != 1:
        raise KeysNotFlat(f"keys have 1 dimension; {what} has {len(shape)}")


def _check_type(stored: np.dtype[Any], dtype: npt.DTypeLike | None, what: str) -> None:
    if dtype is not None and np.dtype(dtype).newbyteorder("=") != stored.newbyteorder("="):
        raise UnsupportedKeys(f"{what} holds keys of {stored}, not of {np.dtype(dtype)}")


def _flush_folder(folder: Path) -> None:
    """Make a new name in a folder outlast a power failure, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
