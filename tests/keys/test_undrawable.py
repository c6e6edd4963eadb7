"""Keys that must not be drawn are found in one read of the keys."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from shadersort.keys.types import Keys
from shadersort.keys.undrawable import PIECE, split_undrawable, undrawable_mask, undrawable_places
from tests.helpers import assert_sorted_permutation, bits, random_bits, telling_floats


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
