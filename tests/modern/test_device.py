"""The primitives on a GPU against those of NumPy, which define them. Every test needs a GPU."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.errors import AnswerRefuted, KeysNotFlat, UnsupportedKeys
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection.primitives import Buckets, NumPyPrimitives
from shadersort.selection.primitives.values import Extent, Objective
from tests.modern.references import on_gpu, put_on_gpu, sorted_keys
from tests.selection.inputs import arrays, awkward, same, telling

pytestmark = pytest.mark.gpu

SIZES = [1, 2, 257, 4096, 4097, (1 << 17) + 1]
TYPES = ["float16", "float32", "float64", "int8", "int32", "uint64"]


def assert_same_extent(one: Extent, other: Extent) -> None:
    kinds = ("finite", "minus_infinite", "plus_infinite", "nans")
    assert all(getattr(one, kind) == getattr(other, kind) for kind in kinds)
    if one.finite:
        assert (one.low, one.high) == (other.low, other.high)


def close(one: Objective, other: Objective, rel: float) -> bool:
    pairs = ((one.below, other.below), (one.above, other.above))
    return all(a == pytest.approx(b, rel=rel, nan_ok=True) or not np.isfinite(a) for a, b in pairs)


def assert_same(keys: Keys, pivots: Keys, skipped: int) -> None:
    """Every call of the protocol gives what NumPy gives."""
    host, gpu = NumPyPrimitives(keys), on_gpu(keys, skipped)
    assert_same_extent(gpu.extent(), host.extent())
    np.testing.assert_array_equal(gpu.counts_at(pivots), host.counts_at(pivots))
    for pivot in pivots:
        assert gpu.counts(pivot) == host.counts(pivot)
        if pivot == pivot:
            assert same(gpu.at_or_above(pivot), host.at_or_above(pivot))
            assert same(gpu.at_or_below(pivot), host.at_or_below(pivot))
        if np.isfinite(pivot):
            assert gpu.objective(pivot).counts == host.counts(pivot)
    low, high = pivots[np.argsort(encode(pivots))[[0, -1]]]
    *counts, inside = gpu.split(low, high)
    *expected, inner = host.split(low, high)
    assert counts == expected
    np.testing.assert_array_equal(sorted_keys(inside), sorted_keys(inner))
    for ends in ((low, high), (None, high), (low, None), (None, None)):
        for closed in (False, True):
            np.testing.assert_array_equal(
                sorted_keys(gpu.between(*ends, closed=closed)),
                sorted_keys(host.between(*ends, closed=closed)),
            )
    np.testing.assert_array_equal(sorted_keys(gpu), np.sort(keys, kind="stable"))


@settings(max_examples=40)
@given(st.sampled_from(TYPES).flatmap(arrays), st.data(), st.integers(0, 9))
def test_any_keys(keys: Keys, data: st.DataObject, skipped: int) -> None:
    pivot = st.sampled_from([*keys, *telling(keys.dtype.name)])
    pivots = np.array([data.draw(pivot) for _ in range(3)], keys.dtype)
    assert_same(keys, pivots, skipped)


@pytest.mark.parametrize("dtype", TYPES)
def test_awkward_keys(dtype: str) -> None:
    for n in SIZES:
        largest = 1 << 15 if dtype == "float16" else n  # of more keys, not all are whole numbers
        for skipped, keys in enumerate(awkward(min(n, largest), dtype).values()):
            pivots = np.array([keys[0], keys[len(keys) // 2], keys[-1]], dtype)
            assert_same(keys, pivots, skipped)


@pytest.mark.parametrize("dtype", TYPES)
def test_digits(dtype: str) -> None:
    bits = 8 * np.dtype(dtype).itemsize
    for width, keys in itertools.product({1, 4, 8, min(11, bits)}, awkward(5000, dtype).values()):
        host, gpu = NumPyPrimitives(keys), on_gpu(keys)
        for shift in (0, bits // 2, bits - width):
            codes = np.unique(encode(keys))
            prefixes = np.unique(codes >> shift + width if shift + width < bits else 0 * codes)
            several = shift, width, prefixes.tolist()[:500:2]
            rows = gpu.digit_histograms(*several)
            np.testing.assert_array_equal(rows, host.digit_histograms(*several))
        prefixes = np.unique(encode(keys) >> (bits // 2)).tolist()[:500:2]
        found, expected = (some.with_prefixes(prefixes, bits // 2) for some in (gpu, host))
        np.testing.assert_array_equal(sorted_keys(found), sorted_keys(expected))


@pytest.mark.parametrize("dtype", TYPES)
def test_buckets(dtype: str) -> None:
    for intervals, keys in itertools.product((1, 3, 33), awkward(5000, dtype).values()):
        finite = np.unique(keys[np.isfinite(keys)])
        if finite.size < 2:
            continue
        places = np.unique(np.linspace(0, finite.size - 1, intervals + 1).astype(int))
        buckets = Buckets(finite[places], 1 + 4096 // intervals)
        host, gpu = NumPyPrimitives(keys), on_gpu(keys, 3)
        counts = gpu.bucket_histogram(buckets)
        np.testing.assert_array_equal(counts, host.bucket_histogram(buckets))
        chosen = np.argsort(-counts, kind="stable")[:5].tolist()
        expected = sorted_keys(host.of_buckets(buckets, chosen))
        np.testing.assert_array_equal(sorted_keys(gpu.of_buckets(buckets, chosen)), expected)
        single = gpu.of_buckets(buckets, chosen[:1], count=int(counts[chosen[0]]))
        expected = sorted_keys(host.of_buckets(buckets, chosen[:1]))
        np.testing.assert_array_equal(sorted_keys(single), expected)


@pytest.mark.parametrize("dtype", TYPES)
def test_sums(dtype: str) -> None:
    rng = np.random.default_rng(5)
    most = 100 if np.dtype(dtype).itemsize == 1 else 1000
    keys = (rng.random(100_003) * most).astype(dtype)
    host, gpu = NumPyPrimitives(keys), on_gpu(keys, 1)
    pivot, low, high = np.array([most * 4 // 10, most // 10, most * 9 // 10], dtype)
    rel = 1e-12 if keys.dtype.kind != "f" or keys.itemsize == 8 else 1e-5
    assert gpu.extent().total == pytest.approx(host.extent().total, rel=rel)
    assert close(gpu.objective(pivot, low, high), host.objective(pivot, low, high), rel)
    assert close(gpu.objective(pivot), host.objective(pivot), rel)
    origin = keys.min()
    given = pivot, None, high, origin
    assert close(gpu.log_objective(*given), host.log_objective(*given), 1e-9)


@pytest.mark.parametrize("dtype", TYPES)
def test_samples_are_those_of_numpy(dtype: str) -> None:
    for n in (1, 1000, 99_999):
        keys = np.random.default_rng(n).integers(0, 100, n).astype(dtype)
        for seed, count in ((0, 1), (7, 1000), (2**40, 1 << 17)):
            found = on_gpu(keys, 1).sample(count, seed)
            np.testing.assert_array_equal(found, NumPyPrimitives(keys).sample(count, seed))


@pytest.mark.parametrize("dtype", TYPES)
def test_ranked(dtype: str) -> None:
    for n, keys in itertools.product((1, 2, 1000, 1 << 16), awkward(1 << 15, dtype).values()):
        skipped, keys = n % 5, np.resize(keys, n)
        host, gpu = NumPyPrimitives(keys), on_gpu(keys, skipped)
        several = [k % n for k in (0, n // 3, n // 2, n - 1)]
        many = [k % n for k in range(0, 7 * n, n // 40 + 1)]  # a thread searches for each
        for asked in ([several[1]], [several[3]], several, many):
            for one, other in zip(gpu.look_up_ranks(asked), host.look_up_ranks(asked), strict=True):
                np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("dtype", TYPES)
def test_no_keys_have_no_nearest(dtype: str) -> None:
    none = on_gpu(np.zeros(5, dtype), 1).between(*np.array([1, 2], dtype))
    limits: Any = (np.finfo if none.dtype.kind == "f" else np.iinfo)(dtype)
    for pivot in np.array([limits.min, 0, limits.max], dtype):
        assert none.at_or_above(pivot) is none.at_or_below(pivot) is None


def test_a_copy_of_other_keys_than_were_counted_is_refused() -> None:
    some = on_gpu(np.arange(1 << 16, dtype=np.int32))
    assert [some.between(None, np.int32(i), count=i).size for i in range(20)] == list(range(20))
    with pytest.raises(AnswerRefuted, match="10 keys were copied, but 11 were counted"):
        some.between(None, np.int32(10), count=11)
    some.extent()


def test_numbers_are_counted_once() -> None:
    keys, ends = np.array([3, np.nan, 1, np.nan, 2], "f4"), np.array([1, 3], "f4")
    calls: dict[str, Any] = {"split": ends, "bucket_histogram": [Buckets(ends, 7)], "extent": []}
    for call, arguments in calls.items():
        some = on_gpu(keys)
        getattr(some, call)(*arguments)
        passes = some.traffic.passes
        assert (some.count_numbers(), some.traffic.passes) == (3, passes)


def test_more_than_the_room() -> None:
    keys = np.arange(5 << 20, dtype=np.float32)
    half = on_gpu(keys).between(None, np.float32(3 << 20))
    np.testing.assert_array_equal(sorted_keys(half), keys[: 3 << 20])


def test_bad_keys_are_named() -> None:
    from modern.primitives.cupy import CuPyPrimitives

    with pytest.raises(UnsupportedKeys, match="complex64"):
        on_gpu(np.zeros(3, np.complex64))
    with pytest.raises(KeysNotFlat):
        CuPyPrimitives(put_on_gpu(np.zeros((2, 2))))
