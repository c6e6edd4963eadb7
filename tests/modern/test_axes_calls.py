"""Calls along axes: the axes that NumPy takes, `out`, shapes without keys, and bad input."""

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


def test_default_axes_are_those_of_numpy() -> None:
    x = np.random.default_rng(3).random((4, 5))
    agree(modern.median(x), np.median(x))
    agree(modern.nanmedian(x), np.nanmedian(x))
    agree(modern.quantile(x, [0.1, 0.3]), np.quantile(x, [0.1, 0.3]))
    agree(modern.nanquantile(x, 0.3), np.nanquantile(x, 0.3))
    agree(modern.select(x, 2), np.partition(x, 2)[:, 2])
    agree(modern.multiselect(x, [2, 0]), np.sort(x)[:, [2, 0]].T)
    agree(modern.sort(x), np.sort(x))
    agree(modern.sort(x, axis=None), np.sort(x, axis=None))
    agree(modern.topk(x, 2).values, np.sort(x)[:, :-3:-1])
    agree(modern.topk(x, 2, axis=None).values, np.sort(x, axis=None)[:-3:-1])
    agree(modern.threshold(x, 2, axis=None), np.where(x >= np.sort(x, axis=None)[-2], x, 0))
    agree(modern.threshold(x, 1, axis=(0, 1)), np.where(x == x.max(), x, 0))
    agree(modern.median(x.tolist(), axis=0), np.median(x, axis=0))
    agree(modern.median(7.0, keepdims=True), np.median(7.0, keepdims=True))  # no axis at all
    agree(modern.quantile(np.int8(7), [0.1, 0.3]), np.quantile(np.int8(7), [0.1, 0.3]))
    assert isinstance(modern.median(x), np.float64)


def test_one_dimension_takes_methods_and_traces() -> None:
    x = np.random.default_rng(1).normal(size=101).astype(np.float32)
    for axis in (0, -1, None, (0,)):
        agree(modern.select(x, 7, axis=axis, method="radix", width=4), np.sort(x)[7])
        agree(modern.median(x, axis=axis, method="bucket", as_printed=True), np.median(x))
        agree(modern.quantile(x, 0.2, axis=axis, selector="radix"), np.quantile(x, 0.2))
        answer, trace = modern.select(x, 7, axis=axis, return_trace=True)
        assert (answer, trace.method) == (np.sort(x)[7], "sort-choose")
    kept, trace = modern.select(x, 7, keepdims=True, method="radix", return_trace=True)
    assert (kept.shape, trace.method) == ((1,), "radix")
    many, trace = modern.multiselect(x[None], [[3, 4]], method="bucket", return_trace=True)
    assert (many.shape, trace.method) == ((1, 2, 1), "bucket")


CALLS: dict[Any, tuple[Any, ...]] = {
    **{modern.median: (), modern.nanmedian: (), modern.select: (1,), modern.multiselect: ([0, 1],)},
    **{modern.quantile: (0.3,), modern.nanquantile: ([0.1, 0.5],)},
    **{modern.argselect: (1,), modern.argmedian: ()},
}


@pytest.mark.parametrize("call", CALLS)
def test_keepdims_and_out(call: Any) -> None:
    x, more = np.random.default_rng(8).random((4, 6)), CALLS[call]
    for axis, kept in ((0, (1, 6)), (1, (4, 1)), (None, (1, 1))):
        expected = np.asarray(call(x, *more, axis=axis))
        front = np.shape(more[0]) if more else ()
        agree(call(x, *more, axis=axis, keepdims=True), expected.reshape(front + kept))
        out = np.empty_like(expected)
        assert call(x, *more, axis=axis, out=out) is out
        agree(out, expected)


def test_out_of_rows_that_stay() -> None:
    x = np.random.default_rng(1).random((3, 4))
    whole = np.empty((3, 4))
    assert modern.sort(x, axis=0, out=whole) is whole
    agree(whole, np.sort(x, axis=0))
    assert modern.threshold(whole, 1, axis=0, out=whole) is whole
    assert np.count_nonzero(whole) == 4
    pair = np.empty((3, 2)), np.empty((3, 2), np.int64)
    assert modern.topk(x, 2, out=pair).values is pair[0]
    agree(pair[1], modern.topk(x, 2).indices)


def test_no_rows() -> None:
    none = np.zeros((0, 3))
    agree(modern.median(none, axis=1), expected(np.median, none, axis=1))
    agree(modern.nanquantile(none, [0.5], axis=1), expected(np.quantile, none, [0.5], axis=1))
    agree(modern.select(none, 1), np.zeros(0))
    agree(modern.topk(none, 2).indices, np.zeros((0, 2), np.int64))
    agree(modern.sort(none, axis=0), none)
    agree(modern.threshold(none, 0, axis=0), none)


