"""Sources of pieces, however they are stored and cut; one that changes is an error."""

import os
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.selection import median, quantile, select, select_many
from shadersort.selection.pieces.files import FileKeys
from shadersort.selection.pieces.primitives import Pieces
from tests.expected import expected
from tests.selection.files.stores import STORES, as_npy, as_parquet, reads_of, small
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


# a file that changes between two rounds is an error, and never a wrong number

KEYS = np.random.default_rng(1).random(50_000)


def changed_after(rounds: int, keys: Pieces, change: Callable[[], object]) -> Any:
    """Ask for many quantiles, which take three rounds, and change the input after some of them."""
    pieces: Any = keys.pieces
    ask, take, asked = pieces.ask, pieces.take, 0

    def changed(call: Any) -> Any:
        def wrapped(*args: Any) -> Any:
            nonlocal asked
            if asked == rounds:
                change()
            asked += 1
            return call(*args)

        return wrapped

    pieces.ask, pieces.take = changed(ask), take and changed(take)
    return quantile(keys, np.linspace(0, 1, 11))


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 4096)


def write_again(path: Path) -> None:
    at = path.stat().st_mtime_ns
    as_npy(path.parent, np.zeros_like(KEYS))
    os.utime(path, ns=(at, at + 1000))


def write_secretly(path: Path) -> None:
    """With the same size, at the same time."""
    at = path.stat().st_mtime_ns
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(np.full(100, 0.5).tobytes())
    os.utime(path, ns=(at, at))


def replace(path: Path) -> None:
    path.rename(path.with_suffix(".old"))
    as_npy(path.parent, KEYS)


@pytest.mark.parametrize("change", [cut_short, write_again, replace, Path.unlink])
@pytest.mark.parametrize("rounds", [0, 2])
def test_a_file_that_changes(change: Callable[[Path], object], rounds: int, tmp_path: Path) -> None:
    path = as_npy(tmp_path, KEYS)
    parts = small(path, piece=30_000)
    with pytest.raises(errors.InputChanged, match=r"keys\.npy (was (changed|removed)|became)"):
        changed_after(rounds, parts, lambda: change(path))


def test_keys_that_change_and_nothing_says_so(tmp_path: Path) -> None:
    """Their bits have another sum: no number of keys needs to differ."""
    path = as_npy(tmp_path, KEYS)
    with pytest.raises(errors.InputChanged, match="not the same keys as before"):
        changed_after(2, small(path, piece=30_000), lambda: write_secretly(path))


def test_a_memmap_that_changes(tmp_path: Path) -> None:
    mapped = np.load(as_npy(tmp_path, KEYS), mmap_mode="r+")
    with pytest.raises(errors.InputChanged, match="not the same keys as before"):
        changed_after(2, small(mapped, piece=30_000), lambda: mapped.sort())
    del mapped
    mapped = np.load(as_npy(tmp_path, KEYS), mmap_mode="r")
    with pytest.raises(errors.InputChanged, match=r"it had 400,128 bytes, and has 396,032"):
        changed_after(2, small(mapped, piece=30_000), lambda: cut_short(tmp_path / "keys.npy"))


def test_a_parquet_file_that_changes(tmp_path: Path) -> None:
    path = as_parquet(tmp_path, KEYS)
    for rounds in (1, 2):
        with pytest.raises(errors.InputChanged, match=r"keys\.parquet was changed"):
            changed_after(rounds, small(path, KEYS), lambda: as_parquet(tmp_path, KEYS[::-1]))


def test_chunks_that_change() -> None:
    for now, words in (
        ([KEYS[:10], KEYS[10:20]], "its chunks are not as long as at first"),
        ([KEYS[:10], KEYS[10:20], KEYS[:5]], "its chunks are not as long as at first"),
        ([KEYS[:10], KEYS[10:20], KEYS[20:], KEYS], "its chunks are not as long as at first"),
        ([KEYS[:10], KEYS[10:20], KEYS[20:] + 1], "not the same keys as before"),
        ([KEYS[:10], KEYS[10:20].astype(int)], "chunk 1 of int64"),
    ):
        chunks = [KEYS[:10], KEYS[10:20], KEYS[20:]]
        parts = small(partial(iter, chunks))
        with pytest.raises(errors.InputChanged, match=words):
            changed_after(1, parts, partial(chunks.__setitem__, slice(9), now))


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """No open file and no thread, after an answer and after an error.

    Tests before this one may have left some, which end meanwhile: only new ones count.
    """
    keys: Keys = np.arange(10_000.0)
    before = set(threading.enumerate())
    for stored in (as_npy(tmp_path, keys), as_parquet(tmp_path, keys)):
        median(small(stored, keys))
        with pytest.raises(errors.InputChanged):
            changed_after(1, small(stored, keys), stored.unlink)
    numbers = list(Path("/proc/self/fd").iterdir())
    opened = [each.readlink() for each in numbers if each.is_symlink()]
    assert not [each for each in opened if tmp_path in each.parents]
    assert set(threading.enumerate()) <= before
    assert sorted(each.name for each in tmp_path.iterdir()) == []


def test_damaged_files(tmp_path: Path) -> None:
    path = as_parquet(tmp_path, KEYS)
    data = bytearray(path.read_bytes())
    begin = pq.read_metadata(path).row_group(1).column(1).data_page_offset
    data[begin : begin + 50] = b"\xff" * 50
    path.write_bytes(data)
    with pytest.raises(errors.ForeignFile, match="is damaged"):
        median(small(path, KEYS))
    pq.write_table(pa.table({"ms": ["a"]}), path)
    with pytest.raises(errors.UnsupportedKeys, match="column 'ms' holds string: choose a"):
        small(path, KEYS)
    path = as_npy(tmp_path, KEYS)
    cut_short(path)
    with pytest.raises(errors.TruncatedFile, match="4,096 bytes of its 50,000 keys are missin"):
        small(path)
