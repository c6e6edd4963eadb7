"""JSON lines: one value a line, or one object with a column."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any, BinaryIO

import numpy as np

from shadersort.errors import ForeignFile, UnknownColumn
from shadersort.keys.reading.lines import blocks
from shadersort.keys.reading.words import Words


def json_words(file: BinaryIO, name: str, column: str | int | None) -> Iterator[Words]:
    r"""Yield the words of a column of JSON lines: numbers as they are written, and strings.

    A value that is null, true or false, an object or an array, or is not there, is a missing word.

    Examples
    --------
    >>> import io
    >>> lines = b'{"a": 1.50, "b": "x"}\n{"a": null}\n'
    >>> [words.listed() for words in json_words(io.BytesIO(lines), "a file", "a")]
    [[b'1.50', b'']]
    """
    numbers = count(1)
    for block in blocks(file, name):
        numbered = [
            (number, line) for line, number in zip(block.split(b"\n")[:-1], numbers, strict=False)
        ]
        numbered = [(number, line) for number, line in numbered if line.strip()]
        values = _values(numbered, name)
        places = np.array([number for number, _ in numbered], np.int64)
        yield Words.of([_word(value, column, name) for value in values], places)


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


def _word(value: Any, column: str | int | None, name: str) -> bytes:
    """Return the word of a value, or of its column; none for a value that is no number or text."""
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
    return value.encode("utf-8", "surrogatepass").strip() if isinstance(value, str) else b""
