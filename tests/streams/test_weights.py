"""Weighted values: each counts as so many equal ones; bad weights change nothing."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.errors import (
    BadOption,
    BadWeights,
    KeysNotFlat,
    NaNRefused,
    StreamTooLong,
    UnsupportedKeys,
)
from shadersort.streams import QuantileSummary
from tests.streams.exact import assert_ranks_within

VALUES = np.array([3.0, -0.0, np.inf, 3.0, -np.inf, 5e-324, 0.0, 1.5])


@pytest.mark.parametrize("heavy", [2, 100, 10_000])
def test_a_value_counts_as_often_as_its_weight(heavy: int) -> None:
    random = np.random.default_rng(heavy)
    for values in (random.normal(size=3_000), random.integers(0, 9, 3_000).astype(np.int16)):
        weights = random.integers(0, heavy, values.size)
        summary = QuantileSummary(0.02).update(values[:1_000], weights[:1_000])
        summary.update(values[1_000:1_100]).update(values[1_100:], weights[1_100:])
        weights[1_000:1_100] = 1
        whole = np.repeat(values, weights)
        assert summary.n == whole.size
        assert_ranks_within(summary, whole, 0.02 * whole.size)


@given(
    st.lists(st.tuples(st.sampled_from(VALUES.tolist()), st.integers(0, 70)), max_size=40),
    st.sampled_from([0.05, 0.3]),
)
def test_weights_are_repeats_to_the_byte(pairs: list[tuple[float, int]], epsilon: float) -> None:
    values = np.array([value for value, _ in pairs], np.float64)
    weights = np.array([weight for _, weight in pairs], np.uint8)
    one, other = QuantileSummary(epsilon), QuantileSummary(epsilon)
    for _ in range(3):
        one.update(values, weights)
        other.update(np.sort(np.repeat(values, weights)))
    assert one.n == other.n == 3 * int(weights.sum())
    assert one == other


def test_huge_weights_cost_nothing() -> None:
    summary = QuantileSummary(0.01).update([1.0, 2.0, 3.0], [1 << 50, 1, 1 << 51])
    assert summary.n == 3 * (1 << 50) + 1
    assert len(summary) < 400
    assert summary.quantile([0.3, 0.5]).tolist() == [1, 3]
    assert abs(summary.rank(2) - (1 << 50)) <= 0.01 * summary.n


def test_weights_of_nans_are_left_out() -> None:
    summary = QuantileSummary(0.1).update([1.0, np.nan, 2.0], [2, 5, 3])
    assert (summary.n, summary.nans) == (5, 5)
    refusing = QuantileSummary(0.1, nan="raise").update([1.0], 3)
    assert refusing.n == 3
    with pytest.raises(NaNRefused):
        refusing.update([1.0, np.nan], [1, 1])
    assert refusing.update([np.nan, 1.0], [0, 1]).n == 4
    assert QuantileSummary(0.1).update([], []).n == 0


@pytest.mark.parametrize(
    ("weights", "error"),
    [
        ([1, -1], BadWeights),
        ([1, 0.5], BadWeights),
        ([1.0, 2.0], BadWeights),
        ([1], BadWeights),
        ([[1, 2]], BadWeights),
        ([True, False], BadWeights),
        (["1", "2"], BadWeights),
        ([None, 1], BadWeights),
        ([1 << 59, 1 << 59], StreamTooLong),
        (np.array([1 << 63, 1], np.uint64), StreamTooLong),
    ],
)
def test_bad_weights_are_refused_and_nothing_changes(weights: Any, error: type[Exception]) -> None:
    for before in (QuantileSummary(0.1), QuantileSummary(0.1).update(np.arange(5_000.0))):
        data = before.to_bytes()
        with pytest.raises(error):
            before.update([1.0, 2.0], weights)
        assert before.to_bytes() == data
        with pytest.raises(UnsupportedKeys):
            before.update(["a", "b"], [1, 2])
        with pytest.raises(KeysNotFlat):
            before.update([[1.0, 2.0]], [1, 2])
        assert before.to_bytes() == data


def test_only_a_list_takes_weights() -> None:
    with pytest.raises(BadOption, match="structure='list'"):
        QuantileSummary(0.1, structure="exponential-histogram").update([1.0], [2])
