"""SlidingQuantiles: its guarantee at every position of a stream, for windows of every length."""

from copy import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.errors import BadOption, EmptyInput, NotMergeable
from shadersort.keys.types import Keys
from shadersort.streams import SlidingFrequencies, SlidingQuantiles
from shadersort.streams.sliding import arasu_manku_levels
from shadersort.streams.sliding.arasu_manku_quantiles import QuantileLevels
from tests.streams.adversaries import ADVERSARIES
from tests.streams.every import with_levels
from tests.streams.exact import assert_ranks_within

ERRORS = (0.6, 0.3, 0.15, 0.07)


def assert_last_within(summary: SlidingQuantiles, stream: Keys, n: int, shortest: int) -> None:
    last = stream[-n:]
    error = summary.epsilon * max(last.size, shortest)
    assert summary.last(n).n == last.size
    assert_ranks_within(summary.last(n), last, error, extremes=False)


@pytest.mark.parametrize("shortest", [1, 200])
@pytest.mark.parametrize("name", ["sorted", "zig-zag", "zipf"])
def test_every_position_of_a_stream_is_within_the_guarantee(name: str, shortest: int) -> None:
    random = np.random.default_rng(5)
    stream = ADVERSARIES[name](random, 500).astype(np.float32)
    summary = with_levels(SlidingQuantiles, 0.2, 200, shortest, 4, 1)
    for position in range(1, stream.size + 1):
        summary.update(stream[position - 1])
        for n in (200, int(random.integers(1, 200))):
            assert_last_within(summary, stream[:position], n, shortest)


@settings(max_examples=100)
@given(data=st.data())
def test_every_length_is_within_the_guarantee(data: st.DataObject) -> None:
    values = data.draw(st.lists(st.integers(-9, 9), min_size=1, max_size=100))
    stream = np.tile(np.array(values, np.int32), data.draw(st.integers(1, 40)))
    epsilon, smallest = data.draw(st.sampled_from(ERRORS)), data.draw(st.sampled_from([1, 3, 8]))
    summary = with_levels(SlidingQuantiles, epsilon, 900, 1, smallest, 1)
    summary.update(stream)
    for n in range(1, min(901, stream.size + 1), data.draw(st.integers(1, 50))):
        assert_last_within(summary, stream, n, 1)


def test_long_windows_are_within_the_guarantee() -> None:
    """With the plans that users get."""
    stream = np.random.default_rng(2).normal(size=700_000).astype(np.float32)
    stream[::1000] = np.inf
    for epsilon, window, shortest in ((0.05, 200_000, 1), (0.02, 300_000, 300_000)):
        summary = SlidingQuantiles(epsilon, window, shortest=shortest)
        plan = summary._levels
        assert plan.stages
        for part in np.array_split(stream, 3):
            summary.update(part)
        for n in (window, 77_777, 12_345, 2_000, 100, 1):
            assert_last_within(summary, stream, n, shortest)
        assert len(summary) <= plan.recent + plan.batch + plan.entries


def test_space_is_within_the_bounds_of_the_papers() -> None:
    """Of Arasu and Manku, with the numbers of section 5.3: for windows of one length, and for all.

    There are L + 1 levels, L = log(4/ε). One of error e has as many blocks of 1/e entries as fit
    into the window, and one that is being made, of (1/e)log(eN) entries for its N values. For all
    lengths it takes that for log(εW) lengths. No more is held than the window itself.
    """
    for epsilon in (0.1, 0.03, 0.01, 1e-3):
        for window in (10**6, 10**7, 10**8):
            top = int(np.ceil(np.log2(4 / epsilon)))
            paper = 0.0
            for level in range(top + 1):
                size = epsilon * window / 4 * 2**level
                error = epsilon / (2 * (2 * top + 2)) * 2 ** (top - level)
                paper += (window / size + max(1.0, np.log2(error * size))) / error
            fixed = QuantileLevels.chosen(epsilon, window, window)
            assert _held(fixed) <= min(paper, 0.34 * window)
            every = QuantileLevels.chosen(epsilon, window, 1)
            assert _held(every) <= min(paper * np.log2(epsilon * window), 0.34 * window)


def _held(plan: QuantileLevels) -> float:
    """Entries: a value, and two ranks; three values without ranks count as one."""
    return plan.memory / arasu_manku_levels.WEIGHT


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


def test_what_cannot_be() -> None:
    empty = SlidingQuantiles(0.1, 100)
    with pytest.raises(EmptyInput):
        empty.median()
    with pytest.raises(EmptyInput):
        empty.last(5).rank(3)
    for window in (0, -3, -2.5, None, "1e6"):
        with pytest.raises(BadOption):
            SlidingQuantiles(0.1, window)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="longer"):
        SlidingQuantiles(0.1, 10, shortest=11)
    for kind in (SlidingQuantiles, SlidingFrequencies):  # windows shorter than 1/epsilon
        few: Any = kind(0.01, 3).update([5, 9, 8, 7])
        assert kind.from_bytes(few.to_bytes()) == copy(few) == few
        assert few.last(2).n == 2
    for n in (0, 101, 1.5):
        with pytest.raises(BadOption):
            empty.last(n)  # type: ignore[arg-type]
    with pytest.raises(NotMergeable):
        empty.merge(SlidingQuantiles(0.1, 100))
    empty.update([1, 2, 3])
    assert (empty.quantile(0.5).item(), empty.last(1).median().item(), empty.window) == (2, 3, 100)
    assert repr(empty.last(2)) == "<LastValues: the last 2 of 3 values>"
