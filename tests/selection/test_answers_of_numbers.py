"""Answers of the numbers in rows that have NaNs: by a sort, by one partition, or row by row."""

import warnings
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.selection.quantile_plan import QUANTILE_METHODS
from shadersort.selection.rows import numbers
from shadersort.selection.rows.chunks import rows_of
from shadersort.selection.rows.means import MedianByCount
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.protocol import answers_by_counts
from shadersort.selection.rows.quantiles import quantiles

Patch = Callable[..., None]


def sorted_small(patch: Patch) -> None:
    patch(numbers, "is_sorted_for", lambda rows, ranks: True)


def sorted_some(patch: Patch) -> None:
    sorted_small(patch)
    patch(numbers, "SMALL", 0)
    patch(numbers, "MOST", 0)
    patch(numbers, "FEW", 1)


def one_partition(patch: Patch) -> None:
    patch(numbers, "is_sorted_for", lambda rows, ranks: False)


def own_ranks(patch: Patch) -> None:
    one_partition(patch)
    patch(numbers, "_by_one_partition", lambda *given: None)


def row_by_row(patch: Patch) -> None:
    patch(numbers, "LONG", 1)


def by_counts(patch: Patch) -> None:
    """What rows on a GPU do, here with NumPy."""
    patch(NumPyRows, "of_numbers", answers_by_counts)


WAYS = (sorted_small, sorted_some, one_partition, own_ranks, row_by_row, by_counts)


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    request.param(monkeypatch.setattr)
    return str(request.param.__name__)


def holed(seed: int, count: int, length: int, dtype: str) -> Keys:
    """Rows with a few NaNs or with many, one of them of NaNs only; infinities, zeros and ties."""
    rng = np.random.default_rng(seed)
    x = rng.choice([-np.inf, np.inf, -0.0, 0.0, 1e-45, 1.0, 2.0, 3.5, -7.0], (count, length))
    x[rng.random(x.shape) < rng.choice([0.02, 0.3, 0.9], (count, 1))] = np.nan
    x[rng.integers(count)] = rng.choice([np.nan, 2.0])
    return x.astype(dtype)


SIZES = st.sampled_from([1, 2, 3, 31, 32, 33, 100, 600])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    *(st.integers(0, 1 << 20), st.integers(1, 9), SIZES),
    st.sampled_from(["f2", "f4", "f8"]),
    st.sampled_from([0.0, 0.3, 0.5, 1.0, [0.2], [0.9, 0.1]]),
    st.sampled_from(["linear", "lower", "hazen", "midpoint", "inverted_cdf"]),
)
def test_quantiles_are_those_of_numpy(
    way: str, seed: int, count: int, length: int, dtype: str, q: Any, method: Any
) -> None:
    x = holed(seed, count, length, dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows of NaN only, and inf − inf
        each = [np.nanquantile(row, q, method=method) for row in x]
        expected = np.stack(each, axis=-1)  # along an axis, NumPy's type is that of the first row
        found = quantiles(NumPyRows(x[:, :, None]), q, method, nan=True)[..., 0]
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == np.quantile(np.zeros_like(x), q, method=method).dtype
        medians = NumPyRows(x[:, :, None]).medians(nan=True)[:, 0]
        np.testing.assert_array_equal(medians, np.nanmedian(x, axis=1))


@pytest.mark.parametrize("length", [2, 33, 600])
def test_rows_without_numbers_are_told(way: str, length: int) -> None:
    x = holed(length, 7, length, "f4")
    x[3] = 2.0
    plan = MedianByCount(length, x.dtype)
    assert NumPyRows(x[:, :, None]).of_numbers(plan)[1] == np.isnan(x).all(axis=1).any()
    x[2] = np.nan
    found, none = NumPyRows(x[:, :, None]).of_numbers(plan)
    assert none
    assert np.isnan(found[0, 2, 0])
    assert found[0, 3, 0] == 2
    assert not NumPyRows(np.ones((3, length, 1), np.float32)).of_numbers(plan)[1]


def test_one_partition_takes_the_place_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many rows with one to twenty NaNs each: no row is asked for its own rank, and none sorted."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((50, 1300)).astype("f4")
    for row, count in zip(x, rng.integers(1, 20, 50), strict=True):
        row[rng.permutation(x.shape[1])[:count]] = np.nan
    monkeypatch.delattr(numbers, "ranked_each")
    monkeypatch.delattr(numbers, "in_rows")
    found = quantiles(NumPyRows(x[:, :, None]), 0.3, "linear", nan=True)[..., 0]
    np.testing.assert_array_equal(found, np.nanquantile(x, 0.3, axis=1))


@pytest.mark.parametrize("length", [300, 1023, 1024, 1025, 20_000])
@pytest.mark.parametrize("share", [0.001, 0.5, 0.999])
def test_ways_by_length_agree_with_numpy(length: int, share: float) -> None:
    rng = np.random.default_rng(length)
    x = rng.standard_normal((9, length)).astype("f4")
    x[rng.random(x.shape) < share] = np.nan
    x[0] = rng.standard_normal(length)
    for q in (0.0, 0.3, 1.0, [0.25, 0.75], np.linspace(0, 1, 9)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = quantiles(NumPyRows(x[:, :, None]), q, "linear", nan=True)[..., 0]
            np.testing.assert_array_equal(found, np.nanquantile(x, q, axis=1))


def test_answers_are_contiguous() -> None:
    x = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]])[:, :, None]
    assert quantiles(NumPyRows(x), [0.1, 0.2, 0.3], "linear", nan=True).flags.c_contiguous


