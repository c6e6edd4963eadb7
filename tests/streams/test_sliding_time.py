"""Windows that values leave by count or by time: every answer is about those still in it."""

import pickle
from collections.abc import Callable
from copy import copy
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from shadersort.errors import BadOption, EmptyInput, NotMergeable, TooManyKeys
from shadersort.keys.types import Keys
from shadersort.streams import SlidingFrequencies, SlidingQuantiles
from shadersort.streams.summary import Summary
from tests.streams.adversaries import ADVERSARIES, STREAMS, draws
from tests.streams.exact import assert_counts_within, assert_ranks_within

KINDS = [SlidingQuantiles, SlidingFrequencies]
GAPS: dict[str, Callable[..., Any]] = {
    "steady": lambda random, n: random.exponential(1, n),
    "all equal": lambda random, n: np.zeros(n),
    "ties": lambda random, n: random.integers(0, 2, n),
    "bursts": lambda random, n: (random.random(n) < 0.02) * random.integers(0, 300, n),
    "long silence": lambda random, n: np.where(random.random(n) < 0.01, 1e4, 0.01),
}
"""How the times of values grow, by name."""


def assert_within(summary: Any, alive: Keys, n: int | None = None) -> None:
    """The answers about the values in the window, or the last n of them, are as promised."""
    if not len(alive):
        with pytest.raises(EmptyInput, match="left the window"):
            summary.last(1).n or summary.last(1)._answer()
        assert "window" in summary._repr_html_()
        return
    values, epsilon = alive if n is None else alive[-n:], summary.epsilon
    asked = summary.last(min(n or summary.window, summary.window))
    least = max(len(values), summary._shortest)
    if isinstance(summary, SlidingQuantiles):
        assert_ranks_within(asked if n else summary, values, epsilon * least, extremes=False)
    elif len(values) == least:
        assert_counts_within(asked, values)
    else:
        items, counts = np.unique(values, return_counts=True)
        off = counts - asked.estimate(items)
        assert off.min() >= 0
        assert off.max() <= asked.count_error <= epsilon * least


@pytest.mark.explores
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ADVERSARIES)
def test_expired_values_count_no_more(name: str, kind: Any) -> None:
    for random, stream in draws(name, 6_000, count=STREAMS // 150):
        window, printed = int(random.integers(2, 3_000)), bool(random.random() < 0.3)
        summary = kind(random.choice([0.5, 0.2, 0.05]), window, as_printed=printed)
        first = 0
        for part in np.array_split(stream, 7):
            end = summary.update(part).n
            first = max(first, end - window)
            leaving = int(random.integers(0, end - first + 1)) * int(random.integers(2))
            first += leaving
            assert summary.expire(leaving).window_count == end - first
            if random.random() < 0.5:
                summary = Summary.from_bytes(summary.to_bytes())
            assert_within(summary, stream[first:end])
            assert_within(summary, stream[first:end], int(random.integers(1, window + 1)))


@pytest.mark.explores
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("gaps", GAPS)
def test_a_window_has_the_values_of_its_time(gaps: str, kind: Any) -> None:
    for name in ADVERSARIES:
        for random, stream in draws(name, 10_000, count=1 + STREAMS // 10_000):
            stream += 0  # bytes may have either zero for −0.0
            times = np.cumsum(GAPS[gaps](random, stream.size)).astype(float)
            seconds = float(np.ptp(times) * random.choice([1, 0.3, 0.01]) + 0.5)
            shortest, epsilon = int(random.choice([1, 200])), random.choice([0.9, 0.3, 0.05])
            summary = kind(epsilon, seconds, limit=stream.size + 200, shortest=shortest)
            cuts = random.integers(1, stream.size + 1, random.choice([1, 30]))
            for begin, end in pairwise(np.unique([0, *cuts, stream.size])):
                now = times[end - 1]
                summary.update(stream[begin:end], times=times[begin:end])
                if random.random() < 0.2:
                    now = min([now + random.exponential(seconds / 2), *times[end : end + 1]])
                    summary.update([], times=now)
                alive = stream[:end][times[:end] > now - seconds]
                if random.random() < 0.3:
                    summary = kind.from_bytes(summary.to_bytes())
                    more = len(alive) - summary.window_count
                    assert 0 <= more <= epsilon / 8 * max(len(alive), shortest)
                    assert_within(summary, alive)
                    assert_within(summary, alive, int(random.integers(1, stream.size + 1)))
            assert pickle.loads(pickle.dumps(summary)) == copy(summary) == summary
            at_once = kind(epsilon, seconds, limit=summary.window, shortest=shortest)
            assert at_once.update(stream, times=times).update([], times=now) == summary


def test_few_times_are_kept() -> None:
    summary = SlidingQuantiles(0.1, 1e9, limit=1 << 20, shortest=1 << 20)
    most = 0
    for start in range(0, 1 << 20, 1 << 14):
        summary.update(np.zeros(1 << 14), times=np.arange(start, start + (1 << 14)))
        most = max(most, len(summary._extent.times))
    assert most < 6_000


def test_times_are_numbers_dates_or_one_for_all() -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    dates = [begin + timedelta(seconds=second) for second in range(9)]
    stream = np.array([*range(8), np.nan])
    numbers = [date.timestamp() for date in dates]
    expected = SlidingQuantiles(0.1, 3.0).update(stream, times=numbers)
    assert (expected.window_count, expected.nans, expected.minimum) == (2, 1, np.float64(6))
    bare = [date.replace(tzinfo=None) for date in dates]
    for times in (dates, bare, np.array(bare, "M8[ms]")):
        for window in (3.0, timedelta(seconds=3), np.timedelta64(3, "s")):
            assert SlidingQuantiles(0.1, window).update(stream, times=times) == expected
    assert SlidingQuantiles(0.1, 3.0).update(iter(stream), times=iter(dates)) == expected
    assert repr(expected).startswith(
        "<SlidingQuantiles(epsilon=0.1, window=3.0, limit=1000000000, shortest=1): 8 values in "
    )
    expected.update([9.0, 10.0], times=dates[-1])
    assert expected.update([], times=dates[-1]).window_count == 4
    assert expected.update([], times=numbers[-1] + 60).window_count == 0


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be(kind: Any) -> None:
    summary = kind(0.1, 10.0, limit=5).update([1.0, 2.0], times=[3, 3])
    before = summary.to_bytes()
    for values, times in (
        *(([1.0], 2), ([1.0, 2.0], [5, 4]), ([1.0, 2.0], [5]), ([1.0], np.nan), ([1.0], "now")),
        *(([1.0], None), (iter([[1.0], [2.0]]), iter([7, 6])), ([], -1), ([1.0], [[5]])),
    ):
        with pytest.raises(BadOption):
            summary.update(values, times=times)
    with pytest.raises(TooManyKeys, match="limit=5"):
        summary.update(np.zeros(4), times=4)
    with pytest.raises(BadOption, match="their times"):
        summary.expire(1)
    with pytest.raises(NotMergeable):
        summary.merge(summary.copy())
    assert summary.to_bytes() == before
    last = kind(0.1, 10).update([1.0, 2.0, 3.0])
    for count in (4, -1, 1.5, True, None):
        with pytest.raises(BadOption):
            last.expire(count)
    assert last == last.copy().expire(0)
    with pytest.raises(BadOption, match="seconds"):
        last.update([1.0], times=5)
    for options in ({"window": 0.0}, {"window": np.inf}, {"window": 9, "limit": 9}):
        with pytest.raises(BadOption):
            kind(0.1, **options)
    with pytest.raises(BadOption, match="printed"):
        kind(0.1, 5.0, as_printed=True)
