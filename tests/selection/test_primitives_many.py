"""Primitives that serve many ranks in one pass, against those that serve one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadersort.primitives import Buckets, Keys, NumPyPrimitives, Traffic
from shadersort.primitives.codes import encode
from shadersort.primitives.host import SEVERAL
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


@given(keys_and_prefixes())
def test_digit_histograms_are_rows_of_single_ones(given: tuple[Keys, int, int, list[int]]) -> None:
    keys, shift, width, prefixes = given
    some = NumPyPrimitives(keys)
    table = some.digit_histograms(shift, width, prefixes)
    assert some.traffic == Traffic(passes=1, read=keys.size)
    rows = [some.digit_histogram(shift, width, prefix) for prefix in prefixes]
    np.testing.assert_array_equal(table, rows)


@given(keys_and_prefixes())
def test_with_prefixes_copies_all_of_them(given: tuple[Keys, int, int, list[int]]) -> None:
    keys, shift, width, prefixes = given
    some = NumPyPrimitives(keys)
    copy = some.with_prefixes(prefixes, shift + width)
    assert some.traffic == Traffic(passes=1, read=keys.size, written=copy.size)
    single = [some.with_prefix(prefix, shift + width).keys for prefix in prefixes]
    np.testing.assert_array_equal(np.sort(copy.keys), np.sort(np.concatenate(single)))


@given(keys_in_buckets(), st.data())
def test_split_buckets(given: tuple[Keys, Buckets], data: st.DataObject) -> None:
    keys, buckets = given
    some = NumPyPrimitives(keys)
    chosen = sorted(data.draw(st.sets(st.integers(0, buckets.count - 1))))
    parts = some.split_buckets(buckets, chosen)
    assert len(parts) == len(chosen)
    assert some.traffic == Traffic(1, keys.size, sum(part.size for part in parts))
    for bucket, part in zip(chosen, parts, strict=True):
        assert part.traffic is some.traffic
        np.testing.assert_array_equal(part.keys, keys[buckets.of(keys) == bucket])


@given(ANY_KEYS)
def test_counts_at_more_pivots_than_several(keys: Keys) -> None:
    some = NumPyPrimitives(keys)
    pivots = np.resize(np.concatenate([keys, telling(keys.dtype.name)]), SEVERAL + 1)
    found = some.counts_at(pivots)
    assert some.traffic == Traffic(passes=1, read=keys.size)
    assert found == [some.counts(pivot) for pivot in pivots]
