"""SlidingFrequencies: its guarantee for every window at every position, its space, its bytes."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadersort.errors import (
    BadOption,
    EmptyInput,
    NotMergeable,
    UnsupportedKeys,
)
from shadersort.keys.types import Keys
from shadersort.streams import SlidingFrequencies, SlidingQuantiles
from shadersort.streams.sliding.arasu_manku_frequencies import FrequencyLevels
from shadersort.streams.sliding.arasu_manku_quantiles import QuantileLevels
from tests.streams.every import with_levels
from tests.streams.exact import assert_counts_within


def assert_last_within(summary: SlidingFrequencies, seen: Keys, n: int) -> None:
    """The counts of the last n values are as good as promised."""
    last, short = summary.last(n), max(0, summary._shortest - min(n, seen.size))
    assert last.n == min(n, seen.size)
    assert_counts_within(last, seen[-n:], more=summary.epsilon * short)


def lengths(random: np.random.Generator, summary: SlidingFrequencies) -> Iterator[int]:
    """The shortest and the longest windows, those about where levels begin, and some more."""
    plan = summary._levels
    told = {1, 2, summary.window - 1, summary.window, plan.recent, plan.batch}
    told |= {n + i for n in plan.begins for i in (-1, 0, 1)}
    told |= set((summary.window ** random.random(6)).astype(int).tolist())
    return (n for n in sorted(told) if 1 <= n <= summary.window)


@pytest.mark.parametrize("shortest", [1, 100, 700])
def test_every_window_at_every_position(shortest: int) -> None:
    random = np.random.default_rng(shortest)
    stream = np.concatenate(
        [np.minimum(random.zipf(1.3, 800), 99), np.tile([1, 1, 2, 3], 60), np.arange(300)]
    )
    summary = with_levels(SlidingFrequencies, 0.2, 700, shortest, 7)
    for end in range(1, stream.size + 1):
        summary.update(stream[end - 1])
        for n in range(1 + end % 233, 701, 233):
            exact = np.bincount(stream[max(0, end - n) : end], minlength=500)
            known = summary.last(n)._estimates()
            lower, upper = np.zeros(500, np.int64), np.full(500, known.missed)
            lower[known.items], upper[known.items] = known.lower, known.upper
            assert np.all((lower <= exact) & (exact <= upper))
            assert np.max(upper - lower) <= 0.2 * max(shortest, min(n, end))


@settings(max_examples=100)
@given(
    stream=arrays("int16", st.integers(1, 300), elements=st.integers(0, 9)),
    repeats=st.integers(1, 12),
    epsilon=st.floats(0.03, 0.9),
    window=st.integers(1, 2_000),
    shortest=st.floats(0, 1),
    smallest=st.integers(1, 40),
    n=st.integers(1, 2_000),
)
def test_any_stream(
    stream: Keys,
    repeats: int,
    epsilon: float,
    window: int,
    shortest: float,
    smallest: int,
    n: int,
) -> None:
    whole = np.tile(stream, repeats)
    summary = with_levels(
        SlidingFrequencies, epsilon, window, max(1, int(shortest * window)), smallest
    )
    summary.update(whole)
    assert_last_within(summary, whole, min(n, window))


def test_it_holds_no_more_than_the_window_or_the_bound() -> None:
    """The bound of Arasu and Manku, with small factors, and what waits to be paired besides."""
    for epsilon in (0.3, 0.1, 0.03, 0.01, 0.003):
        for window in (1, 2, 100, 10**4, 10**6, 10**8):
            for shortest in (1, window // 100 + 1, window):
                plan = FrequencyLevels.chosen(epsilon, window, shortest)
                octaves, any_length = np.log2(4 / epsilon), np.log2(2 + epsilon * window)
                stages = any_length if shortest < window else 1
                held = plan.recent + plan.batch + plan.entries
                assert held <= plan.memory <= window + min(1024, window)
                assert QuantileLevels.chosen(epsilon, window, shortest).memory <= 2 * window
                assert held <= 6 * (octaves**2 * stages + any_length**2) / epsilon
                assert plan.recent + 3 * plan.entries <= window


@pytest.mark.parametrize("kind", [SlidingFrequencies, SlidingQuantiles])
def test_at_no_time_it_holds_more_than_its_docstring_says(kind: Any) -> None:
    for epsilon, window, shortest in (
        *((0.01, 5, 3), (0.01, 700, 1), (0.1, 700, 700), (0.3, 1_500, 1), (0.02, 3_000, 1)),
        *((0.1, 10_000, 1), (0.05, 20_000, 20_000)),
    ):
        summary, most = kind(epsilon, window, shortest=shortest), 0
        for part in np.array_split(np.arange(5 * window // 2), 23):
            most = max(most, len(summary.update(part)))
        assert most <= window + min(window, 1_024)
        assert summary._recent.array.size <= 2 * window


def crowded(plan: FrequencyLevels, windows: int) -> Keys:
    """A stream whose every item comes just often enough in one block of some level to stay."""
    parts = []
    for i in range(windows * plan.window // plan.batch):
        each = int(plan.stages[i % plan.count][1][0]) + 1
        each = min(each, plan.batch)
        parts.append(np.arange(plan.batch) // each + i * plan.batch)
    return np.concatenate(parts)


def test_space_is_within_the_bound_of_the_plan() -> None:
    for epsilon in (0.1, 0.01):
        for shortest in (1, 10_000, 200_000):
            random = np.random.default_rng(shortest)
            summary = SlidingFrequencies(epsilon, 200_000, shortest=shortest)
            plan, most = summary._levels, 0
            if plan.count:
                zipf = np.minimum(random.zipf(1.2, 600_000), 1 << 30)
                for stream in (crowded(plan, 3), zipf, np.arange(600_000) // 3):
                    for part in np.array_split(stream, 97):
                        summary.update(part)
                        most = max(most, summary._blocks.entries)
                        assert len(summary) <= plan.recent + plan.batch + plan.entries
                assert plan.entries / 100 < most <= plan.entries


HIDDEN = -1
"""An item that comes as often as it can without being known."""


def shown(plan: FrequencyLevels, level: int, total: int) -> Keys:
    """A block where an item comes so often, and is counted as few times as possible."""
    if level > plan.sorted_level:
        there = shown(plan, level - 1, total - plan.unpaired[level - 1])
        return np.concatenate([hidden(plan, level - 1), there])
    block = np.arange(plan.size(level))
    assert 0 <= total <= block.size
    block[:total] = HIDDEN
    return block


def hidden(plan: FrequencyLevels, level: int) -> Keys:
    """A block where an item comes as often as it can without being known at its end."""
    return shown(plan, level, plan.unpaired[level])


def test_items_that_hide_are_undercounted_as_much_as_is_said() -> None:
    for epsilon, window in ((0.5, 1 << 12), (0.1, 1 << 15), (0.01, 1 << 19)):
        plan = FrequencyLevels(Fraction(epsilon), window, window, 64)
        assert plan.sorted_level <= plan.count - 4
        for level in range(plan.sorted_level, plan.count - 1):
            forgotten, blur = plan.unpaired[level], plan.blur(level)
            for total, known in ((forgotten, []), (forgotten + 1, [forgotten + 1 - blur])):
                summary = with_levels(SlidingFrequencies, epsilon, window, window, 64)
                summary.update(shown(plan, level, total))
                waiting = summary._blocks.held[level, -1]
                assert waiting.counts[waiting.items == HIDDEN].tolist() == known
            limit = int(plan.limits(level, np.array([plan.size(level)]))[0])
            if limit - blur < plan.size(plan.sorted_level):
                for total, found in ((limit, 0), (limit + 1, limit + 1 - blur)):
                    summary = with_levels(SlidingFrequencies, epsilon, window, window, 64)
                    summary.update(shown(plan, level, total))
                    last = summary.last(plan.size(level))
                    assert last.bounds(HIDDEN) == (found, total)


def test_questions_that_cannot_be_answered() -> None:
    summary = SlidingFrequencies(0.1, 50_000, shortest=50_000)
    with pytest.raises(EmptyInput):
        summary.estimate(1)
    with pytest.raises(EmptyInput):
        summary.last(5).frequent_items(0.5)
    summary.update(np.arange(60_000))
    for n in (0, -1, 50_001, 1.5, True, "all"):
        with pytest.raises(BadOption):
            summary.last(n)  # type: ignore[arg-type]
    for support in (0.09, 1.01, np.nan, None):
        with pytest.raises(BadOption):
            summary.frequent_items(support)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="equal ones may be unknown"):
        summary.last(3_000).frequent_items(0.1)
    with pytest.raises(NotMergeable):
        summary.merge(summary.copy())
    with pytest.raises(UnsupportedKeys):
        summary.estimate(0.5)
    for bad in ({"window": 0}, {"window": np.nan}, {"window": 9, "shortest": 10}):
        with pytest.raises(BadOption):
            SlidingFrequencies(0.1, **bad)
