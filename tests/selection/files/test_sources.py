"""Sources of pieces: their keys are those of the file, however it is stored and cut."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shadersort import errors
from shadersort.selection import median, quantile, select, select_many
from shadersort.selection.pieces.files import FileKeys
from tests.expected import expected
from tests.selection.files.stores import STORES, as_npy, reads_of, small
from tests.selection.inputs import TYPES, awkward, ranks


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("n", [1, 3, 257])
def test_awkward_keys(store: str, n: int, tmp_path: Path) -> None:
    """All of them together in one array of each type: files are slow to make."""
    for dtype in TYPES:
        keys = np.concatenate(list(awkward(n, dtype).values())[:: 1 if n == 257 else 5])
        parts = small(STORES[store](tmp_path, keys), keys, most=40)
        ordered = np.sort(keys, kind="stable")
        ks = ranks(keys.size)
        np.testing.assert_array_equal(select_many(parts, ks), ordered[ks])
    with pytest.raises(errors.EmptyInput, match="no keys"):
        select(small(STORES[store](tmp_path, keys[:0]), keys[:0]), 0)


def test_many_quantiles_take_few_reads(tmp_path: Path) -> None:
    for dtype, n, reads in (
        *(("int64", 20_000, 2), ("int64", 2_000, 1), ("uint8", 20_000, 1), ("bool", 20_000, 1)),
        *(("float32", 20_000, 2), ("float16", 20_000, 2), ("M8[s]", 20_000, 3)),
    ):
        keys = (100 * np.random.default_rng(1).normal(size=n)).astype(np.int64).astype(dtype)
        q, parts = np.linspace(0, 1, 11), small(as_npy(tmp_path, keys), piece=n)
        found = quantile(parts, q, method="lower")
        np.testing.assert_array_equal(found, np.sort(keys)[(q * (n - 1)).astype(int)])
        assert reads_of(parts) <= reads


@pytest.mark.parametrize("kind", ["random", "in order", "nan"])
def test_very_many_row_groups(kind: str, tmp_path: Path) -> None:
    """One read draws a sample, and another one finds the median."""
    keys = np.random.default_rng(1).random(1 << 16)
    keys = np.sort(keys) if kind == "in order" else keys
    if kind == "nan":
        keys[5] = np.nan
    path = tmp_path / "keys.parquet"
    pq.write_table(pa.table({"ms": keys}), path, row_group_size=keys.size // 500)
    parts = small(path, piece=1048)
    np.testing.assert_array_equal(median(parts), expected(np.median, keys))
    assert reads_of(parts) == 2


@pytest.mark.parametrize("order", ["C", "F"])
def test_several_dimensions_are_one_row(order: Any, tmp_path: Path) -> None:
    keys = np.asarray(np.random.default_rng(1).random((7, 50, 3)), order=order)
    path = as_npy(tmp_path, keys)
    mapped = np.load(path, mmap_mode="r")
    for stored in (path, mapped, mapped[::2, 1:], mapped[:, ::-1].T):
        whole = stored if isinstance(stored, np.ndarray) else keys
        assert median(small(stored)) == np.median(whole)


@pytest.mark.parametrize("dtype", [">f4", ">i8", "bool", "M8[D]", "m8[s]", "int8", "float16"])
def test_types_of_files(dtype: str, tmp_path: Path) -> None:
    keys = np.random.default_rng(2).integers(0, 2, 1000).astype(dtype)
    parts = small(as_npy(tmp_path, keys))
    ordered = np.sort(keys)[[0, 700, 999]]
    found = select_many(parts, [0, 700, -1])
    np.testing.assert_array_equal(found, ordered)
    assert found.dtype == ordered.dtype.newbyteorder("=")


def test_days_of_a_table(tmp_path: Path) -> None:
    days = np.array(["2020-01-03", "2020-01-01", "2020-01-02"], "M8[D]")
    table = pa.table({"ms": pa.array(days), "at": pa.array(days.astype("M8[us]"))})
    pq.write_table(table, tmp_path / "days.parquet")
    assert select(small(tmp_path / "days.parquet", column="ms"), 1) == np.datetime64("2020-01-02")
    assert select(small(tmp_path / "days.parquet", column=2), 0) == np.datetime64("2020-01-01")


def test_missing_values_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"f": pa.array([1.0, None, 3.0]), "i": pa.array([1, None, 3])}), path)
    assert median(small(path, column="f"), nan=True) == 2
    assert np.isnan(median(small(path, column="f")))
    with pytest.raises(errors.UnsupportedKeys, match="column 'i' has 1 missing values"):
        median(small(path, column="i"))


def test_fields_of_records(tmp_path: Path) -> None:
    records = np.zeros(100, [("name", "U3"), ("ms", ">i4")])
    records["ms"] = np.arange(100)[::-1]
    path = as_npy(tmp_path, records)
    assert select(small(path, column="ms"), 30) == 30
    for column in (None, "s"):
        with pytest.raises(errors.UnknownColumn, match="name, ms"):
            FileKeys(path, column=column)
    with pytest.raises(errors.UnsupportedKeys, match="<U3 cannot be selected from"):
        FileKeys(path, column="name")
    with pytest.raises(errors.UnknownColumn, match="has no columns: leave out column="):
        FileKeys(as_npy(tmp_path, np.arange(3)), column="ms")
