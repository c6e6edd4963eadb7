"""A budget of memory is kept, whatever the keys are."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bench.files import watched
from shadersort.selection import median, select
from shadersort.selection.pieces.files import FileKeys
from shadersort.selection.pieces.primitives import Pieces
from tests.selection.files.stores import as_npy, small

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


def test_candidates_that_are_not_few_are_not_held(tmp_path: Path) -> None:
    """Nothing but a filter is kept of a copy."""
    keys = np.random.default_rng(1).random(20_000)
    parts = small(as_npy(tmp_path, keys), piece=10_000, most=10)
    copy: Any = parts.between(np.float64(0.1), np.float64(0.9))
    assert copy.size == np.sum((keys > 0.1) & (keys < 0.9))
    again: Any = copy.between(None, np.float64(0.5))
    assert len(again.filters) == 2
    assert select(again, 0) == keys[keys > 0.1].min()
