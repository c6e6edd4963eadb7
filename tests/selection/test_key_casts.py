"""Keys of types that are cast: times and bfloat16, against NumPy where NumPy takes them."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from shadersort.errors import UnsupportedKeys
from shadersort.keys.key_casts import Bfloats, key_cast_of
from shadersort.keys.types import Keys
from shadersort.names import SelectionMethod
from tests.expected import expected
from tests.modern.references import largest_places

TIMES = ["datetime64[D]", "datetime64[ns]", "timedelta64[s]", "timedelta64[ns]", ">M8[s]", ">m8[D]"]
LIMITS = np.iinfo(np.int64)
METHODS: list[SelectionMethod] = ["auto", "radix", "bucket", "cutting-plane", "one-read"]
WORDS = np.arange(1 << 16, dtype=np.uint16)


def days(n: int, dtype: str, none: float = 0.1) -> Keys:
    """Times with ties, the extremes of their type, and NaTs."""
    random = np.random.default_rng(n)
    numbers = random.integers(-50, 50, n)
    numbers[random.random(n) < 0.1] = random.choice([LIMITS.min + 1, LIMITS.max])
    numbers[random.random(n) < none] = LIMITS.min
    return numbers.view(np.dtype(dtype).newbyteorder("=")).astype(dtype)


def same(found: Any, wanted: Any) -> bool:
    """Whether answers are alike, in native byte order."""
    native = np.asarray(wanted).dtype.newbyteorder("=")
    return repr(found) == repr(np.asarray(wanted).astype(native)[()])


@pytest.mark.parametrize("dtype", TIMES)
@pytest.mark.parametrize("n", [1, 2, 17, 1000])
def test_times(dtype: str, n: int) -> None:
    for none in (0.0, 0.1, 1.0):
        keys = days(n, dtype, none)
        ordered, kept = np.sort(keys), keys.copy()
        for method in METHODS:
            for k in (0, n // 2, n - 1, -1):
                assert same(modern.select(keys, k, method=method), ordered[k])
        assert same(modern.sort(keys), ordered)
        assert same(modern.multiselect(keys, [[0, n - 1]]), ordered[[[0, n - 1]]])
        for largest in (True, False):
            values, places = modern.topk(keys, min(n, 9), largest=largest)
            cast = key_cast_of(keys.dtype.newbyteorder("="))
            assert cast is not None
            first = largest_places(cast.cast(keys.astype(cast.dtype)), min(n, 9), largest)
            assert places.tolist() == first
            assert same(values, keys[first])
        assert keys.tobytes() == kept.tobytes()


@pytest.mark.parametrize("dtype", TIMES)
@pytest.mark.parametrize("method", ["linear", "lower", "hazen", "midpoint", "inverted_cdf"])
def test_quantiles_of_times(dtype: str, method: Any) -> None:
    asked: list[tuple[int, Any]] = [(1, 0.5), (4, 0.3), (101, [0.0, 0.25, 1.0]), (10, [[0.9]])]
    for n, q in asked:
        for keys in (np.arange(n).astype(dtype), np.arange(n)[::-1].astype(dtype)):
            holed = keys.copy()
            holed[n // 2] = "NaT"
            for ours, numpys in (
                (modern.quantile, np.quantile),
                (modern.nanquantile, np.nanquantile),
            ):
                for some in (keys, holed):
                    found = expected(ours, some, q, method=method)
                    assert same(found, expected(numpys, some, q, method=method))


def test_medians_of_times() -> None:
    for n in (1, 2, 5, 100):
        keys = np.arange(n, 0, -1).astype("m8[s]")
        assert same(modern.median(keys), np.median(keys))
        keys[0] = "NaT"
        assert np.isnat(modern.median(keys))
        if n > 1:
            assert same(modern.nanmedian(keys), np.nanmedian(keys))
    with pytest.warns(RuntimeWarning, match="All-NaN slice"):
        assert np.isnat(modern.nanmedian(np.array(["NaT"], "m8[s]")))


def test_what_times_do_not_have() -> None:
    for ask in (modern.median, modern.nanmedian):
        with pytest.raises(UnsupportedKeys, match=r"datetime64\[D\] have no mean.*quantile"):
            ask(np.array(["2005-08-01"], "M8[D]"))
    for dtype in ("M8[D]", "m8[s]"):
        with pytest.raises(UnsupportedKeys, match=r"64\[.\] have no magnitude"):
            modern.threshold(np.zeros(3, dtype), 1)


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
