"""FrequencySummary: its guarantee on streams built to break it, its space, its bytes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadersort.errors import (
    BadOption,
    EmptyInput,
    NaNRefused,
    UnsupportedKeys,
)
from shadersort.keys.types import Keys
from shadersort.streams import (
    FrequencySummary,
)
from tests.streams.exact import assert_counts_within

EPSILONS = (0.6, 0.3, 0.1, 0.05, 0.01, 0.002)


def summary_of(stream: Any, epsilon: float = 0.1, **options: Any) -> FrequencySummary:
    summary = FrequencySummary(epsilon, **options)
    summary.update(stream)
    return summary


def just_enough(window: int, buckets: int, windows: int) -> Keys:
    """A stream that leaves as many items as possible: they come just too often to be let go.

    In the i-th window from the end, items come once more than i times the buckets of a window.
    """
    rows = []
    for i in range(windows, 0, -1):
        each = buckets * i + 1
        row = np.arange(window) // each
        rows.append(np.where(row < window // each, row + i * window, -1))
    return np.concatenate(rows)


def test_space_is_within_its_bound_after_every_window() -> None:
    for epsilon in (0.1, 0.01, 0.001, 0.0001):
        empty = FrequencySummary(epsilon)
        bucket, window = round(1 / epsilon), empty.window
        for stream in (
            just_enough(window, window // bucket, 20),
            np.random.default_rng(1).permutation(20 * window) // (window // bucket + 1),
            np.minimum(np.random.default_rng(2).zipf(1.2, 20 * window), 1 << 40),
        ):
            summary, most = FrequencySummary(epsilon), 0.0
            for i, part in enumerate(np.split(stream, 20), 1):
                summary.update(part)
                most = max(most, len(summary) / (bucket * (1 + np.log(i))))
            assert most <= 1
            assert_counts_within(summary, stream)
        assert len(summary_of(just_enough(window, window // bucket, 20), epsilon)) > bucket / 2


@pytest.mark.slow
def test_a_hundred_million_values() -> None:
    summary, random = FrequencySummary(0.001), np.random.default_rng(10)
    part = np.minimum(random.zipf(1.2, 1_000_000), 1 << 20).astype(np.float32)
    for i in range(100):
        summary.update(part + i % 7)
        assert len(summary) <= 1_000 * np.log(0.001 * 100_000_000)
    assert summary.n == 100_000_000
    exact = np.bincount(part.astype(np.int64))[1] * 15  # of 100 rounds, 15 begin with 1
    assert 0 <= exact - summary.estimate(1) <= 100_000


@given(
    arrays(
        st.sampled_from(["float16", "float32", "float64", "int8", "uint64"]),
        st.integers(1, 3_000),
        elements=None,
        fill=st.nothing(),
    ).map(np.sort)
    | arrays("int16", st.integers(1, 6_000), elements=st.integers(-3, 30)),
    st.sampled_from(EPSILONS),
)
def test_any_stream(stream: Keys, epsilon: float) -> None:
    summary = summary_of(stream, epsilon)
    numbers = stream[stream == stream]
    assert (summary.n, summary.nans) == (numbers.size, stream.size - numbers.size)
    if numbers.size:
        assert_counts_within(summary, numbers)


def test_how_often_is_told_for_scalars_and_arrays() -> None:
    summary = summary_of(np.array([1, 2, 2, -0.0, 0.0, np.inf], "float32"))
    assert summary.estimate(2) == 2
    assert isinstance(summary.estimate(np.float32(2)), int)
    assert summary.estimate([2, -0.0, 5, np.inf]).tolist() == [2, 2, 0, 1]
    assert summary.estimate(np.array([], "float32")).tolist() == []
    assert summary.bounds(2) == (2, 2)
    assert [each.tolist() for each in summary.bounds([1, 3])] == [[1, 0], [1, 0]]
    with pytest.raises(NaNRefused):
        summary.estimate(np.nan)
    with pytest.raises(UnsupportedKeys):
        summary.estimate("two")


def test_an_empty_summary_has_no_answer() -> None:
    empty = FrequencySummary(0.1)
    for ask in (empty.estimate, empty.bounds, empty.frequent_items):
        with pytest.raises(EmptyInput):
            ask(0.5)
    assert FrequencySummary(0.1).merge(FrequencySummary(0.1)).n == 0


def test_support_lies_between_epsilon_and_1() -> None:
    support: Any
    for support in (0, 0.09, 1.1, -1, np.nan, "0.5", None, True, 1j):
        with pytest.raises(BadOption):
            summary_of([1, 2], 0.1).frequent_items(support)


def test_signed_zeros_are_one_value() -> None:
    stream = np.tile(np.array([-0.0, 0.0, 1], "float32"), 2_000)
    summary = summary_of(stream)
    assert summary.estimate(0.0) == summary.estimate(-0.0) == 4_000
    assert summary == summary_of(np.abs(stream))
