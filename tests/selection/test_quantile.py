"""Quantiles and medians by selection, against NumPy's."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import modern
from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.selection import median, quantile
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.quantile_plan import QUANTILE_METHODS
from tests.expected import expected
from tests.selection.inputs import ANY_KEYS, TYPES, awkward

SHARES = [0, 0.01, 0.25, 1 / 3, 0.5, 0.9, 1]


def agree(found: Any, expected: Any) -> None:
    """Check value, shape and type."""
    np.testing.assert_array_equal(found, expected)
    assert np.shape(found) == np.shape(expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype


@pytest.mark.parametrize("method", QUANTILE_METHODS)
def test_every_method(method: Any) -> None:
    for dtype, n in product(TYPES, (1, 2, 33)):
        for keys in awkward(n, dtype).values():
            some = NumPyPrimitives(keys)
            for nan, numpys in ((False, np.quantile), (True, np.nanquantile)):
                found = expected(quantile, some, SHARES, nan=nan, method=method)
                agree(found, expected(numpys, keys, SHARES, method=method))


@settings(max_examples=50)
@given(ANY_KEYS, st.floats(0, 1), st.sampled_from(QUANTILE_METHODS))
def test_any_keys(keys: Keys, q: float, method: Any) -> None:
    for ours, numpys in ((modern.quantile, np.quantile), (modern.nanquantile, np.nanquantile)):
        found = expected(ours, keys, q, method=method)
        agree(found, expected(numpys, keys, q, method=method))
    agree(expected(modern.nanmedian, keys), expected(np.nanmedian, keys))
    for method in ("auto", "bisection"):
        found = expected(modern.median, keys, method=method)
        agree(found, expected(np.median, keys))
        assert type(found) is type(expected(np.median, keys))


def test_every_selector() -> None:
    for selector in ("bucket", "radix", "quickselect", "cutting-plane"):
        keys = np.random.default_rng(1).normal(size=20_000)
        agree(modern.quantile(keys, SHARES, selector=selector), np.quantile(keys, SHARES))
        keys[::7] = np.nan
        wanted = expected(np.nanquantile, keys, SHARES)
        agree(modern.nanquantile(keys, SHARES, selector=selector), wanted)
        agree(modern.nanmedian(keys, method=selector), expected(np.nanmedian, keys))


def test_shapes_and_types() -> None:
    shares: list[Any] = [0.5, np.float32(0.5), 1, [0.5], [[0.1, 0.9], [0.5, 0.5]], []]
    for q, dtype in product(shares, ("float16", "float32", "int64")):
        keys = np.arange(30).astype(dtype)
        agree(modern.quantile(keys, q), expected(np.quantile, keys, q))
        if dtype != "int64":
            keys[3] = np.nan
            agree(modern.quantile(keys, q), expected(np.quantile, keys, q))
            agree(modern.nanquantile(keys, q), expected(np.nanquantile, keys, q))


def test_all_nan() -> None:
    keys = NumPyPrimitives(np.full(3, np.nan, np.float32))
    with pytest.warns(RuntimeWarning, match="All-NaN slice"):
        agree(median(keys, nan=True), np.float32(np.nan))
    for q in (0.5, [0.1, 0.2]):
        with pytest.warns(RuntimeWarning, match="NaN"):
            found = quantile(keys, q, nan=True)
        agree(found, expected(np.nanquantile, keys.keys, q))
    assert np.isnan(median(keys))


def test_options_reach_the_method() -> None:
    keys = np.arange(100.0)
    assert modern.quantile(keys, 0.5, selector="radix-inplace", width=8) == 49.5
    with pytest.raises(errors.BadOption, match="'radix' has no option 'digits'"):
        modern.quantile(keys, 0.5, selector="radix", digits=3)


def test_bad_input() -> None:
    bad: list[tuple[Any, Any, dict[str, Any], type[Exception]]] = [
        (["a"], 0.5, {}, errors.UnsupportedKeys),
        (np.zeros(()), 0.5, {"axis": 0}, errors.KeysNotFlat),
        ([1.0], 1.1, {}, errors.QuantileOutOfRange),
        ([1.0], [0.5, np.nan], {}, errors.QuantileOutOfRange),
        ([1.0], "half", {}, errors.QuantileNotNumber),
        ([1.0], 0.5, {"method": "cubic"}, errors.UnknownName),
        ([1.0], 0.5, {"selector": "cubic"}, errors.UnknownName),
    ]
    for (keys, q, options, error), find in product(bad, (modern.quantile, modern.nanquantile)):
        with pytest.raises(error):
            find(keys, q, **options)
    calls: Any = (modern.nanmedian, modern.median, lambda keys: modern.select(keys, 0))
    for (keys, _, _, error), call in product(bad[:1], calls):
        with pytest.raises(error):
            call(keys)
