"""Segments of a flat array: the answers are those of each segment alone."""

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import modern
from modern.rows import segments as rows_of_segments
from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.names import QuantileMethod
from tests.modern.test_axes import TYPES, agree, quiet

METHODS: list[QuantileMethod] = ["linear", "inverted_cdf", "averaged_inverted_cdf", "midpoint"]


def each(x: Keys, offsets: Any, ask: Any) -> Any:
    """What each segment alone answers, along the last axis; `ask` gets a segment and its place."""
    rows = [x[start:end] for start, end in pairwise(offsets)]
    return np.stack([np.asarray(quiet(ask, row, place)) for place, row in enumerate(rows)], -1)


def random_segments(rng: np.random.Generator, least: int) -> tuple[Keys, Any]:
    """Keys, some NaN, and offsets of segments that leave some keys out at both ends."""
    lengths = rng.integers(least, rng.choice([3, 9, 40]), rng.integers(1, 12))
    offsets = np.concatenate([[0], np.cumsum(lengths)]) + rng.integers(0, 4)
    x = rng.integers(0, 9, int(offsets[-1]) + 3).astype(str(rng.choice(TYPES)))
    if x.dtype.kind == "f":
        x[rng.random(x.size) < rng.choice([0, 0.2])] = np.nan
    return (x, x[::-1].copy()[::-1])[rng.integers(2)], offsets


def test_random_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    for most in np.repeat([1, 20, 1 << 20], 50):
        monkeypatch.setattr(rows_of_segments, "MOST", int(most))
        x, offsets = random_segments(rng, 1)
        least = int(np.diff(offsets).min())
        assert_ranks(x, offsets, rng.integers(-least, least, (2, 3)))
        assert_medians(x, offsets, rng.integers(1, 5, x.size))
        for nan in ("", "nan"):
            method = METHODS[rng.integers(len(METHODS))]
            quantile = partial(getattr(modern, f"{nan}quantile"), method=method)
            assert_quantiles(x, offsets, quantile, rng)


def assert_ranks(x: Keys, offsets: Any, ks: Any) -> None:
    k = int(ks[0, 0])
    found = modern.select(x, k, segments=offsets)
    agree(found, each(x, offsets, lambda row, _: np.sort(row, kind="stable")[k]))
    many = modern.multiselect(x, ks, segments=offsets)
    agree(many, each(x, offsets, lambda row, _: np.sort(row, kind="stable")[ks]))


def assert_medians(x: Keys, offsets: Any, weights: Any) -> None:
    native: Any = x.astype(x.dtype.newbyteorder("="))
    calls: Any = ((modern.median, np.median), (modern.nanmedian, np.nanmedian))
    for call, by_numpy in calls:
        found = quiet(call, x, segments=offsets)
        agree(found, each(native, offsets, lambda row, _, ask=by_numpy: ask(row)))
    rows = each(np.arange(x.size), offsets, lambda at, _: (at[0], at[-1] + 1)).T
    expected = [quiet(modern.nanmedian, x[a:b], weights=weights[a:b]) for a, b in rows]
    agree(quiet(modern.nanmedian, x, segments=offsets, weights=weights), np.array(expected))


def assert_quantiles(x: Keys, offsets: Any, quantile: Any, rng: np.random.Generator) -> None:
    q, own = rng.random(2), rng.random((3, len(offsets) - 1))
    found = quiet(quantile, x, q, segments=offsets)
    expected = each(x, offsets, lambda row, _: quantile(row, q))
    agree(found, expected.astype(quantile(np.ones(1, x.dtype), q).dtype))
    found = quiet(quantile, x, own, segments=offsets, q_per_row=True)
    expected = each(x, offsets, lambda row, place: quantile(row, own[:, place]))
    agree(found, expected.astype(found.dtype))


def test_segments_without_keys() -> None:
    x, offsets = np.array([3, 1, 2], "float32"), [0, 0, 2, 2, 3]
    expected = np.array([np.nan, 2, np.nan, 2], "float32")
    agree(modern.median(x, segments=offsets), expected)
    agree(modern.quantile(x, 0.5, segments=offsets, method="linear"), expected)
    agree(modern.median(np.array([3, 1, 2]), segments=offsets), expected.astype(np.float64))
    empties: Any = ((modern.nanmedian, ()), (modern.nanquantile, (0.5,)))
    for call, more in empties:
        with pytest.warns(RuntimeWarning, match="segment 0 has no keys"):
            agree(call(x, *more, segments=offsets), expected)
    times = np.array([5, 3, 7], "M8[s]")
    found = modern.quantile(times, 1.0, segments=offsets, method="lower")
    agree(found, np.array(["NaT", 5, "NaT", 7], "M8[s]"))
    ranks: Any = ((modern.select, (0,)), (modern.multiselect, ([0, 1],)))
    for call, more in ranks:
        with pytest.raises(errors.EmptyInput, match="segment 0 has no keys"):
            call(x, *more, segments=offsets)
    with pytest.raises(errors.EmptyInput, match="int64 has no NaN"):
        modern.quantile([3, 1, 2], 0.5, segments=offsets, method="lower")
    agree(modern.median(x, segments=[1]), np.empty(0, "f4"))
    agree(modern.select(x, 0, segments=[3]), np.empty(0, "f4"))
    agree(modern.median(x[:0], segments=[0, 0]), np.array([np.nan], "float32"))


