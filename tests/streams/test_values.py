"""Values and questions of every type: taken and compared exactly or refused, never changed."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shadersort as ss
from shadersort.errors import KeysNotFlat, UnsupportedKeys

STREAM = np.random.default_rng(6).normal(size=1_001).astype(np.float32)


def quantiles(*parts: Any, **options: Any) -> ss.QuantileSummary:
    summary = ss.QuantileSummary(0.5, **options)
    for part in parts:
        summary.update(part)
    return summary


def test_nans_are_counted_and_left_out() -> None:
    spoilt = np.insert(STREAM, [0, 5, 50, 1_001], np.nan)
    summary = quantiles(spoilt)
    assert (summary.n, summary.nans) == (1_001, 4)
    assert summary.rank_bounds(0) == quantiles(STREAM).rank_bounds(0)
    assert "4 NaNs left out" in repr(summary)
    assert "<th>NaNs left out</th><td>4</td>" in summary._repr_html_()
    sliding = ss.SlidingFrequencies(0.05, 2_500)
    sliding.update(np.repeat(np.array([1, np.nan, 2], np.float32), [3_000, 5, 2_000]))
    assert (sliding.n, sliding.nans) == (5_000, 5)
    assert sliding.estimate([1, 2]).tolist() == [500, 2_000]


def test_scalars_lists_and_arrays_are_alike() -> None:
    middle = [float(value) for value in STREAM[20:40]]
    parts = *STREAM[:20], middle, float(STREAM[40]), STREAM[41:].astype(">f4")
    options: dict[str, Any] = {"dtype": "float32", "expected": 9_000, "as_printed": True}
    assert quantiles(*parts, **options) == quantiles(STREAM, **options)
    assert quantiles(*parts[:-1], dtype="float32") == quantiles(*STREAM[:41], dtype="float32")
    nothing = quantiles([])
    assert nothing.dtype is None
    assert nothing == quantiles()


def broken() -> Iterator[Any]:
    yield STREAM
    yield STREAM.reshape(1, -1)


def test_what_is_no_stream_is_refused_and_leaves_the_summary_as_it_was() -> None:
    summary = quantiles(STREAM[:13])
    before = summary.to_bytes()
    refused: list[Any] = [
        *(["1", "2"], "17", None, [1, [2]], {3, 4}, 1e300, 1 << 70, np.array([0.1])),
        *(np.array([True]), np.array([1j]), np.array(["2005-06-14"], "M8[D]")),
        *(np.array([1], np.longdouble), np.ma.masked_array([1.0, 2.0], [True, False])),
    ]
    for values in refused:
        with pytest.raises(UnsupportedKeys):
            summary.update(values)
        assert summary.to_bytes() == before
    for values in (np.zeros((2, 2), np.float32), broken()):
        with pytest.raises(KeysNotFlat):
            summary.update(values)
        assert summary.to_bytes() == before
    summary.update(STREAM[13:])
    assert summary == quantiles(STREAM[:13], STREAM[13:])


def test_values_of_other_types_are_taken_if_nothing_is_lost() -> None:
    summary = quantiles(np.array([1, 2], "int32"), np.array([3, 4], "float64"), np.int8(-5))
    assert [each.value for each in summary] == [-5, 1, 2, 3, 4]
    for first, bad in (
        *(("int32", 0.5), ("int32", 1 << 31), ("int32", np.array([1 << 63], "uint64"))),
        *(("int32", np.array([np.inf], "float32")), ("int32", np.array([np.nan]))),
        *(("uint64", np.array([-1])), ("float64", np.array([(1 << 53) + 1]))),
    ):
        with pytest.raises(UnsupportedKeys):
            quantiles(np.array([1], first), bad)


def test_types_of_other_packages_are_refused_by_name() -> None:
    for name in ("float8_e5m2", "float8_e4m3fn", "int4", "bfloat16"):
        keys = np.zeros(3, getattr(ml_dtypes, name))
        with pytest.raises(UnsupportedKeys, match=name):
            ss.FrequencySummary(0.1, dtype=keys.dtype)
        with pytest.raises(UnsupportedKeys, match=name):
            ss.QuantileSummary(0.1).update(keys)


COUNTING: list[Any] = [partial(ss.FrequencySummary, 0.1), partial(ss.SlidingFrequencies, 0.1, 90)]
RANKING: list[Any] = [partial(ss.QuantileSummary, 0.1), partial(ss.SlidingQuantiles, 0.1, 90)]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_what_was_taken_is_found_again(dtype: str) -> None:
    """Python's floats are rounded to the type of the stream, in updates and in questions."""
    given = [0.1, 1 / 3, 2.7, 1e-30, -0.1, 60_000.1, -0.0]
    rounded = np.array(given, dtype)
    for make in RANKING:
        summary: Any = make(dtype=dtype).update(given).update(0.1)
        ranks = [int(np.sum(rounded <= value)) + bool(value >= rounded[0]) for value in rounded]
        assert summary.rank(given).tolist() == [summary.rank(each) for each in given] == ranks
        assert np.all(summary.rank(given) > summary.rank(given, side="left"))
        bins = ss.Histogram(summary, [-1.0, 0.1, 70_000.0])
        assert bins.counts.tolist() == [ranks[0], 8 - ranks[0]]
    for make in COUNTING:
        counts: Any = make(dtype=dtype).update(given).update(0.1)
        assert counts.estimate(0.1) == 2
        assert counts.estimate(given).tolist() == [2, 1, 1, *counts.estimate(given[3:])]
    sums = ss.CorrelatedSum(0.1, dtype=dtype).update(given, [1.0] * 7)
    assert sums.sum_up_to(given).tolist() == sums.rank(given).tolist()


