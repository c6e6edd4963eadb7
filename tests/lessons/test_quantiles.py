"""Lesson 7: entries bound the ranks of what they stand for, merged and compressed or not."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadersort import QuantileSummary
from shadersort.lessons.quantiles.entries import (
    Entries,
    bounds_of,
    compressed,
    sampled,
    united_entries,
)
from shadersort.lessons.quantiles.pictures import worst_error

VALUES = st.lists(st.integers(0, 40), min_size=1, max_size=8)


def assert_bounds(entries: Entries, values: list[int], most: int) -> None:
    """Every count lies within its bounds, and no bounds are further apart than so much."""
    points = np.arange(-1, 42)
    low, high = bounds_of(entries, points)
    true = np.searchsorted(np.sort(values), points, side="right")
    assert np.all((low <= true) & (true <= high))
    assert np.max(high - low) <= most
    assert entries.n == len(values)


@given(VALUES, VALUES, st.integers(1, 4), st.integers(1, 6))
def test_entries_bound_what_they_stand_for(
    first: list[int], second: list[int], step: int, thinner: int
) -> None:
    a, b = first * step, second * step
    one, other = sampled(np.array(a), step), sampled(np.array(b), step)
    assert_bounds(one, a, step - 1)
    union = united_entries(one, other)
    assert_bounds(union, a + b, 2 * (step - 1))
    assert_bounds(compressed(union, thinner), a + b, 2 * (step - 1) + thinner - 1)


def test_the_worst_error_of_an_exact_summary_is_none_and_of_a_wrong_one_is_found() -> None:
    stream = np.random.default_rng(0).integers(0, 50, 1_000)
    summary = QuantileSummary(0.005)
    summary.update(stream)
    assert worst_error(summary, np.sort(stream)) == 0
    shifted = np.concatenate([np.full(300, -1), np.sort(stream)[:-300]])
    assert worst_error(summary, shifted) > 200