def test_one_partition_needs_room_for_what_moves_numbers_up() -> None:
    """One row wants its last key only, and another one its first pair."""
    rows = np.array([[[4.0, 3, 2, -np.inf], [np.nan, np.inf, 5, np.nan]]]).transpose(0, 2, 1)
    ks = np.array([[3, 0], [3, 1]])
    room = rows_of(rows, own=True, room=2)
    assert numbers._by_one_partition(room, 4, ks) is None
    room = rows_of(rows, own=True, room=3)
    found = numbers._by_one_partition(room, 4, ks)
    np.testing.assert_array_equal(found, [[4, 5], [4, np.inf]])
    assert numbers._by_one_partition(room, 4, np.array([[0, 0], [2, 2]])) is None  # no neighbours


@pytest.mark.parametrize("shape", [(3, 5, 1), (1, 1100, 3), (2, 7, 4)])
def test_rows_are_copied_in_front_of_room(shape: tuple[int, int, int]) -> None:
    part = np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
    rows = rows_of(part, own=True, room=9)
    assert rows.flags.c_contiguous
    assert rows.shape == (shape[0] * shape[2], shape[1] + 9)
    np.testing.assert_array_equal(rows[:, : shape[1]], rows_of(part, own=True))


@pytest.mark.parametrize("length", [2, 11, 12, 13, 14, 1024, 1025])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_every_method_in_rows_of_lengths_around_the_ways(length: int, dtype: str) -> None:
    """Rows in columns, sorted and parted; with infinities, with one number, and without any."""
    rng = np.random.default_rng(length)
    x = rng.choice(np.array([-np.inf, -1.5, -0.0, 0.25, 3, np.inf], dtype), (1000, length))
    x[rng.random(x.shape) < rng.choice([0.0, 0.01, 0.6], (len(x), 1))] = np.nan
    x[:3] = np.nan
    x[1, -1], x[2, 0] = 2, -np.inf
    few = np.r_[0:9, 990:1000]  # NumPy takes some 100 µs for a row
    shares: list[Any] = [0.0, 0.3, 1.0, [0.9, 0.0, 0.5]]
    methods: list[Any] = list(QUANTILE_METHODS)
    for method, q in product(methods, shares):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = quantiles(NumPyRows(x[:, :, None]), q, method, nan=True)[..., 0]
            each: Any = [np.nanquantile(row, q, method=method) for row in x[few]]
        np.testing.assert_array_equal(found[..., few], np.stack(each, axis=-1))
        assert found.dtype == each[-1].dtype
