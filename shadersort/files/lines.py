"""Formats of lines: text, CSV and TSV, JSON lines. Each yields the words of one column."""

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import chain, compress, islice
from typing import Any

from shadersort.errors import BadOption, ForeignFile, UnknownColumn
from shadersort.files.opening import Column, Input
from shadersort.files.request import Request, place_of
from shadersort.files.words import Words

PIECE = 1 << 20  # bytes of a block, about
LONGEST = 1 << 26  # bytes of one line, at most: a file without line ends must not fill the memory
ROWS = 1 << 14  # rows of a CSV in a batch
KEEP_DIGITS = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


def blocks(source: Input) -> Iterator[bytes]:
    """Yield whole lines of an input, about 1 MiB at a time; the last line may lack its end."""
    rest = b""
    while data := source.file.read(PIECE):
        whole = data.rfind(b"\n") + 1
        if whole:
            yield rest + data[:whole]
        rest = data[whole:] if whole else rest + data
        if len(rest) > LONGEST:
            raise ForeignFile(f"{source.name} has a line of more than 64 MiB: is it text?")
    if rest:
        yield rest + b"\n"


def text_words(source: Input, request: Request) -> Iterator[Words]:
    """Yield the lines of a text that are not empty, or a column that white space separates."""
    column, before = request.column, 1
    if isinstance(column, str):
        advice = "choose one by its number, or say form='csv'"
        raise UnknownColumn(f"{source.name} is text, whose columns have no names: {advice}")
    for block in blocks(source):
        yield _split(lines := block.split(b"\n")[:-1], before, column)
        before += len(lines)


def _split(lines: list[bytes], first: int, column: int | None, mark: bytes | None = None) -> Words:
    """Return lines, or words in a column that a mark separates, None being white space."""
    numbers: Sequence[int] = range(first, first + len(lines))
    found = [line.strip(mark and b"\r") for line in lines]
    if not all(found):
        found, numbers = list(filter(None, found)), list(compress(numbers, found))
    if column is not None:
        found = [
            words[column - 1].strip() if column <= len(words) else b""
            for line in found
            for words in [line.split(mark, column)]
        ]
    return Words(found, numbers)


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
    place = _place(titles, source.name, request.column)
    titled = request.header is True or isinstance(request.column, str)
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
        if b'"' in block:
            break
        yield _split(lines := block.split(b"\n")[:-1], line + 1, place + 1, delimiter.encode())
        line += len(lines)
    else:
        return
    careful = _csv_rows(chain([block], rows), name, delimiter, line)
    while some := list(islice(careful, ROWS)):
        fields = [row[place] if place < len(row) else "" for row, _ in some]
        texts = [field.encode("utf-8", "surrogateescape").strip() for field in fields]
        yield Words(texts, [number for _, number in some])


def _csv_rows(
    rows: Iterator[bytes], name: str, delimiter: str, before: int
) -> Iterator[tuple[list[str], int]]:
    """Yield the rows that the csv module reads and that are not empty, and where each begins."""
    texts = (block.decode("utf-8", "surrogateescape") for block in rows)
    lines = chain.from_iterable(StringIO(text, newline="\n") for text in texts)
    reader, line = csv.reader(lines, delimiter=delimiter), 1
    try:
        for row in reader:
            if row:
                yield row, before + line
            line = reader.line_num + 1
    except csv.Error as error:
        line = before + max(reader.line_num, 1)
        raise ForeignFile(f"{name}, line {line}: no row of a CSV: {error}") from error


def _place(titles: list[str], name: str, column: str | int | None) -> int:
    """Return the place of a column, from 0; a file without rows has a column of every number."""
    if isinstance(column, int) and not titles:
        return column - 1
    try:
        return place_of(titles, name, column)
    except UnknownColumn as error:
        advice = advise_delimiter(titles[0]) if len(titles) == 1 else ""
        raise UnknownColumn(f"{error}{advice}") from error


def advise_delimiter(field: str) -> str:
    """Return advice about a field that may be several, or nothing."""
    mark = next((each for each in ";\t|" if each in field), None)
    return f". If {mark!r} separates columns, say delimiter={mark!r}" if mark else ""


def json_words(source: Input, request: Request) -> Iterator[Words]:
    """Yield the numbers of JSON lines as written, and strings; other values are missing words."""
    before, name = 1, source.name
    for block in blocks(source):
        lines = list(enumerate(block.split(b"\n")[:-1], before))
        before += len(lines)
        filled = [(number, line) for number, line in lines if line.strip()]
        texts = [_word(_value(line, name, at), request.column, name) for at, line in filled]
        yield Words(texts, [number for number, _ in filled])


def _value(line: bytes, name: str, number: int) -> Any:
    try:
        return KEEP_DIGITS.decode(line.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        shown = line[:40].decode("utf-8", "backslashreplace")
        why = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise ForeignFile(f"{name}, line {number}: {shown!r} is no JSON: {why}") from error


def _word(value: Any, column: str | int | None, name: str) -> bytes:
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
