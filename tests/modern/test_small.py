"""Small arrays are asked without a layout: their answers are those of other arrays."""

from typing import Any

import numpy as np
import pytest

import modern
from modern.rows import small
from shadersort.errors import BadRank, RankOutOfRange
from shadersort.keys.types import Keys


def arrays(dtype: str, length: int) -> list[Keys]:
    """Arrays of few keys and of more, of two and three dimensions, with ties and NaNs."""
    rng = np.random.default_rng(length)
    found = []
    for shape in ((3, length), (2, 2, length), (small.FEW // length + 1, length)):
        keys = rng.integers(0, 3 * length, shape).astype(dtype)
        if keys.dtype.kind == "f":
            keys[..., rng.integers(length)] = np.nan
            keys[0, ..., 0] = -0.0
        found += [keys, np.sort(keys), np.sort(keys)[..., ::-1].copy()]
    return found


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint16", "int64"])
@pytest.mark.parametrize("length", [1, 2, 3, 7, small.LONG - 1, small.LONG, small.LONG + 1])
def test_ranks_along_every_axis(dtype: str, length: int) -> None:
    for keys in arrays(dtype, length):
        given = keys.copy()
        for axis in range(-keys.ndim, keys.ndim):
            for k in {0, keys.shape[axis] // 2, keys.shape[axis] - 1, -1}:
                expected = np.sort(keys, axis=axis).take(k, axis)
                found = modern.select(keys, k, axis=axis)
                np.testing.assert_array_equal(found, expected)
                assert found.dtype == keys.dtype
                assert found.flags.c_contiguous
        assert keys.tobytes() == given.tobytes()


@pytest.mark.parametrize("shape", [(4, 5), (9, small.FEW)])
def test_bad_input(shape: tuple[int, ...]) -> None:
    keys = np.zeros(shape)
    assert small.is_small(keys, 1, False, None)
    with pytest.raises(RankOutOfRange, match=f"{shape[1]}"):
        modern.select(keys, shape[1], axis=1)
    bad: Any = 1.5
    with pytest.raises(BadRank):
        modern.select(keys, bad, axis=1)
    for axis in (2, -3):
        with pytest.raises(np.exceptions.AxisError, match=f"axis {axis} is out of bounds"):
            modern.select(keys, 0, axis=axis)


def test_others_are_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not small, native or plain has the same answers by the long way."""
    monkeypatch.delattr(small, "select")
    keys = np.random.default_rng(0).integers(0, 99, (20, 300))
    expected = np.sort(keys, axis=1)[:, 7]
    out = np.empty(20, keys.dtype)
    assert modern.select(keys, 7, axis=1, out=out) is out
    found = (
        *(out, modern.select(keys, 7, axis=1, keepdims=True)[:, 0]),
        *(modern.select(keys.astype(">i4"), 7, axis=1), modern.select(keys.T, 7, axis=0)),
        *(
            modern.select(keys.astype(bool) * keys, 7, axis=1, keepdims=True)[:, 0],
            modern.select(keys, 7, axis=(1,)),
        ),
        modern.select(np.repeat(keys, 50, axis=0), 7, axis=1)[::50],
    )
    for each in found:
        np.testing.assert_array_equal(each, expected)
    assert modern.select(np.zeros((3, 0)).T, 0, axis=1).size == 0


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint16", "int64"])
@pytest.mark.parametrize("length", [1, 2, 3, 8, 9])
def test_medians_along_every_axis(dtype: str, length: int) -> None:
    for keys in (*arrays(dtype, length), np.full((2, length), np.inf if dtype[0] == "f" else 127)):
        x = keys.astype(dtype)
        given = x.copy()
        for axis in range(-x.ndim, x.ndim):
            found, expected = modern.median(x, axis=axis), np.median(x, axis=axis)
            np.testing.assert_array_equal(found, expected)
            assert found.dtype == expected.dtype
        assert x.tobytes() == given.tobytes()
    with pytest.raises(np.exceptions.AxisError, match="axis 2 is out of bounds"):
        modern.median(np.zeros((2, length), dtype), axis=2)


def test_median_of_opposite_infinities() -> None:
    keys = np.array([[-np.inf, np.inf], [1, np.inf]])
    np.testing.assert_array_equal(modern.median(keys, axis=1), [np.nan, np.inf])
