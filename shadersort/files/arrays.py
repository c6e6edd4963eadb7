"""`.npy` files, members of an `.npz`, and raw numbers: read in order, or from any place."""

import lzma
import math
import os
import struct
import sys
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from io import FileIO
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from shadersort.errors import (
    ForeignFile,
    InputChanged,
    KeysNotFlat,
    TruncatedFile,
    UnknownColumn,
    UnsupportedKeys,
)
from shadersort.files.opening import PIECE, Column, Input, as_file, seekable
from shadersort.files.request import Request, place_of
from shadersort.files.source import FileState, Indexed
from shadersort.files.words import Words
from shadersort.keys.accepted import accepted, as_rows_of_keys, is_number
from shadersort.keys.types import Integers, Keys

NO_HEADER = (ValueError, KeyError, TypeError, SyntaxError, TokenError)
"""What NumPy raises for a damaged header: it reads it as Python."""
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError)
"""What reading a damaged zip file raises."""

CheckType = Callable[[np.dtype[Any], str], object]
"""Raises an error, with the name of the file, for keys of a type that is not taken."""


def check_selectable(stored: np.dtype[Any], name: str) -> None:
    """Raise UnsupportedKeys, with the name of the file, if selection does not take a type."""
    _check(as_rows_of_keys, stored, name)


def check_sortable(stored: np.dtype[Any], name: str) -> None:
    """Raise UnsupportedKeys, with the name of the file, if keys of a type cannot be sorted."""
    _check(accepted, stored, name)


def _check(accept: Callable[[Keys], Keys], stored: np.dtype[Any], name: str) -> None:
    try:
        accept(np.empty(0, stored))
    except UnsupportedKeys as error:
        raise UnsupportedKeys(f"{name}: {error}") from error


def check_number(stored: np.dtype[Any], name: str) -> None:
    """Raise UnsupportedKeys, with the name of the file, unless a type is one of numbers."""
    check_no_object(stored, name)
    if not is_number(stored):
        raise UnsupportedKeys(
            f"{name} holds {stored}: numbers are integers, or floats of at most 64 bits"
        )


def check_no_object(stored: np.dtype[Any], name: str) -> None:
    """Raise UnsupportedKeys for a type that has objects of Python."""
    if stored.hasobject:
        raise UnsupportedKeys(
            f"{name} holds objects of Python, which are not read and have no order: save numbers, "
            "as by np.save(path, keys.astype(float)), or text with a type such as '<U40'"
        )


def check_type(stored: np.dtype[Any], dtype: npt.DTypeLike | None, name: str) -> None:
    """Raise UnsupportedKeys if a type was asked for, and keys have another one."""
    if dtype is not None and np.dtype(dtype).newbyteorder("=") != stored.newbyteorder("="):
        raise UnsupportedKeys(f"{name} holds keys of {stored}, not of {np.dtype(dtype)}")


