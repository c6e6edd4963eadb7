"""Keys of types that are cast: booleans, times and bfloat16, against NumPy where it takes them.

`test_axes.py` has the ranks, the first keys and the sorts of booleans and of times.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from shadersort.errors import BadOption, UnsupportedKeys
from shadersort.keys.key_casts import Bfloats
from shadersort.keys.types import Keys
from shadersort.names import QuantileMethod, SelectionMethod
from tests.expected import expected
from tests.modern.references import largest_places
from tests.modern.test_axes import agree, laid_out, random_axis
from tests.modern.test_axes_on_gpu import ALONG, RANKED

TIMES = ("datetime64[D]", "datetime64[ns]", "timedelta64[s]", ">M8[s]", ">m8[ns]")
NONE: int = np.iinfo(np.int64).min
METHODS: list[SelectionMethod] = ["auto", "radix", "bucket", "cutting-plane", "one-read"]
WORDS = np.arange(1 << 16, dtype=np.uint16)


def as_times(numbers: Any, dtype: str) -> Keys:
    return np.asarray(numbers.view(np.dtype(dtype).newbyteorder("=")).astype(dtype))


def native(x: Keys) -> Keys:
    return x.astype(x.dtype.newbyteorder("="))


@pytest.mark.parametrize("dtype", TIMES)
def test_every_method_finds_times(dtype: str) -> None:
    """With ties, the extremes of the type, and NaTs."""
    rng = np.random.default_rng(5)
    for n, none in product((1, 2, 17, 1000), (0.0, 0.1, 1.0)):
        numbers = rng.integers(-50, 50, n)
        numbers[rng.random(n) < 0.1] = rng.choice([NONE + 1, -1 - NONE])
        numbers[rng.random(n) < none] = NONE
        keys = as_times(numbers, dtype)
        ordered, kept = np.sort(native(keys)), keys.copy()
        for method, k in product(METHODS, (0, n // 2, n - 1, -1)):
            agree(modern.select(keys, k, method=method), ordered[k])
        agree(modern.multiselect(keys, [[0, n - 1]]), ordered[[[0, n - 1]]])
        assert keys.tobytes() == kept.tobytes()


@pytest.mark.parametrize("dtype", TIMES)
@pytest.mark.parametrize("method", ["linear", "lower", "hazen", "midpoint", "inverted_cdf"])
def test_medians_and_quantiles_of_times(dtype: str, method: QuantileMethod) -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        shape = tuple(rng.choice([1, 2, 3, 4, 7, 8, 9, 70], rng.integers(1, 4)).tolist())
        holes = rng.random(shape) < rng.choice([0, 0.1, 1], p=[0.5, 0.4, 0.1])
        x = laid_out(as_times(np.where(holes, NONE, rng.integers(-50, 50, shape)), dtype), rng)
        where: Any = {"axis": random_axis(rng, x.ndim), "keepdims": bool(rng.integers(2))}
        q = [0.5, [0.2, 1.0], [[0.9]]][rng.integers(3)]
        for name in ("quantile", "nanquantile"):
            found = expected(getattr(modern, name), x, q, method=method, **where)
            agree(found, expected(getattr(np, name), native(x), q, method=method, **where))
        for name in ("median", "nanmedian") if x.dtype.kind == "m" else ():
            found = expected(getattr(modern, name), x, **where)
            agree(found, expected(getattr(np, name), native(x), **where))


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


def test_bfloat16_comes_back_and_a_mean_is_rounded_to_the_nearest() -> None:
    cast, positive = Bfloats(np.dtype(np.uint16)), WORDS[: 0x7F80 - 1]
    floats = (WORDS.astype(np.uint32) << 16).view(np.float32)
    np.testing.assert_array_equal(cast.cast(WORDS).view(np.uint32), floats.view(np.uint32))
    np.testing.assert_array_equal(cast.restore(floats), WORDS)
    assert cast.restore(floats[5]) == 5
    low, high = cast.cast(positive), cast.cast(positive + 1)
    middle = low / 2 + high / 2
    np.testing.assert_array_equal(cast.restore(middle), positive + positive % 2)
    np.testing.assert_array_equal(cast.restore(np.nextafter(middle, low)), positive)
    np.testing.assert_array_equal(cast.restore(np.nextafter(middle, high)), positive + 1)
    assert cast.restore(np.finfo(np.float32).max) == 0x7F80


def test_bfloat16() -> None:
    bfloat16 = np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    random = np.random.default_rng(1)
    for n in (1, 2, 257, 20_000):
        for words in (random.choice(WORDS, n), random.choice(WORDS[0x3F00:0x4100], n)):
            keys, floats = words.view(bfloat16), words.view(bfloat16).astype(np.float32)
            ordered = np.sort(floats, kind="stable")
            for k in {0, n // 3, n - 1}:
                found = modern.select(keys, k)
                assert found.dtype == bfloat16
                np.testing.assert_array_equal(np.float32(found), ordered[k])
            arranged = modern.sort(keys)
            np.testing.assert_array_equal(arranged.astype(np.float32), ordered)
            np.testing.assert_array_equal(np.sort(arranged.view(np.uint16)), np.sort(words))
            median = expected(lambda some: np.median(some).astype(bfloat16), floats)
            assert repr(expected(modern.median, keys)) == repr(median)
            values, places = modern.topk(keys, n // 2)
            assert places.tolist() == largest_places(floats, n // 2)
            np.testing.assert_array_equal(values.view(np.uint16), words[places])


def test_thresholds_and_quantiles_of_bfloat16() -> None:
    bfloat16 = np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    keys = np.array([3, -5, 1, -2], bfloat16)
    assert modern.threshold(keys, 2).tolist() == [3, -5, 0, 0]
    out = np.zeros(4, bfloat16)
    assert modern.threshold(keys, 2, kind="soft", out=out) is out
    assert out.tolist() == [1, -3, 0, 0]
    assert modern.threshold(keys, 1, out=keys).tolist() == [0, -5, 0, 0]
    keys = np.random.default_rng(3).normal(size=1001).astype(bfloat16)
    given: Any = product((0.3, [0.3, 0.9]), ("linear", "lower", "hazen"))
    for q, method in given:
        wanted = np.quantile(keys, q, method=method)
        assert repr(modern.quantile(keys, q, method=method)) == repr(wanted)
    keys[7] = np.nan
    assert np.isnan(modern.quantile(keys, 0.3))


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
