"""Every primitive against its definition in one line of NumPy."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.errors import AnswerRefuted, KeysNotFlat, MethodUnavailable, UnsupportedKeys
from shadersort.keys.codes import code
from shadersort.keys.types import Key, Keys
from shadersort.selection.primitives import Buckets, NumPyPrimitives, Primitives
from shadersort.selection.primitives.buckets import dense_buckets
from shadersort.selection.primitives.numpy import SEVERAL
from shadersort.selection.primitives.protocol import CALLS
from shadersort.selection.primitives.values import Counts, Traffic, Tuning
from tests.selection.inputs import ANY_KEYS, keys_and_pivots, telling


def order(keys: Keys, pivot: Key) -> Any:
    """Whether keys come before a pivot (−1), with it (0) or after it (1), by the sort of both."""
    both = np.append(keys, pivot)
    places = np.searchsorted(np.unique(both), both)
    return np.sign(places[:-1] - places[-1])


def finite(keys: Keys) -> Keys:
    return keys[np.isfinite(keys)]


def exact(keys: Any) -> list[Any]:
    """The keys as numbers of Python."""
    return [int(key) if keys.dtype.kind != "f" else float(key) for key in keys]


@given(ANY_KEYS)
def test_extent(keys: Keys) -> None:
    extent = NumPyPrimitives(keys).extent()
    rest = finite(keys)
    assert extent.finite == rest.size
    if rest.size:
        assert (extent.low, extent.high) == (rest.min(), rest.max())
        scale = float(np.abs(rest.astype(float)).max()) * rest.size
        assert np.isinf(scale) or abs(extent.total - sum(exact(rest))) <= 1e-9 * scale
    assert extent.nans == np.isnan(keys).sum()
    assert extent.minus_infinite == (keys == -np.inf).sum()
    assert extent.plus_infinite == (keys == np.inf).sum()


@given(keys_and_pivots())
def test_counts(given: tuple[Keys, Key, Key, Key]) -> None:
    keys, *pivots = given
    some = NumPyPrimitives(keys)
    for pivot in pivots:
        placed = order(keys, pivot)
        assert some.counts(pivot) == tuple((placed == each).sum() for each in (-1, 0, 1))
    many = np.resize(np.concatenate([keys, telling(keys.dtype.name)]), SEVERAL + 1)
    for each in (np.array(pivots, keys.dtype), many):
        before = some.traffic.read
        found = some.counts_at(each)
        assert some.traffic.read == before + keys.size
        assert found.T.tolist() == [list(some.counts(pivot)[:2]) for pivot in each]


@given(keys_and_pivots(2), st.booleans())
def test_between(given: tuple[Keys, Key, Key], closed: bool) -> None:
    keys, low, high = given
    at_low, at_high = order(keys, low), order(keys, high)
    inside = (at_low > 0) & (at_high < 0)
    if closed:  # an end is in, where ends are crossed
        inside |= (at_low == 0) | (at_high == 0)
    some = NumPyPrimitives(keys)
    for ends, chosen in (
        ((low, high), inside),
        ((None, high), at_high < closed),
        ((low, None), at_low > -closed),
    ):
        copy = some.between(*ends, closed=closed)
        np.testing.assert_array_equal(np.sort(copy.keys), np.sort(keys[chosen]))
    low, high = sorted((low, high), key=code)
    *counts, parted = some.split(low, high)
    assert counts == [some.counts(low), some.counts(high)]
    assert isinstance(parted, NumPyPrimitives)
    np.testing.assert_array_equal(parted.keys, some.between(low, high).keys)


@given(keys_and_pivots())
def test_objective(given: tuple[Keys, Key, Key, Key]) -> None:
    keys, low, high, pivot = given
    if not np.isfinite(pivot):
        return
    at = NumPyPrimitives(keys).objective(pivot, low, high)
    inside = exact(finite(keys[(order(keys, low) > 0) & (order(keys, high) < 0)]))
    (y,) = exact(np.array([pivot]))
    assert at.counts == NumPyPrimitives(keys).counts(pivot)
    assert at.below == pytest.approx(float(sum(y - x for x in inside if x < y)), rel=1e-12)
    assert at.above == pytest.approx(float(sum(x - y for x in inside if x > y)), rel=1e-12)


def test_log_objective() -> None:
    keys = np.array([1.0, 2, 3, 50, 1e20, np.inf, np.nan])
    at = NumPyPrimitives(keys).log_objective(keys[2], None, None, keys[0])
    mapped = np.log(1 + keys[:5] - 1)
    assert at.below == pytest.approx(np.maximum(mapped[2] - mapped, 0).sum())
    assert at.above == pytest.approx(np.maximum(mapped - mapped[2], 0).sum())


@settings(max_examples=40)
@given(ANY_KEYS, st.data())
def test_sorts_and_ranks(keys: Keys, data: st.DataObject) -> None:
    some, ordered = NumPyPrimitives(keys), np.sort(keys, kind="stable")
    np.testing.assert_array_equal(some.sort().take(range(keys.size)), ordered)
    ranks = data.draw(st.lists(st.integers(0, keys.size - 1), min_size=1))
    found, below, equal = some.look_up_ranks(ranks)
    np.testing.assert_array_equal(found, ordered[ranks])
    assert found.dtype == some.sort().take([-1]).dtype == keys.dtype
    counts = [some.counts(each)[:2] for each in found]
    assert list(zip(below, equal, strict=True)) == counts
    one = some.one_read(ranks[0])
    assert (one.code, one.below, one.equal) == (code(found[0]), below[0], equal[0])


@given(ANY_KEYS, st.data())
def test_buckets(keys: Keys, data: st.DataObject) -> None:
    """They keep the order and hold every key inside; an edge starts its interval."""
    edges = np.unique(finite(keys))[:: data.draw(st.integers(1, 3))]
    edges = edges if edges.size > 1 else np.array([0, 1], keys.dtype)
    buckets = Buckets(edges, data.draw(st.integers(1, 20)))
    found = buckets.assign(keys)
    inside = (keys >= edges[0]) & (keys <= edges[-1])
    np.testing.assert_array_equal(found >= 0, inside)
    assert found.max(initial=0) < buckets.count
    assert np.all(np.diff(found[inside][np.argsort(keys[inside], kind="stable")]) >= 0)
    starts = np.arange(len(edges) - 1) * buckets.per_interval
    np.testing.assert_array_equal(buckets.assign(edges[:-1]), starts)
    assert buckets.assign(edges[-1:]) // buckets.per_interval == len(edges) - 2
    bucket = data.draw(st.integers(0, buckets.count - 1))
    low, high = buckets.bounds(bucket)
    np.testing.assert_array_equal((keys >= low) & (keys <= high), found == bucket)
    some = NumPyPrimitives(keys)
    chosen = sorted(data.draw(st.sets(st.integers(0, buckets.count - 1))))
    expected = keys[np.isin(found, chosen)]
    histogram = NumPyPrimitives(keys).bucket_histogram(buckets)
    assert histogram.shape == (buckets.count,)
    assert expected.size == histogram[chosen].sum()
    copy = some.of_buckets(buckets, chosen, count=expected.size)
    assert copy.traffic is some.traffic
    assert some.traffic == Traffic(1, keys.size, expected.size)
    np.testing.assert_array_equal(copy.keys, expected)


def test_widths_that_overflow_or_vanish() -> None:
    limits = np.finfo(np.float64)
    keys = np.array([-limits.max, -1e307, 0, limits.max])
    assert Buckets(keys[[0, -1]], 4).assign(keys).tolist() == [0, 1, 2, 3]
    keys = np.arange(5) * limits.smallest_subnormal
    assert Buckets(keys[[0, -1]], 4).assign(keys).tolist() == [0, 1, 2, 3, 3]


def test_two_equal_numbers_in_a_sample_of_infinities() -> None:
    """There is no range to divide: the buckets are those around the number."""
    sample = np.full(1024, np.inf, np.float32)
    sample[:2] = 1
    buckets = dense_buckets(sample, 16, 100)
    assert buckets is not None
    assert buckets.assign(np.array([0, 1, 2, np.inf], np.float32)).tolist() == [0, 50, 99, 99]


def test_a_copy_of_other_keys_than_were_counted_is_refused() -> None:
    with pytest.raises(AnswerRefuted, match="2 keys were copied, but 3 were counted"):
        NumPyPrimitives([1, 2, 3, 4]).between(1, 4, count=3)


def test_what_is_missing_is_named() -> None:
    class Few(Primitives):
        name, dtype, size = "a sieve", np.dtype(np.float32), 3
        traffic, tuning = Traffic(), Tuning(copies=False)

        def counts(self, pivot: Key) -> Counts:
            return Counts(0, 3, 0)

    few: Primitives = Few()
    assert [call for call in CALLS if few.supports(call)] == ["counts"]
    assert few.counts_at(np.array([1, 2], np.float32)).tolist() == [[0, 0], [3, 3]]
    with pytest.raises(MethodUnavailable, match="a sieve cannot do 'extent'"):
        few.extent()
    assert [call for call in CALLS if not NumPyPrimitives([1]).supports(call)] == ["cells"]


def test_bad_keys_are_named() -> None:
    masked = np.ma.masked_array([1, 2], [True, False])
    bad: list[tuple[type[Exception], list[Any]]] = [
        (UnsupportedKeys, [["a"], [1j], np.zeros(1, "V2"), masked]),
        (KeysNotFlat, [np.zeros((2, 2)), np.float32(1), [[1.0], [2.0, 3.0]]]),
    ]
    for error, inputs in bad:
        for keys in inputs:
            with pytest.raises(error):
                NumPyPrimitives(keys)
