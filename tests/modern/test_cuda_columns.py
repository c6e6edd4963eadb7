"""Columns on a GPU: short ones, long ones of every number, and their first keys, against NumPy."""

from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modern.rows.cuda_column_firsts import LEAST, bound_of, place_for
from modern.rows.cuda_columns import EACH, parts_of, sampled_of, warps_for
from modern.rows.cuda_columns import place_for as room_for
from shadersort.keys.types import Keys
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST, order_codes
from tests.modern.test_cuda_rows import check, hostile_rows, rows_awkward, rows_of, strided
from tests.selection.inputs import EVERY

gpu = pytest.mark.gpu


@given(st.integers(LEAST, 1 << 31), st.integers(1, 1 << 10))
def test_the_bound_is_behind_the_first_keys(length: int, count: int) -> None:
    sample = sampled_of(length)
    assert 0 < sample <= length // 16
    share = length / sample
    assert (bound_of(length, count) + 1) * share > count
    assert place_for(length, count) >= (bound_of(length, count) + 1) * share


@given(st.integers(1 << 14, 1 << 31))
def test_staged_keys_have_room(length: int) -> None:
    inside = 9 * (sampled_of(length) / 4) ** 0.5  # keys of the sample: 4.5 errors on each side
    assert inside / sampled_of(length) * length < room_for(length) < length / 2


@given(st.integers(1, 3), st.integers(LEAST, 1 << 20), st.integers(2, 200))
def test_the_warps_have_lanes_for_all_keys(outer: int, length: int, inner: int) -> None:
    warps = warps_for((outer, length, inner))
    assert warps * 32 * EACH >= outer * length * inner
    if inner >= 32:
        assert warps <= outer * (inner / 32 + 1) * (length / EACH + 1)


ORDERS = tuple(product((LARGEST, SMALLEST, MAGNITUDE), (True, False)))
"""Orders of first keys, and whether they come in order."""


@given(
    st.integers(1 << 14, 1 << 20),
    st.lists(st.integers(0, 1 << 14), min_size=1, max_size=9).map(sorted),
)
def test_ranks_that_are_found_together_are_neighbours(length: int, ks: list[int]) -> None:
    parts = parts_of((2, length, 5), len(ks), ks)
    if parts:
        assert [k for part in parts for k in ks[part]] == ks
    else:
        assert len(ks) > 2
    for part in parts:
        assert len(ks[part]) <= 2
        assert ks[part][-1] - ks[part][0] <= length / 1024


def check_first(
    rows: Keys, outer: int, inner: int, count: int, orders: Iterable[tuple[int, bool]] = ORDERS
) -> None:
    """Compare the first keys in some orders with NumPy's."""
    cube = np.ascontiguousarray(rows.reshape(outer, inner, -1).transpose(0, 2, 1))
    for by, in_order in orders:
        places = np.argsort(order_codes(cube.copy(), by), axis=1, kind="stable")[:, :count]
        places = places if in_order else np.sort(places, axis=1)
        values, found = rows_of(cube).first(by, count, in_order, "lowest")
        np.testing.assert_array_equal(found.get(), places)
        expected = np.take_along_axis(cube, places, 1)
        assert values.get().tobytes() == expected.tobytes()


@gpu
@pytest.mark.parametrize("dtype", EVERY)
@pytest.mark.parametrize("length", [1, 5, 16, 32])
def test_short_columns(length: int, dtype: str) -> None:
    """Each kernel is compiled for a length and a number of first keys: a few of them."""
    rows = rows_awkward(60, length, dtype)
    check(strided(rows, 1, 60, "contiguous"))
    half = (length + 1) // 2
    for outer, inner in ((60, 1), (20, 3), (1, 60)):
        check_first(rows, outer, inner, half, [(LARGEST, True), (SMALLEST, False)])
    check_first(rows, 1, 60, length, [(MAGNITUDE, True)])


@gpu
@pytest.mark.parametrize("length", [17, 32, 50, 64, 65])
def test_short_columns_with_gaps(length: int) -> None:
    rows = rows_awkward(1200, length, "float32")
    for how in ("gaps", "reversed", "rows"):
        check(strided(rows, 2, 600, how))


@gpu
@pytest.mark.parametrize("inner", [2, 3, 31, 33, 100])
@pytest.mark.parametrize("name", ["geometric", "few", "boundary", "nans"])
def test_long_columns_of_every_number(name: str, inner: int) -> None:
    """Ends of brackets with many equal keys; warps whose lanes read several rows."""
    rows = hostile_rows(name, 2 * inner, 16_390)
    check(strided(rows, 2, inner, "contiguous"))


@gpu
def test_ranks_that_are_far_apart() -> None:
    rows = np.random.default_rng(3).standard_normal((12, 40_000)).astype(np.float32)
    ks = [0, 1, 9_000, 20_000, 20_001, 39_999]
    found = rows_of(rows.reshape(2, 6, -1).transpose(0, 2, 1)).ranks(ks).get()
    expected = np.sort(rows, axis=1)[:, ks].reshape(2, 6, -1).transpose(0, 2, 1)
    np.testing.assert_array_equal(found, expected)


@gpu
@pytest.mark.parametrize("share", [0.01, 0.7, 1.0])
@pytest.mark.parametrize("inner", [2, 31, 33, 100])
def test_medians_of_numbers_in_long_columns(inner: int, share: float) -> None:
    rng = np.random.default_rng(inner)
    rows = rng.standard_normal((2 * inner, 131_101)).astype(np.float32)
    rows[rng.random(rows.shape) < share] = np.nan
    rows[0] = 1.5
    check(strided(rows, 2, inner, "contiguous"))


@gpu
@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "uint8", "float64"])
def test_neighbouring_ranks_of_each_column(dtype: str) -> None:
    rows = rows_awkward(66, 131_101, dtype)
    low = np.random.default_rng(5).integers(0, rows.shape[1] - 1, 66)
    ks = np.stack([low, low + 1], axis=1).reshape(2, 33, 2).transpose(0, 2, 1)
    cube = rows.reshape(2, 33, -1).transpose(0, 2, 1)
    found = rows_of(np.ascontiguousarray(cube)).ranks_of_rows(np.ascontiguousarray(ks)).get()
    np.testing.assert_array_equal(found, np.take_along_axis(np.sort(cube, axis=1), ks, 1))


@gpu
@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "uint16", "float64"])
@pytest.mark.parametrize("length", [LEAST, LEAST + 1, 5001, 70_001])
def test_first_of_long_columns(length: int, dtype: str) -> None:
    normal = np.abs(np.random.default_rng(length).standard_normal((33, length))) * 1000
    for rows in (normal.astype("f4").astype(dtype), rows_awkward(33, length, dtype)):
        for (outer, inner), count in product(((1, 33), (11, 3)), (1, 40)):
            check_first(rows, outer, inner, count)


@gpu
@pytest.mark.parametrize("name", ["geometric", "few", "sorted", "periodic", "nans"])
def test_first_of_hostile_columns(name: str) -> None:
    check_first(hostile_rows(name, 33, 8192), 1, 33, 64)
