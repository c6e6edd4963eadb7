"""Sorting, top-k and thresholding, over NumPy here and on a GPU if there is one."""

import gc
import subprocess
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import modern
from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.selection.top_keys import KINDS
from tests.helpers import bits, random_bits
from tests.modern.references import (
    assert_permuted,
    back,
    largest_places,
    magnitudes,
    replayed,
    thresholded,
    uneasy,
)
from tests.selection.inputs import ANY_KEYS, TYPES, awkward


def on_host(keys: Keys) -> Any:
    return keys


def on_gpu(keys: Keys) -> Any:
    import cupy

    return cupy.asarray(keys)


PLACES = pytest.mark.parametrize(
    "put", [on_host, pytest.param(on_gpu, marks=pytest.mark.gpu)], ids=["host", "gpu"]
)
ON_GPU = [pytest.param(on_gpu, dtype, marks=pytest.mark.gpu) for dtype in TYPES[::3]]
PLACES_AND_TYPES = pytest.mark.parametrize(("put", "dtype"), [*product([on_host], TYPES), *ON_GPU])


def inputs(n: int, dtype: str) -> list[Keys]:
    if not n:
        return [np.empty(0, dtype)]
    return [*awkward(n, dtype).values(), random_bits(n, n, dtype)]


def assert_top(found: Any, keys: Keys, k: int, largest: bool) -> None:
    places = largest_places(keys, k, largest)
    assert isinstance(found, modern.TopK)
    values, indices = map(back, found)
    assert indices.dtype == np.int64
    assert values.dtype == keys.dtype
    assert indices.tolist() == places
    np.testing.assert_array_equal(bits(values), bits(keys[places]))


def assert_thresholded(found: Any, keys: Keys, k: int, kind: str) -> None:
    found, expected = back(found), thresholded(keys, k, kind)
    assert found.dtype == keys.dtype
    np.testing.assert_array_equal(found, expected)
    if kind == "hard":
        np.testing.assert_array_equal(bits(found), bits(expected))


