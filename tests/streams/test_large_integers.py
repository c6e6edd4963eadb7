"""Integers beyond 2**53, asked of streams of floats: compared exactly or refused, never rounded."""

from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.errors import UnsupportedKeys
from shadersort.streams import (
    CorrelatedSum,
    FrequencySummary,
    HierarchicalHeavyHitters,
    Histogram,
    QuantileSummary,
    SlidingFrequencies,
    SlidingQuantiles,
)
from shadersort.streams.quantiles.rank_answers import gaps

LARGE = 2**53
STREAM = [float(LARGE), float(LARGE), 0.5]

COUNTING: dict[str, Any] = {
    "frequencies": lambda: FrequencySummary(0.1).update(STREAM),
    "sliding": lambda: SlidingFrequencies(0.1, 100).update(STREAM),
    "last": lambda: SlidingFrequencies(0.1, 100).update([1.5, *STREAM]).last(3),
}
RANKING: dict[str, Any] = {
    "quantiles": lambda: QuantileSummary(0.1).update(STREAM),
    "sliding": lambda: SlidingQuantiles(0.1, 100).update(STREAM),
    "last": lambda: SlidingQuantiles(0.1, 100).update([1.5, *STREAM]).last(3),
    "sums": lambda: CorrelatedSum(0.1).update(STREAM, [1, 1, 1]),
}
NO_FLOATS: list[Any] = [LARGE + 1, [LARGE + 1], np.int64(LARGE + 1), np.array([3, LARGE + 1])]
BESIDE_FLOATS: list[Any] = [[0.5, LARGE + 1], (LARGE + 1, 0.5), [np.int64(LARGE + 1), 0.5]]


@pytest.mark.parametrize("name", COUNTING)
def test_no_item_is_another_one(name: str) -> None:
    summary = COUNTING[name]()
    for items in NO_FLOATS + BESIDE_FLOATS:
        with pytest.raises(UnsupportedKeys):
            summary.estimate(items)
        with pytest.raises(UnsupportedKeys):
            summary.bounds(items)
    assert summary.estimate([LARGE, 0.5, LARGE + 2]).tolist() == [2, 1, 0]


@pytest.mark.parametrize("name", RANKING)
def test_ranks_are_those_of_the_integers_themselves(name: str) -> None:
    summary = RANKING[name]()
    for side in ("left", "right"):
        assert summary.rank([LARGE - 1, LARGE, LARGE + 1], side=side).tolist() == [
            1,
            1 if side == "left" else 3,
            3,
        ]
        assert summary.rank(np.uint64(LARGE + 1), side=side) == 3
    for points in BESIDE_FLOATS:
        with pytest.raises(UnsupportedKeys, match="no float64 is 9007199254740993"):
            summary.rank(points)
    assert Histogram(summary, [0, LARGE - 1, LARGE + 1]).counts.tolist() == [1, 2]


def test_sums_are_up_to_the_integers_themselves() -> None:
    sums = CorrelatedSum(0.1).update([float(LARGE + 2), 1.0], [3, 5])
    assert sums.sum_up_to([LARGE + 1, LARGE + 2]).tolist() == [5, 8]


@pytest.mark.parametrize("beside", BESIDE_FLOATS)
def test_no_update_rounds_integers(beside: Any) -> None:
    for summary in (FrequencySummary(0.1), QuantileSummary(0.1), SlidingQuantiles(0.1, 10)):
        with pytest.raises(UnsupportedKeys, match="no float64 is 9007199254740993"):
            summary.update(beside)
        assert summary.update([LARGE, 0.5, 1e300, float("inf")]).n == 4


def test_a_list_of_integers_up_to_the_largest_is_taken() -> None:
    """NumPy makes float64 of them."""
    largest = 2**64 - 1
    for dtype in (None, "uint64"):
        summary = FrequencySummary(0.1, dtype=dtype).update([largest, 0]).update([largest])
        assert summary.most_common() == [(largest, 2), (0, 1)]
        assert summary.estimate([largest, 0, largest - 1]).tolist() == [2, 1, 0]
    assert QuantileSummary(0.1).update([largest, 0]).rank([0, largest - 1, largest]).tolist() == [
        1,
        1,
        2,
    ]
    for values in ([largest + 1, 0], [largest, -1]):
        with pytest.raises(UnsupportedKeys):
            FrequencySummary(0.1, dtype="uint64").update(values)


@pytest.mark.parametrize("name", ["float8_e5m2", "float8_e4m3fn", "int4", "bfloat16"])
def test_types_of_other_packages_are_refused_by_name(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    with pytest.raises(UnsupportedKeys, match=name):
        FrequencySummary(0.1, dtype=dtype)
    with pytest.raises(UnsupportedKeys, match=name):
        QuantileSummary(0.1).update(np.zeros(3, dtype))


def test_prefixes_are_integers() -> None:
    with pytest.raises(UnsupportedKeys):
        HierarchicalHeavyHitters(0.1).update(np.array([1], np.uint32)).estimate([LARGE + 1], 32)


@given(
    values=st.lists(st.floats(allow_nan=False), max_size=9),
    points=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=9),
    dtype=st.sampled_from(["float16", "float32", "float64"]),
    shift=st.sampled_from([0, 2**63]),
)
def test_gaps_of_any_integers(
    values: list[float], points: list[int], dtype: str, shift: int
) -> None:
    points = [each - shift for each in points]
    asked = np.array(points, np.int64 if shift else np.uint64)
    with np.errstate(over="ignore"):
        near = [np.float64(each) for each in points]
        floats = np.sort(np.array([*values, *near], np.float64).astype(dtype))
    exact = [Fraction(x) if np.isfinite(x) else x for x in floats.tolist()]
    below = [sum(x < each for x in exact) for each in points]
    up_to = [sum(x <= each for x in exact) for each in points]
    assert gaps(floats, asked, "left").tolist() == below
    assert gaps(floats, asked, "right").tolist() == up_to
