"""One rank, and many ranks, of hostile keys on a GPU: NumPy's decisions, and right answers."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from bench.shared import hostile
from modern.primitives import cells
from modern.primitives.one_read import capacity_of, shape_of
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection.primitives.one_read import (
    ATTEMPTS,
    LOAD,
    number_codes,
    one_read,
    sample_places,
)
from tests.expected import expected
from tests.helpers import random_bits
from tests.modern.references import on_gpu, put_on_gpu
from tests.selection.inputs import awkward, same

MANY = 5_000_011
SIZES = [1, 2, 3, 1023, 4097, 540_673, (1 << 22) + 1]
gpu = pytest.mark.gpu


def assert_decided(some: Any, k: int, expected: Any) -> None:
    found = some.one_read(k)
    for name in ("code", "below", "equal", "sampled", "bracket", "inside", "attempts"):
        assert getattr(found, name) == getattr(expected, name), name


def assert_ranked(some: Any, ordered: Keys, ks: Iterable[int]) -> None:
    """Assert that one-read finds the codes of some ranks, and counts the keys beside them."""
    for k in ks:
        found = some.one_read(k)
        assert found.code == ordered[k]
        assert found.below == np.searchsorted(ordered, ordered[k])
        assert found.below + found.equal == np.searchsorted(ordered, ordered[k], "right")


def assert_many_ranked(some: Any, ordered: Keys, ranks: Keys) -> None:
    for _ in range(2):  # nothing is left behind
        found, below, equal = some.cells(ranks)
        expected = ordered[ranks]
        np.testing.assert_array_equal(encode(found), expected)
        np.testing.assert_array_equal(below, np.searchsorted(ordered, expected))
        np.testing.assert_array_equal(below + equal, np.searchsorted(ordered, expected, "right"))


def even(n: int, count: int = 101) -> Keys:
    """Ranks from 0 to n − 1 in equal distances."""
    return np.unique(np.linspace(0, n - 1, count).astype(np.int64))


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
    many = cells.shape_of(most, itemsize)
    assert (many is None) == (most < 96 << 10)
    if many is not None:
        assert many.shared < min(most, 164 << 10)
        assert many.capacity > 2 * LOAD // itemsize
        assert cells.room_for(1 << 30, cells.THREADS, many.aim) > cells.LEAST_ROOM


@gpu
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8"])
def test_it_decides_as_the_definition_does(dtype: str) -> None:
    random = np.random.default_rng(5)
    n = MANY * max(4 // np.dtype(dtype).itemsize, 1)  # so many that they are not all staged
    keys = (128 + (30 if dtype == "uint8" else 1000) * random.standard_normal(n)).astype(dtype)
    some = on_gpu(keys, 1)
    places, codes = places_of(some), encode(keys)
    for k in (0, 1000, n // 2, n - 1):
        assert_decided(some, k, one_read(codes, k, number_codes(keys.dtype), places))


@gpu
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_hostile_keys(dtype: str) -> None:
    for name in hostile.names_of(dtype):
        keys = hostile.draw(np, name, MANY, dtype=dtype, seed=1)
        some, ordered = on_gpu(keys, 3), np.sort(encode(keys))
        assert_ranked(some, ordered, (0, 17, MANY // 3, MANY // 2, MANY - 1))
        assert_many_ranked(some, ordered, even(MANY))
        random = np.random.default_rng(2).integers(0, MANY, cells.THREADS)
        assert_many_ranked(some, ordered, np.sort(random))


@gpu
@pytest.mark.parametrize("dtype", ["float16", "float64", "uint8", "uint32"])
def test_every_size(dtype: str) -> None:
    with np.errstate(over="ignore"):  # large float16
        inputs = [keys for n in SIZES for keys in awkward(n, dtype).values()]
    for keys in inputs:
        n = keys.size
        x, some, ordered = put_on_gpu(keys), on_gpu(keys, n % 4), np.sort(encode(keys))
        assert_ranked(some, ordered, {0, 1 % n, n // 2, n - 1})
        assert_many_ranked(some, ordered, even(n))
        assert same(modern.median(x).get()[()], expected(np.median, keys))
        assert same(expected(modern.nanmedian, x).get()[()], expected(np.nanmedian, keys))
        if n < MANY // 4:  # in several lots
            ranks = np.arange(0, n, max(1, n // (2 * cells.THREADS)))
            assert_many_ranked(some, ordered, ranks)


@gpu
@pytest.mark.parametrize("dtype", ["int32", "uint64"])
def test_keys_before_many_of_the_largest_integer(dtype: str) -> None:
    """The last bin of a histogram ends at the largest code: the one after it would be 0."""
    most, random = np.iinfo(dtype).max, np.random.default_rng(6)
    for n in (4000, MANY):
        keys = np.full(n, most, dtype)
        keys[: n // 2] = most - random.integers(0, 1 << 28, n // 2).astype(dtype)
        ks = (0, n // 2 - 100, n // 2 - 3, n // 2 - 2, n // 2 - 1, n // 2, n - 1)
        assert_ranked(on_gpu(keys), np.sort(encode(keys)), ks)


@gpu
def test_a_sample_that_misleads() -> None:
    codes = np.arange(1 << 30, (1 << 30) + MANY).astype(np.uint32)
    some = on_gpu(codes)
    places = places_of(some)
    codes[places] = np.arange(places.size)
    some = on_gpu(codes)
    for k in (MANY // 2, MANY // 2 + 1):
        assert_decided(some, k, one_read(codes, k, (0, 2**32 - 1), places))
    assert some.one_read(MANY // 2).attempts == ATTEMPTS
    assert_many_ranked(some, np.sort(codes), even(MANY, 11))  # more in a cell than there is room


@gpu
@pytest.mark.parametrize("dtype", ["float16", "int64"])
def test_rounded_keys(dtype: str) -> None:
    """Each key is often there; or so are as many next to each other."""
    for values, close in ((200, 3), (8000, 1)):
        random = np.random.default_rng(values)
        some = random_bits(4, values, dtype)
        raw = some.view(f"u{some.itemsize}")
        raw = np.concatenate([raw ^ raw.dtype.type(i) for i in range(close)])
        keys = raw[random.integers(0, raw.size, MANY)].view(dtype)
        on_device, ordered = on_gpu(keys, values % 4), np.sort(encode(keys))
        assert_many_ranked(on_device, ordered, even(MANY))
        assert_many_ranked(on_device, ordered, np.sort(random.integers(0, MANY, cells.THREADS)))


@gpu
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_medians_with_nans(dtype: str) -> None:
    random = np.random.default_rng(7)
    for n, share in product((4000, 400_001, MANY), (0.0, 1e-6, 0.01, 0.5, 0.99, 1.0)):
        keys = random.standard_normal(n).astype(dtype)
        keys[random.permutation(n)[: round(share * n)]] = np.nan
        x = put_on_gpu(keys)
        assert same(modern.median(x).get()[()], expected(np.median, keys))
        assert same(modern.nanmedian(x).get()[()], expected(np.nanmedian, keys))


@gpu
def test_many_ranks_are_found_in_cells() -> None:
    ks = [5, 100_000, 3_000_000]
    found, trace = modern.multiselect(put_on_gpu(np.arange(MANY)), ks, return_trace=True)
    assert found.get().tolist() == ks
    assert (trace.method, [step.name for step in trace.steps]) == ("one-read", ["cells"])


@gpu
def test_streams_do_not_disturb_each_other() -> None:
    import cupy

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
