"""Arrays of numbers or text: `.npy`, members of an `.npz`; and raw numbers, some at a time."""

import lzma
import math
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np

from shadersort.errors import (
    ForeignFile,
    KeysNotFlat,
    TruncatedFile,
    UnknownColumn,
    UnsupportedKeys,
)
from shadersort.keys.accepted import is_number
from shadersort.keys.files import npy_header
from shadersort.keys.reading.columns import place_of
from shadersort.keys.reading.opening import Input, seekable
from shadersort.keys.reading.request import Request
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Keys

PIECE = 1 << 20
"""Bytes read at a time."""

DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError)
"""What reading a damaged zip file raises."""


def npy_values(file: BinaryIO, name: str, request: Request) -> Iterator[Keys | Words]:
    """Yield the numbers or words of a `.npy` file, or of one field of a structured array."""
    shape, stored = npy_header(file, name, "numbers")
    if len(shape) != 1:
        raise KeysNotFlat(f"a stream of numbers has one dimension; {name} has {len(shape)}")
    check_no_object(stored, name)
    field = request.column if stored.names else None
    chosen = _field(stored, name, field) if stored.names else stored
    if not is_text(chosen):
        check_type(chosen, request, name)
        yield np.empty(0, chosen)  # tells the type of an array without numbers
    row = 1
    for record in _raw(file, name, stored, math.prod(shape)):
        values = record[field] if field is not None else record
        yield _words(values, row, name) if is_text(chosen) else values
        row += len(record)


def is_text(stored: np.dtype[Any]) -> bool:
    """Whether a type is one of text: str or bytes of a fixed width."""
    return stored.kind in "US" and stored.itemsize > 0


def _words(values: Keys, row: int, name: str) -> Words:
    """Return text as words; raise ForeignFile for text of no characters."""
    if values.dtype.kind == "U":
        codes = np.dtype(np.uint32).newbyteorder(values.dtype.byteorder)
        if np.ascontiguousarray(values).view(codes).max(initial=0) > sys.maxunicode:
            raise ForeignFile(f"{name} is damaged: its text has characters that do not exist")
        texts = [each.encode("utf-8", "surrogatepass") for each in values.tolist()]
    else:
        texts = values.tolist()
    return Words.of([each.strip() for each in texts], np.arange(row, row + len(values)))


def _field(stored: np.dtype[Any], name: str, field: str | int | None) -> np.dtype[Any]:
    """Return the type of a field."""
    names = ", ".join(stored.names or ())
    if field not in (stored.names or ()):
        raise UnknownColumn(f"{name} has the fields {names}: choose one by its name, with column=")
    return stored[str(field)]


def raw_numbers(file: BinaryIO, name: str, request: Request) -> Iterator[Keys]:
    """Yield raw numbers; their type must be given."""
    if request.dtype is None:
        raise UnsupportedKeys(
            f"{name} does not say what its numbers are: pass their type, such as dtype='float32', "
            "or form='text' for a text"
        )
    check_type(request.dtype, request, name)
    left = request.offset
    while left and (data := file.read(min(left, PIECE))):
        left -= len(data)
    if left:
        raise TruncatedFile(
            f"{name} is cut off: it ends before the {request.offset:,} bytes that should be skipped"
        )
    yield from _raw(file, name, request.dtype, None)


def _raw(file: BinaryIO, name: str, stored: np.dtype[Any], count: int | None) -> Iterator[Keys]:
    """Yield `count` raw numbers, or all numbers if None."""
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


@contextmanager
def npz_member(source: Input, column: str | int | None) -> Iterator[tuple[BinaryIO, str]]:
    """Open one array of an `.npz` file, by its name, as a `.npy` file."""
    with seekable(source) as file:
        try:
            archive = zipfile.ZipFile(file)
        except (*DAMAGED, NotImplementedError) as error:
            raise ForeignFile(f"{source.name} is no .npz file: {error}") from error
        with archive, _opened(archive, source.name, column) as member:
            called = member.name.removesuffix(".npy")
            yield _Member(member, source.name), f"{source.name}, {called}"  # type: ignore[misc]


def _opened(archive: zipfile.ZipFile, name: str, column: str | int | None) -> Any:
    """Open a member of a zip file; raise ForeignFile if it cannot be read."""
    chosen = _member(archive, name, column)
    try:
        return archive.open(chosen)
    except (*DAMAGED, RuntimeError) as error:  # it may have a password
        raise ForeignFile(f"{name} cannot be read: {error}") from error


class _Member:
    """A member of a zip file, whose damage is reported as any other file's is."""

    def __init__(self, member: Any, name: str) -> None:
        self._member, self._name = member, name

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        try:
            data: bytes = self._member.read(size)
        except (*DAMAGED, OSError) as error:
            raise ForeignFile(f"{self._name} is damaged: {error}") from error
        return data


def _member(archive: zipfile.ZipFile, name: str, column: str | int | None) -> str:
    """Return the name of a member; raise UnknownColumn if none or several could be meant."""
    names = [each.removesuffix(".npy") for each in archive.namelist() if each.endswith(".npy")]
    if not names:
        raise ForeignFile(f"{name} is a zip archive without arrays of NumPy: extract it first")
    chosen = None if column is None else str(column)
    return f"{names[place_of(names, name, chosen, kind='array')]}.npy"


def check_type(stored: np.dtype[Any], request: Request, name: str) -> None:
    """Raise UnsupportedKeys unless a type is one of numbers, and the one that was asked for."""
    check_number(stored, name)
    asked = request.dtype
    if asked is not None and asked.newbyteorder("=") != stored.newbyteorder("="):
        raise UnsupportedKeys(f"{name} holds {stored}, not {asked}")


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
            f"{name} holds objects of Python, which are not read: save numbers, or text with a "
            "type such as '<U40'"
        )