X = np.zeros((3, 4))
BAD: list[tuple[Any, tuple[Any, ...], dict[str, Any], type[Exception]]] = [
    (modern.median, (X,), {"axis": 2}, np.exceptions.AxisError),
    (modern.select, (X[0], 0), {"axis": 1}, np.exceptions.AxisError),
    (modern.quantile, (X, 0.5), {"axis": (0, -2)}, ValueError),
    (modern.median, (X,), {"axis": 1.5}, TypeError),
    (modern.topk, (X, 1), {"axis": (0, 1)}, errors.BadAxis),
    (modern.sort, (X,), {"axis": (0, 1)}, errors.BadAxis),
    (modern.median, (X,), {"axis": 0, "out": np.zeros(3)}, errors.BadOption),
    (modern.median, (X,), {"axis": 0, "out": np.zeros(4, "f4")}, errors.BadOption),
    (modern.select, (X, 0), {"out": [0, 0, 0]}, errors.BadOption),
    (modern.threshold, (X, 1), {"out": np.zeros(4)}, errors.BadOption),
    (modern.topk, (X, 1), {"out": np.zeros((3, 1))}, errors.BadOption),
    (modern.quantile, (X, 1.5), {"axis": 0}, errors.QuantileOutOfRange),
    (modern.quantile, (X, 0.5), {"axis": 0, "method": "cubic"}, errors.UnknownName),
    (modern.select, (X, 4), {}, errors.RankOutOfRange),
    (modern.select, (X, 3), {"axis": 0}, errors.RankOutOfRange),
    (modern.multiselect, (X, [0, -5]), {}, errors.RankOutOfRange),
    (modern.argselect, (X, 1.5), {}, errors.BadRank),
    (modern.topk, (X, 5), {}, errors.BadOption),
    (modern.threshold, (X, 4), {"axis": 0}, errors.BadOption),
    (modern.topk, (X, 1), {"ties": "first"}, errors.BadOption),
    (modern.argmedian, (X,), {"ties": "last"}, errors.BadOption),
    (modern.select, (X, 1), {"method": "radix"}, errors.MethodUnavailable),
    (modern.multiselect, (X, [1]), {"no": 1}, errors.MethodUnavailable),
    (modern.argtopk, (X, 1), {"out": (X, X)}, errors.BadOption),
    (modern.argtopk, (X, 1), {"no": 1}, TypeError),
    (modern.median, (X,), {"axis": 0, "finish": "iterate"}, errors.MethodUnavailable),
    (modern.select, (np.zeros(()), 0), {}, errors.KeysNotFlat),
    (modern.median, (np.zeros((2, 2), complex),), {}, errors.UnsupportedKeys),
    (modern.median, (np.ma.masked_array(X, X > 0),), {}, errors.UnsupportedKeys),
]


def test_bad_input() -> None:
    for call, given, options, error in BAD:
        with pytest.raises(error):
            call(*given, **options)


def test_rows_of_nan_only_warn() -> None:
    x = np.array([[1.0, 2.0], [np.nan, np.nan]])
    for call, more in ((modern.nanmedian, ()), (modern.nanquantile, ([0.5, 1],))):
        with pytest.warns(RuntimeWarning, match="NaN"):
            found = call(x, *more, axis=1)
        assert np.isnan(found[..., 1]).all()
        assert not np.isnan(found[..., 0]).any()


@pytest.mark.parametrize("shape", [(3, 1), (1, 3), (3,), (3, 1, 1), (3, 2)])
@pytest.mark.parametrize("q", [0.3, np.array(0.3), np.array(0.3, "f4"), np.array([0.3])])
@pytest.mark.parametrize("last", [2, np.nan])
def test_the_type_of_a_quantile_is_that_of_numpy(last: float, q: Any, shape: Any) -> None:
    """With and without a NaN, of one row and of several."""
    keys = np.resize(np.array([1, last, 3], "f4"), shape)
    for axis in (None, *range(len(shape)), tuple(range(len(shape)))):
        for keepdims in (False, True):
            options: Any = {"axis": axis, "keepdims": keepdims}
            wanted = expected(np.quantile, keys, q, **options)
            np.testing.assert_array_equal(modern.quantile(keys, q, **options), wanted, strict=True)


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2"])
def test_floats_of_eight_bits_are_refused_by_name(name: str) -> None:
    x = np.ones(3, getattr(pytest.importorskip("ml_dtypes"), name))
    calls: list[Any] = [
        *(lambda: modern.select(x, 0), lambda: modern.median(x), lambda: modern.topk(x, 1)),
        *(lambda: modern.select(x, 0, method="radix"), lambda: ss.sort(x, device="software")),
        *(lambda: ss.QuantileSummary(0.1).update(x), lambda: ss.FrequencySummary(0.1).update(x)),
    ]
    for call in calls:
        with pytest.raises(errors.UnsupportedKeys, match=name):
            call()


# no keys: medians and quantiles are NaN with a warning, as NumPy's; other functions raise

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
def test_no_keys_on_a_gpu() -> None:
    for shape, axis in SHAPES:
        for dtype in ("float32", "int8"):
            x = np.zeros(shape, dtype)
            for call, more in ((modern.median, ()), (modern.nanquantile, ([0.5, 1],))):
                found = call(put_on_gpu(x), *more, axis=axis)
                agree(found.get(), call(x, *more, axis=axis))
    x = np.array([[np.nan, 1], [2, 4]], np.float32)
    agree(modern.median(put_on_gpu(x), axis=()).get(), x)
