"""No keys: medians and quantiles are NaN with a warning, as NumPy's; other functions raise."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
import shadersort as ss
from shadersort import errors
from tests.expected import expected
from tests.modern.references import put_on_gpu
from tests.modern.test_axes import agree

WARNED = pytest.mark.filterwarnings("error", "ignore:Mean of empty slice:RuntimeWarning")
TYPES = ["float16", "float32", "float64", "int8", "uint64", "bool", "m8[s]"]
SHAPES: list[tuple[tuple[int, ...], Any]] = [
    *(((0,), None), ((0,), 0), ((2, 0), 1), ((2, 0), -1), ((2, 0, 3), (0, 1)), ((0, 0), 0)),
    *(((2, 0), 0), ((2, 0), None)),
]


@WARNED
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_medians_and_quantiles_are_nan(dtype: str, shape: tuple[int, ...], axis: Any) -> None:
    x = np.zeros(shape, dtype)
    for keepdims in (False, True):
        where: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
        if dtype != "m8[s]":  # whose empty mean NumPy refuses
            for call, numpys in ((modern.median, np.median), (modern.nanmedian, np.nanmedian)):
                agree(call(x, **where), expected(numpys, x, **where))
        shares: list[Any] = [0.5, [0.2, 1], np.zeros((2, 1))]
        for quantile in (modern.quantile, modern.nanquantile):
            for q in shares:
                found = quantile(x, q, method="lower", **where)
                assert found.shape == np.shape(q) + x.sum(**where).shape
                if found.size:
                    assert found.dtype == (dtype if x.dtype.kind in "fm" else np.float64)
                assert np.isnan(found).all()


def test_every_way_warns_once() -> None:
    parts = modern.Parts([np.zeros(0), np.zeros(0)])
    calls: list[Any] = [
        *(lambda: modern.median([]), lambda: modern.nanmedian(np.zeros((2, 0)), axis=1)),
        *(lambda: modern.quantile([], [0.5, 1]), lambda: modern.nanquantile([], 0.5)),
        *(lambda: modern.median([], method="radix"), lambda: modern.median(parts)),
        lambda: modern.quantile([], 0.5, weights=[], method="inverted_cdf"),
        lambda: ss.median(np.zeros(0, "f4"), device="software"),
        lambda: ss.quantile(np.zeros(0, "f4"), [0.1, 0.5], device="software"),
    ]
    for call in calls:
        with pytest.warns(RuntimeWarning, match="Mean of empty slice") as told:
            assert np.isnan(call()).all()
        assert len(told) == 1


def test_other_functions_raise() -> None:
    calls: list[Any] = [
        *(lambda x: modern.select(x, 0), lambda x: modern.multiselect(x, [0])),
        *(lambda x: modern.argselect(x, 0), modern.argmedian),
    ]
    for call, x in product(calls, ([], np.zeros((2, 0)))):
        with pytest.raises(errors.EmptyInput):
            call(x)
    with pytest.raises(errors.BadOption):
        modern.topk([], 1)
    with pytest.raises(errors.EmptyInput):
        ss.select(np.zeros(0, "f4"), 0, device="software")
    with pytest.raises(errors.QuantileOutOfRange):
        modern.quantile([], 1.5)
    with pytest.raises(errors.UnsupportedKeys):
        modern.median(np.zeros(0, "M8[s]"))


def test_no_axes_return_the_keys() -> None:
    arrays: list[Any] = [np.array([[3, 1], [2, 4]]), np.array([[np.nan, 1]], "f4"), np.array(3.0)]
    for x in arrays:
        for keepdims in (False, True):
            where: dict[str, Any] = {"axis": (), "keepdims": keepdims}
            agree(modern.median(x, **where), expected(np.median, x, **where))
            q = [0.3, 0.5]
            agree(modern.quantile(x, q, **where), expected(np.quantile, x, q, **where))
            agree(modern.select(x, 0, **where), x[()])
    with pytest.raises(errors.BadAxis):
        modern.topk(np.zeros((2, 2)), 1, axis=())


@pytest.mark.parametrize(("narrow", "wide"), [("f2", "f8"), ("i1", "i8"), ("?", "i8")])
def test_q_of_a_narrow_type_is_taken_as_a_wide_one(narrow: str, wide: str) -> None:
    for n in (3, 65_519, 65_520, 100_000):
        keys = np.arange(n, dtype=np.float32)
        shares: list[Any] = [np.array(0.5), np.array([0.1, 1])]
        for q in (each.astype(narrow)[()] for each in shares):
            wanted = np.quantile(keys, q.astype(wide))
            agree(modern.quantile(keys, q), wanted)
            agree(modern.nanquantile(keys, q), wanted)
            np.testing.assert_array_equal(modern.quantile(keys, q, selector="radix"), wanted)
            found = modern.quantile(keys[None], q, axis=1, method="lower")[..., 0]
            wanted = np.quantile(keys, q.astype(wide), method="lower")
            np.testing.assert_array_equal(found, wanted)
    assert ss.QuantileSummary(0.1).update(keys).quantile(np.array(1, narrow)[()]) == n - 1


@pytest.mark.gpu
@WARNED
def test_on_a_gpu() -> None:

    for shape, axis in SHAPES:
        for dtype in ("float32", "int8"):
            x = np.zeros(shape, dtype)
            for call, more in ((modern.median, ()), (modern.nanquantile, ([0.5, 1],))):
                found = call(put_on_gpu(x), *more, axis=axis)
                agree(found.get(), call(x, *more, axis=axis))
    x = np.array([[np.nan, 1], [2, 4]], np.float32)
    agree(modern.median(put_on_gpu(x), axis=()).get(), x)
