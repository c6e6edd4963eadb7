"""Ranks among the numbers of rows that have NaNs: by one partition, row by row, or by a sort."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.selection.rows import numbers
from shadersort.selection.rows.numbers import OfNumbers
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.quantiles import quantiles

WAYS = {"one partition": (0, 1 << 14), "row by row": (0, 1), "own ranks": (1 << 12, 1 << 14)}
"""What is small, and what is long."""


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    small, long = WAYS[request.param]
    monkeypatch.setattr(numbers, "SMALL", small)
    monkeypatch.setattr(numbers, "LONG", long)
    return str(request.param)


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
def test_the_counts_of_numbers_come_too(way: str, length: int) -> None:
    x = holed(length, 7, length, "f4")
    find = OfNumbers(length, np.array([length - 1]), lambda counts: counts[:, None] - 1)
    found, counts = find.found(x.copy())
    assert counts is not None
    np.testing.assert_array_equal(counts, (x == x).sum(axis=1))
    largest = [row[row == row].max(initial=-np.inf) if (row == row).any() else np.nan for row in x]
    np.testing.assert_array_equal(found[:, 0], np.array(largest, "f4"))
    assert find.found(np.ones((3, length), np.float32))[1] is None


def test_one_partition_takes_the_place_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many rows with one to twenty NaNs each: no row is asked for its own rank."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((50, 1000)).astype("f4")
    for row, count in zip(x, rng.integers(1, 20, 50), strict=True):
        row[rng.permutation(1000)[:count]] = np.nan
    monkeypatch.delattr(numbers, "ranked_each")
    found = quantiles(NumPyRows(x[:, :, None]), 0.3, "linear", nan=True)[..., 0]
    np.testing.assert_array_equal(found, np.nanquantile(x, 0.3, axis=1))