def test_numbers_that_say_their_type_are_compared_exactly_or_refused() -> None:
    tenth = np.float64(0.1)
    for make in RANKING:
        summary: Any = make(dtype="float32").update(0.1)
        assert [summary.rank(each) for each in (0.1, np.float32(0.1), tenth)] == [1, 1, 0]
        assert summary.rank(np.array([0.1])).tolist() == [0]
    for make in COUNTING:
        counts: Any = make(dtype="float32").update(0.1)
        assert [counts.estimate(each) for each in (0.1, np.float32(0.1), [0.1])] == [1, 1, [1]]
        for bad in (tenth, np.array([0.1])):
            for refuses in (counts.estimate, counts.update):
                with pytest.raises(UnsupportedKeys, match="convert them"):
                    refuses(bad)


LARGE = 2**53
LARGE_STREAM = [float(LARGE), float(LARGE), 0.5]
NO_FLOATS: list[Any] = [LARGE + 1, [LARGE + 1], np.int64(LARGE + 1), np.array([3, LARGE + 1])]
BESIDE_FLOATS: list[Any] = [[0.5, LARGE + 1], (LARGE + 1, 0.5), [np.int64(LARGE + 1), 0.5]]


@pytest.mark.parametrize("make", COUNTING)
def test_no_item_is_another_one(make: Any) -> None:
    whole = make().update(LARGE_STREAM)
    for summary in (whole, whole.last(3)) if hasattr(whole, "last") else (whole,):
        for items in NO_FLOATS + BESIDE_FLOATS:
            for asks in (summary.estimate, summary.bounds):
                with pytest.raises(UnsupportedKeys):
                    asks(items)
        assert summary.estimate([LARGE, 0.5, LARGE + 2]).tolist() == [2, 1, 0]


def test_ranks_are_those_of_the_integers_themselves() -> None:
    ranking: list[Any] = [make().update(LARGE_STREAM) for make in RANKING]
    sums = ss.CorrelatedSum(0.1).update(LARGE_STREAM, [1, 1, 1])
    for summary in (*ranking, ranking[1].last(3), sums):
        for side, here in (("left", 1), ("right", 3)):
            found = summary.rank([LARGE - 1, LARGE, LARGE + 1], side=side)
            assert found.tolist() == [1, here, 3]
            assert summary.rank(np.uint64(LARGE + 1), side=side) == 3
        for points in BESIDE_FLOATS:
            with pytest.raises(UnsupportedKeys, match="no float64 is 9007199254740993"):
                summary.rank(points)
        assert ss.Histogram(summary, [0, LARGE - 1, LARGE + 1]).counts.tolist() == [1, 2]
    sums = ss.CorrelatedSum(0.1).update([float(LARGE + 2), 1.0], [3, 5])
    assert sums.sum_up_to([LARGE + 1, LARGE + 2]).tolist() == [5, 8]


@pytest.mark.parametrize("beside", BESIDE_FLOATS)
def test_no_update_rounds_integers(beside: Any) -> None:
    for summary in (make() for make in COUNTING + RANKING):
        with pytest.raises(UnsupportedKeys, match="no float64 is 9007199254740993"):
            summary.update(beside)
        assert summary.update([LARGE, 0.5, 1e300, float("inf")]).n == 4


def test_a_list_of_integers_up_to_the_largest_is_taken() -> None:
    """NumPy makes float64 of them."""
    largest = 2**64 - 1
    for dtype in (None, "uint64"):
        summary = ss.FrequencySummary(0.1, dtype=dtype).update([largest, 0]).update([largest])
        assert summary.most_common() == [(largest, 2), (0, 1)]
        assert summary.estimate([largest, 0, largest - 1]).tolist() == [2, 1, 0]
    ranks = ss.QuantileSummary(0.1).update([largest, 0]).rank([0, largest - 1, largest])
    assert ranks.tolist() == [1, 1, 2]
    for values in ([largest + 1, 0], [largest, -1]):
        with pytest.raises(UnsupportedKeys):
            ss.FrequencySummary(0.1, dtype="uint64").update(values)
    with pytest.raises(UnsupportedKeys):
        ss.HierarchicalHeavyHitters(0.1).update(np.array([1], np.uint32)).estimate([LARGE + 1], 32)


@given(
    values=st.lists(st.floats(allow_nan=False), max_size=9),
    points=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=9),
    dtype=st.sampled_from(["float16", "float32", "float64"]),
    shift=st.sampled_from([0, 2**63]),
)
def test_ranks_of_any_integers(
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
    summary = ss.QuantileSummary(0.1).update(floats)
    assert summary.rank(asked, side="left").tolist() == below
    assert summary.rank(asked, side="right").tolist() == up_to
