"""QuantileSummary: its guarantee on streams built to break it, its space, its bytes."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadersort.errors import (
    BadOption,
    EmptyInput,
    QuantileOutOfRange,
    SummariesDiffer,
    UnsupportedKeys,
)
from shadersort.keys.types import Keys
from shadersort.streams import QuantileSummary
from tests.expected import expected
from tests.streams.exact import GRID, assert_ranks_within

EPSILONS = (0.6, 0.3, 0.1, 0.05, 0.01)


def summary_of(stream: Any, epsilon: float = 0.1, **options: Any) -> QuantileSummary:
    summary = QuantileSummary(epsilon, **options)
    summary.update(stream)
    return summary


def test_a_balanced_tree_of_printed_histograms_is_that_of_the_whole_stream() -> None:
    for levels in (3, 6):
        of: Any = {"epsilon": 0.3, "expected": 4 << levels, "as_printed": True}
        stream = np.random.default_rng(levels).normal(size=4 << levels)
        parts = [summary_of(part, **of) for part in stream.reshape(-1, 4)]
        while len(parts) > 1:
            parts = [a.merge(b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        assert parts[0].window == 4
        assert parts[0] == summary_of(stream, **of)


@settings(max_examples=300)
@given(
    stream=arrays(np.float32, st.integers(1, 600), elements=st.floats(-4, 4, width=32)),
    epsilon=st.floats(0.2, 0.95),
    repeats=st.integers(1, 40),
)
def test_any_stream_is_within_the_guarantee(stream: Keys, epsilon: float, repeats: int) -> None:
    whole = np.tile(stream, repeats)
    assert_ranks_within(summary_of(whole, epsilon), whole, epsilon * whole.size)


def test_short_streams_are_exact() -> None:
    for dtype in ("float16", "float32", "float64", "int8", "uint16", "uint64"):
        for n in (1, 2, 3, 4, 7, 8, 9, 639, 640, 641):
            stream = np.random.default_rng(n).integers(0, 100, n).astype(dtype)
            summary = summary_of(stream)
            if n < summary.window:
                assert summary.rank_error == 0
                exact = expected(np.quantile, np.sort(stream), GRID, method="inverted_cdf")
                np.testing.assert_array_equal(summary.quantile(GRID), exact)
                assert summary.quantile(0.25).dtype == dtype
            assert_ranks_within(summary, stream, 0.1 * n)


def test_answers_have_the_shape_of_the_question() -> None:
    summary = summary_of(np.arange(10_000.0))
    assert summary.quantile(0.5) == summary.median()
    assert isinstance(summary.median(), np.float64)
    assert isinstance(summary.rank(3), np.int64)
    assert summary.quantile(np.full((2, 3), 0.1)).shape == (2, 3)
    assert summary.rank([[1], [2]]).shape == summary.cdf([[1], [2]]).shape == (2, 1)
    assert summary.rank(-1) == 0
    assert summary.rank(1e9) == summary.n


def test_questions_that_cannot_be_answered() -> None:
    empty, summary = QuantileSummary(0.1), summary_of([1, 2, 3])
    for ask in (empty.median, lambda: empty.rank(1), lambda: empty.minimum):
        with pytest.raises(EmptyInput, match="has seen no value"):
            ask()
    for q, error in (
        (1.5, QuantileOutOfRange),
        (-1, QuantileOutOfRange),
        (np.nan, QuantileOutOfRange),
    ):
        with pytest.raises(error):
            summary.quantile(q)
    with pytest.raises(QuantileOutOfRange):
        summary.rank(np.nan)
    with pytest.raises(UnsupportedKeys):
        summary.rank("three")
    with pytest.raises(BadOption):
        summary.rank(1, side="middle")  # type: ignore[call-overload]
    for wrong in (0, -1, 1.5, "many", True, 1 << 62):
        with pytest.raises(BadOption):
            QuantileSummary(0.1, wrong)  # type: ignore[arg-type]
    with pytest.raises(SummariesDiffer, match="expected=None, the other 5"):
        summary.merge(QuantileSummary(0.1, 5))
    with pytest.raises(BadOption, match="expected"):
        QuantileSummary(0.1, as_printed=True)


@pytest.mark.slow
def test_a_hundred_million_values() -> None:
    part, times = np.random.default_rng(1).permutation(10**6).astype(np.float32), 100
    summary = QuantileSummary(0.1)
    summary.update(itertools.repeat(part, times))
    assert summary.n == 10**8
    assert len(summary) <= np.log2(0.1 * 10**8) ** 2 / 0.1
    points = np.arange(0, 10**6, 12_345, dtype=np.float32)
    assert np.abs(summary.rank(points) - times * (points + 1)).max() <= 0.1 * 10**8
