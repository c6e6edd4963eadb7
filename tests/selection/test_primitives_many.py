"""Primitives that serve many ranks in one pass, against those that serve one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.errors import AnswerRefuted
from shadersort.keys.codes import code, encode
from shadersort.keys.types import Keys
from shadersort.selection.primitives import Buckets, NumPyPrimitives
from shadersort.selection.primitives.numpy import SEVERAL
from shadersort.selection.primitives.values import Traffic
from tests.selection.inputs import ANY_KEYS, telling
from tests.selection.test_buckets import keys_in_buckets


@st.composite
def keys_and_prefixes(draw: st.DrawFn) -> tuple[Keys, int, int, list[int]]:
    keys = draw(ANY_KEYS)
    bits = 8 * keys.itemsize
    width = draw(st.sampled_from([1, 4, 5, 8]))
    shift = draw(st.integers(0, bits - width))
    there = [int(code) >> (shift + width) for code in encode(keys)]
    others = st.integers(0, (1 << bits - shift - width) - 1)
    prefixes = draw(st.sets(st.one_of(st.sampled_from(there), others), min_size=1))
    return keys, shift, width, sorted(prefixes)


@settings(max_examples=40)
@given(keys_and_prefixes())
def test_digit_histograms(given: tuple[Keys, int, int, list[int]]) -> None:
    keys, shift, width, prefixes = given
    some = NumPyPrimitives(keys)
    table = some.digit_histograms(shift, width, prefixes)
    assert some.traffic == Traffic(passes=1, read=keys.size)
    codes = [int(each) >> shift for each in encode(keys)]
    rows = [[each % 2**width for each in codes if each >> width == prefix] for prefix in prefixes]
    for found, digits in zip(table, rows, strict=True):
        np.testing.assert_array_equal(found, np.bincount(digits, minlength=2**width))


@settings(max_examples=40)
@given(keys_and_prefixes())
def test_with_prefixes_copies_all_of_them(given: tuple[Keys, int, int, list[int]]) -> None:
    keys, shift, width, prefixes = given
    some = NumPyPrimitives(keys)
    copy = some.with_prefixes(prefixes, shift + width)
    assert some.traffic == Traffic(passes=1, read=keys.size, written=copy.size)
    codes = [int(each) >> (shift + width) for each in encode(keys)]
    np.testing.assert_array_equal(copy.keys, keys[np.isin(codes, prefixes)])


@settings(max_examples=40)
@given(keys_in_buckets(), st.data())
def test_of_buckets(given: tuple[Keys, Buckets], data: st.DataObject) -> None:
    keys, buckets = given
    some = NumPyPrimitives(keys)
    chosen = sorted(data.draw(st.sets(st.integers(0, buckets.count - 1))))
    expected = keys[np.isin(buckets.assign(keys), chosen)]
    histogram = NumPyPrimitives(keys).bucket_histogram(buckets)
    assert histogram.shape == (buckets.count,)
    assert expected.size == histogram[chosen].sum()
    copy = some.of_buckets(buckets, chosen, count=expected.size)
    assert copy.traffic is some.traffic
    assert some.traffic == Traffic(1, keys.size, expected.size)
    np.testing.assert_array_equal(copy.keys, expected)


@settings(max_examples=40)
@given(ANY_KEYS, st.data())
def test_parted(keys: Keys, data: st.DataObject) -> None:
    some = NumPyPrimitives(keys)
    pivots = [data.draw(st.sampled_from([*keys, *telling(keys.dtype.name)])) for _ in range(2)]
    low, high = sorted(pivots, key=code)
    at_low, at_high, inside = some.split(low, high)
    assert [at_low, at_high] == [some.counts(low), some.counts(high)]
    assert isinstance(inside, NumPyPrimitives)
    np.testing.assert_array_equal(inside.keys, some.between(low, high).keys)


@settings(max_examples=40)
@given(ANY_KEYS, st.data())
def test_ranked_and_one_read(keys: Keys, data: st.DataObject) -> None:
    some = NumPyPrimitives(keys)
    ranks = data.draw(st.lists(st.integers(0, keys.size - 1), min_size=1))
    found, below, equal = some.look_up_ranks(ranks)
    np.testing.assert_array_equal(found, np.sort(keys, kind="stable")[ranks])
    assert found.dtype == keys.dtype
    counts = [some.counts(each) for each in found]
    assert below.tolist() == [at.below for at in counts]
    assert equal.tolist() == [at.equal for at in counts]
    one = some.one_read(ranks[0])
    assert (one.code, one.below, one.equal) == (code(found[0]), below[0], equal[0])


def test_a_copy_of_other_keys_than_were_counted_is_refused() -> None:
    with pytest.raises(AnswerRefuted, match="2 keys were copied, but 3 were counted"):
        NumPyPrimitives([1, 2, 3, 4]).between(1, 4, count=3)


@given(ANY_KEYS)
def test_counts_at_more_pivots_than_several(keys: Keys) -> None:
    some = NumPyPrimitives(keys)
    pivots = np.resize(np.concatenate([keys, telling(keys.dtype.name)]), SEVERAL + 1)
    found = some.counts_at(pivots)
    assert some.traffic == Traffic(passes=1, read=keys.size)
    assert found.T.tolist() == [list(some.counts(pivot)[:2]) for pivot in pivots]
