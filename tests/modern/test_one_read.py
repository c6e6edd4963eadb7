"""one-read on a GPU: it decides as NumPy's definition does, and waits for nothing."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from bench.shared import hostile
from modern.primitives.one_read import capacity_of, shape_of
from shadersort.keys.codes import encode
from shadersort.selection.primitives.one_read import (
    ATTEMPTS,
    LOAD,
    number_codes,
    one_read,
    sample_places,
)
from tests.expected import expected
from tests.modern.references import on_gpu
from tests.selection.inputs import awkward, same

MANY = 5_000_011
SIZES = [1, 2, 3, 1023, 4097, 540_673, (1 << 22) + 1]
gpu = pytest.mark.gpu


def told_equal(found: Any, expected: Any) -> None:
    assert (found.code, found.below, found.equal) == (expected.code, expected.below, expected.equal)
    assert found.sampled == expected.sampled
    assert found.bracket == expected.bracket
    assert (found.inside, found.attempts) == (expected.inside, expected.attempts)


def places_of(keys: Any) -> Any:
    """The places that the kernel samples."""
    import cupy

    processors = cupy.cuda.Device().attributes["MultiProcessorCount"]
    shape = shape_of(keys.size, keys.dtype.itemsize, processors, keys.launcher.most_shared)
    threads = shape.macros["SAMPLED"] * processors * 1024
    head = (-keys.array.data.ptr % LOAD) // keys.dtype.itemsize
    return sample_places(keys.size, keys.dtype.itemsize, threads, head)


@pytest.mark.parametrize("most", [64 << 10, 99 << 10, 163 << 10, 227 << 10])
@pytest.mark.parametrize("itemsize", [1, 2, 4, 8])
def test_shapes_of_launches(most: int, itemsize: int) -> None:
    assert capacity_of(most, itemsize) > 2 * LOAD // itemsize  # or a list is always full
    for size in (1, 4096, 4097, 10**6, 10**8, 2**33):
        shape = shape_of(size, itemsize, 132, most)
        assert shape.shared <= most - (2 << 10)
        assert 1 <= shape.blocks[0] <= 132
        assert not shape.samples or size > shape.blocks[0] * 1024 * LOAD // itemsize


@gpu
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8"])
def test_it_decides_as_the_definition_does(dtype: str) -> None:
    random = np.random.default_rng(5)
    n = MANY * max(4 // np.dtype(dtype).itemsize, 1)  # so many that they are not all staged
    keys = (128 + (30 if dtype == "uint8" else 1000) * random.standard_normal(n)).astype(dtype)
    some = on_gpu(keys, 1)
    places, codes = places_of(some), encode(keys)
    for k in (0, 1000, n // 2, n - 1):
        expected = one_read(codes, k, number_codes(keys.dtype), places)
        told_equal(some.one_read(k), expected)


@gpu
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_hostile_keys(dtype: str) -> None:
    for name in set(hostile.names_of(dtype)) & set(hostile.HOSTILE):
        keys = hostile.draw(np, name, MANY, dtype=dtype, seed=1)
        some, ordered = on_gpu(keys, 3), np.sort(encode(keys))
        for k in (0, 17, MANY // 3, MANY // 2, MANY - 1):
            found = some.one_read(k)
            assert found.code == ordered[k]
            assert found.below == np.searchsorted(ordered, ordered[k])
            assert found.equal == np.searchsorted(ordered, ordered[k], "right") - found.below


@gpu
@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "uint32"])
def test_every_size(dtype: str) -> None:
    import cupy

    import modern

    with np.errstate(over="ignore"):  # large float16
        inputs = [item for n in SIZES for item in awkward(n, dtype).items()]
    for name, keys in inputs:
        n = keys.size
        ordered, some = np.sort(keys), on_gpu(keys, n % 3)
        for k in {0, 1 % n, n // 2, n - 1}:
            found = some.one_read(k)
            assert found.code == encode(ordered[k : k + 1])[0], name
            assert found.below == np.count_nonzero(encode(keys) < found.code), name
        with np.errstate(all="ignore"):
            x = cupy.asarray(keys)
            assert same(modern.median(x).get()[()], np.median(keys)), name
            if not np.isnan(ordered[0]):
                assert same(modern.nanmedian(x).get()[()], np.nanmedian(keys)), name


@gpu
@pytest.mark.parametrize("dtype", ["int32", "uint64"])
def test_keys_before_many_of_the_largest_integer(dtype: str) -> None:
    """The last bin of a histogram ends at the largest code: the one after it would be 0."""
    most, random = np.iinfo(dtype).max, np.random.default_rng(6)
    for n in (4000, MANY):
        keys = np.full(n, most, dtype)
        keys[: n // 2] = most - random.integers(0, 1 << 28, n // 2).astype(dtype)
        some, ordered = on_gpu(keys), np.sort(keys)
        for k in (0, n // 2 - 100, n // 2 - 3, n // 2 - 2, n // 2 - 1, n // 2, n - 1):
            assert some.one_read(k).code == encode(ordered[k : k + 1])[0]


@gpu
def test_a_sample_that_misleads() -> None:
    codes = np.arange(1 << 30, (1 << 30) + MANY).astype(np.uint32)
    some = on_gpu(codes)
    places = places_of(some)
    codes[places] = np.arange(places.size)
    some = on_gpu(codes)
    for k in (MANY // 2, MANY // 2 + 1):
        expected = one_read(codes, k, (0, 2**32 - 1), places)
        told_equal(some.one_read(k), expected)
    assert some.one_read(MANY // 2).attempts == ATTEMPTS


@gpu
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_medians_with_nans(dtype: str) -> None:
    import cupy

    import modern

    random = np.random.default_rng(7)
    for n, share in product((4000, 400_001, MANY), (0.0, 1e-6, 0.01, 0.5, 0.99, 1.0)):
        keys = random.standard_normal(n).astype(dtype)
        keys[random.permutation(n)[: round(share * n)]] = np.nan
        x = cupy.asarray(keys)
        assert same(modern.median(x).get()[()], expected(np.median, keys))
        assert same(modern.nanmedian(x).get()[()], expected(np.nanmedian, keys))


@gpu
def test_streams_do_not_disturb_each_other() -> None:
    import cupy

    import modern

    arrays = [cupy.asarray(np.random.default_rng(i).permutation(MANY)) for i in range(3)]
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in arrays]
    found = []
    cupy.cuda.Device().synchronize()
    for turn in range(10):
        for x, stream in zip(arrays, streams, strict=True):
            with stream:
                found.append((turn * 1000, modern.select(x, turn * 1000)))
    cupy.cuda.Device().synchronize()
    assert [(k, answer.item()) for k, answer in found] == [(k, k) for k, _ in found]
