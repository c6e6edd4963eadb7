"""CSV and TSV: columns that a separator divides, with quotes as RFC 4180 has them.

A block of bytes is divided by NumPy. If its quotes are not as the RFC says, for instance where one
stands in the middle of a field, Python's csv module reads the rest of the file.
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
from shadersort.keys.reading.lines import NEWLINE, after_last_line, begins, blocks, chosen
from shadersort.keys.reading.words import BLANKS, Bytes, Words
from shadersort.keys.types import Integers

QUOTE, RETURN = 34, 13
ATTEMPTS = 64
"""Line ends that may lie in quoted fields, before quotes are taken to be wrong."""
ROWS = 1 << 14
"""Rows of a batch that the csv module reads."""


def after_last_row(data: bytes) -> int:
    r"""Return how many bytes of some CSV are whole rows; a line end in quotes ends no row.

    Examples
    --------
    >>> after_last_row(b'1,2\n3,"4\n')
    4
    """
    end = after_last_line(data)
    odd, last = _count(data[:end], QUOTE) & 1, end
    for _ in range(ATTEMPTS):
        if not odd:
            return last
        earlier = data.rfind(b"\n", 0, max(0, last - 1)) + 1
        if not earlier:
            return 0
        odd ^= data.count(b'"', earlier, last) & 1
        last = earlier
    return end


def _count(data: bytes, letter: int) -> int:
    """Return how often a byte occurs; NumPy counts faster than Python."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == letter))


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
            words = divided(np.frombuffer(block, np.uint8), ord(self.delimiter), self.column)
            if words is None:
                yield from self._carefully(chain([block], file_blocks), before)
                return
            yield replace(words, lines=words.lines + before)
            before += _count(block, NEWLINE)

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


def divided(data: Bytes, delimiter: int, column: int) -> Words | None:
    r"""Return the words in a column of whole rows; None if the quotes are not as in RFC 4180.

    Examples
    --------
    >>> rows = np.frombuffer(b'a,1\n"b,b"," 2"\nc\n', np.uint8)
    >>> divided(rows, ord(","), 1).listed(), divided(rows, ord(","), 0).listed()
    ([b'1', b'2', b''], [b'a', b'b,b', b'c'])
    """
    marks, quotes = _marks(data, delimiter)
    if len(quotes) and not _well_formed(data, quotes, delimiter):
        return None
    newlines = np.flatnonzero(data[marks] == NEWLINE)
    first, after = begins(newlines), newlines + 1
    rows = _filled(data, begins(marks)[first], marks[first], after - first)
    starts = begins(marks)
    lines = _lines(data, starts[first[rows]], rows, quoted=len(quotes) > 0)
    first, after = first[rows], after[rows]
    words = chosen(data, starts, marks, first + column, after, lines).stripped()
    return _unquoted(words, quotes) if len(quotes) else words


def _marks(data: Bytes, delimiter: int) -> tuple[Integers, Integers]:
    """Return the places of separators and line ends outside quoted fields, and those of quotes."""
    found = np.flatnonzero((data == delimiter) | (data == NEWLINE) | (data == QUOTE))
    quote = data[found] == QUOTE
    if not quote.any():
        return found, found[:0]
    outside = (np.cumsum(quote, dtype=np.uint8) & 1) == 0
    return found[outside & ~quote], found[quote]


def _well_formed(data: Bytes, quotes: Integers, delimiter: int) -> bool:
    """Whether quotes begin and end fields; two quotes in a field stand for one."""
    if len(quotes) & 1:
        return False
    allowed = np.zeros(256, np.bool_)
    allowed[[delimiter, NEWLINE, QUOTE]] = True
    opening, closing = quotes[::2], quotes[1::2]
    opens = allowed[data[np.maximum(opening - 1, 0)]] | (opening == 0)
    allowed[RETURN] = True
    closes = allowed[data[np.minimum(closing + 1, len(data) - 1)]]
    return bool(opens.all() and closes.all())


def _filled(data: Bytes, starts: Integers, ends: Integers, fields: Integers) -> Integers:
    """Return the places of rows that are not empty, given the first field of each."""
    empty = (fields == 1) & ((starts == ends) | ((ends - starts == 1) & (data[starts] == RETURN)))
    return np.flatnonzero(~empty)


def _lines(data: Bytes, starts: Integers, rows: Integers, *, quoted: bool) -> Integers:
    """Return the lines in which rows begin; a quoted field may contain line ends."""
    if not quoted:
        return rows + 1
    return np.searchsorted(np.flatnonzero(data == NEWLINE), starts) + 1


def _unquoted(words: Words, quotes: Integers) -> Words:
    """Return words without the quotes around them; two quotes inside become one."""
    at = np.minimum(words.starts, len(words.data) - 1)
    quoted = ((words.data[at] == QUOTE) & (words.widths >= 2)).astype(np.int64)
    bare = Words(words.data, words.starts + quoted, words.ends - quoted, words.lines).stripped()
    if not (quotes[2::2] == quotes[1:-1:2] + 1).any():
        return bare
    return Words.of([word.replace(b'""', b'"') for word in bare.listed()], bare.lines)


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
    rows = blocks(file, name, after_last_row)
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
