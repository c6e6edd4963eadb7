"""Columns of Parquet files, through pyarrow: each row group is a piece."""

from pathlib import Path
from typing import Any

import numpy as np

from shadersort.errors import ForeignFile, UnsupportedKeys
from shadersort.keys.reading.arrow import package, reported
from shadersort.keys.reading.columns import place_of
from shadersort.keys.types import Keys
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.plain import FileState
from shadersort.selection.files.source import Source, checked_type


class ParquetColumn(Source):
    """One column of a Parquet file.

    Missing values of a column of floats are NaN. In other columns they are refused: there is no
    number that stands for them.
    """

    def __init__(self, path: Path, budget: Budget, *, column: str | int | None = None) -> None:
        self.name, self._path = str(path), path
        self._state, parquet = FileState(path), package("pyarrow.parquet")
        with reported(self.name):
            self._metadata = parquet.read_metadata(path)
            schema = self._metadata.schema.to_arrow_schema()
        self._column = schema.names[place_of(schema.names, self.name, column)]
        self._check_no_other_has_its_name(schema.names)
        self.dtype = checked_type(_stored(schema.field(self._column).type, self.where), self.where)
        groups = [self._metadata.row_group(place) for place in range(self._metadata.num_row_groups)]
        self.sizes = [group.num_rows for group in groups]
        self.threads = budget.threads_for(
            max((self._bytes(group) for group in groups), default=0),
            f"the largest row group of {self.where}",
            ", or write the file with smaller row groups",
        )

    @property
    def where(self) -> str:
        """The file and the column."""
        return f"{self.name}, column {self._column!r}"

    def read(self, place: int) -> Keys:
        """Return the keys of a row group."""
        parquet = package("pyarrow.parquet")
        self._state.check()
        with (
            reported(self.name),
            parquet.ParquetFile(self._path, metadata=self._metadata) as file,
        ):
            table = file.read_row_group(place, columns=[self._column], use_threads=False)
        self._state.check()
        return self._keys(table.column(0))

    def check(self) -> None:
        """Raise InputChanged if the file is another."""
        self._state.check()

    @property
    def has_nulls(self) -> bool:
        """Whether values may be missing, as far as the file tells."""
        groups = range(self._metadata.num_row_groups)
        return any(self._nulls(self._metadata.row_group(place)) != 0 for place in groups)

    def _nulls(self, group: Any) -> int | None:
        for each in map(group.column, range(group.num_columns)):
            if each.path_in_schema == self._column:
                told = each.statistics
                known = told is not None and told.has_null_count
                return int(told.null_count) if known else None
        return None

    def _keys(self, column: Any) -> Keys:
        arrow = package("pyarrow")
        if column.null_count and not arrow.types.is_floating(column.type):
            raise UnsupportedKeys(
                f"{self.where} has {column.null_count:,} missing values in a row group, which no "
                f"number of {self.dtype} stands for: fill or leave them out, or store floats"
            )
        return np.asarray(column.to_numpy()).astype(self.dtype, copy=False)

    def _bytes(self, group: Any) -> int:
        """Return about how many bytes the column has in a row group, decoded."""
        sizes: list[int] = [
            each.total_uncompressed_size
            for each in map(group.column, range(group.num_columns))
            if each.path_in_schema == self._column
        ]
        decoded: int = group.num_rows * self.dtype.itemsize
        return max([decoded, *sizes])

    def _check_no_other_has_its_name(self, names: list[str]) -> None:
        if names.count(self._column) > 1:
            raise ForeignFile(f"{self.name} has several columns {self._column!r}: rename them")


def _stored(kind: Any, where: str) -> np.dtype[Any]:
    """Return the type of NumPy for a type of Arrow; raise UnsupportedKeys if there is none."""
    types = package("pyarrow").types
    known = (types.is_integer, types.is_floating, types.is_boolean, types.is_temporal)
    if not any(each(kind) for each in known) or types.is_interval(kind) or types.is_time(kind):
        raise UnsupportedKeys(
            f"{where} holds {kind}: choose a column of numbers, booleans, dates or timestamps"
        )
    if types.is_timestamp(kind):
        return np.dtype(f"datetime64[{kind.unit}]")
    if types.is_duration(kind):
        return np.dtype(f"timedelta64[{kind.unit}]")
    if types.is_date(kind):
        return np.dtype("datetime64[D]" if types.is_date32(kind) else "datetime64[ms]")
    stored: np.dtype[Any] = np.dtype(kind.to_pandas_dtype())
    return stored
