"""CSV and TSV: columns that a separator divides, with quotes as RFC 4180 has them.

A block of bytes is divided by NumPy. From the first quote on, Python's csv module reads the file.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain, islice
from typing import Any, BinaryIO

import numpy as np

from shadersort.errors import ForeignFile, UnknownColumn
from shadersort.keys.reading.columns import place_of
from shadersort.keys.reading.lines import NEWLINE, begins, blocks, chosen
from shadersort.keys.reading.words import BLANKS, Bytes, Words
from shadersort.keys.types import Integers

RETURN = 13
ROWS = 1 << 14
"""Rows of a batch that the csv module reads."""


def first_row(block: bytes, delimiter: str) -> tuple[list[str], int]:
    """Return the fields of the first row that is not empty, and the number of lines up to it."""
    reader = csv.reader(_decoded(BytesIO(block)), delimiter=delimiter)
    for row in reader:
        if row:
            return [field.strip(BLANKS.decode()) for field in row], reader.line_num
    return [], 0


@dataclass(frozen=True, slots=True)
class Fields:
    """A column of a CSV."""

    name: str  # what the file is called in messages
    column: int  # from 0
    delimiter: str

    def words(self, file_blocks: Iterator[bytes], before: int) -> Iterator[Words]:
        """Yield the words of the column, given blocks of whole rows, and the lines before them."""
        for block in file_blocks:
            if b'"' in block:
                yield from self._carefully(chain([block], file_blocks), before)
                return
            words = divided(np.frombuffer(block, np.uint8), ord(self.delimiter), self.column)
            yield replace(words, lines=words.lines + before)
            before += block.count(b"\n")

    def _carefully(self, file_blocks: Iterator[bytes], before: int) -> Iterator[Words]:
        """Yield the words of the column as the csv module reads them."""
        lines = chain.from_iterable(map(BytesIO, file_blocks))
        reader = csv.reader(_decoded(lines), delimiter=self.delimiter)
        try:
            numbered = _numbered(reader)
            while rows := list(islice(numbered, ROWS)):
                filled = [each for each in rows if each[0]]
                yield _of_rows(filled, self.column, before)
        except csv.Error as error:
            line = before + reader.line_num
            raise ForeignFile(f"{self.name}, line {line}: no row of a CSV: {error}") from error


def _of_rows(rows: list[tuple[list[str], int]], column: int, before: int) -> Words:
    fields = [row[column] if column < len(row) else "" for row, _ in rows]
    words = [field.encode("utf-8", "surrogateescape").strip() for field in fields]
    return Words.of(words, before + np.array([line for _, line in rows], np.int64))


def _numbered(reader: Any) -> Iterator[tuple[list[str], int]]:
    """Yield the rows of a csv reader, each with the line in which it begins."""
    line = 1
    for row in reader:
        yield row, line
        line = reader.line_num + 1


def divided(data: Bytes, delimiter: int, column: int) -> Words:
    r"""Return the words in a column of whole rows without quotes.

    Examples
    --------
    >>> divided(np.frombuffer(b"a,1\nb, 2\nc\n", np.uint8), ord(","), 1).listed()
    [b'1', b'2', b'']
    """
    marks = np.flatnonzero((data == delimiter) | (data == NEWLINE))
    newlines = np.flatnonzero(data[marks] == NEWLINE)
    first, after = begins(newlines), newlines + 1
    starts = begins(marks)
    rows = _filled(data, starts[first], marks[first], after - first)
    first, after = first[rows], after[rows]
    return chosen(data, starts, marks, first + column, after, rows + 1).stripped()


def _filled(data: Bytes, starts: Integers, ends: Integers, fields: Integers) -> Integers:
    """Return the places of rows that are not empty, given the first field of each."""
    empty = (fields == 1) & ((starts == ends) | ((ends - starts == 1) & (data[starts] == RETURN)))
    return np.flatnonzero(~empty)


def _decoded(lines: Iterator[bytes] | BytesIO) -> Iterator[str]:
    return (line.decode("utf-8", "surrogateescape") for line in lines)


def field_words(
    file: BinaryIO,
    name: str,
    column: str | int | None,
    delimiter: str,
    header: bool | None,
) -> tuple[Iterator[Words], str, bool]:
    """Open a column of a CSV, by its name or its number from 1.

    Returns the words, what the column is called, and whether the first row may be titles: nobody
    said whether it is.

    Raises
    ------
    UnknownColumn
        The first row has no such column, or several columns and none was chosen.
    """
    rows = blocks(file, name)
    start, titles, lines = _until_first_row(rows, name, delimiter)
    place = _place(titles, name, column)
    titled = header is True or isinstance(column, str)
    if titled:
        begin = _after_lines(start, lines)
        start, before = start[begin:], lines
    else:
        before = 0
    called = titles[place] if titled and titles else f"{place + 1}"
    words = Fields(name, place, delimiter).words(filter(None, chain([start], rows)), before)
    return words, called, header is None and not titled


def _until_first_row(
    rows: Iterator[bytes], name: str, delimiter: str
) -> tuple[bytes, list[str], int]:
    """Return the blocks up to the first row that is not empty, its fields and its last line."""
    start = b""
    for block in rows:
        start += block
        try:
            titles, lines = first_row(start, delimiter)
        except csv.Error as error:
            raise ForeignFile(f"{name}, line 1: no row of a CSV: {error}") from error
        if titles:
            return start, titles, lines
    return start, [], 0


def _place(titles: list[str], name: str, column: str | int | None) -> int:
    """Return the place of a column, from 0; a file without rows has a column of every number."""
    if isinstance(column, int) and not titles:
        return column - 1
    try:
        return place_of(titles, name, column)
    except UnknownColumn as error:
        advice = perhaps_delimited(titles[0]) if len(titles) == 1 else ""
        raise UnknownColumn(f"{error}{advice}") from error


def perhaps_delimited(field: str) -> str:
    """Return advice about a field that may be several, or nothing.

    Examples
    --------
    >>> perhaps_delimited("a;b"), perhaps_delimited("a b")
    (". If ';' separates columns, say delimiter=';'", '')
    """
    mark = next((each for each in ";\t|" if each in field), None)
    return f". If {mark!r} separates columns, say delimiter={mark!r}" if mark else ""


def _after_lines(block: bytes, lines: int) -> int:
    """Return the place after some lines of a block."""
    place = 0
    for _ in range(lines):
        place = block.index(b"\n", place) + 1
    return place
