"""Parquet and Arrow files and streams, through pyarrow."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from shadersort.errors import ForeignFile, UnsupportedKeys
from shadersort.files.opening import Input, import_optional, open_seekable
from shadersort.files.request import Request, place_of
from shadersort.files.source import InFile, as_numbers, check_type
from shadersort.files.words import Words
from shadersort.keys.inputs import as_rows_of_keys
from shadersort.keys.types import Keys

ROWS = 1 << 16  # of a batch


def package(name: str) -> Any:
    """Import pyarrow or a part of it."""
    return import_optional(name, "Parquet and Arrow need the package pyarrow", "arrow")


class ParquetColumn(InFile):
    """One column of a Parquet file, in row groups. Missing floats are NaN, others are refused."""

    def __init__(self, path: Path, column: str | int | None = None) -> None:
        super().__init__(path)
        with report_damage(str(path)):
            self._metadata = package("pyarrow.parquet").read_metadata(path)
            schema = self._metadata.schema.to_arrow_schema()
        self._column = schema.names[place_of(schema.names, str(path), column)]
        if schema.names.count(self._column) > 1:
            raise ForeignFile(f"{path} has several columns {self._column!r}: rename them")
        self.name = f"{path}, column {self._column!r}"
        kind = schema.field(self._column).type
        self.stored = package("pyarrow").array([], kind).to_numpy(zero_copy_only=False).dtype
        if self.stored.hasobject:
            what = "a column of numbers, booleans, dates or timestamps"
            raise UnsupportedKeys(f"{self.name} holds {kind}: choose {what}")
        check_type(self.stored, self.name, as_rows_of_keys)
        groups = [self._metadata.row_group(i) for i in range(self._metadata.num_row_groups)]
        self._starts = np.cumsum([0, *(group.num_rows for group in groups)])
        self.size = int(self._starts[-1])
        self.shape = (self.size,)
        parts = [group.column(i) for group in groups for i in range(group.num_columns)]
        self._parts = [each for each in parts if each.path_in_schema == self._column]
        decoded = np.diff(self._starts).max(initial=0) * self.dtype.itemsize
        self.largest_piece = max([int(decoded), *(x.total_uncompressed_size for x in self._parts)])

    def starts(self, limit: int) -> list[int]:
        """Return where pieces of whole row groups begin, about `limit` keys apart, and the end."""
        _, first = np.unique(self._starts[:-1] // max(limit, 1), return_index=True)
        return [*self._starts[first].tolist(), self.size]

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another, by reading their row groups."""
        groups = np.flatnonzero((self._starts[:-1] < last) & (self._starts[1:] > first)).tolist()
        if not groups:
            return np.empty(0, self.dtype)
        self.check()
        parquet = package("pyarrow.parquet")
        with (
            report_damage(str(self.path)),
            parquet.ParquetFile(self.path, metadata=self._metadata) as file,
        ):
            table = file.read_row_groups(groups, columns=[self._column], use_threads=False)
        self.check()
        begin = int(self._starts[groups[0]])
        column = table.column(0).slice(first - begin, last - first)
        if column.null_count and self.dtype.kind != "f":
            missing = f"{self.name} has {column.null_count:,} missing values in a row group"
            advice = f"no {self.dtype} stands for them: fill or leave them out, or store floats"
            raise UnsupportedKeys(f"{missing}, and {advice}")
        return np.asarray(column.to_numpy()).astype(self.dtype, copy=False)

    @property
    def has_nulls(self) -> bool:
        """Whether values may be missing, as far as the file tells."""
        told = [each.statistics for each in self._parts]
        return any(each is None or not each.has_null_count or each.null_count for each in told)


@contextmanager
def report_damage(name: str) -> Iterator[None]:
    """Turn pyarrow's errors into a ForeignFile."""
    arrow = package("pyarrow")
    try:
        yield
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:  # names may be no UTF-8
        if isinstance(error, MemoryError) or getattr(error, "errno", None) is not None:
            raise  # of the system, and not about the content
        raise ForeignFile(f"{name} is damaged, or not of this form: {error}") from error


def table_batches(source: Input, request: Request) -> Iterator[Keys | Words]:
    """Yield a column of a Parquet file, or of an Arrow file (Feather, version 2) or stream."""
    stream = source.form == "arrow" and not source.file.peek(8).startswith(b"ARROW1")
    opening = nullcontext(source.file) if stream else open_seekable(source)
    with report_damage(source.name), opening as file:
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
                yield from _read_array(part, row, where, request)
                row += len(part)


def _read_array(array: Any, row: int, name: str, request: Request) -> Iterator[Keys | Words]:
    """Yield the numbers or words of an array, whose first value is in a row; nulls are missing."""
    arrow = package("pyarrow")
    number = arrow.types.is_integer(array.type) or arrow.types.is_floating(array.type)
    array.validate(full=not number)  # text may lie outside its bytes, or be no UTF-8
    if arrow.types.is_dictionary(array.type):
        yield from _read_array(array.dictionary_decode(), row, name, request)
    elif number:
        stored = np.dtype(array.type.to_pandas_dtype())
        check_type(stored, name, as_numbers, request.dtype)
        yield array.drop_null().to_numpy(zero_copy_only=False)
        if array.null_count:
            missing = np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False)) + row
            yield Words([b""] * len(missing), missing.tolist())
    else:
        if arrow.types.is_decimal(array.type):
            array = array.cast(arrow.string())
        if (kind := str(array.type)) not in ("string", "large_string", "string_view", "null"):
            raise UnsupportedKeys(f"{name} holds {kind}: choose a column of numbers or of text")
        texts = [(word or "").encode().strip() for word in array.to_pylist()]
        yield Words(texts, range(row, row + len(texts)))
