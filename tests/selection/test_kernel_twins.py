"""Twins of kernels in NumPy and Python: one-read, and quickselect by one thread."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.errors import TooManyKeys
from shadersort.keys import datasets
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection import select
from shadersort.selection.methods.quickselect_serial import MOST, SLOW
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.one_read import ATTEMPTS, number_codes, one_read, sample_places
from shadersort.selection.primitives.quickselect_serial import quickselect_serial
from tests.selection.inputs import ANY_KEYS, same

MANY = 1 << 16  # more keys than are staged without a sample


@settings(max_examples=50)
@given(ANY_KEYS, st.data())
def test_any_keys(keys: Keys, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, keys.size - 1))
    threads = data.draw(st.sampled_from([1, 3, 64]))
    codes, numbers = encode(keys), number_codes(keys.dtype)
    places = sample_places(keys.size, keys.dtype.itemsize, threads)
    if places.max() >= keys.size:  # fewer loads than threads
        places = places % keys.size
    found = one_read(codes, k, numbers, places)
    expected = np.partition(codes, k)[k]
    assert found.code == expected
    assert found.below == np.count_nonzero(codes < expected)
    assert found.equal == np.count_nonzero(codes == expected)


EVERY = [(name, dtype) for name, each in datasets.DATASETS.items() for dtype in each.dtypes]


@pytest.mark.parametrize(("data", "dtype"), EVERY)
def test_every_data_set_takes_one_read(data: str, dtype: str) -> None:
    keys = datasets.make(data, MANY, dtype=dtype, seed=1)
    for k in (0, 17, MANY // 2, MANY - 1):
        answer, trace = select(NumPyPrimitives(keys), k, method="one-read", return_trace=True)
        assert same(answer, np.partition(keys, k)[k])
        (step,) = trace.steps
        assert step.keys_read < 3.1 * MANY


def test_a_sample_that_misleads_costs_reads_and_no_wrong_answer() -> None:
    places = sample_places(MANY, 4, 10_000)
    codes = np.arange(1_000_000, 1_000_000 + MANY).astype(np.uint32)
    codes[places] = np.arange(places.size)  # the sample says that all keys are small
    found = one_read(codes, MANY // 2, (0, 2**32 - 1), places)
    assert found.code == np.sort(codes)[MANY // 2]
    assert (found.attempts, found.readings) == (ATTEMPTS, ATTEMPTS + 1)


# quickselect by one thread: what it does, its accounts, and what it refuses

METHOD = "quickselect-serial"


@settings(max_examples=30)
@given(ANY_KEYS, st.data(), st.integers(0, 2**64 - 1))
def test_quickselect_of_any_codes(keys: Keys, data: st.DataObject, seed: int) -> None:
    codes, k = encode(keys).tolist(), data.draw(st.integers(0, keys.size - 1))
    left = list(codes)
    found, read, written = quickselect_serial(left, k, seed)
    assert found == sorted(codes)[k] == left[k]
    assert sorted(left) == sorted(codes)
    assert max(left[: k + 1]) == found == min(left[k:])
    assert read >= len(codes) + 1
    assert written >= len(codes)


def test_no_order_is_bad_on_average() -> None:
    for name in ("uniform", "sorted", "reversed", "ones", "ones-and-twos"):
        codes = encode(datasets.make(name, 20_000, seed=1)).tolist()
        reads = [quickselect_serial(list(codes), 10_000, seed)[1] / 20_000 for seed in range(10)]
        assert np.mean(reads) < 1 + 5  # the copy, and 2 + 2 ln 2 for random pivots, rarely more


def test_too_many_keys_are_refused_and_the_error_says_how_to_lift_the_cap() -> None:
    keys = NumPyPrimitives(np.arange(101))
    with pytest.raises(TooManyKeys, match=r"101 keys .* takes 100 at most: pass most=101"):
        select(keys, 3, method=METHOD, most=100)
    assert select(keys, 3, method=METHOD, most=101) == 3
    with pytest.raises(TooManyKeys, match="4194305 keys"):
        select(NumPyPrimitives(np.zeros(MOST + 1, np.float16)), 3, method=METHOD)


def test_a_warning_says_that_it_is_slow_on_purpose() -> None:
    keys = np.zeros(SLOW, np.float16)
    with pytest.warns(RuntimeWarning, match="slowly and on purpose"):
        assert select(NumPyPrimitives(keys), 7, method=METHOD) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        select(NumPyPrimitives(keys[1:]), 7, method=METHOD)
