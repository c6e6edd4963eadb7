"""Cells on a GPU: the kernels decide as NumPy's definition does, and leave nothing behind."""

from typing import Any

import numpy as np
import pytest

from bench.shared import hostile
from modern.primitives.cells import MOST
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection.primitives.one_read import LOAD, sampled_places
from tests.helpers import random_bits
from tests.modern.references import on_gpu

N = (1 << 22) + 5
TYPES = ["float32", "float64", "int32", "int64", "uint32", "uint64"]
DRAWN = [(name, dtype) for dtype in TYPES for name in hostile.names_of(dtype)]
gpu = pytest.mark.gpu


def assert_found(some: Any, ordered: Keys, ranks: Keys) -> None:
    found, below, equal = some.cells(ranks)
    expected = ordered[ranks]
    np.testing.assert_array_equal(encode(found), expected)
    np.testing.assert_array_equal(below, np.searchsorted(ordered, expected))
    np.testing.assert_array_equal(below + equal, np.searchsorted(ordered, expected, "right"))


@gpu
@pytest.mark.parametrize(("name", "dtype"), DRAWN)
def test_hostile_keys(name: str, dtype: str) -> None:
    keys = hostile.draw(np, name, N, dtype=dtype, seed=1)
    some, ordered = on_gpu(keys, 3), np.sort(encode(keys))
    random = np.random.default_rng(2)
    assert_found(some, ordered, np.linspace(0, N - 1, 101).astype(np.int64))
    assert_found(some, ordered, np.sort(random.integers(0, N, MOST)))


@gpu
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [131_072, 131_073, 262_143, 1_000_003])
def test_few_keys(n: int, dtype: str) -> None:
    keys = np.random.default_rng(n).integers(0, 1 << 30, n).astype(dtype)
    some, ordered = on_gpu(keys, n % 4), np.sort(encode(keys))
    assert_found(some, ordered, np.array([0, 1, n // 2, n - 2, n - 1]))
    assert_found(some, ordered, np.arange(0, n, n // (2 * MOST)))  # in several lots


@gpu
def test_a_sample_that_misleads() -> None:
    """Keys that the sample never shows are all in one cell: more than there is room for."""
    codes = np.arange(1 << 30, (1 << 30) + N).astype(np.uint32)
    some = on_gpu(codes)
    places = sampled_places(N, 4, (1 << 15) * 4 // LOAD, (-some.keys.data.ptr % LOAD) // 4)
    codes[places] = np.arange(places.size)
    some, ordered = on_gpu(codes), np.sort(codes)
    assert_found(some, ordered, np.linspace(0, N - 1, 11).astype(np.int64))
    assert_found(some, ordered, np.linspace(0, N - 1, 11).astype(np.int64))


@gpu
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("values", [200, 1000, 8000])
@pytest.mark.parametrize("close", [1, 3])
def test_rounded_keys(dtype: str, values: int, close: int) -> None:
    """Each key is often there; or so are as many next to each other, more than are counted."""
    random = np.random.default_rng(values)
    some = random_bits(4, values, dtype)
    raw = some.view(f"u{some.itemsize}")
    raw = np.concatenate([raw ^ raw.dtype.type(i) for i in range(close)])
    keys = raw[random.integers(0, raw.size, N)].view(dtype)
    on_device, ordered = on_gpu(keys, values % 4), np.sort(encode(keys))
    for _ in range(2):  # nothing is left behind
        assert_found(on_device, ordered, np.linspace(0, N - 1, 101).astype(np.int64))
        assert_found(on_device, ordered, np.sort(random.integers(0, N, MOST)))


@gpu
def test_nothing_waits() -> None:
    import cupy

    import modern

    keys = cupy.asarray(np.random.default_rng(5).standard_normal(1 << 23).astype(np.float32))
    ks = [[0, 1 << 20], [-1, 5], [5, 1 << 22]]
    found = modern.multiselect(keys, ks)
    assert found.shape == (3, 2)
    np.testing.assert_array_equal(found.get(), np.sort(keys.get())[np.array(ks)])
    _, trace = modern.multiselect(keys, ks, return_trace=True)
    assert (trace.method, [step.name for step in trace.steps]) == ("one-read", ["cells"])
