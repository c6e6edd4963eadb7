"""Makes the large files that `bench.files` measures: the same random keys in two forms."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from shadersort.sorting.external.schedule import cores

COLUMN = "ms"
"""The only column of the table."""

PART = 1 << 20
"""Keys that are made at a time, and rows of a row group."""


def make_npy(path: Path, count: int, dtype: str) -> None:
    """Write random keys, some at a time."""
    with path.open("wb") as file:
        header = {"descr": np.dtype(dtype).str, "fortran_order": False, "shape": (count,)}
        np.lib.format.write_array_header_1_0(file, header)
        for keys in _keys(count, dtype):
            keys.tofile(file)


def make_parquet(path: Path, count: int, dtype: str) -> None:
    """Write the same keys as the only column of a table."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(COLUMN, pa.from_numpy_dtype(np.dtype(dtype)))])
    options = {"compression": "none", "use_dictionary": False}
    with parquet.ParquetWriter(path, schema, **options) as writer:
        for keys in _keys(count, dtype):
            writer.write_table(pa.table({COLUMN: keys}, schema=schema))


MAKERS = {"npy": make_npy, "parquet": make_parquet}
"""By the form of a file."""


def _keys(count: int, dtype: str) -> Iterator[Any]:
    """Yield normal keys, part by part; several are made at once."""

    def part(first: int) -> Any:
        size = min(PART, count - first)
        return np.random.default_rng([1, first]).standard_normal(size, np.dtype(dtype).type)

    firsts = iter(range(0, count, PART))
    with ThreadPoolExecutor(cores()) as pool:
        while some := list(islice(firsts, 2 * cores())):
            yield from pool.map(part, some)
