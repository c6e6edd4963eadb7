"""Long rows that all blocks of a GPU share: every launch fits, and every answer is NumPy's."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from modern.primitives.one_read import BINS, STATIC, THREADS
from modern.rows.cuda_long_shapes import (
    HELD,
    LEAST,
    PIECE,
    Shape,
    first_room,
    shape_of,
    suits,
)
from shadersort.keys.types import Keys
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST, order_codes
from tests.modern.test_cuda_rows import check, hostile_rows, rows_awkward, strided

gpu = pytest.mark.gpu


def shapes() -> Any:
    """Shapes of rows that are shared, and the launches for them."""
    for length, rows, some in product((LEAST, 40_001, 1 << 20, 1 << 28), (1, 5, 200), (1, 4)):
        for itemsize, processors in product((1, 2, 4, 8), (16, 132)):
            jobs = rows * some
            yield length, rows, jobs, itemsize, processors


@pytest.mark.parametrize("most", [64 << 10, 99 << 10, 163 << 10, 227 << 10])
def test_every_launch_fits(most: int) -> None:
    for length, rows, jobs, itemsize, processors in shapes():
        shape = shape_of(length, rows, jobs, itemsize, processors, most)
        assert BINS + shape.samples * THREADS * LOAD + STATIC <= most
        assert BINS + HELD * (itemsize + 4) + STATIC <= most
        assert shape.sampled <= length // 2
        assert 1 <= shape.parts * shape.columns <= processors
        assert shape.columns <= jobs


def test_every_block_has_a_piece_and_every_piece_a_block() -> None:
    """As each_part and block_of of row_parts.cuh divide them."""
    for length, rows, jobs, itemsize, processors in shapes():
        shape = shape_of(length, rows, jobs, itemsize, processors, 227 << 10)
        pieces, blocks = rows * shape.pieces, shape.readers
        assert 1 <= blocks <= min(pieces, THREADS)
        assert shape.pieces == 1 or shape.pieces * PIECE <= length * itemsize
        assert pieces * (blocks + 1) < 1 << 32
        starts = np.arange(blocks + 1) * pieces // blocks
        assert (np.diff(starts) > 0).all()
        piece = np.unique(np.concatenate([starts[:-1], starts[1:] - 1]))
        owner = ((piece + 1) * blocks - 1) // pieces
        assert ((starts[owner] <= piece) & (piece < starts[owner + 1])).all()


def test_rows_are_shared_where_blocks_would_wait() -> None:
    assert suits(1 << 24, 16, 4, 132)
    assert not suits(1 << 12, 16, 4, 132)
    assert not suits(1 << 16, 1 << 12, 4, 132)
    assert isinstance(shape_of(1 << 24, 16, 16, 4, 132, 227 << 10), Shape)


@pytest.mark.parametrize("length", [LEAST, 1 << 20, 1 << 28])
@pytest.mark.parametrize("count", [1, 64, 1024])
def test_there_is_room_for_the_first_keys(length: int, count: int) -> None:
    sampled = shape_of(length, 16, 16, 4, 132, 227 << 10).sampled
    assert min(length, count + HELD) <= first_room(length, count, sampled) <= length


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let blocks share all rows that are long enough."""
    for room in ("cuda_ranks", "cuda_top"):
        monkeypatch.setattr(f"modern.rows.{room}.suits", lambda length, *_: length >= LEAST)
    monkeypatch.setattr("modern.rows.cuda_ranks.FEW", 0)


def check_firsts(cube: Any, count: int) -> None:
    """Compare the first keys of rows with NumPy, in every order."""
    from modern.rows.cuda import CUDARows

    rows, keys = CUDARows(cube), cube.get()
    for by, in_order in product((LARGEST, SMALLEST, MAGNITUDE), (True, False)):
        places = np.argsort(order_codes(keys.copy(), by), axis=1, kind="stable")[:, :count]
        places = places if in_order else np.sort(places, axis=1)
        values, found = rows.first(by, count, in_order, "lowest")
        np.testing.assert_array_equal(found.get(), places)
        np.testing.assert_array_equal(values.get(), np.take_along_axis(keys, places, 1))


@gpu
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(
    "dtype", ["int8", "uint16", "int32", "uint64", "float16", "float32", "float64"]
)
@pytest.mark.parametrize("length", [LEAST, LEAST + 1, 70_001])
def test_every_type(length: int, dtype: str) -> None:
    rows = rows_awkward(24, length, dtype)
    check(strided(rows, 24, 1, "contiguous"))
    check(strided(rows, 2, 12, "contiguous"))
    for count in (1, 64, 700):
        check_firsts(strided(rows, 24, 1, "contiguous"), count)


@gpu
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", ["geometric", "few", "boundary", "sorted", "periodic", "nans"])
@pytest.mark.parametrize("shape", [(3, 1 << 20), (150, 1 << 16), (1, 1 << 22)])
def test_hostile_rows(name: str, shape: tuple[int, int]) -> None:
    rows = hostile_rows(name, *shape)
    check(strided(rows, len(rows), 1, "contiguous"))
    for count in (1, 64, 1024):
        check_firsts(strided(rows, len(rows), 1, "contiguous"), count)


def nested(count: int, length: int) -> Keys:
    """Rows whose keys get smaller and smaller towards their ends."""
    keys = np.random.default_rng(7).standard_normal((count, length)).astype(np.float32)
    for halved in range(1, 30):
        keys[:, length >> halved :] *= 0.1
    return keys


@gpu
@pytest.mark.usefixtures("shared")
def test_rows_of_nested_scales() -> None:
    rows = nested(5, (1 << 20) + 3)
    check(strided(rows, 5, 1, "contiguous"))
    check_firsts(strided(rows, 5, 1, "contiguous"), 64)


@gpu
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("wide", ["WIDE", "FIRST_WIDE"])
def test_brackets_that_miss(wide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bracket without width holds the rank half the time; the row is narrowed otherwise."""
    monkeypatch.setattr(f"modern.rows.cuda_long.{wide}", 0.0)
    rows = np.random.default_rng(8).standard_normal((40, 100_001)).astype(np.float32)
    check(strided(rows, 40, 1, "contiguous"))
    check_firsts(strided(rows, 40, 1, "contiguous"), 300)
