"""Parquet and Arrow files and streams, through pyarrow."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from shadersort.errors import ForeignFile, MissingPackage, UnsupportedKeys
from shadersort.files.arrays import CheckType, check_selectable, check_type
from shadersort.files.opening import Column, Input, seekable
from shadersort.files.request import Request, place_of
from shadersort.files.source import FileState, Indexed
from shadersort.files.words import Words
from shadersort.keys.types import Keys

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


class ParquetColumn(Indexed):
    """One column of a Parquet file, which is read in row groups.

    Missing values of a column of floats are NaN. In other columns they are refused: there is no
    number that stands for them.
    """

    def __init__(
        self, path: Path, column: str | int | None = None, check: CheckType = check_selectable
    ) -> None:
        self._path, self._state = path, FileState(path)
        parquet = package("pyarrow.parquet")
        with reported(str(path)):
            self._metadata = parquet.read_metadata(path)
            schema = self._metadata.schema.to_arrow_schema()
        self._column = schema.names[place_of(schema.names, str(path), column)]
        if schema.names.count(self._column) > 1:
            raise ForeignFile(f"{path} has several columns {self._column!r}: rename them")
        self.name = f"{path}, column {self._column!r}"
        self.stored = _numpy_type(schema.field(self._column).type, self.name)
        check(self.stored, self.name)
        self._groups = [self._metadata.row_group(i) for i in range(self._metadata.num_row_groups)]
        self._starts = np.cumsum([0, *(group.num_rows for group in self._groups)]).tolist()
        self.shape = (self._starts[-1],)
        self.largest_piece = max(map(self._bytes, self._groups), default=0)

    def starts(self, limit: int) -> list[int]:
        """Return where row groups begin, and the end; they are what they are, whatever `limit`."""
        return list(dict.fromkeys(self._starts))

    def chunks(self, limit: int) -> Iterator[Keys]:
        """Yield all keys as flat arrays of at most `limit`, in their order."""
        with self._opened() as file:
            for batch in file.iter_batches(limit, columns=[self._column], use_threads=False):
                yield self._keys(batch.column(0))

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another, by reading their row groups."""
        groups = [
            place
            for place, (begin, group) in enumerate(zip(self._starts, self._groups, strict=False))
            if begin < last and first < begin + group.num_rows
        ]
        if not groups:
            return np.empty(0, self.dtype)
        with self._opened() as file:
            table = file.read_row_groups(groups, columns=[self._column], use_threads=False)
        self.check()
        begin = self._starts[groups[0]]
        return self._keys(table.column(0).slice(first - begin, last - first))

    def check(self) -> None:
        """Raise InputChanged if the file is another."""
        self._state.check()

    @property
    def has_nulls(self) -> bool:
        """Whether values may be missing, as far as the file tells."""
        told = [each.statistics for group in self._groups for each in self._columns(group)]
        return any(each is None or not each.has_null_count or each.null_count for each in told)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        self.check()
        parquet = package("pyarrow.parquet")
        with (
            reported(str(self._path)),
            parquet.ParquetFile(self._path, metadata=self._metadata) as file,
        ):
            yield file

    def _keys(self, column: Any) -> Keys:
        arrow = package("pyarrow")
        if column.null_count and not arrow.types.is_floating(column.type):
            raise UnsupportedKeys(
                f"{self.name} has {column.null_count:,} missing values in a row group, which no "
                f"number of {self.dtype} stands for: fill or leave them out, or store floats"
            )
        found = column.to_numpy(zero_copy_only=False)
        return np.asarray(found).astype(self.dtype, copy=False)

    def _bytes(self, group: Any) -> int:
        """Return about how many bytes the column has in a row group, decoded."""
        sizes = [each.total_uncompressed_size for each in self._columns(group)]
        return int(max([group.num_rows * self.dtype.itemsize, *sizes]))

    def _columns(self, group: Any) -> Iterator[Any]:
        for each in map(group.column, range(group.num_columns)):
            if each.path_in_schema == self._column:
                yield each


def _numpy_type(kind: Any, name: str) -> np.dtype[Any]:
    """Return the type of NumPy for a type of Arrow; raise UnsupportedKeys if there is none."""
    types = package("pyarrow").types
    known = (types.is_integer, types.is_floating, types.is_boolean, types.is_temporal)
    if not any(each(kind) for each in known) or types.is_interval(kind) or types.is_time(kind):
        raise UnsupportedKeys(
            f"{name} holds {kind}: choose a column of numbers, booleans, dates or timestamps"
        )
    if types.is_timestamp(kind):
        return np.dtype(f"datetime64[{kind.unit}]")
    if types.is_duration(kind):
        return np.dtype(f"timedelta64[{kind.unit}]")
    if types.is_date(kind):
        return np.dtype("datetime64[D]" if types.is_date32(kind) else "datetime64[ms]")
    return np.dtype(kind.to_pandas_dtype())


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


def table_column(source: Input, request: Request) -> Column:
    """Open one column of a Parquet file, or of an Arrow file (Feather, version 2) or stream."""
    place = "" if request.column is None else f", column {request.column}"
    return Column(_batches(source, request), source.name, place, "row")


def _batches(source: Input, request: Request) -> Iterator[Keys | Words]:
    """Yield the numbers and words of one column; a null is a missing word."""
    stream = source.form == "arrow" and not source.file.peek(8).startswith(b"ARROW1")
    with reported(source.name), nullcontext(source.file) if stream else seekable(source) as file:
        table: Any
        if source.form == "parquet":
            table = package("pyarrow.parquet").ParquetFile(file)
            names = table.schema_arrow.names
        else:
            ipc = package("pyarrow.ipc")
            table = ipc.open_stream(file) if stream else ipc.open_file(file)
            names = table.schema.names
        place = place_of(names, source.name, request.column)
        where, row = f"{source.name}, column {names[place]!r}", 1
        if source.form == "parquet":
            found, place = table.iter_batches(ROWS, columns=[names[place]]), 0
        else:
            found = table if stream else map(table.get_batch, range(table.num_record_batches))
        for batch in found:
            for first in range(0, batch.num_rows, ROWS):
                part = batch.column(place).slice(first, ROWS)
                yield from _of_array(part, row, where, request)
                row += len(part)


def _of_array(array: Any, row: int, name: str, request: Request) -> Iterator[Keys | Words]:
    """Yield the numbers or words of an array, whose first value is in a row."""
    arrow = package("pyarrow")
    number = arrow.types.is_integer(array.type) or arrow.types.is_floating(array.type)
    array.validate(full=not number)  # text may lie outside its bytes, or be no UTF-8
    if arrow.types.is_dictionary(array.type):
        yield from _of_array(array.dictionary_decode(), row, name, request)
    elif number:
        stored = np.dtype(array.type.to_pandas_dtype())
        check_type(stored, request.dtype, name)
        yield array.drop_null().to_numpy(zero_copy_only=False)
        if array.null_count:
            missing = np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False)) + row
            yield Words([b""] * len(missing), missing.tolist())
    else:
        if arrow.types.is_decimal(array.type):
            array = array.cast(arrow.string())
        if str(array.type) not in ("string", "large_string", "string_view", "null"):
            raise UnsupportedKeys(
                f"{name} holds {array.type}: choose a column of numbers or of text"
            )
        texts = [(word or "").encode().strip() for word in array.to_pylist()]
        yield Words(texts, range(row, row + len(texts)))
