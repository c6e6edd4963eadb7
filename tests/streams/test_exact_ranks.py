"""Exact quantiles by reading again are those of NumPy, however few values may be kept."""

from collections import Counter
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.errors import InputChanged
from shadersort.keys.types import Keys
from shadersort.streams import QuantileSummary, SlidingQuantiles
from shadersort.streams.exact_ranks import ExactRanks

Q = [0.0, 0.01, 0.25, 0.5, 0.999, 1.0]
RANDOM = np.random.default_rng(16)
INT64 = np.iinfo(np.int64)
STREAMS: dict[str, Keys] = {
    "normal": RANDOM.normal(size=50_000),
    "in order": np.arange(50_000, dtype=np.float32),
    "one value": np.array([7]),
    "equal values": np.full(50_000, -2.5),
    "two values": RANDOM.integers(0, 2, 50_000, np.int8),
    "many duplicates": np.round(RANDOM.normal(size=50_000)).astype(np.float16),
    "one value nearly always": np.where(RANDOM.random(50_000) < 0.95, 3, np.arange(50_000)),
    "extremes": RANDOM.choice([INT64.min, INT64.min + 1, 0, INT64.max - 1, INT64.max], 50_000),
    "near extremes": INT64.max - RANDOM.integers(0, 1000, 50_000),
    "unsigned": np.iinfo(np.uint64).max - RANDOM.integers(0, 9, 50_000).astype(np.uint64),
    "zeros": RANDOM.choice([-0.0, 0.0], 50_000),
    "infinities": RANDOM.choice([-np.inf, -1.0, 2.0, np.inf], 50_000),
    "NaNs": np.where(RANDOM.random(50_000) < 0.3, np.nan, RANDOM.normal(size=50_000)),
}


def reads(exact: ExactRanks, stream: Keys, piece: int = 7001) -> int:
    """Read a stream until everything is found; return how often."""
    for number in count(1):
        for first in range(0, len(stream), piece):
            exact.update(stream[first : first + piece])
        if exact.finish_read():
            return number
    raise AssertionError


def expected(stream: Keys, q: Any = Q) -> list[Any]:
    numbers = stream[~np.isnan(stream)]
    found: list[Any] = np.quantile(numbers, q, method="inverted_cdf").tolist()
    return found


@pytest.mark.parametrize("name", list(STREAMS))
@pytest.mark.parametrize("epsilon", [0.001, 0.05, 0.7])
def test_quantiles_and_counts_are_those_of_numpy(name: str, epsilon: float) -> None:
    stream = STREAMS[name]
    points = [*stream[:3], np.array(0.5), np.array(INT64.max), np.array(-np.inf)]
    points = [each for each in points if each == each]
    summary = QuantileSummary(epsilon).update(stream)
    for room in (1 << 22, 300):
        exact = ExactRanks(summary, Q, points, room=room)
        assert reads(exact, stream) <= (2 if room > 300 else 8)
        assert exact.quantiles().tolist() == expected(stream)
        assert exact.quantiles().dtype == summary.dtype
        counts = Counter(stream[~np.isnan(stream)].tolist())
        assert exact.at_most.tolist() == [
            sum(times for value, times in counts.items() if value <= each.item()) for each in points
        ]


def test_few_values_are_kept() -> None:
    stream = RANDOM.normal(size=2_000_000)
    exact = ExactRanks(QuantileSummary(0.3).update(stream), [0.3, 0.5], room=10_000)
    most = 0
    while not exact.update(stream).finish_read():
        most = max(most, sum(gap.n for gap in exact._gaps.values() if gap._summary is None))
    assert exact.quantiles().tolist() == expected(stream, [0.3, 0.5])
    assert most <= 10_000


@given(
    st.lists(st.integers(-3, 3) | st.integers(INT64.min, INT64.max), min_size=1, max_size=60),
    st.lists(st.floats(0, 1), min_size=1, max_size=5),
    st.integers(1, 9),
    st.sampled_from([0.1, 0.5, 0.99]),
)
def test_any_stream_and_room(values: list[int], q: list[float], room: int, epsilon: float) -> None:
    stream = np.array(values, np.int64).repeat(40)
    summary = QuantileSummary(epsilon).update(stream)
    exact = ExactRanks(summary, q, room=room)
    reads(exact, stream, 997)
    assert exact.quantiles().tolist() == expected(stream, q)


@pytest.mark.parametrize("window", [10, 5000, 30_000])
@pytest.mark.parametrize("room", [1 << 22, 100])
def test_the_last_values(window: int, room: int) -> None:
    stream = STREAMS["NaNs"]
    summary = SlidingQuantiles(0.1, window, shortest=window).update(stream)
    numbers = stream[~np.isnan(stream)]
    exact = ExactRanks(summary, Q, [np.array(0.1)], skipped=len(numbers) - window, room=room)
    reads(exact, stream)
    assert exact.quantiles().tolist() == expected(numbers[-window:])
    assert exact.at_most.tolist() == [(numbers[-window:] <= 0.1).sum()]


@pytest.mark.parametrize("change", [lambda s: s[1:], lambda s: np.append(s, 3), lambda s: s + 1e6])
def test_a_stream_that_changed_is_noticed(change: Any) -> None:
    stream = STREAMS["normal"]
    exact = ExactRanks(QuantileSummary(0.05).update(stream), [0.5])
    with pytest.raises(InputChanged, match="again"):
        reads(exact, change(stream))
