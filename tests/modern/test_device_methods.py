"""Selection on a GPU: methods, data sets, and the steps of the one that is serial."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from modern.kernels import source
from shadersort.errors import DidNotConverge
from shadersort.keys import datasets
from shadersort.keys.codes import code, encode
from shadersort.names import SelectionMethod
from shadersort.selection import METHODS, select, select_many
from shadersort.selection.primitives.quickselect_serial import (
    INCREMENT,
    MULTIPLIER,
    quickselect_serial,
)
from tests.modern.references import MANY, on_gpu
from tests.selection.inputs import MANY_WAYS, WAYS, awkward, ranks, same

gpu = pytest.mark.gpu

SOME = ["float16", "float32", "int64", "uint8"]


@gpu
@pytest.mark.parametrize("method", METHODS)
def test_every_method(method: str) -> None:
    for n, dtype in product((1, 9, 1000), SOME):
        for keys in awkward(n, dtype).values():
            expected, some = np.sort(keys, kind="stable"), on_gpu(keys)
            for k in ranks(n):
                try:
                    answer = select(some, k, method=method)
                except DidNotConverge:
                    assert method == "quasi-newton"
                    continue
                assert same(answer, expected[k])
                assert type(answer) is keys.dtype.type


@gpu
@pytest.mark.parametrize("dtype", ["float16", "int64"])
def test_methods_that_divide_to_the_end(dtype: str) -> None:
    for keys in awkward(100, dtype).values():
        expected = np.sort(keys, kind="stable")
        for method, options in WAYS:
            for k in ranks(100):
                assert same(select(on_gpu(keys), k, method=method, **options), expected[k])
        for method, options in MANY_WAYS:
            answers = select_many(on_gpu(keys), range(100), method=method, **options)
            np.testing.assert_array_equal(answers, expected)


@gpu
@pytest.mark.filterwarnings("ignore:one thread selects:RuntimeWarning")
@pytest.mark.parametrize("name", datasets.DATASETS)
def test_every_data_set(name: str) -> None:
    n = MANY
    keys = datasets.make(name, n, dtype=datasets.DATASETS[name].dtypes[-1], seed=3)
    expected, some = np.sort(keys, kind="stable"), on_gpu(keys)
    for method in set(METHODS) - {"quickselect-serial"}:
        for k in (1, n // 2):
            try:
                assert same(select(some, k, method=method), expected[k])
            except DidNotConverge:
                assert method == "quasi-newton"
    ks = datasets.ranks("uniform", n, 101)
    for method in ("radix", "radix-inplace", "bucket", "quickselect", "auto"):
        np.testing.assert_array_equal(select_many(some, ks, method=method), expected[ks])


@gpu
def test_auto_is_one_read() -> None:
    for n in (1, 100_003, MANY):
        keys = np.random.default_rng(1).permutation(n).astype(np.float32)
        answer, trace = select(on_gpu(keys), n // 3, return_trace=True)
        assert answer == n // 3
        assert trace.method == "one-read"


def test_random_numbers_of_quickselect_serial_are_those_of_its_twin() -> None:
    assert f"seed * {MULTIPLIER}ull + {INCREMENT}ull" in source("quickselect_serial.cu")


@gpu
@pytest.mark.parametrize("dtype", ["float16", "int64"])
def test_quickselect_serial_takes_the_steps_of_its_twin(dtype: str) -> None:
    inputs = [keys for n in (1, 2, 3, 257, 2000) for keys in awkward(n, dtype).values()]
    for keys, seed in product(inputs, (0, 2**64 - 1)):
        for k in ranks(keys.size):
            some = on_gpu(keys)
            found = some.quickselect_serial(k, seed)
            expected = quickselect_serial(encode(keys).tolist(), k, seed)
            assert (code(found), some.traffic.read, some.traffic.written) == expected
            assert found.dtype == keys.dtype


@gpu
def test_quickselect_serial_by_name() -> None:
    keys = np.random.default_rng(0).normal(size=100_003)
    answer, trace = select(
        on_gpu(keys), 777, method="quickselect-serial", seed=5, return_trace=True
    )
    assert answer == np.sort(keys)[777]
    reads = quickselect_serial(encode(keys).tolist(), 777, 5)[1:]
    assert (trace.steps[0].keys_read, trace.steps[0].keys_written) == reads


PERIOD = 1 << 24  # float32 holds all whole numbers below this; each occurs once in a period
STEP = 0x9E3779
"""Odd, so its multiples are all numbers below the period, in an order that looks random."""

LEAN_METHODS: tuple[SelectionMethod, ...] = (
    *("auto", "randomized", "radix", "radix-inplace", "bucket", "cutting-plane", "quickselect"),
)


def keys_of(n: int) -> Any:
    """Return n keys on the GPU."""
    import cupy

    keys = cupy.empty(n, cupy.float32)
    for start in range(0, n, PERIOD):
        places = cupy.arange(start, min(start + PERIOD, n), dtype=cupy.int64)
        keys[start : start + PERIOD] = (places * STEP % PERIOD).astype(cupy.float32)
    return keys


def key_at(n: int, ks: Any) -> Any:
    """Return the keys of some ranks: all numbers occur equally often, except for the last few."""
    periods, rest = divmod(n, PERIOD)
    counts = np.full(PERIOD, periods, np.int64)
    counts[np.arange(rest) * STEP % PERIOD] += 1
    return np.searchsorted(np.cumsum(counts), ks, side="right").astype(np.float32)


@gpu
@pytest.mark.parametrize("n", [(1 << 31) + 7, 1 << 32])
def test_more_keys_than_32_bits_count(n: int) -> None:
    import cupy

    if cupy.cuda.Device().mem_info[0] < 6 * n:
        pytest.skip(f"{n} keys and a copy of some need {6 * n / 2**30:.0f} GiB")
    keys = keys_of(n)
    for k in (n // 3, n - 1):
        answers = {method: float(modern.select(keys, k, method=method)) for method in LEAN_METHODS}
        assert answers == dict.fromkeys(LEAN_METHODS, float(key_at(n, k)))
    ks = np.linspace(0, n - 1, 101).astype(np.int64)
    for method in ("bucket", "radix", "auto"):
        found: Any = modern.multiselect(keys, ks, method=method)
        np.testing.assert_array_equal(found.get(), key_at(n, ks))


@gpu
def test_top_k_and_thresholds_of_more_keys_than_31_bits_count() -> None:
    import cupy

    n = (1 << 31) + 7
    x = cupy.zeros(n, cupy.float32)
    x[[5, n - 3, n - 1]] = cupy.asarray([2, 3, 1], cupy.float32)
    assert modern.topk(x, 3).indices.get().tolist() == [n - 3, 5, n - 1]
    kept = modern.threshold(x, 2)
    assert cupy.flatnonzero(kept).get().tolist() == [5, n - 3]
