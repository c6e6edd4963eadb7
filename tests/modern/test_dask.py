"""Dask arrays: answers are those of one array, however the keys are cut into chunks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import modern
from modern.on_dask import DaskPieces
from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.selection import median
from shadersort.selection.pieces.primitives import Pieces
from tests.expected import expected
from tests.modern.references import assert_as_one_array
from tests.selection.inputs import ANY_NUMBERS, same

dask: Any = pytest.importorskip("dask")
arrays: Any = pytest.importorskip("dask.array")


def chunked(keys: Keys, cuts: list[int]) -> Any:
    """Keys in chunks of any sizes, some of which may be empty."""
    sizes = np.diff([0, *sorted(cuts), keys.size]).tolist()
    return arrays.from_array(keys, chunks=(tuple(sizes),))


def uneven(keys: Keys, parts: int) -> Any:
    """Keys in chunks of very different sizes; with many chunks, some are empty."""
    places = np.random.default_rng(parts).random(parts - 1) ** 4 * keys.size
    return chunked(keys, [*map(int, places)])


def pieces_of(x: Any, most: int) -> Pieces:
    """The primitives over a Dask array, of which few keys may be collected."""
    pieces = DaskPieces(x)
    pieces.few = most
    return Pieces(pieces)


def same_top(found: Any, wanted: Any) -> None:
    np.testing.assert_array_equal(found.values, wanted.values)
    np.testing.assert_array_equal(found.indices, wanted.indices)


@settings(max_examples=25)
@given(ANY_NUMBERS, st.data())
def test_any_keys_in_any_chunks(keys: Keys, data: st.DataObject) -> None:
    x = chunked(keys, data.draw(st.lists(st.integers(0, keys.size), max_size=6)))
    with dask.config.set(scheduler="synchronous"):
        assert_as_one_array(x, keys, data.draw(st.integers(0, keys.size - 1)))
        few = pieces_of(x, data.draw(st.integers(0, 50)))
        assert same(expected(median, few), expected(modern.median, keys))


@pytest.mark.parametrize("dtype", ["bool", "int8", "datetime64[s]", "timedelta64[D]", ">f4"])
def test_other_types(dtype: str) -> None:
    keys = np.random.default_rng(1).integers(0, 2, 30_000).astype(dtype)
    x = uneven(keys, 5)
    found = modern.select(x, 20_000)
    assert found.dtype == modern.select(keys, 20_000).dtype
    assert found == modern.select(keys, 20_000)
    same_top(modern.topk(x, 100), modern.topk(keys, 100))


def test_three_rounds() -> None:
    keys = np.random.default_rng(0).normal(size=100_000)
    x = Pieces(DaskPieces(uneven(keys, 20)))
    assert median(x) == np.median(keys)
    assert x.pieces.reads <= 3


def test_keys_that_change() -> None:
    def random(block_id: Any = None) -> Keys:
        return np.random.default_rng().normal(size=30_000)

    x = arrays.map_blocks(random, chunks=((30_000,) * 3,), dtype=float, meta=np.empty(0))
    with pytest.raises(errors.InputChanged, match="not the same keys as before"):
        modern.median(x)
    few = pieces_of(x, 1000).between(0.0, None)
    with pytest.raises(errors.InputChanged, match="was changed while it was read"):
        few.counts(np.float64(1))


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8"])
def test_chunks_on_a_gpu(dtype: str) -> None:
    import cupy

    keys = (np.random.default_rng(1).normal(size=(300, 400)) * 40 + 100).astype(dtype)
    x = arrays.from_array(keys, chunks=(90, 150)).map_blocks(cupy.asarray)
    assert modern.median(x) == np.median(keys)
    assert modern.select(x, 999, axis=None) == np.sort(keys, axis=None)[999]
    same_top(modern.topk(x, 50, axis=None), modern.topk(keys, 50, axis=None))
    rows = modern.median(x, axis=1).compute()
    np.testing.assert_array_equal(cupy.asnumpy(rows), np.median(keys, axis=1))


# arrays of several dimensions: all keys at once, or rows, which Dask computes later

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


def test_what_dask_arrays_refuse() -> None:
    for ask, error, words in (
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
    ):
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
