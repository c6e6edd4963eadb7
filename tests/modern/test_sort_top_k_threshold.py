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
    PLACES,
    assert_permuted,
    back,
    largest_places,
    places_and,
    put_on_gpu,
    thresholded,
    uneasy,
)
from tests.selection.inputs import ANY_KEYS, TYPES, awkward


def assert_top(found: Any, keys: Keys, k: int, largest: bool) -> None:
    places = largest_places(keys, k, largest)
    assert isinstance(found, modern.TopK)
    values, indices = map(back, found)
    assert indices.dtype == np.int64
    assert values.dtype == keys.dtype
    assert indices.tolist() == places
    np.testing.assert_array_equal(bits(values), bits(keys[places]))


def assert_thresholded(put: Any, keys: Keys, k: int, kind: Any) -> None:
    """Also in place, with the same bits."""
    found, expected = back(modern.threshold(put(keys), k, kind=kind)), thresholded(keys, k, kind)
    np.testing.assert_array_equal(found, expected, strict=True)
    if kind == "hard":
        np.testing.assert_array_equal(bits(found), bits(expected))
    x = put(keys.copy())
    assert modern.threshold(x, k, kind=kind, out=x) is x
    np.testing.assert_array_equal(bits(back(x)), bits(found))


@places_and(TYPES, on_gpu=TYPES[::3])
def test_awkward_keys(put: Any, dtype: str) -> None:
    for n in (0, 1, 2, 9, 257):
        for keys in awkward(n, dtype).values() if n else [np.empty(0, dtype)]:
            x, kept = put(keys), keys.copy()
            assert_permuted(back(modern.sort(x)), keys)
            for k in sorted({0, min(1, n), n // 3, n // 2, max(n - 1, 0), n}):
                for largest in (True, False):
                    assert_top(modern.topk(x, k, largest=largest), keys, k, largest)
                for kind in KINDS if n < 255 else ():
                    assert_thresholded(put, keys, k, kind)
            np.testing.assert_array_equal(bits(back(x)), bits(kept))
    keys = uneasy(dtype)
    for k, kind in product((0, 1, 50, 166, 250, 499, 500), KINDS):
        assert_thresholded(put, keys, k, kind)


@PLACES
@settings(max_examples=60)
@given(keys=ANY_KEYS, data=st.data())
def test_any_keys(put: Any, keys: Keys, data: st.DataObject) -> None:
    some = st.integers(0, keys.size)
    if put is put_on_gpu:  # lengths up to 32, and numbers of first keys, have kernels of their own
        keys, some = np.resize(keys, 40), st.sampled_from((0, 1, 5, 40))
    k, largest = data.draw(some), data.draw(st.booleans())
    assert_permuted(back(modern.sort(put(keys))), keys)
    assert_top(modern.topk(put(keys), k, largest=largest), keys, k, largest)
    for kind in KINDS:
        assert_thresholded(put, keys, k, kind)


@PLACES
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_sort_keeps_payloads_and_signs(put: Any, dtype: str) -> None:
    keys = random_bits(1, 1 << 17, dtype)
    keys[::3] = np.where(np.arange(keys[::3].size) % 2, keys.dtype.type(-0.0), 0)
    assert_permuted(back(modern.sort(put(keys))), keys)
    assert_top(modern.topk(put(keys), 1000), keys, 1000, True)
    for keys in (np.full(9, np.nan, dtype), -np.full(9, np.nan, dtype)):
        assert_permuted(back(modern.sort(put(keys))), keys)


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
@pytest.mark.parametrize("call", [modern.sort, modern.topk, modern.threshold])
def test_bad_input(put: Any, call: Any) -> None:
    more, x = [] if call is modern.sort else [1], put(np.zeros(3))
    with pytest.raises(errors.KeysNotFlat):
        call(put(np.zeros(())), *more)
    with pytest.raises(errors.UnsupportedKeys):
        call(put(np.zeros(3, complex)), *more)
    for k in (-1, 4) if more else ():
        with pytest.raises(errors.BadOption):
            call(x, k)
    if more:
        with pytest.raises(errors.BadRank):
            call(x, 1.5)
    for out in (put(np.zeros(2)), put(np.zeros(3, np.float32)), [0.0] * 3):
        with pytest.raises(errors.BadOption, match="out"):
            call(x, *more, out=out)
    with pytest.raises(errors.BadOption):
        modern.threshold(x, 1, kind="firm")  # type: ignore[arg-type]  # a wrong name


def test_everything_works_without_cupy_and_says_what_needs_it() -> None:
    code = (
        "import sys; sys.modules['cupy'] = None\n"
        "import modern\n"
        "assert modern.sort([3, 1, 2]).tolist() == [1, 2, 3]\n"
        "assert modern.topk([3, 1, 2], 1).indices.tolist() == [0]\n"
        "assert modern.threshold([3, 1, 2], 1).tolist() == [3, 0, 0]\n"
        "assert modern.select([3, 1, 2], 0) == 1\n"
        "class OnGpu: __cuda_array_interface__ = {}\n"
    )
    for call in ("sort(OnGpu())", "Sorter().accept(OnGpu(), None)"):
        command = [sys.executable, "-c", f"{code}modern.{call}\n"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
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
    for keys in (*tied(30_001, dtype).values(), *tied(600_011, dtype).values()):
        for k, kind in product((keys.size // 100, keys.size // 2, keys.size - 1), KINDS):
            x = put_on_gpu(keys)
            assert modern.threshold(x, k, kind=kind, out=x) is x
            np.testing.assert_array_equal(back(x), modern.threshold(keys, k, kind=kind))


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
