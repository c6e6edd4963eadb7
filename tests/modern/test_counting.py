"""A counter for every value: NumPy against a sort, and the kernels against both."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modern.primitives.numpy import HostPrimitives
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection import select_many
from tests.helpers import random_bits
from tests.modern.references import on_gpu
from tests.selection.inputs import NARROW

COUNTED = [*NARROW, "float16"]
gpu = pytest.mark.gpu
MANY = 20_000_003
"""More keys than a tile of each block of a large GPU."""


def assert_found(some: Any, keys: Keys, ranks: Keys) -> None:
    """Keys and counts of some ranks are those of a sort."""
    ordered = np.sort(encode(keys))
    found, below, equal = some.counting(ranks)
    assert found.dtype == keys.dtype
    np.testing.assert_array_equal(encode(found), ordered[ranks])
    np.testing.assert_array_equal(below, np.searchsorted(ordered, ordered[ranks]))
    ends = np.searchsorted(ordered, ordered[ranks], "right")
    np.testing.assert_array_equal(equal, ends - below)


def some_ranks(n: int) -> Keys:
    return np.unique(np.linspace(0, n - 1, 101).astype(np.int64))


@pytest.mark.parametrize("dtype", COUNTED)
@given(data=st.data(), n=st.integers(1, 300))
def test_the_definition(dtype: str, data: st.DataObject, n: int) -> None:
    keys = random_bits(data.draw(st.integers(0, 99)), n, dtype)
    assert_found(HostPrimitives(keys), keys, some_ranks(n))


def test_many_ranks_of_narrow_keys_take_one_read() -> None:
    keys = random_bits(3, 50_000, "float16")
    ks = np.arange(0, 50_000, 7)
    found, trace = select_many(HostPrimitives(keys), ks, return_trace=True)
    np.testing.assert_array_equal(encode(found), np.sort(encode(keys))[ks])
    assert [step.name for step in trace.steps] == ["values"]
    assert trace.keys_read == keys.size


def narrow(n: int) -> dict[str, Keys]:
    """Keys that are bad for counters."""
    random = np.random.default_rng(n)
    last = random.standard_normal(n).astype(np.float16)
    last[n // 4 :] = 1.5  # the first tile of a block does not show it
    return {
        "bits": random_bits(n, n, "float16"),
        "normal": random.standard_normal(n).astype(np.float16),
        "equal": np.full(n, 3, np.float16),
        "two": (random.random(n) < 0.5).astype(np.float16),
        "whole": random.integers(0, 20, n).astype(np.float16),
        "sorted": np.sort(random.random(n).astype(np.float16)),
        "half NaN": np.where(random.random(n) < 0.5, np.float16("nan"), np.float16(2)),
        "zeros": np.where(random.random(n) < 0.5, np.float16(-0.0), np.float16(0)),
        "one value later": last,
        "nearly equal": np.where(random.random(n) < 0.04, random.random(n), 1).astype(np.float16),
    }


@gpu
@pytest.mark.parametrize("n", [1, 2, 9, 1025, 16_391, 2_162_700, MANY])
@pytest.mark.parametrize("skipped", [0, 1])
def test_keys_on_a_gpu(n: int, skipped: int) -> None:
    for keys in narrow(n).values():
        some = on_gpu(keys, skipped)
        for _ in range(2):  # the counters are 0 again
            assert_found(some, keys, some_ranks(n))


@gpu
def test_more_ranks_than_values() -> None:
    keys = random_bits(5, 300_000, "float16")
    assert_found(on_gpu(keys), keys, np.arange(keys.size))
