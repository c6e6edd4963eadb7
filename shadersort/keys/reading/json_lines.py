"""JSON lines: one value a line, or one object with a column."""

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, BinaryIO

import numpy as np

from shadersort.errors import ForeignFile, UnknownColumn
from shadersort.keys.reading.lines import blocks
from shadersort.keys.reading.words import Words

Columns = Sequence[str | int | None]


def json_words(file: BinaryIO, name: str, columns: Columns) -> Iterator[tuple[Words, ...]]:
    r"""Yield the words of some columns of JSON lines: numbers as they are written, and strings.

    A value that is null, an object or an array, or is not there, is a missing word. So are true and
    false in the first column, that of numbers.

    Examples
    --------
    >>> import io
    >>> lines = b'{"a": 1.50, "b": "x"}\n{"a": null}\n'
    >>> for words in json_words(io.BytesIO(lines), "a file", ["a", "b"]):
    ...     print([each.listed() for each in words])
    [[b'1.50', b''], [b'x', b'']]
    """
    numbers = count(1)
    for block in blocks(file, name):
        numbered = [
            (number, line) for line, number in zip(block.split(b"\n")[:-1], numbers, strict=False)
        ]
        numbered = [(number, line) for number, line in numbered if line.strip()]
        values = _values(numbered, name)
        places = np.array([number for number, _ in numbered], np.int64)
        yield tuple(
            Words.of([_word(value, column, name, flags=bool(i)) for value in values], places)
            for i, column in enumerate(columns)
        )


def _values(numbered: list[tuple[int, bytes]], name: str) -> list[Any]:
    """Return the values of lines; parse them together, and one by one only if that fails."""
    try:
        values = _parsed(b"[" + b",".join(line for _, line in numbered) + b"]")
        if len(values) == len(numbered):
            return list(values)
    except ValueError:
        pass
    return [_value(line, name, number) for number, line in numbered]


def _value(line: bytes, name: str, number: int) -> Any:
    try:
        return _parsed(line)
    except ValueError as error:
        shown = line[:40].decode("utf-8", "backslashreplace")
        raise ForeignFile(f"{name}, line {number}: {shown!r} is no JSON: {error}") from error


def _parsed(text: bytes) -> Any:
    """Return JSON with its numbers as they are written, so that no digit is lost."""
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _word(value: Any, column: str | int | None, name: str, *, flags: bool) -> bytes:
    """Return the word of a value, or of its column; none for a value that is no number or text.

    `flags` says whether true and false are words, as they are in a column that groups others.
    """
    if isinstance(value, dict):
        if column is None:
            raise UnknownColumn(
                f"the lines of {name} are objects with {', '.join(value)}: choose one, with column="
            )
        value = value.get(str(column))
    elif isinstance(value, list):
        if not isinstance(column, int):
            raise UnknownColumn(
                f"some lines of {name} are arrays: choose a column by its number, with column="
            )
        value = value[column - 1] if column <= len(value) else None
    elif column is not None and flags:
        raise UnknownColumn(
            f"some lines of {name} are no objects, and have no column {column!r} to group by"
        )
    if flags and isinstance(value, bool):
        return b"true" if value else b"false"
    return value.strip().encode("utf-8", "surrogatepass") if isinstance(value, str) else b""
