"""A budget of memory is kept, whatever the keys are."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bench.files import watched
from shadersort.selection import median
from shadersort.selection.pieces.files import FileKeys
from shadersort.selection.pieces.primitives import Pieces

BUDGET = 33.6
"""MB of the least budget, 32 MiB."""

N = 6_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    keys = np.random.default_rng(1).standard_normal(N)
    np.save(folder / "keys.npy", keys)
    options = {"compression": "none", "use_dictionary": False, "row_group_size": 100_000}
    pq.write_table(pa.table({"ms": keys}), folder / "keys.parquet", **options)
    return folder


@pytest.mark.parametrize("name", ["keys.npy", "keys.parquet", "chunks"])
def test_a_file_that_is_larger_than_its_budget(name: str, folder: Path) -> None:
    mapped = np.load(folder / "keys.npy", mmap_mode="r")
    source: Any = np.array_split(mapped, 24) if name == "chunks" else folder / name
    median(Pieces(FileKeys(source, memory="64MiB")))  # what libraries keep is there now
    with watched() as most:
        found = median(Pieces(FileKeys(source, memory="32MiB")))
    assert most["own_mb"] < BUDGET
    assert found == np.median(mapped)
