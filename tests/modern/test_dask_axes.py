"""Dask arrays of several dimensions: all keys at once, or rows, which Dask computes later."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import modern
from shadersort import errors
from tests.modern.test_dask import same_top

dask: Any = import_module("dask")
arrays: Any = import_module("dask.array")

KEYS = np.random.default_rng(3).integers(0, 50, (12, 7, 9)).astype(np.int16)
CUBE = arrays.from_array(KEYS, chunks=((5, 1, 6), (3, 4), (2, 2, 5)))
FLOATS = np.where(KEYS == 7, np.nan, KEYS.astype(np.float32))
WEIGHTED: Any = {"weights": KEYS, "method": "inverted_cdf"}


def assert_same(found: Any, expected: Any) -> None:
    """Assert that a Dask array is what it says it is, and computes to what is expected."""
    assert isinstance(found, arrays.Array)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    computed = found.compute()
    assert computed.dtype == expected.dtype
    np.testing.assert_array_equal(computed, expected)


def test_all_keys_of_several_dimensions() -> None:
    assert modern.median(CUBE) == np.median(KEYS)
    assert modern.select(CUBE, 3, axis=None) == np.sort(KEYS, axis=None)[3]
    assert modern.select(CUBE, 3, axis=(2, 0, 1)) == np.sort(KEYS, axis=None)[3]
    for axis in (None, (0, 1, 2)):
        kept = modern.quantile(CUBE, [0.1, 0.5], axis=axis, keepdims=True)
        expected = modern.quantile(KEYS, [0.1, 0.5], axis=axis, keepdims=True)
        np.testing.assert_array_equal(kept, expected)
        assert kept.shape == expected.shape


@pytest.mark.parametrize("k", [0, 1, 50, KEYS.size])
@pytest.mark.parametrize("largest", [True, False])
def test_places_are_those_of_the_flat_array(k: int, largest: bool) -> None:
    options: Any = {"axis": None, "largest": largest}
    same_top(modern.topk(CUBE, k, **options), modern.topk(KEYS, k, **options))


@pytest.mark.parametrize("axis", [0, 1, -1, (0, 2), (2, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_rows(axis: Any, keepdims: bool) -> None:
    asks: list[Callable[[Any], Any]] = [
        lambda x: modern.median(x, axis=axis, keepdims=keepdims),
        lambda x: modern.select(x, 2, axis=axis, keepdims=keepdims),
        lambda x: modern.quantile(x, [[0.2], [0.7]], axis=axis, keepdims=keepdims),
        lambda x: modern.quantile(x, 0.3, method="lower", axis=axis, keepdims=keepdims),
        lambda x: modern.multiselect(x, ks=[0, -1], axis=axis, keepdims=keepdims),
    ]
    for ask in asks:
        assert_same(ask(CUBE), ask(KEYS))
    x, where = arrays.from_array(FLOATS, chunks=(5, 3, 4)), {"axis": axis, "keepdims": keepdims}
    assert_same(modern.nanmedian(x, **where), modern.nanmedian(FLOATS, **where))


def test_rows_whose_keys_stay_or_are_chosen() -> None:
    found, expected = modern.topk(CUBE, 3, axis=1), modern.topk(KEYS, 3, axis=1)
    assert_same(found.values, expected.values)
    assert_same(found.indices, expected.indices)
    assert_same(modern.sort(CUBE.astype(">i2"), axis=0), np.sort(KEYS, axis=0))
    assert_same(modern.argsort(CUBE, axis=0), np.argsort(KEYS, axis=0, kind="stable"))
    assert_same(modern.threshold(CUBE, 2, axis=2), modern.threshold(KEYS, 2, axis=2))
    assert_same(modern.argmedian(CUBE, axis=1), modern.argmedian(KEYS, axis=1))
    assert_same(modern.argselect(CUBE, 2), modern.argselect(KEYS, 2))
    with pytest.warns(RuntimeWarning, match="no keys|empty"):
        assert_same(modern.median(CUBE[:, :0], axis=1), np.full((12, 9), np.nan))


def test_unknown_sizes_of_chunks() -> None:
    flat, keys = CUBE.ravel(), KEYS.ravel()
    some = flat[flat % 3 == 0]
    assert np.isnan(some.size)
    expected = keys[keys % 3 == 0]
    assert modern.median(some) == np.median(expected)
    found = modern.topk(some, 9)
    np.testing.assert_array_equal(found.indices, modern.topk(expected, 9).indices)
    assert np.isnan(some.size)  # the caller's array is as it was
    rows = CUBE[:, 0, :][CUBE[:, 0, 0] > 20]
    assert_same(modern.median(rows, axis=1), np.median(KEYS[KEYS[:, 0, 0] > 20, 0], axis=1))
    assert_same(modern.median(rows, axis=0), np.median(KEYS[KEYS[:, 0, 0] > 20, 0], axis=0))


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda x: modern.median(x, axis=3), np.exceptions.AxisError, "axis 3 is out of bounds"),
        (lambda x: modern.topk(x, 1, axis=(0, 1)), errors.BadAxis, "takes one axis"),
        (lambda x: modern.topk(x, 10, axis=1), errors.BadOption, "of 7 keys 0 to 7"),
        (lambda x: modern.median(x, axis=0, out=KEYS), errors.MethodUnavailable, "take no out"),
        (lambda x: modern.sort(x, axis=0, out=KEYS), errors.MethodUnavailable, "take no out"),
        (lambda x: modern.quantile(x, 0.5, **WEIGHTED), errors.MethodUnavailable, "no weights"),
        (lambda x: modern.sort(x, axis=None), errors.MethodUnavailable, "sort needs one array"),
        (lambda x: modern.select(x, 756, axis=None), errors.RankOutOfRange, "rank 756 of 756"),
        (lambda x: modern.select(x, 9), errors.RankOutOfRange, "rank 9 of 9"),
        (lambda x: modern.select(x[:0], 0, axis=None), errors.EmptyInput, "no keys"),
        (lambda x: modern.median(x.astype(object)), errors.UnsupportedKeys, "keys of object"),
        (lambda x: modern.median(x.astype(str), axis=0), errors.UnsupportedKeys, "keys of <U"),
    ],
)
def test_what_dask_arrays_refuse(ask: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ask(CUBE)


def test_chunks_that_are_not_what_the_array_says() -> None:
    keys = np.arange(4, dtype="i2")
    cases: list[tuple[Any, type[Exception], str]] = [
        (np.arange(4.0), errors.UnsupportedKeys, r"chunk \(1,\) has keys of float64"),
        (keys[:3], errors.InputChanged, r"chunk \(1,\) has 3 keys, and the array says 4"),
        (np.ma.masked_less(keys, 2), errors.UnsupportedKeys, "masked arrays cannot"),
    ]
    for other, error, words in cases:
        parts = [arrays.from_delayed(dask.delayed(each), (4,), "i2") for each in (keys, other)]
        with pytest.raises(error, match=words):
            modern.median(arrays.concatenate(parts))
