"""Parquet and Arrow files and streams, through pyarrow: some rows at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

from shadersort.errors import ForeignFile, MissingPackage, UnsupportedKeys
from shadersort.keys.reading.columns import place_of
from shadersort.keys.reading.opening import Input, seekable
from shadersort.keys.reading.request import Request
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Keys

ROWS = 1 << 16
"""Rows of a batch."""


def package(name: str) -> Any:
    """Import pyarrow or a part of it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingPackage(
            "Parquet and Arrow need the package pyarrow: pip install 'shadersort[arrow]'"
        ) from error


def parquet_values(source: Input, request: Request) -> Iterator[Keys | Words]:
    """Yield the values of one column of a Parquet file."""
    parquet = package("pyarrow.parquet")
    with seekable(source) as file, reported(source.name):
        table = parquet.ParquetFile(file)
        column = _column(table.schema_arrow.names, source.name, request)
        batches = table.iter_batches(ROWS, columns=[column])
        yield from _values(batches, column, source.name, request)


def arrow_values(source: Input, request: Request) -> Iterator[Keys | Words]:
    """Yield the values of an Arrow file (Feather, version 2) or stream as `parquet_values` does."""
    ipc = package("pyarrow.ipc")
    if not source.file.peek(8).startswith(b"ARROW1"):
        with reported(source.name):
            stream = ipc.open_stream(source.file)
            column = _column(stream.schema.names, source.name, request)
            yield from _values(iter(stream), column, source.name, request)
        return
    with seekable(source) as file, reported(source.name):
        table = ipc.open_file(file)
        column = _column(table.schema.names, source.name, request)
        batches = (table.get_batch(i) for i in range(table.num_record_batches))
        yield from _values(batches, column, source.name, request)


def _values(
    batches: Iterator[Any], column: str, name: str, request: Request
) -> Iterator[Keys | Words]:
    before = 0
    for batch in batches:
        place = batch.schema.names.index(column)
        for first in range(0, batch.num_rows, ROWS):
            part = _valid(batch.column(place).slice(first, ROWS))
            rows = np.arange(before + first + 1, before + first + 1 + len(part))
            yield from _of_array(part, rows, f"{name}, column {column!r}", request)
        before += batch.num_rows


def _valid(array: Any) -> Any:
    """Return an array; raise ArrowInvalid if its text lies outside its bytes, or is no UTF-8."""
    arrow = package("pyarrow")
    kind = array.type
    array.validate(full=not (arrow.types.is_integer(kind) or arrow.types.is_floating(kind)))
    return array


def _of_array(array: Any, rows: Integers, name: str, request: Request) -> Iterator[Keys | Words]:
    """Yield the numbers or words of an array; a null is a missing word."""
    arrow = package("pyarrow")
    if arrow.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    kind = array.type
    if arrow.types.is_integer(kind) or arrow.types.is_floating(kind):
        stored = np.dtype(kind.to_pandas_dtype())
        if request.dtype is not None and request.dtype.newbyteorder("=") != stored:
            raise UnsupportedKeys(f"{name} holds {stored}, not {request.dtype}")
        there = np.asarray(array.is_valid().to_numpy(zero_copy_only=False), np.bool_)
        yield array.drop_null().to_numpy(zero_copy_only=False)
        if not there.all():
            yield Words.of([b""] * int((~there).sum()), rows[~there])
        return
    if arrow.types.is_decimal(kind):
        array = array.cast(arrow.string())
        kind = array.type
    texts = (arrow.types.is_string, arrow.types.is_large_string, arrow.types.is_string_view)
    if not any(each(kind) for each in (*texts, arrow.types.is_null)):
        raise UnsupportedKeys(f"{name} holds {kind}: choose a column of numbers or of text")
    yield Words.of([(word or "").encode().strip() for word in array.to_pylist()], rows)


def _column(names: list[str], name: str, request: Request) -> str:
    return names[place_of(names, name, request.column)]


@contextmanager
def reported(name: str) -> Iterator[None]:
    """Turn pyarrow's errors into a ForeignFile."""
    arrow = package("pyarrow")
    try:
        yield
    except (  # names may be no UTF-8
        arrow.ArrowInvalid,
        arrow.ArrowNotImplementedError,
        arrow.ArrowSerializationError,
        UnicodeDecodeError,
    ) as e:
        raise ForeignFile(f"{name} is damaged, or not of this form: {e}") from e
    except OSError as error:
        if error.errno is None:  # not the system's, but of pyarrow, about the content
            raise ForeignFile(f"{name} is damaged, or not of this form: {error}") from error
        raise
