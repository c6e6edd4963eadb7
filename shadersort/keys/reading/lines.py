"""Text: one word a line, or columns that white space separates, as in a log."""

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from shadersort.errors import ForeignFile
from shadersort.keys.reading.words import Bytes, Words, are_blank
from shadersort.keys.types import Integers

PIECE = 1 << 20
"""Bytes of a block, about."""
LONGEST = 1 << 26
"""The most bytes of one line: a file without line ends must not fill the memory."""
NEWLINE = 10


def blocks(file: BinaryIO, name: str) -> Iterator[bytes]:
    r"""Yield the whole lines of a file, about 1 MiB at a time; the last line may lack its end.

    Raises ForeignFile for a line that is longer than 64 MiB.

    Examples
    --------
    >>> import io
    >>> list(blocks(io.BytesIO(b"one\ntwo"), "a file"))
    [b'one\n', b'two\n']
    """
    parts: list[bytes] = []
    while data := file.read(PIECE):
        data = b"".join([*parts, data])
        whole = data.rfind(b"\n") + 1
        if whole:
            yield data[:whole]
        parts = [data[whole:]] if whole < len(data) else []
        if len(data) > whole + LONGEST:
            raise ForeignFile(f"{name} has a line of more than {LONGEST >> 20} MiB: is it text?")
    if parts:
        yield parts[0] + b"\n"


def line_words(file: BinaryIO, name: str, column: int | None) -> Iterator[Words]:
    r"""Yield the words of a text: whole lines, or those of a column, counted from 0.

    Empty lines are skipped. A line with too few columns has a missing word.

    Examples
    --------
    >>> import io
    >>> [words.listed() for words in line_words(io.BytesIO(b"a 1\n\nb  2\n"), "a file", 1)]
    [[b'1', b'2']]
    """
    before = 0
    for block in blocks(file, name):
        data = np.frombuffer(block, np.uint8)
        if column is None:
            words, lines = _of_lines(data, before)
        else:
            words, lines = _of_column(data, column, before)
        before += lines
        yield words


def _of_lines(data: Bytes, before: int) -> tuple[Words, int]:
    """Return the lines of a block that are not empty, and how many lines it has."""
    ends = np.flatnonzero(data == NEWLINE)
    numbers = np.arange(before + 1, before + 1 + len(ends))
    return Words(data, begins(ends), ends, numbers).stripped().filled(), len(ends)


def _of_column(data: Bytes, column: int, before: int) -> tuple[Words, int]:
    """Return the words in a column of a block, and how many lines it has."""
    blanks = np.flatnonzero(are_blank(data))
    newlines = np.flatnonzero(data[blanks] == NEWLINE)
    starts, ends = begins(blanks), blanks
    if (some := starts < ends).all():
        first, after = begins(newlines), newlines + 1
    else:
        upto = np.concatenate([np.zeros(1, np.int64), np.cumsum(some)])
        after = upto[newlines + 1]
        first = np.concatenate([np.zeros(1, np.int64), after[:-1]])
        starts, ends = starts[some], ends[some]
    filled = np.flatnonzero(first < after)
    first, after, numbers = first[filled], after[filled], filled + before + 1
    return chosen(data, starts, ends, first + column, after, numbers), len(newlines)


def chosen(
    data: Bytes,
    starts: Integers,
    ends: Integers,
    wanted: Integers,
    after: Integers,
    lines: Integers,
) -> Words:
    """Return one word of each line, given all words and the place of the wanted one.

    A word that is not before the place `after` is missing.
    """
    there = wanted < after
    if there.all():
        return Words(data, starts[wanted], ends[wanted], lines)
    places = np.where(there, wanted, 0)
    return Words(data, starts[places], np.where(there, ends[places], starts[places]), lines)


def begins(ends: Integers) -> Integers:
    """Return where words begin, given where each ends: after the end of the one before."""
    starts = np.empty_like(ends)
    starts[:1] = 0
    starts[1:] = ends[:-1] + 1
    return starts
