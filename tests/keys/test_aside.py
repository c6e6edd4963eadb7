"""Keys that must not be drawn are found in one read of the keys."""

import numpy as np
import pytest

from shadersort.keys.aside import PIECE, any_exceptional, exceptional
from tests.helpers import random_bits, telling_floats


@pytest.mark.parametrize("keeps_denormals", [False, True])
def test_every_half_alone(keeps_denormals: bool) -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    expected = exceptional(every, keeps_denormals=keeps_denormals)
    found = [any_exceptional(key, keeps_denormals=keeps_denormals) for key in every.reshape(-1, 1)]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("keeps_denormals", [False, True])
def test_critical_and_random_floats_alone(keeps_denormals: bool) -> None:
    some = np.concatenate([telling_floats("float32"), random_bits(1, 2000, "float32")])
    expected = exceptional(some, keeps_denormals=keeps_denormals)
    found = [any_exceptional(key, keeps_denormals=keeps_denormals) for key in some.reshape(-1, 1)]
    np.testing.assert_array_equal(found, expected)


def test_one_among_many_is_found_in_every_piece() -> None:
    """And a zero is none."""
    keys = np.zeros(2 * PIECE + 3, np.float32)
    assert not any_exceptional(keys, keeps_denormals=False)
    for place in (0, PIECE - 1, PIECE, 2 * PIECE, 2 * PIECE + 2):
        for key in (np.nan, -0.0, np.float32(1e-45)):
            keys[place] = key
            assert any_exceptional(keys, keeps_denormals=False)
            assert any_exceptional(keys[::-1], keeps_denormals=False)
            keys[place] = 0


def test_integers_and_no_keys_have_none() -> None:
    for keys in (np.zeros(0, np.float32), np.arange(5, dtype=np.int32)):
        assert not any_exceptional(keys, keeps_denormals=False)