class ArrayFile(Indexed):
    """The keys of a `.npy` file or of a raw one; of one field, if its array is structured.

    Each read opens the file anew: so no file stays open, and threads share nothing.
    """

    scattered = True

    def __init__(
        self,
        path: Path,
        form: str,
        *,
        dtype: npt.DTypeLike | None = None,
        column: str | None = None,
        offset: int = 0,
        check: CheckType = check_selectable,
    ) -> None:
        self.name, self._state, self._field = str(path), FileState(path), column
        with path.open("rb", buffering=0) as file:
            if form == "npy":
                self.shape, self._records = npy_header(file, self.name, "keys")
                offset = file.tell()
            else:
                self._records = raw_type(dtype, self.name)
        self.stored = self._records
        if form == "npy":
            check_no_object(self._records, self.name)
            if column is not None or (self._records.names and check is not check_sortable):
                self.stored = field_of(self._records, self.name, column)
            check_type(self.stored, dtype, self.name)
        check(self.stored, self.name)
        self._offset, length = offset, path.stat().st_size - offset
        if form == "npy":
            self._check_end(length)
        else:
            self.shape = (self._count(length),)

    def _check_end(self, length: int) -> None:
        """Raise an error unless the file ends where its keys do."""
        surplus = length - math.prod(self.shape) * self._records.itemsize
        if surplus < 0:
            raise TruncatedFile(
                f"{self.name} is cut off: {-surplus:,} bytes of its {self.size:,} keys are missing"
            )
        if surplus > 0:
            raise ForeignFile(f"{self.name} holds {surplus:,} bytes after its {self.size:,} keys")

    def _count(self, length: int) -> int:
        """Return the number of raw keys in some bytes."""
        if length < 0:
            raise TruncatedFile(
                f"{self.name} is cut off: it ends {-length:,} bytes before its keys begin"
            )
        if surplus := length % self.stored.itemsize:
            raise TruncatedFile(
                f"{self.name} has {length:,} bytes, {surplus} more than a whole number of "
                f"{self.stored} keys: it is cut off, or of another type"
            )
        return length // self.stored.itemsize

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another, in native byte order."""
        records = np.empty(last - first, self._records)
        with self._state.opened() as file:
            self._fill(file, first, records)
        return self._keys(records)

    def read_into(self, first: int, room: Keys) -> Keys:
        """Fill an array with keys, without a copy if they are stored as they are."""
        if self._records != self.dtype:
            return super().read_into(first, room)
        with self._state.opened() as file:
            self._fill(file, first, room)
        return room

    def chunks(self, limit: int) -> Iterator[Keys]:
        """Yield all keys; the file stays open, so the system reads ahead."""
        with self._state.opened() as file:
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
            for first in range(0, self.size, limit):
                records = np.empty(min(limit, self.size - first), self._records)
                self._fill(file, first, records)
                yield self._keys(records)

    def take(self, places: Integers, run: int = 1) -> Keys:
        """Return the keys at some places, or the `run` keys from each place on, in a row."""
        records = np.empty((len(places), run), self._records)
        with self._state.opened() as file:
            if hasattr(os, "posix_fadvise"):  # a disk reads many places at once if it knows of them
                width = self._records.itemsize
                for begin in (self._offset + places * width).tolist():
                    os.posix_fadvise(file.fileno(), begin, run * width, os.POSIX_FADV_WILLNEED)
            for row, place in zip(records, places.tolist(), strict=True):
                self._fill(file, place, row)
        return self._keys(records.reshape(-1))

    def check(self) -> None:
        """Raise InputChanged if the file is another."""
        self._state.check()

    def _fill(self, file: FileIO, first: int, records: Keys) -> None:
        file.seek(self._offset + first * self._records.itemsize)
        read_all(file, records, self.name)

    def _keys(self, records: Keys) -> Keys:
        keys = records if self._field is None else np.ascontiguousarray(records[self._field])
        return keys.astype(self.dtype, copy=False)


def read_all(file: FileIO, records: Keys, name: str) -> None:
    """Fill an array from a file: one system call may read only a part."""
    rest = records.view(np.uint8).data
    while len(rest):
        if not (got := file.readinto(rest)):
            raise InputChanged(f"{name} became shorter while it was read")
        rest = rest[got:]


def raw_type(dtype: npt.DTypeLike | None, name: str) -> np.dtype[Any]:
    """Return the type of raw numbers, which must be given."""
    if dtype is None:
        raise UnsupportedKeys(
            f"{name} does not say what its numbers are: pass dtype='float32', or form='text' for "
            "a text"
        )
    return np.dtype(dtype)


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


def field_of(stored: np.dtype[Any], name: str, column: str | int | None) -> np.dtype[Any]:
    """Return the type of a field of a structured array."""
    names = stored.names or ()
    if column not in names:
        if not names:
            raise UnknownColumn(f"{name} has no columns: leave out column=")
        raise UnknownColumn(f"{name} has the columns {', '.join(names)}: choose one, with column=")
    return stored[str(column)]


def npy_column(source: Input, request: Request) -> Column:
    """Open a `.npy` file of one dimension, or one field of a structured array."""
    return Column(npy_batches(source.file, source.name, request), source.name, unit="row")


def npz_column(source: Input, request: Request) -> Column:
    """Open one array of an `.npz` file, by its name."""
    return Column(_npz_batches(source, request), source.name, unit="row")


def raw_column(source: Input, request: Request) -> Column:
    """Open raw numbers, whose type must be given."""
    return Column(_raw_batches(source.file, source.name, request), source.name)


def npy_batches(file: IO[bytes], name: str, request: Request) -> Iterator[Keys | Words]:
    """Yield the numbers or words of a `.npy` file, in their order."""
    shape, stored = npy_header(file, name, "numbers")
    check_flat(shape, name)
    check_no_object(stored, name)
    field = str(request.column) if stored.names else None
    chosen = field_of(stored, name, request.column) if stored.names else stored
    if not is_text(chosen):
        check_number(chosen, name)
        check_type(chosen, request.dtype, name)
        yield np.empty(0, chosen)  # tells the type of an array without numbers
    row = 1
    for records in _numbers(file, name, stored, math.prod(shape)):
        values = records if field is None else records[field]
        yield _words(values, row, name) if is_text(chosen) else values
        row += len(records)


def is_text(stored: np.dtype[Any]) -> bool:
    """Whether a type is one of text: str or bytes of a fixed width."""
    return stored.kind in "US" and stored.itemsize > 0


def check_flat(shape: tuple[int, ...], name: str) -> None:
    """Raise KeysNotFlat unless there is one dimension."""
    if len(shape) != 1:
        raise KeysNotFlat(f"keys have 1 dimension; {name} has {len(shape)}")


def _words(values: Keys, row: int, name: str) -> Words:
    """Return text as words; raise ForeignFile for text of no characters."""
    texts = values.tolist()
    if values.dtype.kind == "U":
        codes = np.dtype(np.uint32).newbyteorder(values.dtype.byteorder)
        if np.ascontiguousarray(values).view(codes).max(initial=0) > sys.maxunicode:
            raise ForeignFile(f"{name} is damaged: its text has characters that do not exist")
        texts = [each.encode("utf-8", "surrogatepass") for each in texts]
    return Words([each.strip() for each in texts], range(row, row + len(values)))


def _raw_batches(file: IO[bytes], name: str, request: Request) -> Iterator[Keys]:
    stored = raw_type(request.dtype, name)
    check_number(stored, name)
    left = request.offset
    while left and (data := file.read(min(left, PIECE))):
        left -= len(data)
    if left:
        raise TruncatedFile(
            f"{name} is cut off: it ends before the {request.offset:,} bytes that should be skipped"
        )
    yield from _numbers(file, name, stored, None)


def _numbers(
    file: IO[bytes], name: str, stored: np.dtype[Any], count: int | None
) -> Iterator[Keys]:
    """Yield `count` numbers as they are stored, or all numbers if None."""
    left = None if count is None else count * stored.itemsize
    most = max(1, PIECE // stored.itemsize) * stored.itemsize
    while data := file.read(most if left is None else min(most, left)):
        left = None if left is None else left - len(data)
        if len(data) % stored.itemsize:
            raise TruncatedFile(f"{name} is cut off: it ends within its numbers")
        yield np.frombuffer(data, stored)
    if left:
        raise TruncatedFile(f"{name} is cut off: {left:,} bytes of its numbers are missing")
    if count is not None and file.read(1):
        raise ForeignFile(f"{name} holds more than its {count:,} numbers")


def _npz_batches(source: Input, request: Request) -> Iterator[Keys | Words]:
    """Yield the numbers or words of one array; report what is wrong with the archive."""
    with seekable(source) as file:
        try:
            archive = zipfile.ZipFile(file)
        except (*DAMAGED, NotImplementedError) as error:
            raise ForeignFile(f"{source.name} is no .npz file: {error}") from error
        with archive:
            arrays = [each[:-4] for each in archive.namelist() if each.endswith(".npy")]
            if not arrays:
                raise ForeignFile(
                    f"{source.name} is a zip archive without arrays of NumPy: extract it first"
                )
            column = None if request.column is None else str(request.column)
            array = arrays[place_of(arrays, source.name, column, kind="array")]
            name = f"{source.name}, {array}"
            yield from npy_batches(as_file(_member(archive, f"{array}.npy", name)), name, request)


def _member(archive: zipfile.ZipFile, member: str, name: str) -> Iterator[bytes]:
    """Yield the bytes of a member of an archive."""
    try:
        with archive.open(member) as file:
            yield from iter(partial(file.read, PIECE), b"")
    except (*DAMAGED, OSError, RuntimeError) as error:  # it may have a password
        raise ForeignFile(f"{name} is damaged, or cannot be read: {error}") from error
