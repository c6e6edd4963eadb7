"""The keys at the top of an order: twins in NumPy against definitions, kernels against the twins.

Sizes lie around those of warps, blocks and chunks, and reach beyond one wave of blocks.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import modern
from modern.primitives.numpy import HostPrimitives
from shadersort.errors import AnswerRefuted
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection.primitives import Counts
from shadersort.selection.thresholds import shrunk
from shadersort.selection.top_keys import (
    LARGEST,
    MAGNITUDE,
    SMALLEST,
    TopKeys,
    order_codes,
    top_keys,
)
from tests.helpers import bits, random_bits
from tests.modern.references import back, magnitudes, on_gpu, uneasy
from tests.selection.inputs import ANY_KEYS, ANY_NUMBERS, EVERY, TYPES

ORDERS = (LARGEST, SMALLEST, MAGNITUDE)

SIZES = [1, 2, 3, 31, 33, 255, 256, 257, 4097, 10_560, 10_561, 31_681]
"""A GPU of 132 multiprocessors has 10,560 chunks."""

MANY = 12_000_004
"""Bytes of keys; enough for several loads in flight in each thread."""

VIEWS = pytest.mark.parametrize("start", [0, 1], ids=["aligned", "unaligned"])


def ordered(keys: Keys, by: int) -> Keys:
    """All places in an order, by a stable sort."""
    codes = encode(magnitudes(keys) if by == MAGNITUDE else keys)
    return np.argsort(codes if by == SMALLEST else ~codes, kind="stable")


def tops(keys: Keys, by: int) -> Iterator[tuple[TopKeys, Keys]]:
    """`TopKeys` of several counts, and the ordered places that define them."""
    order, codes = ordered(keys, by), order_codes(keys, by)
    for count in sorted({1, 2, keys.size // 3, keys.size - 1, keys.size} - {0}):
        if count <= keys.size:
            last = order[count - 1]
            yield TopKeys(by, int(codes[last]), int(last) + 1, count), order[:count]


def adversaries(n: int, dtype: str) -> dict[str, Keys]:
    """Keys with ties at every place, all kinds of NaN, and zeros of both signs."""
    rng = np.random.default_rng(n)
    keys = {
        "equal": np.full(n, 3, dtype),
        "two values": (np.arange(n) % 2).astype(dtype),
        "one other": np.where(np.arange(n) == n // 2, 7, 3).astype(dtype),
        "last other": np.where(np.arange(n) == n - 1, 1, 3).astype(dtype),
        "bits": random_bits(n, n, dtype),
        "few": rng.integers(0, 5, n).astype(dtype),
    }
    if np.dtype(dtype).kind == "f":
        infinite = bits(np.array([np.inf, -np.inf], dtype))
        payloads = rng.integers(1, 100, n).astype(infinite.dtype)
        nans = (rng.choice(infinite, n) + payloads).view(dtype)
        keys["zeros"] = np.where(rng.random(n) < 0.5, np.array(-0.0, dtype), np.array(0, dtype))
        keys["nans"] = nans
        keys["some nans"] = np.where(rng.random(n) < 0.3, nans, keys["few"])
    elif np.dtype(dtype).kind == "i":
        least = np.iinfo(dtype).min
        keys["least"] = rng.choice(np.array([least, -least - 1, 0, least + 1], dtype), n)
    return keys


def assert_top(some: Any, keys: Keys, top: TopKeys, order: Keys) -> None:
    """Places, order and thresholded array are those that the definition gives."""
    places = some.top_places(top)
    assert places.dtype == np.int64
    np.testing.assert_array_equal(np.sort(back(places)), np.sort(order))
    values, placed = map(back, some.in_order(places, top.by))
    np.testing.assert_array_equal(placed, order)
    np.testing.assert_array_equal(bits(values), bits(keys[order]))
    expected = np.zeros_like(keys)
    expected[order] = keys[order]
    out = magnitudes(keys[order[-1:]])[0]
    cuts = ((None, expected), (out, shrunk(expected, out)))
    for off, wanted in cuts if isinstance(some, HostPrimitives) else ():
        written = some.thresholded(top, off, some.keys.copy())
        np.testing.assert_array_equal(bits(back(written)), bits(wanted))


def assert_places(some: Any, keys: Keys, by: int) -> None:
    """Equal keys are found one after the other."""
    codes = order_codes(keys, by)
    for value in {*codes[:1].tolist(), *codes[keys.size // 2 :][:1].tolist(), *codes[-1:].tolist()}:
        places = np.flatnonzero(codes == value)
        for nth in {0, places.size // 3, places.size - 1}:
            assert some.nth_equal(by, value, nth) == places[nth]


@pytest.mark.parametrize("dtype", TYPES)
def test_the_twins(dtype: str) -> None:
    for n, by in product((1, 2, 3, 257), ORDERS):
        for keys in adversaries(n, dtype).values():
            some = HostPrimitives(keys)
            assert_places(some, keys, by)
            for top, order in tops(keys, by):
                assert_top(some, keys, top, order)


def test_a_key_that_is_not_there() -> None:
    with pytest.raises(IndexError, match=r"^there are 3 too few keys of code 1"):
        HostPrimitives(np.ones(2, np.uint8)).nth_equal(SMALLEST, 1, 4)


PUT = pytest.mark.parametrize(
    "put", [HostPrimitives, pytest.param(on_gpu, marks=pytest.mark.gpu)], ids=["host", "gpu"]
)


@PUT
def test_other_keys_than_were_counted_are_refused(put: Any) -> None:
    some = put(np.arange(9, dtype=np.int32))
    pivot = int(order_codes(np.ones(1, np.int32), SMALLEST)[0])
    for count in (1, 3):
        with pytest.raises(AnswerRefuted, match=f"2 keys were copied, but {count} were counted"):
            some.top_places(TopKeys(SMALLEST, pivot, 9, count))


@given(ANY_KEYS, st.sampled_from(ORDERS), st.data())
def test_top_keys_by_counts(keys: Keys, by: int, data: st.DataObject) -> None:
    """One more read, only if some of the equal keys are at the top and others are not."""
    count = data.draw(st.integers(1, keys.size))
    order, some = ordered(keys, by), HostPrimitives(keys)
    sizes = magnitudes(keys) if by == MAGNITUDE else keys
    last = sizes[order[count - 1]]
    counts = HostPrimitives(sizes).counts(last)
    top = top_keys(some, by, last, counts, count)
    expected = top.has(order_codes(keys, by), 0)
    np.testing.assert_array_equal(np.flatnonzero(expected), np.sort(order[:count]))
    before = counts.below if by == SMALLEST else counts.above
    assert some.traffic.passes == (count < before + counts.equal)


def test_none_of_the_equals() -> None:
    top = top_keys(HostPrimitives([1, 2, 2]), SMALLEST, np.int64(2), Counts(1, 2, 0), 1)
    assert top.has(order_codes(np.array([1, 2, 2]), SMALLEST), 0).tolist() == [True, False, False]


@pytest.mark.gpu
@pytest.mark.parametrize("by", ORDERS)
@pytest.mark.parametrize("dtype", EVERY)
def test_kernels(dtype: str, by: int) -> None:
    inputs = [keys for n in SIZES for keys in adversaries(n, dtype).values()]
    for skipped, keys in enumerate(inputs):
        some = on_gpu(keys, skipped % 9)
        codes = HostPrimitives(keys).order_codes(by)
        np.testing.assert_array_equal(some.order_codes(by).get(), codes)
        assert_places(some, keys, by)
        for top, order in tops(keys, by):
            assert_top(some, keys, top, order)


def many(dtype: str) -> Iterator[Keys]:
    """The most telling of the adversaries, with many keys."""
    inputs = adversaries(MANY // np.dtype(dtype).itemsize, dtype)
    yield from (inputs[name] for name in ("equal", "few", "bits", "some nans") if name in inputs)


def assert_topk(x: Any, keys: Keys, k: int, order: Keys, largest: bool) -> None:
    values, places = modern.topk(x, k, largest=largest)
    np.testing.assert_array_equal(places.get(), order[:k])
    np.testing.assert_array_equal(bits(values.get()), bits(keys[order[:k]]))


@pytest.mark.gpu
@VIEWS
@pytest.mark.parametrize("dtype", ["float16", "float32", "int64"])
def test_many_keys(dtype: str, start: int) -> None:
    import cupy

    for whole in [*many(dtype), np.resize(uneasy(dtype), 1 << 20)]:
        x, keys = cupy.asarray(whole)[start:], whole[start:]
        for by in (LARGEST, SMALLEST):
            order = ordered(keys, by)
            for k in (1, 5000, keys.size // 2, keys.size - 1):
                assert_topk(x, keys, k, order, by == LARGEST)
        order = ordered(keys, MAGNITUDE)
        for k in (1, keys.size // 20, keys.size - 1):
            hard = np.zeros_like(keys)
            hard[order[:k]] = keys[order[:k]]
            np.testing.assert_array_equal(bits(modern.threshold(x, k).get()), bits(hard))
            soft = modern.threshold(keys, k, kind="soft")
            found = modern.threshold(x, k, kind="soft")
            np.testing.assert_array_equal(bits(found.get()), bits(soft))
        np.testing.assert_array_equal(bits(x.get()), bits(keys))


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", EVERY)
@pytest.mark.parametrize("view", [slice(1, None), slice(None, None, 3), slice(None, None, -1)])
def test_views(view: slice, dtype: str) -> None:
    """Neither alignment nor strides matter, and the keys stay as they are."""
    import cupy

    for whole in adversaries(20_000, dtype).values():
        given = cupy.asarray(whole)
        x, keys = given[view], np.ascontiguousarray(whole[view])
        order = ordered(keys, LARGEST)
        for k in (0, 1, 2, 5000, keys.size - 1, keys.size):
            assert_topk(x, keys, k, order, True)
            for kind in ("hard", "soft"):
                found = modern.threshold(x, k, kind=kind)
                wanted = modern.threshold(keys, k, kind=kind)
                np.testing.assert_array_equal(bits(found.get()), bits(wanted))
        np.testing.assert_array_equal(bits(given.get()), bits(whole))


@pytest.mark.gpu
@given(ANY_NUMBERS, st.sampled_from(ORDERS), st.integers(0, 9))
def test_kernels_on_any_keys(keys: Keys, by: int, skipped: int) -> None:
    some = on_gpu(keys, skipped)
    assert_places(some, keys, by)
    for top, order in tops(keys, by):
        assert_top(some, keys, top, order)
