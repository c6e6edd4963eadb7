"""A file that changes between two rounds is an error, and never a wrong number."""

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
from shadersort.selection import median, quantile, select
from shadersort.selection.pieces.primitives import Pieces
from tests.selection.files.stores import as_npy, as_parquet, small

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


def test_an_iterator_is_read_only_once() -> None:
    with pytest.raises(errors.NotRereadable, match="list_iterator can be read only once"):
        select(small(iter([KEYS])), 3)
    chunks = iter([KEYS])
    with pytest.raises(errors.NotRereadable, match="what the function returns can be read only"):
        select(small(lambda: chunks), 3)


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
