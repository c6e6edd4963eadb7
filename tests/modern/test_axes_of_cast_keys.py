"""Axes of keys of types that are cast: rows of booleans, times and bfloat16, against NumPy."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from shadersort.errors import BadOption, UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.names import QuantileMethod
from shadersort.selection.rows.protocol import TIES
from tests.expected import expected
from tests.modern.test_axes import agree, joined, laid_out, random_axis
from tests.modern.test_axes_on_gpu import ALONG, RANKED

TIMES = ("datetime64[D]", "timedelta64[s]", ">M8[s]", ">m8[ns]")
NONE = np.iinfo(np.int64).min


def random_keys(rng: np.random.Generator, dtype: str) -> Keys:
    """Keys of 1 to 3 dimensions of any layout, with ties and some NaT."""
    shape = tuple(rng.choice([1, 2, 3, 4, 7, 8, 9, 70], rng.integers(1, 4)).tolist())
    if dtype == "bool":
        return laid_out(rng.random(shape) < rng.choice([0.1, 0.5, 1]), rng)
    numbers = rng.integers(-50, 50, shape)
    numbers[rng.random(shape) < rng.choice([0, 0.1, 1], p=[0.5, 0.4, 0.1])] = NONE
    return laid_out(numbers.view(np.dtype(dtype).newbyteorder("=")).astype(dtype), rng)


def native(x: Keys) -> Keys:
    return x.astype(x.dtype.newbyteorder("="))


@pytest.mark.parametrize("dtype", ["bool", *TIMES])
def test_ranks_places_and_sorts(dtype: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        x = random_keys(rng, dtype)
        kept, axis = x.copy(), random_axis(rng, x.ndim)
        rows = joined(native(x), axis)
        ordered, n = np.sort(rows, axis=-1), rows.shape[-1]
        k, ks = int(rng.integers(-n, n)), rng.integers(-n, n, (2, 3))
        agree(modern.select(x, k, axis=axis), ordered[..., k])
        agree(modern.multiselect(x, ks, axis=axis)[1, 2], ordered[..., ks[1, 2]])
        for ties in TIES:
            place = np.asarray(modern.argselect(x, k, axis=axis, ties=ties))[..., None]
            agree(np.take_along_axis(rows, place, -1)[..., 0], np.asarray(ordered[..., k]))
        place = np.asarray(modern.argmedian(x, axis=axis))[..., None]
        middle = ordered[..., (n - 1) // 2]
        lost = np.isnat(rows).any(-1) if rows.dtype.kind in "mM" else np.zeros(middle.shape, bool)
        found = np.take_along_axis(rows, place, -1)[..., 0]
        np.testing.assert_array_equal(found[~lost], middle[~lost])
        assert np.isnat(found[lost]).all() if lost.any() else True
        along = int(rng.integers(x.ndim))
        ordered = np.sort(native(x), axis=along)
        agree(modern.sort(x, axis=along), ordered)
        agree(modern.topk(x, 1, axis=along, largest=False).values, ordered.take([0], along))
        assert x.tobytes() == kept.tobytes()


@pytest.mark.parametrize("dtype", TIMES)
@pytest.mark.parametrize("method", ["linear", "lower", "midpoint"])
def test_medians_and_quantiles_of_times(dtype: str, method: QuantileMethod) -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        x = random_keys(rng, dtype)
        where: Any = {"axis": random_axis(rng, x.ndim), "keepdims": bool(rng.integers(2))}
        q = [0.5, [0.2, 1.0]][rng.integers(2)]
        for name in ("quantile", "nanquantile"):
            found = expected(getattr(modern, name), x, q, method=method, **where)
            wanted = expected(getattr(np, name), native(x), q, method=method, **where)
            agree(found, wanted)
        if x.dtype.kind == "m":
            agree(expected(modern.median, x, **where), expected(np.median, native(x), **where))
            found = expected(modern.nanmedian, x, **where)
            agree(found, expected(np.nanmedian, native(x), **where))


def test_a_row_without_times_warns_and_dates_have_no_mean() -> None:
    x = np.array([[NONE, NONE], [1, 4]]).view("m8[s]")
    with pytest.warns(RuntimeWarning, match="All-NaN slice"):
        assert np.isnat(modern.nanmedian(x, axis=1)).tolist() == [True, False]
    for ask in (modern.median, modern.nanmedian):
        with pytest.raises(UnsupportedKeys, match=r"datetime64\[s\] have no mean.*quantile"):
            ask(x.view("M8[s]"), axis=1)
    for dtype in ("M8[D]", "m8[s]"):
        with pytest.raises(UnsupportedKeys, match=r"64\[.\] have no magnitude"):
            modern.threshold(np.zeros((2, 3), dtype), 1)


def test_means_and_thresholds_of_booleans() -> None:
    rng = np.random.default_rng(7)
    for shape in ((1, 1), (2, 3), (5, 4), (4, 9)):
        x = rng.random(shape) < 0.5
        for axis in (0, 1, None):
            agree(modern.median(x, axis=axis), np.median(x, axis=axis))
            agree(modern.nanmedian(x, axis=axis), np.nanmedian(x, axis=axis))
            wanted = np.quantile(x.view(np.uint8), 0.3, axis=axis, method="lower")
            agree(modern.quantile(x, 0.3, axis=axis, method="lower"), wanted.astype(bool)[()])
            with pytest.raises(UnsupportedKeys, match=r"booleans cannot be mixed.*'lower'"):
                modern.nanquantile(x, 0.3, axis=axis)
        kept = modern.threshold(x, 1)
        agree(kept, x & (np.cumsum(x, axis=1) == 1))


def test_out_has_the_type_of_the_keys() -> None:
    for dtype in ("bool", "M8[D]", "m8[s]"):
        x = np.array([[2, 0, 1], [0, 0, 5]]).astype(dtype)
        out, places = np.empty((2, 2), dtype), np.empty((2, 2), np.int64)
        modern.topk(x, 2, out=(out, places))
        agree(out, np.take_along_axis(x, places, 1))
        assert modern.select(x, 1, axis=1, out=out[0]) is not None
        agree(out[0], np.sort(x, axis=1)[:, 1])
        with pytest.raises(BadOption, match="the type"):
            modern.select(x, 1, axis=1, out=np.empty(2, np.int64))


def test_rows_of_bfloat16() -> None:
    bfloat16 = np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    rng = np.random.default_rng(8)
    for holes in (0.0, 0.1):
        x = rng.normal(size=(5, 8)).astype(bfloat16)
        x[rng.random(x.shape) < holes] = np.nan
        for axis, (name, call) in product((0, 1, None), (RANKED | ALONG).items()):
            found, wanted = (expected(call, each, axis) for each in (x, x.astype(np.float32)))
            if wanted.dtype == np.float32:
                wanted = expected(np.asarray(wanted).astype, bfloat16)
            assert found.dtype == wanted.dtype, name
            agree(np.float32(found), np.float32(wanted))
    x = rng.normal(size=(5, 8)).astype(bfloat16)
    for q in (0.3, [0.3, 0.9]):
        found = modern.quantile(x, q, axis=1)
        agree(found.astype(np.float32), np.quantile(x, q, axis=1).astype(np.float32))
    assert modern.threshold([x[0]], 8).dtype == bfloat16