@given(st.lists(st.integers(0, 40), max_size=60))
def test_parts_have_all_segments_once(lengths: list[int]) -> None:
    found = rows_of_segments.segments_of(np.cumsum([0, *lengths]), sum(lengths))
    parts = list(found.parts())
    places = sorted(place for part in parts for place in part.places.tolist())
    assert places == [place for place, length in enumerate(lengths) if length]
    for part in parts:
        assert {lengths[place] for place in part.places} == {part.length}


def test_out_and_unsigned_offsets() -> None:
    x, out = np.arange(10.0), np.empty(2)
    assert modern.median(x, segments=np.array([0, 4, 10], "uint32"), out=out) is out
    agree(out, np.array([1.5, 6.5]))


@pytest.mark.gpu
def test_segments_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    import cupy

    rng = np.random.default_rng(3)
    for most in np.repeat([1, 20, 1 << 20], 10):
        monkeypatch.setattr(rows_of_segments, "MOST", int(most))
        x, offsets = random_segments(rng, 1)
        x = x.astype(x.dtype.newbyteorder("="))
        given, weights = cupy.asarray(x), rng.integers(1, 5, x.size)
        for name, more in (
            *(("select", (0,)), ("multiselect", ([0, -1],)), ("median", ()), ("nanmedian", ())),
            *(("quantile", ([0.1, 0.9],)), ("nanquantile", ([0.1, 0.9],))),
        ):
            call = getattr(modern, name)
            expected = quiet(call, x, *more, segments=offsets)
            agree(quiet(call, given, *more, segments=cupy.asarray(offsets)).get(), expected)
        expected = quiet(modern.nanmedian, x, segments=offsets, weights=weights)
        agree(quiet(modern.nanmedian, given, segments=offsets, weights=weights).get(), expected)


X = np.arange(12.0)
BAD: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    (X, {"segments": [0, 5, 4]}, errors.BadSegments, "offset 2 is 4, and the one before it 5"),
    (X, {"segments": np.array([5, 4], "uint8")}, errors.BadSegments, "segments ascend"),
    (X, {"segments": [-1, 5]}, errors.BadSegments, "begin at 0 or later, not at -1"),
    (X, {"segments": [0, 13]}, errors.BadSegments, "end at 13, and there are 12 keys"),
    (X, {"segments": []}, errors.BadSegments, "float64 of shape"),
    (X, {"segments": [0.0, 1.0]}, errors.BadSegments, "not float64"),
    (X, {"segments": [[0, 1]]}, errors.BadSegments, "one dimension"),
    (X, {"segments": [0, 4], "axis": 0}, errors.BadOption, "no axis and no keepdims"),
    (X, {"segments": [0, 4], "keepdims": True}, errors.BadOption, "no axis and no keepdims"),
    (
        X,
        {"segments": [0, 4], "method": "radix"},
        errors.MethodUnavailable,
        "without method='radix'",
    ),
    (X, {"segments": [0, 4], "out": np.zeros(2)}, errors.BadOption, r"out has \(2,\)"),
    (X[None], {"segments": [0, 4]}, errors.KeysNotFlat, "1 dimension, not 2"),
    (X, {"segments": [0, 4], "k": 4}, errors.RankOutOfRange, "segment 0: rank 4 of 4 keys"),
    (X, {"segments": [0, 4, 7], "k": -4}, errors.RankOutOfRange, "segment 1: rank -4 of 3 keys"),
    (X, {"segments": [0, 4], "k": 1.5}, errors.BadRank, "a rank is an integer"),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad[3])
def test_bad_input(bad: tuple[Any, dict[str, Any], type[Exception], str]) -> None:
    x, options, error, words = bad
    with pytest.raises(error, match=words):
        modern.select(x, **{"k": 0, **options})


def test_weights_of_segments_have_the_shape_of_the_keys() -> None:
    with pytest.raises(errors.BadWeights, match="Shape of weights must be consistent"):
        modern.median(X, segments=[0, 12], weights=[1, 2])
    with pytest.raises(errors.ValuesMismatch, match=r"\(2,\), not \(3,\)"):
        modern.quantile(X, [0.1, 0.2, 0.3], segments=[0, 5, 9], q_per_row=True)
