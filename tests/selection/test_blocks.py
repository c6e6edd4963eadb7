"""Primitives in blocks: the answers of the reference, and no other."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.selection.primitives import NumPyPrimitives, between_blocks, blocks
from shadersort.selection.primitives.blocks import BlockPrimitives
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.dense_buckets import dense_buckets
from tests.selection.inputs import ANY_NUMBERS, EVERY, awkward


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 16)
    monkeypatch.setattr(between_blocks, "BLOCK", 64)


def assert_same(keys: Keys, buckets: Buckets, chosen: list[int]) -> None:
    ours, reference = BlockPrimitives(keys), NumPyPrimitives(keys)
    found = ours.bucket_histogram(buckets)
    np.testing.assert_array_equal(found, reference.bucket_histogram(buckets))
    copy = ours.of_buckets(buckets, chosen).keys
    np.testing.assert_array_equal(copy, reference.of_buckets(buckets, chosen).keys)
    assert ours.traffic == reference.traffic


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow")
@settings(max_examples=50)
@given(ANY_NUMBERS, st.data())
def test_any_keys_in_any_buckets(keys: Keys, data: st.DataObject) -> None:
    sample = np.sort(keys[: data.draw(st.integers(1, keys.size))])
    buckets = dense_buckets(sample, data.draw(st.integers(2, 16)), data.draw(st.integers(2, 99)))
    if buckets is None:
        return
    some = st.lists(st.integers(0, buckets.count - 1), unique=True, max_size=40)
    chosen = sorted(data.draw(some))
    assert_same(keys, buckets, chosen)
    assert_same(keys, Buckets(buckets.edges, buckets.per_interval), chosen)


def assert_parted(keys: Keys, low: Any, high: Any) -> None:
    ours, reference = BlockPrimitives(keys), NumPyPrimitives(keys)
    *found, inside, nans = ours.parted_and_nans(low, high)
    at_low, at_high, copy, expected_nans = reference.parted_and_nans(low, high)
    assert (found, nans) == ([at_low, at_high], expected_nans)
    np.testing.assert_array_equal(inside.sort().keys, copy.sort().take(range(copy.size)))
    assert inside.dtype == ours.dtype
    assert ours.parted(low, high)[:2] == (at_low, at_high)


@pytest.mark.parametrize("many", [1, 10**9])
@settings(max_examples=50)
@given(keys=ANY_NUMBERS, data=st.data())
def test_any_keys_between_any_pivots(many: int, keys: Keys, data: st.DataObject) -> None:
    places = st.integers(0, keys.size - 1)
    low, high = np.sort(keys[[data.draw(places), data.draw(places)]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(between_blocks, "MANY", many)
        assert_parted(keys, low, high)


def test_keys_that_equal_a_pivot_are_not_copied() -> None:
    keys = np.array([1] * 100 + [2, 3] * 50 + [np.nan] * 7, np.float32)
    low, high = np.float32(1), np.float32(3)
    assert BlockPrimitives(keys).parted(low, high)[2].keys.tolist() == [2] * 50
    assert_parted(keys, low, high)
    assert_parted(keys, low, low)


@given(ANY_NUMBERS)
@example(np.array([1.0, -1.0]) * np.finfo(float).max)
def test_nans_are_counted_with_a_histogram(keys: Keys) -> None:
    if (buckets := dense_buckets(np.sort(keys), 16, 200)) is not None:
        for some in (buckets, Buckets(buckets.edges, buckets.per_interval)):
            found, nans = BlockPrimitives(keys).histogram_and_nans(some)
            np.testing.assert_array_equal(found, NumPyPrimitives(keys).bucket_histogram(some))
            assert nans == np.count_nonzero(keys != keys)


@pytest.mark.parametrize("dtype", EVERY)
def test_awkward_keys(dtype: str) -> None:
    for keys in (*awkward(3, dtype).values(), *awkward(257, dtype).values()):
        if (buckets := dense_buckets(np.sort(keys), 16, 200)) is not None:
            assert_same(keys, buckets, [0, 1, 5, buckets.count - 1])


@pytest.mark.parametrize("dtype", EVERY)
def test_digits(dtype: str) -> None:
    keys = awkward(257, dtype)["telling"]
    ours, reference = BlockPrimitives(keys), NumPyPrimitives(keys)
    bits = 8 * keys.itemsize
    asks: list[tuple[str, tuple[Any, ...]]] = [
        ("digit_histogram", (bits - 8, 8, 0, (1 << bits) - 1)),
        ("digit_histograms", (bits - 8, 4, [3, 8, 15])),
        ("count_numbers", ()),
    ]
    for call, args in asks:
        expected = getattr(reference, call)(*args)
        np.testing.assert_array_equal(getattr(ours, call)(*args), expected)


def test_no_keys() -> None:
    keys = BlockPrimitives(np.empty(0))
    buckets = Buckets(np.array([0.0, 1.0]), 4, open=True)
    assert keys.bucket_histogram(buckets).tolist() == [0, 0, 0, 0]
    assert keys.digit_histogram(56, 8, 0, 2**64 - 1).sum() == 0
    assert keys.of_buckets(buckets, range(0, 4, 2)).size == keys.count_numbers() == 0


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_keys_beyond_an_interval_that_is_too_narrow_to_be_cut(dtype: str) -> None:
    """The last edge is then in the first bucket of its interval, and larger keys in the last."""
    tiny = np.finfo(dtype).smallest_subnormal
    buckets = Buckets(np.array([-1, 0, tiny], dtype), per_interval=8, open=True)
    keys = np.array([-2, -1, 0, tiny, 2 * tiny, 1, np.inf, np.nan], dtype)
    blocks, plain = BlockPrimitives(keys), NumPyPrimitives(keys)
    found, nans = blocks.histogram_and_nans(buckets)
    assert (found.tolist(), nans) == (plain.bucket_histogram(buckets).tolist(), 1)
    for bucket in np.flatnonzero(found).tolist():
        kept = blocks.of_buckets(buckets, [bucket], count=int(found[bucket]))
        np.testing.assert_array_equal(kept.keys, plain.of_buckets(buckets, [bucket]).keys)
