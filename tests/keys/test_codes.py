"""Ordinals and codes have the order of the keys; ordinals lose no bit."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from shadersort.keys.codes import decode, encode, from_ordinals, ordinals, to_unsigned
from shadersort.keys.types import Keys
from shadersort.keys.undrawable import PIECE, split_undrawable, undrawable_mask, undrawable_places
from tests.helpers import assert_sorted_permutation, bits, random_bits, telling_floats
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


# keys that must not be drawn are found in one read


def test_what_is_undrawable() -> None:
    """NaNs, denormals and −0.0, alone or among others; no integers."""
    for dtype in ("float16", "float32"):
        keys = np.concatenate([telling_floats(dtype), random_bits(1, 2000, dtype)])
        denormal = (keys != 0) & (np.abs(keys) < np.finfo(dtype).tiny)
        expected = np.isnan(keys) | ((keys == 0) & np.signbit(keys)) | denormal
        assert denormal[: len(telling_floats(dtype))].sum() == 2
        np.testing.assert_array_equal(undrawable_mask(keys), expected)
        np.testing.assert_array_equal(undrawable_places(keys), np.flatnonzero(expected))
        alone = [len(undrawable_places(key)) for key in keys.reshape(-1, 1)]
        np.testing.assert_array_equal(alone, expected)
    for none in (np.zeros(0, np.float32), np.arange(5, dtype=np.int32)):
        assert not len(undrawable_places(none))


def test_one_among_many_is_found_in_every_piece() -> None:
    """And a zero is none."""
    keys = np.zeros(2 * PIECE + 3, np.float32)
    assert not len(undrawable_places(keys))
    for place in (0, PIECE - 1, PIECE, 2 * PIECE, 2 * PIECE + 2):
        for key in (np.nan, -0.0, np.float32(1e-45)):
            keys[place] = key
            assert undrawable_places(keys).tolist() == [place]
            (last,) = undrawable_places(keys[::-1])
            assert last == len(keys) - 1 - place
            keys[place] = 0


@given(
    st.one_of(
        npst.arrays(np.uint16, st.integers(0, 40)).map(lambda a: a.view(np.float16)),
        npst.arrays(np.uint32, st.integers(0, 40)).map(lambda a: a.view(np.float32)),
    )
)
@example(np.array([1, 2, np.inf], np.float32))
def test_what_is_set_aside_comes_back(keys: Keys) -> None:
    """No key is lost, the input is not changed, and nothing undrawable is drawn."""
    before = bits(keys).copy()
    drawn, undrawable = split_undrawable(keys)
    np.testing.assert_array_equal(bits(keys), before)
    assert not undrawable_mask(drawn).any()
    if undrawable is None:
        assert drawn is keys
        return
    assert len(drawn) + undrawable.holes == len(keys)
    assert_sorted_permutation(undrawable.put_back(np.sort(drawn, kind="stable")), keys)
