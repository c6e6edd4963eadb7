"""Quickselect by one thread: the twin of the kernel, its accounts, and what it refuses."""

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
from shadersort.selection.primitives.quickselect_serial import quickselect_serial
from tests.selection.inputs import ANY_KEYS

METHOD = "quickselect-serial"


@settings(max_examples=30)
@given(ANY_KEYS, st.data(), st.integers(0, 2**64 - 1))
def test_any_codes(keys: Keys, data: st.DataObject, seed: int) -> None:
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


def test_the_trace_has_one_step_with_every_read() -> None:
    keys = datasets.make("normal", 5000, seed=2)
    expected = quickselect_serial(encode(keys).tolist(), 700, 3)
    answer, trace = select(NumPyPrimitives(keys), 700, method=METHOD, seed=3, return_trace=True)
    assert answer == np.sort(keys)[700]
    assert [step.name for step in trace.steps] == ["one thread", "proof"]
    assert (trace.steps[0].keys_read, trace.steps[0].keys_written) == expected[1:]
    assert trace.candidates.tolist() == [1]


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
