"""Sliding windows: the guarantee at every position, for windows of every length, and the space."""

from copy import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shadersort.errors import BadOption, EmptyInput, NotMergeable, UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.streams import SlidingFrequencies, SlidingQuantiles
from shadersort.streams.sliding.arasu_manku_frequencies import FrequencyLevels
from shadersort.streams.sliding.arasu_manku_quantiles import QuantileLevels
from tests.streams.adversaries import ADVERSARIES
from tests.streams.every import with_levels
from tests.streams.exact import assert_last_within

KINDS = [SlidingQuantiles, SlidingFrequencies]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shortest", [1, 60, 200])
@pytest.mark.parametrize("name", ["sorted", "zig-zag", "zipf"])
def test_every_position_of_a_stream_is_within_the_guarantee(
    name: str, shortest: int, kind: Any
) -> None:
    random = np.random.default_rng(5)
    stream = ADVERSARIES[name](random, 500).astype(np.float32)
    if kind is SlidingFrequencies and name != "zipf":
        stream //= 9
    summary = with_levels(kind, 0.2, 200, shortest, 4, 1)
    for end in range(1, stream.size + 1):
        summary.update(stream[end - 1])
        for n in (200, int(random.integers(1, 200))):
            assert_last_within(summary, n, stream[:end])


@pytest.mark.parametrize("kind", KINDS)
def test_long_windows_are_within_the_guarantee(kind: Any) -> None:
    """With the plans that users get."""
    stream = np.random.default_rng(2).normal(size=700_000).astype(np.float32)
    stream[::1000] = np.inf
    if kind is SlidingFrequencies:
        stream = np.round(stream)
    for epsilon, window, shortest in ((0.05, 200_000, 1), (0.02, 300_000, 300_000)):
        summary = kind(epsilon, window, shortest=shortest)
        plan = summary._levels
        assert plan.count
        for part in np.array_split(stream, 3):
            summary.update(part)
        for n in (window, 77_777, 12_345, 2_000, 100, 1):
            assert_last_within(summary, n, stream)
        assert len(summary) <= plan.recent + plan.batch + plan.entries


@pytest.mark.parametrize("kind", KINDS)
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


def test_the_plan_stays_within_the_error() -> None:
    """What `arasu_manku_quantiles.py` says of D, block by block and age by age."""
    for epsilon in (0.7, 0.2, 0.05, 0.01):
        for shortest in (1, 5_000, 50_000):
            plan = QuantileLevels(Fraction(epsilon), 50_000, shortest, 8)
            blur = 0
            for i, level in enumerate(plan.stages):
                blur = (0 if i <= plan.sorted_level else 2 * blur) + level.step - 1
                whole, now = plan.epsilon * level.size / 2, blur
                assert blur <= whole / (2 if i == plan.sorted_level else 1)
                for age, step in zip(level.begins, level.steps, strict=False):
                    now += step - 1
                    j = plan.level_for(max(age, level.size, shortest))
                    parts = 4 * plan.spread + 2 * (plan.level_for(shortest) > 0)
                    more = Fraction(plan.size(j), parts) if plan.spread else 0
                    assert now <= whole + more
                assert list(level.begins) == sorted(level.begins)


HIDDEN = -1
"""An item that comes as often as it can without being known."""


def hidden_block(plan: FrequencyLevels, level: int, total: int) -> Keys:
    """A block where an item comes so often, and is counted as few times as possible."""
    if level > plan.sorted_level:
        below = level - 1
        there = hidden_block(plan, below, total - plan.unpaired[below])
        return np.concatenate([hidden_block(plan, below, plan.unpaired[below]), there])
    block = np.arange(plan.size(level))
    assert 0 <= total <= block.size
    block[:total] = HIDDEN
    return block


def test_items_that_hide_are_undercounted_as_much_as_is_said() -> None:
    for epsilon, window in ((0.5, 1 << 12), (0.1, 1 << 15), (0.01, 1 << 19)):
        plan = FrequencyLevels(Fraction(epsilon), window, window, 64)
        assert plan.sorted_level <= plan.count - 4
        for level in range(plan.sorted_level, plan.count - 1):
            limit = int(plan.limits(level, np.array([plan.size(level)]))[0])
            if limit - plan.blur(level) < plan.size(plan.sorted_level):
                for total, found in ((limit, 0), (limit + 1, limit + 1 - plan.blur(level))):
                    summary = with_levels(SlidingFrequencies, epsilon, window, window, 64)
                    summary.update(hidden_block(plan, level, total))
                    last = summary.last(plan.size(level))
                    assert last.bounds(HIDDEN) == (found, total)


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be(kind: Any) -> None:
    empty = kind(0.1, 100)
    for summary in (empty, empty.last(5)):
        with pytest.raises(EmptyInput):
            summary.rank(3) if kind is SlidingQuantiles else summary.frequent_items(0.5)
    for window in (0, -3, -2.5, np.nan, None, "1e6"):
        with pytest.raises(BadOption):
            kind(0.1, window)
    with pytest.raises(BadOption, match="longer"):
        kind(0.1, 10, shortest=11)
    few = kind(0.01, 3).update([5, 9, 8, 7])  # windows shorter than 1/epsilon
    assert kind.from_bytes(few.to_bytes()) == copy(few) == few
    assert few.last(2).n == 2
    for n in (0, -1, 101, 1.5, True, "all"):
        with pytest.raises(BadOption):
            empty.last(n)
    with pytest.raises(NotMergeable):
        empty.merge(kind(0.1, 100))
    assert repr(few.last(2)).endswith(": the last 2 of 4 values>")


def test_counts_of_few_values_are_no_shares() -> None:
    summary = SlidingFrequencies(0.1, 50_000, shortest=50_000).update(np.arange(60_000))
    for support in (0.09, 1.01, np.nan, None):
        with pytest.raises(BadOption):
            summary.frequent_items(support)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="equal ones may be unknown"):
        summary.last(3_000).frequent_items(0.1)
    with pytest.raises(UnsupportedKeys):
        summary.estimate(0.5)
