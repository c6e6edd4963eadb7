"""The first keys of an order and their places, and thresholds, on a GPU: against a stable sort."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import modern
from bench.shared import hostile
from modern.primitives.top_k import MOST
from shadersort.keys.types import Keys
from shadersort.selection.primitives.one_read import sample_places
from shadersort.selection.top_keys import KINDS, LARGEST, MAGNITUDE, SMALLEST, order_codes
from tests.helpers import bits, random_bits
from tests.modern.references import MANY, on_gpu, thresholded, uneasy
from tests.selection.inputs import arrays, awkward

pytestmark = pytest.mark.gpu

ORDERS = (LARGEST, SMALLEST)
SIZES = [1, 33, 4097, 32_768, 33_001]
TYPES = ["float16", "float64", "int8", "uint32"]


def counts_of(n: int) -> Iterator[int]:
    """Numbers of first keys: few, those that a block sorts, one more, and nearly all."""
    yield from {count for count in (0, 1, 2, n // 3, MOST, MOST + 1, n - 1, n) if 0 <= count <= n}


def assert_first(x: Any, keys: Keys, by: int) -> None:
    order = np.argsort(order_codes(keys, by), kind="stable")
    for count in counts_of(keys.size):
        for _ in range(2):  # nothing is left behind
            values, places = modern.topk(x, count, largest=by == LARGEST)
            np.testing.assert_array_equal(places.get(), order[:count])
            np.testing.assert_array_equal(bits(values.get()), bits(keys[order[:count]]))


@pytest.mark.parametrize("dtype", TYPES)
def test_first_keys(dtype: str) -> None:
    inputs = [keys for n in SIZES for keys in awkward(n, dtype).values()]
    for at, keys in enumerate(inputs):
        assert_first(on_gpu(keys, at % 9).array, keys, ORDERS[at % 2])
    assert_first(on_gpu(keys := random_bits(1, MANY, dtype), 1).array, keys, LARGEST)


def test_first_of_many_keys() -> None:
    for skipped, keys in enumerate(awkward(MANY, "float32").values()):
        assert_first(on_gpu(keys, skipped).array, keys, skipped % 2)


def test_hostile_keys() -> None:
    for at, name in enumerate(sorted(set(hostile.names_of("int64")) & set(hostile.HOSTILE))):
        keys = hostile.draw(np, name, MANY, dtype="int64", seed=2)
        assert_first(on_gpu(keys, 1).array, keys, ORDERS[at % 2])


def test_a_sample_that_misleads() -> None:
    import cupy

    threads = 1024 * cupy.cuda.Device().attributes["MultiProcessorCount"]
    keys = np.arange(MANY, dtype=np.int32)
    places = sample_places(keys.size, 4, min(threads, 1024 * -(-keys.size // 16384)))
    keys[places] = 1 << 30  # the sample holds large keys alone
    assert_first(on_gpu(keys).array, keys, SMALLEST)


@settings(max_examples=25)
@given(st.sampled_from(TYPES).flatmap(arrays), st.sampled_from(ORDERS), st.integers(0, 9))
def test_first_of_any_keys(keys: Keys, by: int, skipped: int) -> None:
    keys = np.resize(keys, 70)  # shorter rows have kernels of their own for each length
    assert_first(on_gpu(keys, skipped).array, keys, by)


@pytest.mark.parametrize("dtype", TYPES)
def test_thresholds(dtype: str) -> None:
    inputs = [*awkward(257, dtype).values(), uneasy(dtype), uneasy(dtype)[:3]]
    for skipped, keys in enumerate(inputs):
        for count, kind in product({1, keys.size // 3 + 1, keys.size - 1}, KINDS):
            x = on_gpu(keys, skipped % 9).array
            found = modern.threshold(x, count, kind=kind).get()
            np.testing.assert_array_equal(found, thresholded(keys, count, kind))
            np.testing.assert_array_equal(bits(x.get()), bits(keys))


@pytest.mark.parametrize("dtype", ["float32", "int16"])
def test_thresholds_of_many_keys(dtype: str) -> None:
    for keys in awkward(MANY, dtype).values():
        order = np.argsort(order_codes(keys, MAGNITUDE), kind="stable")
        x = on_gpu(keys, 1).array
        for count in (1, MANY // 20):
            expected = np.zeros_like(keys)
            expected[order[:count]] = keys[order[:count]]
            np.testing.assert_array_equal(bits(modern.threshold(x, count).get()), bits(expected))
