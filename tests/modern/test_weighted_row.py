"""The short way to weighted quantiles: its answers are those of exact order, or it gives none."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import modern
from modern.rows import weighted_row, weighted_search
from modern.rows.weighted_row import quantiles_of_row
from modern.rows.weighted_search import How, Search
from shadersort.keys.types import Keys

LOWER, MEAN = How("inverted_cdf", nan=False), How("averaged_inverted_cdf", nan=False)


@pytest.fixture(params=["short", "long"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """All rows are short, or all are long: sampled, and read piece by piece."""
    for module in (weighted_row, weighted_search):
        monkeypatch.setattr(module, "LONG", 1 if request.param == "long" else 1 << 40)
    monkeypatch.setattr(weighted_row, "SAMPLE", 16)
    monkeypatch.setattr(weighted_row, "PIECE", 32)
    return str(request.param)


def exactly(keys: Keys, weights: Keys, q: Keys, how: How) -> Keys:
    """What all keys in the exact order say."""
    empty = np.zeros((1, 1), bool)
    both = Search(np, how, None)._exactly(keys[None], weights[None], q[None], empty)
    lower, upper = (np.asarray(each[0]) for each in (both[0], both[-1]))
    return lower if how is LOWER else np.where(lower == upper, lower, (lower + upper) / 2)


def row_of(seed: int, n: int, dtype: str, kind: str) -> tuple[Keys, Keys]:
    """Keys with few or many values, and weights of which some are zero, huge or tiny."""
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, rng.choice([1, 3, 120]), n, endpoint=True).astype(dtype)
    weights: Keys = rng.random(n)
    if kind == "equal":
        weights[:] = 0.1
    elif kind == "whole":
        weights = rng.integers(1, 5, n)
    elif kind == "wild":
        weights *= 10.0 ** rng.integers(-320, 300, n)
        weights[rng.random(n) < 0.3] = 0
    weights[rng.integers(n)] += 1
    return keys, weights


SIZES = st.sampled_from([1, 2, 3, 31, 32, 33, 63, 64, 65, 300, 1000])
SHARES = st.sampled_from([0.0, 1e-300, 0.1, 0.25, 0.3, 0.5, 0.7, 1.0])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    *(st.integers(0, 1 << 20), SIZES),
    st.sampled_from(["float16", "float32", "float64", "uint8", "int64"]),
    st.sampled_from(["random", "equal", "whole", "wild"]),
    st.lists(SHARES, max_size=3),
    st.sampled_from(["float32", "float64"]),
)
def test_an_answer_is_that_of_the_exact_order(
    way: str, seed: int, n: int, dtype: str, kind: str, shares: list[float], q_type: str
) -> None:
    keys, weights = row_of(seed, n, dtype, kind)
    q = np.array(shares, q_type)
    positive = np.maximum(q, np.finfo(q.dtype).smallest_subnormal)
    found = quantiles_of_row(keys, weights, q)
    if found is not None:
        np.testing.assert_array_equal(found, exactly(keys, weights, positive, LOWER))
    for how in (LOWER, MEAN):
        method: Any = how.method
        answers = modern.quantile(keys, q, weights=weights, method=method)
        np.testing.assert_array_equal(answers, exactly(keys, weights, positive, how))


def test_most_answers_are_certain(way: str) -> None:
    for seed in range(20):
        keys, weights = row_of(seed, 1000, "float32", "random")
        assert quantiles_of_row(keys, weights, np.array([0.1, 0.5, 0.9])) is not None


def test_what_is_not_certain_has_no_answer(way: str) -> None:
    keys, ones, half = np.arange(64.0), np.ones(64), np.array([0.5])
    assert quantiles_of_row(keys, ones, half) is None  # between two keys
    assert quantiles_of_row(np.full(64, 7.0), ones, half) == 7
    assert quantiles_of_row(np.append(keys, np.nan), np.ones(65), half) is None
    for wrong in (0 * ones, ones * np.nan, ones * np.inf, ones * 1e308):
        assert quantiles_of_row(keys, wrong, half) is None


def test_a_sample_that_misleads_gives_no_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sampled key is large, or every one has no weight."""
    monkeypatch.setattr(weighted_row, "LONG", 1)
    monkeypatch.setattr(weighted_row, "SAMPLE", 10)
    keys = np.arange(1000.0)
    keys[::91] = 5000.0
    weights = np.random.default_rng(3).random(1000)
    for heavy in (weights, np.where(keys == 5000, 0, weights), np.where(keys == 5000, 1e9, 1)):
        expected = exactly(keys, heavy, np.array([0.5]), LOWER)
        found = modern.quantile(keys, [0.5], weights=heavy, method="inverted_cdf")
        np.testing.assert_array_equal(found, expected)


def test_long_rows_of_an_array_each_have_their_answer(way: str) -> None:
    rng = np.random.default_rng(4)
    x, weights = rng.random((3, 500, 2)), rng.random((3, 500, 2))
    weights[1, :, 1], x[2, 7, 0] = 1, np.nan
    found = modern.quantile(x, [0.2, 0.5], axis=1, weights=weights, method="inverted_cdf")
    expected = np.quantile(x, [0.2, 0.5], axis=1, weights=weights, method="inverted_cdf")
    np.testing.assert_array_equal(found, expected)
    omitted = modern.nanquantile(x, 0.5, axis=1, weights=weights, method="inverted_cdf")
    np.testing.assert_array_equal(omitted.ravel()[:4], expected[1].ravel()[:4])
    assert omitted[2, 0] == modern.quantile(
        np.delete(x[2, :, 0], 7), 0.5, weights=np.delete(weights[2, :, 0], 7), method="inverted_cdf"
    )
