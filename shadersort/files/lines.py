"""Formats of lines: text, CSV and TSV, JSON lines. Each yields the words of one column."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from itertools import chain, islice, repeat
from typing import Any

import numpy as np

from shadersort.errors import BadOption, ForeignFile, UnknownColumn
from shadersort.files.opening import Column, Input
from shadersort.files.request import Request, place_of
from shadersort.files.words import Words

PIECE = 1 << 17  # bytes of a block, about; the first, by which a type is guessed, has 8 times that
LONGEST = 1 << 26  # bytes of one line, at most: a file without line ends must not fill the memory
NEWLINE, SPACE, TAB = np.frombuffer(b"\n \t", np.uint8)
ROWS = 1 << 14  # rows of a CSV in a batch
KEEP_DIGITS = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


def blocks(source: Input) -> Iterator[bytes]:
    """Yield whole lines of an input, some at a time; the last line may lack its end."""
    size = 8 * PIECE
    while block := source.file.read(size) + source.file.readline(LONGEST):
        if not block.endswith(b"\n"):
            if len(block) > LONGEST:
                raise ForeignFile(f"{source.name} has a line of more than 64 MiB: is it text?")
            block += b"\n"
        yield block
        size = PIECE


def text_words(source: Input, request: Request) -> Iterator[Words]:
    """Yield the lines of a text that are not empty, or a column that white space separates."""
    column, line = request.column, 1
    if isinstance(column, str):
        advice = "choose one by its number, or say form='csv'"
        raise UnknownColumn(f"{source.name} is text, whose columns have no names: {advice}")
    for block in blocks(source):
        yield _lines(block, line) if column is None else _field(block, line, column - 1)
        line += block.count(b"\n")


def _lines(block: bytes, line: int) -> Words:
    """Return the lines of a block, from a number on, as words; leave out empty lines."""
    block = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    words = Words(block, range(line, line + block.count(b"\n")))
    if words.block is block and b"\n\n" not in block and block[0] != NEWLINE:
        return words
    return words.where(np.array(list(map(bool, words.texts))))


def _field(block: bytes, line: int, place: int, delimiter: str = "") -> Words:
    """Return the words at a place, from 0, of lines, from a number on; leave out empty lines.

    Without a delimiter, white space separates words.
    """
    lines = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    letters = np.frombuffer(lines, np.uint8)
    separates = letters == (ord(delimiter) if delimiter else SPACE)
    ends = np.flatnonzero(separates | (letters == NEWLINE if delimiter else letters - TAB < 5))
    starts, last = np.append(0, ends[:-1] + 1), np.flatnonzero(letters[ends] == NEWLINE)
    kept = starts < ends
    if delimiter:  # a word may be missing, but not the only one
        kept[:] = True
        kept[last] = np.diff(ends[last], prepend=-1) > 1
    if not kept.all():
        starts, ends, last = starts[kept], ends[kept], np.cumsum(kept)[last] - 1
    first = np.append(0, last[:-1] + 1)
    filled = np.flatnonzero(first <= last)
    wanted, last = first[filled] + place, last[filled]
    missing, wanted = wanted > last, np.minimum(wanted, last)
    starts, ends = np.where(missing, ends[wanted], starts[wanted]), ends[wanted]
    lengths = ends - starts + 1  # with the letter after each word
    after = np.cumsum(lengths)
    steps = np.ones(lengths.sum(), np.int64)  # from letter to letter of the words
    steps[after - lengths] = starts - np.append(0, ends[:-1])
    found = letters[np.cumsum(steps)]
    found[after - 1] = NEWLINE
    return Words(found.tobytes(), filled + line)


def csv_column(source: Input, request: Request) -> Column:
    """Open a column of a CSV or TSV, with quotes as RFC 4180 has them."""
    delimiter = request.delimiter or ("\t" if source.form == "tsv" else ",")
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n':
        raise BadOption(f"delimiter is one ASCII character, not {delimiter!r}")
    rows, start, titles, line = blocks(source), b"", list[str](), 0
    while not titles and (block := next(rows, b"")):
        start += block
        row, line = next(_csv_rows(iter([start]), source.name, delimiter, 0), (titles, 0))
        titles = [field.strip(" \t\n\r\v\f") for field in row]
        line += sum(field.count("\n") for field in row)
    advice = advise_delimiter(titles[0]) if len(titles) == 1 else ""
    if isinstance(column := request.column, int):  # without rows, there is a column of any number
        titles = titles or [""] * column
    place = place_of(titles, source.name, column, advice=advice)
    titled = request.header is True or isinstance(column, str)
    rows = chain([start.split(b"\n", line)[-1] if titled else start], rows)
    return Column(
        _csv_words(rows, source.name, place, delimiter, line if titled else 0),
        source.name,
        f", column {titles[place] if titled and titles else place + 1}",
        titled=request.header is None and not titled,
    )


def _csv_words(
    rows: Iterator[bytes], name: str, place: int, delimiter: str, line: int
) -> Iterator[Words]:
    """Yield the words of a column, given blocks of rows, and the number of lines before them."""
    for block in rows:
        if b'"' not in block:
            yield _field(block, line + 1, place, delimiter)
            line += block.count(b"\n")
            continue
        read = _csv_rows(chain([block], rows), name, delimiter, line)
        while some := list(islice(read, ROWS)):
            fields = [row[place] if place < len(row) else "" for row, _ in some]
            texts = [field.encode("utf-8", "surrogateescape").strip() for field in fields]
            yield Words(texts, [number for _, number in some])


def _csv_rows(
    rows: Iterator[bytes], name: str, delimiter: str, before: int
) -> Iterator[tuple[list[str], int]]:
    """Yield the rows that the csv module reads and that are not empty, and where each begins."""
    texts = (block.decode("utf-8", "surrogateescape") for block in rows)
    lines = chain.from_iterable(StringIO(text, newline="\n") for text in texts)
    reader, line = csv.reader(lines, delimiter=delimiter), before + 1
    try:
        for row in reader:
            if row:
                yield row, line
            line = before + reader.line_num + 1
    except csv.Error as error:
        line = before + max(reader.line_num, 1)
        raise ForeignFile(f"{name}, line {line}: no row of a CSV: {error}") from error


def advise_delimiter(field: str) -> str:
    """Return advice about a field that may be several, or nothing."""
    mark = next((each for each in ";\t|" if each in field), None)
    return f". If {mark!r} separates columns, say delimiter={mark!r}" if mark else ""


def json_words(source: Input, request: Request) -> Iterator[Words]:
    """Yield the numbers of JSON lines as written, and strings; other values are missing words."""
    line, name, column = 1, source.name, request.column
    for block in blocks(source):
        lines = _lines(block, line)
        line += block.count(b"\n")
        values = map(_decode_json, lines.texts, lines.lines, repeat(name))
        yield Words([_choose_word(value, column, name) for value in values], lines.lines)


def _decode_json(line: bytes, number: int, name: str) -> Any:
    """Return the value of a line; its numbers are strings."""
    try:
        text = line.decode("utf-8", "surrogatepass")
        value, end = KEEP_DIGITS.raw_decode(text)  # `decode` takes three times as long
        if end < len(text):
            raise json.JSONDecodeError("Extra data", text, end)
        return value
    except (ValueError, RecursionError) as error:
        shown = line[:40].decode("utf-8", "backslashreplace")
        why = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise ForeignFile(f"{name}, line {number}: {shown!r} is no JSON: {why}") from error


def _choose_word(value: Any, column: str | int | None, name: str) -> bytes:
    """Return the word of a value, or of its column; none for a value that is no number or text."""
    if isinstance(value, dict):
        if column is None:
            what = f"objects with {', '.join(value)}: choose one, with column="
            raise UnknownColumn(f"the lines of {name} are {what}")
        value = value.get(str(column))
    elif isinstance(value, list):
        if not isinstance(column, int):
            advice = "choose a column by its number, with column="
            raise UnknownColumn(f"some lines of {name} are arrays: {advice}")
        value = value[column - 1] if column <= len(value) else None
    return value.encode("utf-8", "surrogatepass").strip() if isinstance(value, str) else b""
