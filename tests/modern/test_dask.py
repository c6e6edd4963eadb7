"""Dask arrays: answers are those of one array, however the keys are cut into chunks."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import modern
from modern.on_dask import DaskPieces
from shadersort import errors
from shadersort.keys import datasets
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


@pytest.mark.parametrize("name", datasets.DATASETS)
def test_every_data_set(name: str) -> None:
    keys = np.sort(datasets.make(name, 20_001))
    ks = [0, 1, 400, 19_999, 20_000]
    np.testing.assert_array_equal(modern.multiselect(uneven(keys, 20), ks), keys[ks])


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
