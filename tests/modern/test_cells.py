"""Many ranks on a GPU: hostile keys of every type and size, and nothing is left behind."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from bench.shared import hostile
from modern.primitives.cells import AIMS, LEAST_ROOM, THREADS, room_for, shape_of
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection.primitives.one_read import LOAD, sample_places
from tests.helpers import random_bits
from tests.modern.references import on_gpu, replayed

N = (1 << 22) + 5
TYPES = ["float16", "float32", "int64", "uint8"]
gpu = pytest.mark.gpu


def assert_found(some: Any, ordered: Keys, ranks: Keys) -> None:
    for _ in range(2):  # nothing is left behind
        found, below, equal = some.cells(ranks)
        expected = ordered[ranks]
        np.testing.assert_array_equal(encode(found), expected)
        np.testing.assert_array_equal(below, np.searchsorted(ordered, expected))
        np.testing.assert_array_equal(below + equal, np.searchsorted(ordered, expected, "right"))


def narrow(n: int) -> dict[str, Keys]:
    """Keys of 16 bits that are bad for counters."""
    random = np.random.default_rng(n)
    return {
        "bits": random_bits(n, n, "float16"),
        "normal": random.standard_normal(n).astype(np.float16),
        "equal": np.full(n, 3, np.float16),
        "whole": random.integers(0, 20, n).astype(np.float16),
        "half NaN": np.where(random.random(n) < 0.5, np.float16("nan"), np.float16(2)),
        "zeros": np.where(random.random(n) < 0.5, np.float16(-0.0), np.float16(0)),
        "nearly equal": np.where(random.random(n) < 0.04, random.random(n), 1).astype(np.float16),
    }


@pytest.mark.parametrize("most", [64 << 10, 96 << 10, 99 << 10, 163 << 10, 227 << 10])
@pytest.mark.parametrize("itemsize", [1, 2, 4, 8])
def test_shapes_of_launches(most: int, itemsize: int) -> None:
    shape = shape_of(most, itemsize)
    assert (shape is None) == (most < 96 << 10)
    if shape is not None:
        assert shape.aim in AIMS
        assert shape.shared < min(most, 164 << 10)
        assert shape.capacity > 2 * LOAD // itemsize
        assert room_for(1 << 30, THREADS, shape.aim) > LEAST_ROOM


@gpu
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_hostile_keys(dtype: str) -> None:
    for name in hostile.names_of(dtype)[:: 2 if dtype == "int64" else 3]:
        keys = hostile.draw(np, name, N, dtype=dtype, seed=1)
        some, ordered = on_gpu(keys, 3), np.sort(encode(keys))
        assert_found(some, ordered, np.linspace(0, N - 1, 101).astype(np.int64))
        assert_found(some, ordered, np.sort(np.random.default_rng(2).integers(0, N, THREADS)))


@gpu
@pytest.mark.parametrize("dtype", TYPES)
def test_every_size(dtype: str) -> None:
    for n in (1, 2, 9, 1025, 16_391, 131_073, 1_000_003):
        most = 1 << (15 if dtype == "float16" else 30)
        keys = np.random.default_rng(n).integers(0, most, n).astype(dtype)
        some, ordered = on_gpu(keys, n % 4), np.sort(encode(keys))
        assert_found(some, ordered, np.unique([0, 1 % n, n // 2, max(n - 2, 0), n - 1]))
        assert_found(some, ordered, np.arange(0, n, max(1, n // (2 * THREADS))))  # in several lots


@gpu
def test_keys_of_16_bits() -> None:
    for n, skipped in ((9, 0), (1025, 1), (2_162_700, 1)):
        for keys in narrow(n).values():
            ranks = np.unique(np.linspace(0, n - 1, 101).astype(np.int64))
            assert_found(on_gpu(keys, skipped), np.sort(encode(keys)), ranks)


@gpu
def test_a_sample_that_misleads() -> None:
    """Keys that the sample never shows are all in one cell: more than there is room for."""
    import cupy

    codes = np.arange(1 << 30, (1 << 30) + N).astype(np.uint32)
    some = on_gpu(codes)
    threads = cupy.cuda.Device().attributes["MultiProcessorCount"] * 1024
    places = sample_places(N, 4, threads, (-some.array.data.ptr % LOAD) // 4)
    codes[places] = np.arange(places.size)
    some, ordered = on_gpu(codes), np.sort(codes)
    assert_found(some, ordered, np.linspace(0, N - 1, 11).astype(np.int64))


@gpu
@pytest.mark.parametrize("dtype", TYPES[::2])
def test_rounded_keys(dtype: str) -> None:
    """Each key is often there; or so are as many next to each other."""
    for values, close in ((200, 3), (8000, 1)):
        random = np.random.default_rng(values)
        some = random_bits(4, values, dtype)
        raw = some.view(f"u{some.itemsize}")
        raw = np.concatenate([raw ^ raw.dtype.type(i) for i in range(close)])
        keys = raw[random.integers(0, raw.size, N)].view(dtype)
        on_device, ordered = on_gpu(keys, values % 4), np.sort(encode(keys))
        assert_found(on_device, ordered, np.linspace(0, N - 1, 101).astype(np.int64))
        assert_found(on_device, ordered, np.sort(random.integers(0, N, THREADS)))


@gpu
def test_nothing_waits_and_a_graph_can_be_replayed() -> None:
    import cupy

    import modern

    keys = cupy.asarray(np.random.default_rng(5).standard_normal(1 << 23).astype(np.float32))
    ordered = np.sort(keys.get())
    for count in (101, 1001):
        ks = np.unique(np.random.default_rng(6).integers(0, keys.size, count))
        ask = partial(modern.multiselect, keys, ks)
        for (found,) in replayed(lambda: [ask()], turns=3, blank=0):  # noqa: B023  (called at once)
            np.testing.assert_array_equal(found.get(), ordered[ks])
    _, trace = modern.multiselect(keys, ks, return_trace=True)
    assert (trace.method, [step.name for step in trace.steps]) == ("one-read", ["cells"])
