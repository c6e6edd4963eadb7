"""`.npy` files, members of an `.npz`, and raw numbers: read in order, or from any place."""

import lzma
import math
import os
import struct
import sys
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from io import FileIO
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from shadersort.errors import ForeignFile, InputChanged, TruncatedFile, UnknownColumn
from shadersort.files.opening import PIECE, Input, as_file, open_seekable
from shadersort.files.request import Request, place_of
from shadersort.files.source import Accept, InFile, as_numbers, check_flat, check_type, raw_type
from shadersort.files.words import Words
from shadersort.keys.inputs import as_rows_of_keys
from shadersort.keys.types import Integers, Keys

NO_HEADER = (ValueError, KeyError, TypeError, SyntaxError, TokenError)  # NumPy reads it as Python
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError)


class ArrayFile(InFile):
    """The keys of a `.npy` file or of a raw one; of one field, if its array is structured."""

    scattered = True

    def __init__(self, path: Path, request: Request, accept: Accept = as_rows_of_keys) -> None:
        super().__init__(path)
        form, column, dtype, offset = request.form, request.column, request.dtype, request.offset
        if form == "npy":
            with self.open() as file:
                self.shape, self._records = npy_header(file, self.name)
                offset = file.tell()
        else:
            self._records = raw_type(dtype, self.name)
        self._field = find_field(self._records, self.name, column)
        self.stored = self._records[self._field] if self._field else self._records
        check_type(self.stored, self.name, accept, dtype)
        length, width = path.stat().st_size - offset, self._records.itemsize
        if form != "npy":
            self.shape = (max(length // width, 0),)
        self._offset, self.size = offset, math.prod(self.shape)
        if (surplus := length - self.size * width) < 0:
            what = f"of its {self.size:,} keys are missing" if self.size else "are missing"
            raise TruncatedFile(f"{path} is cut off: {-surplus:,} bytes {what}")
        if surplus and form == "npy":
            raise ForeignFile(f"{path} holds {surplus:,} bytes after its {self.size:,} keys")
        if surplus:
            what = f"{surplus} more than a whole number of {self.stored} keys: it is cut off"
            raise TruncatedFile(f"{path} has {length:,} bytes, {what}, or of another type")

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another, in native byte order."""
        records = np.empty(last - first, self._records)
        with self.open() as file:
            file.seek(self._offset + first * records.itemsize)
            read_all(file, records, self.name)
        return self._keys(records)

    def take(self, places: Integers) -> Keys:
        """Return the keys at some places."""
        width = self._records.itemsize
        begins = (self._offset + places * width).tolist()
        with self.open() as file:
            if hasattr(os, "posix_fadvise"):  # a disk reads many places at once if it knows of them
                for begin in begins:
                    os.posix_fadvise(file.fileno(), begin, width, os.POSIX_FADV_WILLNEED)
            found = b"".join([(file.seek(begin), file.read(width))[1] for begin in begins])
        if len(found) != len(begins) * width:
            raise InputChanged(f"{self.name} became shorter while it was read")
        return self._keys(np.frombuffer(found, self._records))

    def _keys(self, records: Keys) -> Keys:
        keys = np.ascontiguousarray(records[self._field] if self._field else records)
        return keys.astype(self.dtype, copy=False)


def read_all(file: FileIO, records: Keys, name: str) -> None:
    """Fill an array from a file: one system call may read only a part."""
    rest = records.view(np.uint8).data
    while len(rest):
        if not (got := file.readinto(rest)):
            raise InputChanged(f"{name} became shorter while it was read")
        rest = rest[got:]


def npy_header(file: IO[bytes], name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Read the header of a .npy file, and return the shape and the type of its array."""
    try:
        version = npy.read_magic(file)
        read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 2 has written other headers, which are read
            shape, _, stored = read_header[version](file)
    except NO_HEADER as error:
        why = f"({error}): if it is a raw one, rename it"
        raise ForeignFile(f"{name} is not a .npy file of keys {why}") from error
    if any(length < 0 for length in shape):
        raise ForeignFile(f"{name} is damaged: its array has the shape {shape}")
    return shape, stored


def find_field(stored: np.dtype[Any], name: str, column: str | int | None) -> str | None:
    """Return the name of a field of a structured array; None for another array."""
    if stored.names:
        return stored.names[place_of(list(stored.names), name, column)]
    if column is not None:
        raise UnknownColumn(f"{name} has no columns: leave out column=")
    return None


def npy_batches(source: Input, request: Request) -> Iterator[Keys | Words]:
    """Yield the numbers or words of a `.npy` file of one dimension, or of one of its fields."""
    file, name = source.file, source.name
    shape, stored = npy_header(file, name)
    check_flat(shape, name)
    field = find_field(stored, name, request.column if stored.names else None)
    chosen = stored[field] if field else stored
    if not is_text(chosen):
        check_type(chosen, name, as_numbers, request.dtype)
        yield np.empty(0, chosen)  # tells the type of an array without numbers
    row = 1
    for records in _numbers(file, name, stored, math.prod(shape)):
        values = records[field] if field else records
        yield _words(values, row, name) if is_text(chosen) else values
        row += len(records)


def is_text(stored: np.dtype[Any]) -> bool:
    """Whether a type is one of text: str or bytes of a fixed width."""
    return stored.kind in "US" and stored.itemsize > 0


def _words(values: Keys, row: int, name: str) -> Words:
    """Return text as words; raise ForeignFile for text of no characters."""
    if values.dtype.kind == "U":
        codes = np.dtype(np.uint32).newbyteorder(values.dtype.byteorder)
        if np.ascontiguousarray(values).view(codes).max(initial=0) > sys.maxunicode:
            raise ForeignFile(f"{name} is damaged: its text has characters that do not exist")
    texts = values.tolist()
    if values.dtype.kind == "U":
        texts = [each.encode("utf-8", "surrogatepass") for each in texts]
    return Words([each.strip() for each in texts], range(row, row + len(values)))


def raw_batches(source: Input, request: Request) -> Iterator[Keys]:
    """Yield raw numbers, whose type must be given."""
    file, name = source.file, source.name
    stored = raw_type(request.dtype, name, ", or form='text' for a text")
    check_type(stored, name, as_numbers)
    yield from _numbers(file, name, stored, sys.maxsize)


def _numbers(file: IO[bytes], name: str, stored: np.dtype[Any], count: int) -> Iterator[Keys]:
    """Yield `count` numbers as they are stored; all numbers if it is `sys.maxsize`."""
    left, most = count * stored.itemsize, max(1, PIECE // stored.itemsize) * stored.itemsize
    while data := file.read(min(most, left)):
        left -= len(data)
        if len(data) % stored.itemsize:
            raise TruncatedFile(f"{name} is cut off: it ends within its numbers")
        yield np.frombuffer(data, stored)
    if left and count < sys.maxsize:
        raise TruncatedFile(f"{name} is cut off: {left:,} bytes of its numbers are missing")
    if file.read(1):
        raise ForeignFile(f"{name} holds more than its {count:,} numbers")


def npz_batches(source: Input, request: Request) -> Iterator[Keys | Words]:
    """Yield the numbers or words of one array of an `.npz`, by its name."""
    with open_seekable(source) as file:
        try:
            archive = zipfile.ZipFile(file)
        except (*DAMAGED, NotImplementedError) as error:
            raise ForeignFile(f"{source.name} is no .npz file: {error}") from error
        with archive:
            arrays = [each[:-4] for each in archive.namelist() if each.endswith(".npy")]
            if not arrays:
                what = "a zip archive without arrays of NumPy: extract it first"
                raise ForeignFile(f"{source.name} is {what}")
            column = None if request.column is None else str(request.column)
            array = arrays[place_of(arrays, source.name, column, kind="array")]
            name = f"{source.name}, {array}"
            member = as_file(_member(archive, f"{array}.npy", name))
            yield from npy_batches(Input(member, name, "npy", False), request)


def _member(archive: zipfile.ZipFile, member: str, name: str) -> Iterator[bytes]:
    """Yield the bytes of a member of an archive."""
    try:
        with archive.open(member) as file:
            yield from iter(partial(file.read, PIECE), b"")
    except (*DAMAGED, OSError, RuntimeError) as error:  # it may have a password
        raise ForeignFile(f"{name} is damaged, or cannot be read: {error}") from error
