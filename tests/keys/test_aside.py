"""Keys that must not be drawn are found in one read of the keys."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from shadersort.keys.aside import PIECE, exceptional, exceptional_places, set_aside
from shadersort.keys.types import Keys
from tests.helpers import assert_sorted_permutation, bits, random_bits, telling_floats


def test_halves_alone() -> None:
    every = np.append(random_bits(2, 4_000, "float16"), telling_floats("float16"))
    expected = exceptional(every)
    found = [len(exceptional_places(key)) for key in every.reshape(-1, 1)]
    np.testing.assert_array_equal(found, expected)


def test_critical_and_random_floats() -> None:
    some = np.concatenate([telling_floats("float32"), random_bits(1, 2000, "float32")])
    expected = np.flatnonzero(exceptional(some))
    found = exceptional_places(some)
    np.testing.assert_array_equal(found, expected)
    alone = [exceptional_places(key) for key in np.split(some, len(some))]
    np.testing.assert_array_equal(np.flatnonzero([len(each) for each in alone]), expected)


def test_one_among_many_is_found_in_every_piece() -> None:
    """And a zero is none."""
    keys = np.zeros(2 * PIECE + 3, np.float32)
    assert not len(exceptional_places(keys))
    for place in (0, PIECE - 1, PIECE, 2 * PIECE, 2 * PIECE + 2):
        for key in (np.nan, -0.0, np.float32(1e-45)):
            keys[place] = key
            assert exceptional_places(keys).tolist() == [place]
            (last,) = exceptional_places(keys[::-1])
            assert last == len(keys) - 1 - place
            keys[place] = 0


def test_integers_and_no_keys_have_none() -> None:
    for keys in (np.zeros(0, np.float32), np.arange(5, dtype=np.int32)):
        assert not len(exceptional_places(keys))


@given(
    keys=npst.arrays(np.uint16, st.integers(0, 40)).map(lambda a: a.view(np.float16)),
)
def test_what_is_drawn_and_what_is_not(keys: Keys) -> None:
    """No key is lost, the input is not changed, and nothing exceptional is drawn."""
    before = bits(keys).copy()
    drawn, aside = set_aside(keys)
    np.testing.assert_array_equal(bits(keys), before)
    assert not exceptional(drawn).any()
    if aside is None:
        assert drawn is keys
        return
    assert len(drawn) + aside.undrawn == len(keys)
    assert_sorted_permutation(aside.put_back(np.sort(drawn, kind="stable")), keys)
