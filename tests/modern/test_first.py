"""Top-k by one read on a GPU: what is staged, what is taken of it, and what a miss does."""

from typing import Any

import numpy as np
import pytest

from bench.shared import hostile
from shadersort.keys.types import Keys
from shadersort.selection.primitives.one_read import sample_places
from shadersort.selection.top_keys import LARGEST, SMALLEST, order_codes
from tests.helpers import random_bits
from tests.modern.references import back, on_gpu
from tests.selection.inputs import EVERY, TYPES

MANY = 5_000_011
gpu = pytest.mark.gpu


def assert_first(some: Any, keys: Keys, by: int, count: int) -> None:
    """The first keys are those of a stable sort, and in its order."""
    values, places = some.first(by, count)
    codes = order_codes(keys, by)
    expected = np.argsort(codes, kind="stable")[:count]
    np.testing.assert_array_equal(back(places), expected)
    found = back(values).view(f"u{keys.dtype.itemsize}")
    np.testing.assert_array_equal(found, keys[expected].view(found.dtype))


@gpu
@pytest.mark.parametrize("by", [LARGEST, SMALLEST])
@pytest.mark.parametrize("dtype", EVERY)
def test_every_count(by: int, dtype: str) -> None:
    for n in (1, 2, 1023, 16_384, 16_385, 100_003, 1_000_003):
        keys = random_bits(n, n, dtype)
        some = on_gpu(keys, n % 3)
        for count in sorted({1, 10, 1000, 2048, 2049, 5000, n // 100, n // 9, n // 2, n}):
            if 0 < count <= n:
                assert_first(some, keys, by, count)


@gpu
@pytest.mark.parametrize(
    ("name", "dtype"), [(n, t) for t in TYPES for n in hostile.names_of(t) if n in hostile.HOSTILE]
)
def test_hostile_keys(name: str, dtype: str) -> None:
    keys = hostile.draw(np, name, MANY, dtype=dtype, seed=2)
    some = on_gpu(keys, 1)
    for by in (LARGEST, SMALLEST):
        for count in (1, 1000, 5000, 500_000):
            assert_first(some, keys, by, count)


@gpu
def test_nans_come_first_among_the_largest() -> None:
    random = np.random.default_rng(2)
    keys = random.standard_normal(MANY).astype(np.float32)
    for share in (1e-6, 1e-4, 0.5):
        keys[random.permutation(MANY)[: int(share * MANY)]] = np.nan
        for by in (LARGEST, SMALLEST):
            for count in (10, 1000, 30_000):
                assert_first(on_gpu(keys), keys, by, count)


@gpu
def test_a_sample_that_misleads() -> None:
    import cupy

    threads = 1024 * cupy.cuda.Device().attributes["MultiProcessorCount"]
    keys = np.arange(MANY * 4, dtype=np.int32)
    places = sample_places(keys.size, 4, min(threads, 1024 * -(-keys.size // 16384)))
    keys[places] = 1 << 30  # the sample holds large keys alone
    for count in (10, 5000):
        assert_first(on_gpu(keys), keys, SMALLEST, count)
