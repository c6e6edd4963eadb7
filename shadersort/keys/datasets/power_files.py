"""Loaders of measured power readings, from the text files that they are published in.

Two public collections, neither of them part of this package:

- REDD, the readings of Blanchard et al. 2015, section 3.3 (Kolter and Johnson 2011). One file a
  channel; each line is a time in seconds, a space, and a reading.
- "Individual household electric power consumption" of the UCI Machine Learning Repository: one
  file with a header, fields between semicolons, and ? or nothing for a missing reading.

Files are read piece by piece, and every error names the file and the line. Commands read tables by
`keys.reading`, which takes rows of any length; here a line that is cut short is an error.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import DtypeUnavailable, ForeignFile, TruncatedFile, UnknownColumn, choices
from shadersort.keys.datasets.base import FLOATS
from shadersort.keys.reading.lines import PIECE
from shadersort.keys.reading.number_words import NumberWords, all_numbers
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Keys

Name = str | os.PathLike[str]

MISSING = (b"", b"?")
COMPRESSED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a table, all of whose lines have as many fields."""

    name: str  # what the file is called in messages
    separator: bytes | None
    fields: int
    index: int
    headers: int = 0  # lines before the table
    instead: bytes = b""  # what stands for a missing word; nothing leaves it out

    def numbers(self, stream: IO[bytes], dtype: np.dtype[Any]) -> Keys:
        """Return the numbers of the field, each the nearest key."""
        read, before = NumberWords(dtype, rounding=True), 0
        parts = [np.empty(0, dtype)]
        while lines := stream.readlines(PIECE):
            numbers = range(before + 1, before + 1 + len(lines))
            found = [self._word(line, number) for line, number in zip(lines, numbers, strict=True)]
            words = Words.of(found, np.array(numbers)).filled()
            parts.append(all_numbers(words, read, self.name))
            before += len(lines)
        return np.concatenate(parts)

    def _word(self, line: bytes, number: int) -> bytes:
        if number <= self.headers or not line.strip():
            return b""
        found = line.strip().split(self.separator)
        if len(found) != self.fields:
            what = f"{self.name}, line {number}: {len(found)} fields, not {self.fields}"
            cut_short = len(found) < self.fields and not line.endswith(b"\n")
            raise TruncatedFile(what) if cut_short else ForeignFile(what)
        word = found[self.index].strip()
        return self.instead if word in MISSING else word


def load_readings(*paths: Name, dtype: npt.DTypeLike = "float32") -> Keys:
    """Return the readings of REDD's low-frequency channels, one file after the other.

    Blanchard et al. 2015, section 3.3: 42,661,878 readings of several houses, 367,431 of them
    distinct. The paper does not list its files, so its choice of channels is unknown.

    Parameters
    ----------
    paths
        Files such as `house_1/channel_3.dat`: on each line a time and a reading.
    dtype
        float32 or float64; each reading is the nearest key of this type.

    Raises
    ------
    ForeignFile, TruncatedFile
        If a line has another form; the message names it.
    """
    kind = _checked_type(dtype)
    parts = [np.empty(0, kind)]
    for path in paths:
        with _opened(path) as stream:
            parts.append(Field(str(path), None, 2, 1).numbers(stream, kind))
    return np.concatenate(parts)


def load_household(
    path: Name,
    column: str = "Global_active_power",
    *,
    dtype: npt.DTypeLike = "float32",
    keep_missing: bool = False,
) -> Keys:
    """Return a column of UCI's "Individual household electric power consumption".

    About two million readings, a minute apart, with few distinct values: fewer than in Blanchard et
    al. 2015, section 3.3, but publicly available.

    Parameters
    ----------
    path
        The text file, unpacked.
    column
        A name of its header.
    dtype
        float32 or float64; each reading is the nearest key of this type.
    keep_missing
        Whether missing readings become NaN; otherwise they are left out.

    Raises
    ------
    ForeignFile, TruncatedFile
        If the file has another form; the message names the line.
    UnknownColumn
        If its header has no such name.
    """
    kind = _checked_type(dtype)
    with _opened(path) as stream:
        instead = b"nan" if keep_missing else b""
        return _headed(stream, str(path), column, instead).numbers(stream, kind)


def _checked_type(dtype: npt.DTypeLike) -> np.dtype[Any]:
    kind = np.dtype(dtype)
    if kind.name not in FLOATS or not kind.isnative:
        raise DtypeUnavailable(f"power readings cannot be had in {kind}: use {choices(FLOATS)}")
    return kind


def _opened(path: Name) -> IO[bytes]:
    """Open a text file; refuse an empty or a compressed one."""
    with Path(path).open("rb") as stream:
        start = stream.read(8)
    if start.startswith(COMPRESSED):
        raise ForeignFile(f"{path} is compressed: unpack it first")
    if not start:
        raise ForeignFile(f"{path} is empty: it should hold a reading on each line")
    return Path(path).open("rb")


def _headed(stream: IO[bytes], name: str, column: str, instead: bytes) -> Field:
    """Return the field that the header calls `column`."""
    header = stream.readline().removeprefix(b"\xef\xbb\xbf").strip()
    names = [each.strip().strip('"') for each in header.decode("ascii", "replace").split(";")]
    if len(names) < 2:
        raise ForeignFile(f"{name}, line 1: no header of names between semicolons")
    if column not in names:
        raise UnknownColumn(f"{name} has no column {column!r}: use {choices(names)}")
    stream.seek(0)
    return Field(name, b";", len(names), names.index(column), 1, instead)