@PLACES_AND_TYPES
def test_awkward_keys(put: Any, dtype: str) -> None:
    for n in (0, 1, 2, 9, 257):
        for keys in inputs(n, dtype):
            x, kept = put(keys), keys.copy()
            assert_permuted(back(modern.sort(x)), keys)
            for k in sorted({0, min(1, n), n // 3, n // 2, max(n - 1, 0), n}):
                for largest in (True, False):
                    assert_top(modern.topk(x, k, largest=largest), keys, k, largest)
                for kind in ("hard", "soft") if n < 255 else ():
                    assert_thresholded(modern.threshold(x, k, kind=kind), keys, k, kind)
            np.testing.assert_array_equal(bits(back(x)), bits(kept))
    keys = uneasy(dtype)
    for k in (0, 1, 166, 250, 499, 500):
        for kind in KINDS:
            assert_thresholded(modern.threshold(put(keys), k, kind=kind), keys, k, kind)


@PLACES
@settings(max_examples=60)
@given(keys=ANY_KEYS, data=st.data())
def test_any_keys(put: Any, keys: Keys, data: st.DataObject) -> None:
    some = st.integers(0, keys.size)
    if put is on_gpu:  # lengths up to 32, and numbers of first keys, have kernels of their own
        keys, some = np.resize(keys, 40), st.sampled_from((0, 1, 5, 40))
    k, largest = data.draw(some), data.draw(st.booleans())
    assert_permuted(back(modern.sort(put(keys))), keys)
    assert_top(modern.topk(put(keys), k, largest=largest), keys, k, largest)
    for kind in ("hard", "soft"):
        found = back(modern.threshold(put(keys), k, kind=kind))
        np.testing.assert_array_equal(found, thresholded(keys, k, kind))


@PLACES
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_sort_keeps_payloads_and_signs(put: Any, dtype: str) -> None:
    keys = random_bits(1, 1 << 17, dtype)
    keys[::3] = np.where(np.arange(keys[::3].size) % 2, keys.dtype.type(-0.0), 0)
    assert_permuted(back(modern.sort(put(keys))), keys)
    for keys in (np.full(9, np.nan, dtype), -np.full(9, np.nan, dtype)):
        assert_permuted(back(modern.sort(put(keys))), keys)


@PLACES
def test_topk_of_many_keys(put: Any) -> None:
    keys = np.random.default_rng(5).normal(size=100_000).astype(np.float32)
    values, indices = map(back, modern.topk(put(keys), 1000))
    np.testing.assert_array_equal(values, np.sort(keys)[::-1][:1000])
    np.testing.assert_array_equal(keys[indices], values)


@PLACES
def test_what_is_kept_of_ties(put: Any) -> None:
    """Two of the three twos: those at the lowest places, whatever their signs."""
    x = put(np.array([1.0, -2.0, 2.0, 3.0, 2.0]))
    assert back(modern.threshold(x, 3)).tolist() == [0, -2, 2, 3, 0]
    assert back(modern.threshold(x, 3, kind="soft")).tolist() == [0, 0, 0, 1, 0]


def test_the_least_integer_has_the_largest_magnitude() -> None:
    keys = np.array([127, -128, -127, 5], np.int8)
    assert modern.threshold(keys, 1).tolist() == [0, -128, 0, 0]
    assert modern.threshold(keys, 1, kind="soft").tolist() == [0, -1, 0, 0]
    assert modern.threshold(keys, 2, kind="soft").tolist() == [0, -1, 0, 0]
    assert modern.threshold(np.array([-128, -128, 3], np.int8), 1, kind="soft").tolist() == [0] * 3


@PLACES_AND_TYPES
def test_thresholds_in_place(put: Any, dtype: str) -> None:
    for n in (1, 100, 1003):
        for name, keys in awkward(n, dtype).items():
            for k, kind in product({0, 1, n // 100, n // 20, n // 2, n}, KINDS):
                expected = back(modern.threshold(keys, k, kind=kind))
                x = put(keys.copy())
                assert modern.threshold(x, k, kind=kind, out=x) is x
                np.testing.assert_array_equal(bits(back(x)), bits(expected), err_msg=name)


@PLACES
def test_where_a_threshold_goes(put: Any) -> None:
    keys = np.random.default_rng(1).standard_normal(1001).astype(np.float32)
    expected = modern.threshold(keys, 50)
    for skipped, step in ((0, 1), (1, 1), (3, 2), (-1, -1)):
        out = put(np.zeros(2200, np.float32))[skipped::step][:1001]
        assert modern.threshold(put(keys), 50, out=out) is out
        np.testing.assert_array_equal(back(out), expected)
    x = put(np.append(keys, 0))
    modern.threshold(x[:-1], 50, out=x[1:])  # `out` begins inside of the keys
    np.testing.assert_array_equal(back(x[1:]), expected)


@PLACES
def test_where_a_threshold_cannot_go(put: Any) -> None:
    x = put(np.arange(8.0))
    for out in (put(np.zeros(7)), put(np.zeros(8, np.float32)), [0.0] * 8):
        with pytest.raises(errors.BadOption, match="out"):
            modern.threshold(x, 3, out=out)


def test_soft_thresholding_is_the_formula() -> None:
    """The proximal operator of the l1 norm, at the (k + 1)-th magnitude."""
    x = np.random.default_rng(1).normal(size=100)
    for k in (0, 1, 20, 99, 100):
        size = np.append(np.sort(magnitudes(x))[::-1], 0)[k]
        expected = np.sign(x) * np.maximum(np.abs(x) - size, 0)
        found = modern.threshold(x, k, kind="soft")
        np.testing.assert_allclose(found, expected, rtol=1e-15)
        assert np.count_nonzero(found) == k


@PLACES
@pytest.mark.parametrize("call", [modern.sort, modern.topk, modern.threshold])
def test_bad_input(put: Any, call: Any) -> None:
    more = [] if call is modern.sort else [1]
    with pytest.raises(errors.KeysNotFlat):
        call(put(np.zeros(())), *more)
    with pytest.raises(errors.UnsupportedKeys):
        call(put(np.zeros(3, complex)), *more)
    if more:
        x = put(np.zeros(3))
        for k in (-1, 4):
            with pytest.raises(errors.BadOption):
                call(x, k)
        with pytest.raises(errors.BadRank):
            call(x, 1.5)
    with pytest.raises(errors.BadOption):
        modern.threshold([1.0], 1, kind="firm")  # type: ignore[arg-type]  # a wrong name


def test_everything_works_without_cupy_and_says_what_needs_it() -> None:
    code = (
        "import sys; sys.modules['cupy'] = None\n"
        "import modern\n"
        "assert modern.sort([3, 1, 2]).tolist() == [1, 2, 3]\n"
        "assert modern.topk([3, 1, 2], 1).indices.tolist() == [0]\n"
        "assert modern.threshold([3, 1, 2], 1).tolist() == [3, 0, 0]\n"
        "assert modern.select([3, 1, 2], 0) == 1\n"
        "class OnGpu: __cuda_array_interface__ = {}\n"
        "modern.sort(OnGpu())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MethodUnavailable: arrays on a GPU need CuPy: pip install" in done.stderr


@pytest.mark.gpu
def test_results_stay_on_the_device_and_stream() -> None:
    import cupy

    with cupy.cuda.Stream(non_blocking=True):
        x = cupy.random.default_rng(0).random(100_001)[::2]
        values, indices = modern.topk(x, 10)
        found = [modern.sort(x), values, indices, modern.threshold(x, 10)]
        assert all(isinstance(each, cupy.ndarray) and each.device == x.device for each in found)
        assert bool((found[0][-10:][::-1] == values).all())
        assert bool((x[indices] == values).all())
        assert int(cupy.count_nonzero(found[3])) == 10


def tied(n: int, dtype: str) -> dict[str, Keys]:
    """Keys of which a few, many, or all have the magnitude of the last one that is kept."""
    rng = np.random.default_rng(n)
    some = {str(most): rng.integers(0, most, n).astype(dtype) for most in (1, 2, 64, n // 500)}
    some["sorted"] = np.sort(some["64"])
    for ties in (1023, 1024, 1025, 20_000):  # few are dropped by their places, many by a read
        last = np.repeat([100, 50, 3], [n // 100 - 100, ties, n - n // 100 + 100 - ties])
        some[f"{ties} of the last"] = rng.permutation(last).astype(dtype)
    if np.dtype(dtype).kind == "f":
        some["half NaN"] = np.where(rng.random(n) < 0.5, np.nan, rng.standard_normal(n))
        some["half zero"] = rng.choice([0.0, -0.0, 1.0, -1.0], n)
    if np.dtype(dtype).kind == "i":
        some["least"] = rng.choice([np.iinfo(dtype).min, -1, 1], n)
    return {name: keys.astype(dtype) for name, keys in some.items()}


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float16", "int64"])
def test_ties_in_place(dtype: str) -> None:
    """Some keys of the last magnitude are dropped: those at the highest places."""
    for n in (30_001, 600_011):
        for keys in tied(n, dtype).values():
            for k, kind in product((n // 100, n // 2, n - 1), KINDS):
                x = on_gpu(keys)
                assert modern.threshold(x, k, kind=kind, out=x) is x
                np.testing.assert_array_equal(back(x), modern.threshold(keys, k, kind=kind))


@pytest.mark.gpu
def test_nothing_waits_for_a_threshold_and_a_graph_can_be_replayed() -> None:
    n = 3_000_017
    normal = np.random.default_rng(4).standard_normal(n).astype(np.float32)
    arrays = [normal, np.ones(n, np.float32), np.round(8 * normal)]
    calls = list(product(map(on_gpu, arrays), (n // 50, n // 2), KINDS))
    expected = [modern.threshold(x.get(), k, kind=kind) for x, k, kind in calls]

    def cut() -> list[Any]:
        return [modern.threshold(x, k, kind=kind) for x, k, kind in calls]

    for found in replayed(cut, turns=3, blank=7):
        for each, kept in zip(found, expected, strict=True):
            np.testing.assert_array_equal(each.get(), kept)


@pytest.mark.gpu
@pytest.mark.parametrize("call", [modern.sort, lambda x: modern.threshold(x, 9)])
def test_too_little_memory_is_named(call: Any) -> None:
    import cupy

    x, pool = cupy.arange(1 << 24, dtype=cupy.float32), cupy.get_default_memory_pool()
    gc.collect()  # what waits to be collected would leave room later
    pool.free_all_blocks()
    pool.set_limit(size=pool.total_bytes() + (1 << 20))
    try:
        with pytest.raises(errors.OutOfDeviceMemory, match="left"):
            call(x)
    finally:
        pool.set_limit(size=0)
    assert cupy.asnumpy(modern.topk(x, 2).indices).tolist() == [(1 << 24) - 1, (1 << 24) - 2]


@pytest.mark.gpu
def test_more_keys_than_31_bits_count() -> None:
    import cupy

    n = (1 << 31) + 7
    x = cupy.zeros(n, cupy.float32)
    x[[5, n - 3, n - 1]] = cupy.asarray([2, 3, 1], cupy.float32)
    assert modern.topk(x, 3).indices.get().tolist() == [n - 3, 5, n - 1]
    kept = modern.threshold(x, 2)
    assert cupy.flatnonzero(kept).get().tolist() == [5, n - 3]
