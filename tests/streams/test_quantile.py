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
from shadersort.streams.quantiles.error_budgets import budgets
from tests.expected import expected
from tests.streams.exact import GRID, assert_ranks_within

EPSILONS = (0.6, 0.3, 0.1, 0.05, 0.01)


def summary_of(stream: Any, epsilon: float = 0.1, **options: Any) -> QuantileSummary:
    summary = QuantileSummary(epsilon, **options)
    summary.update(stream)
    return summary


def histogram(epsilon: float, expected: int | None = None) -> QuantileSummary:
    return QuantileSummary(epsilon, expected, structure="exponential-histogram")


def test_a_balanced_tree_of_merged_windows_is_within_the_guarantee() -> None:
    for levels in (3, 6):
        epsilon, random = 0.3, np.random.default_rng(levels)
        window = histogram(epsilon).window
        stream = random.normal(size=window << levels)
        parts = [histogram(epsilon).update(part) for part in stream.reshape(-1, window)]
        while len(parts) > 1:
            parts = [a.merge(b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        assert_ranks_within(parts[0], stream, epsilon * stream.size)
        assert parts[0] == histogram(epsilon).update(stream)


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
    for options in ({"structure": "tree"}, {"structure": "list", "as_printed": True}):
        with pytest.raises(BadOption, match="structure"):
            QuantileSummary(0.1, 5, **options)


def test_space_is_within_the_bounds_of_the_papers() -> None:
    """O(log²(εN)/ε) entries, of Greenwald and Khanna 2004; the factor here is one.

    How many entries there are depends on the length alone, and `test_entries_are_those_measured`
    holds the budgets to it.
    """
    for epsilon in (0.5, 0.1, 0.01, 1e-3, 1e-4):
        for known in (False, True):
            n = 10**8
            while n * epsilon >= 4096:
                plan = budgets(epsilon, n if known else None)
                levels = (n // plan.window).bit_length()
                most = plan.window + sum(plan.entries(level) for level in range(levels))
                assert most <= np.log2(epsilon * n) ** 2 / epsilon
                n //= 3


def test_entries_are_those_measured() -> None:
    for epsilon in (0.3, 0.01):
        for length in (None, 10**6):
            summary, plan = histogram(epsilon, length), budgets(epsilon, length)
            stream = np.random.default_rng(1).random(10**6, np.float32)
            for part in np.array_split(stream, 7):
                summary.update(part)
                windows, waiting = divmod(summary.n, plan.window)
                levels = [level for level in range(40) if windows >> level & 1]
                assert len(summary) == waiting + sum(map(plan.entries, levels))
                assert summary.nbytes <= 20 * len(summary) + 8 * 64


@pytest.mark.slow
def test_a_hundred_million_values() -> None:
    part, times = np.random.default_rng(1).permutation(10**6).astype(np.float32), 100
    summary = QuantileSummary(0.1)
    summary.update(itertools.repeat(part, times))
    assert summary.n == 10**8
    assert len(summary) <= np.log2(0.1 * 10**8) ** 2 / 0.1
    points = np.arange(0, 10**6, 12_345, dtype=np.float32)
    assert np.abs(summary.rank(points) - times * (points + 1)).max() <= 0.1 * 10**8


def test_shares_never_sum_to_more_than_one() -> None:
    for epsilon, length in itertools.product((0.5, 0.01, 1e-3), (None, 1, 10**5, 10**9)):
        plan = budgets(epsilon, length)
        assert sum(plan.share(level) for level in range(200)) <= 1
        assert plan.step <= plan.epsilon * plan.window
        for level in range(40):
            extra = plan.compression(level) - 1
            assert extra <= plan.epsilon * plan.share(level) * plan.size(level)
