"""Keys that must not be drawn are found in one read of the keys."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from shadersort.keys.types import Keys
from shadersort.keys.undrawable import PIECE, split_undrawable, undrawable_mask, undrawable_places
from tests.helpers import assert_sorted_permutation, bits, random_bits, telling_floats


def test_halves_alone() -> None:
    every = np.append(random_bits(2, 4_000, "float16"), telling_floats("float16"))
    expected = undrawable_mask(every)
    found = [len(undrawable_places(key)) for key in every.reshape(-1, 1)]
    np.testing.assert_array_equal(found, expected)


def test_critical_and_random_floats() -> None:
    some = np.concatenate([telling_floats("float32"), random_bits(1, 2000, "float32")])
    expected = np.flatnonzero(undrawable_mask(some))
    found = undrawable_places(some)
    np.testing.assert_array_equal(found, expected)
    alone = [undrawable_places(key) for key in np.split(some, len(some))]
    np.testing.assert_array_equal(np.flatnonzero([len(each) for each in alone]), expected)


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


def test_integers_and_no_keys_have_none() -> None:
    for keys in (np.zeros(0, np.float32), np.arange(5, dtype=np.int32)):
        assert not len(undrawable_places(keys))


@given(
    keys=npst.arrays(np.uint16, st.integers(0, 40)).map(lambda a: a.view(np.float16)),
)
def test_what_is_drawn_and_what_is_not(keys: Keys) -> None:
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
