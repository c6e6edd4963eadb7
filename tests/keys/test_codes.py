"""Ordinals and codes have the order of the keys; ordinals lose no bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from shadersort.keys.codes import decode, encode, from_ordinals, ordinals, to_unsigned
from shadersort.keys.types import Keys
from tests.helpers import bits, telling_floats
from tests.selection.inputs import ANY_KEYS

TYPES = ["float16", "float32", "float64", *(f"{u}int{b}" for u in ("", "u") for b in (8, 32, 64))]


@st.composite
def any_bits(draw: st.DrawFn) -> Keys:
    """A few keys of any type, with any bits."""
    dtype = np.dtype(draw(st.sampled_from(TYPES)))
    return draw(npst.arrays(f"u{dtype.itemsize}", st.integers(0, 40))).view(dtype)


@given(any_bits())
def test_ordinals_lose_no_bit(keys: Keys) -> None:
    back = from_ordinals(ordinals(keys), keys.dtype)
    np.testing.assert_array_equal(bits(back), bits(keys))
    own = keys.copy()
    numbers = ordinals(own, in_place=True)
    assert np.shares_memory(numbers, own) or not keys.size
    np.testing.assert_array_equal(numbers, ordinals(keys))
    order = np.argsort(to_unsigned(numbers), kind="stable")
    np.testing.assert_array_equal(order, np.argsort(numbers, kind="stable"))
    back = from_ordinals(numbers, keys.dtype, in_place=True)
    np.testing.assert_array_equal(bits(back), bits(keys))


@given(st.one_of(any_bits(), ANY_KEYS))
def test_codes_are_equal_where_keys_are(keys: Keys) -> None:
    codes = encode(keys)
    assert codes.dtype.kind == "u"
    places, expected = (np.unique(each, return_inverse=True)[1] for each in (codes, keys))
    np.testing.assert_array_equal(places, expected)
    back = decode(codes, keys.dtype)
    np.testing.assert_array_equal(back, keys)
    assert not np.signbit(back[back == 0]).any()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_ordinals_tell_the_zeros_apart(dtype: str) -> None:
    keys = telling_floats(dtype)
    ordered = np.unique(bits(keys[~np.isnan(keys)])).view(dtype)
    ordered = ordered[np.lexsort([~np.signbit(ordered), ordered])]
    numbers = ordinals(ordered)
    assert np.all(numbers[:-1] < numbers[1:])
