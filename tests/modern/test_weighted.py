"""Weighted medians and quantiles: against NumPy, against repeated keys, and against their rule."""

import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import modern
from modern.rows import weighted
from modern.rows.weighted_search import How, Search
from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.names import QuantileMethod
from shadersort.selection.rows import chunks
from shadersort.selection.rows.numpy import NumPyRows
from tests.modern.test_axes import (
    ROUNDS,
    TYPES,
    agree,
    by_numpy,
    laid_out,
    quiet,
    random_axis,
    random_q,
)

INVERTED: QuantileMethod = "inverted_cdf"
AVERAGED: QuantileMethod = "averaged_inverted_cdf"
BOTH = INVERTED, AVERAGED
SIZES = [1, 2, 3, 31, 32, 33, 255, 256, 257]


def by_rule(keys: Any, weights: Any, q: float, averaged: bool) -> Any:
    """The quantile by exact sums; the share is rounded once, as a caller's q is."""
    pairs = sorted(
        (float(key), Fraction(weight)) for key, weight in zip(keys, weights, strict=True) if weight
    )
    total, share = sum(weight for _, weight in pairs), Fraction(0)
    shares = [float((share := share + weight) / total) for _, weight in pairs]
    lower = next(key for (key, _), each in zip(pairs, shares, strict=True) if each >= q)
    upper = next((key for (key, _), each in zip(pairs, shares, strict=True) if each > q), lower)
    return (lower + upper) / 2 if averaged else lower


WHOLE = st.integers(0, 5)
DYADIC = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0])
"""Floats whose sums are exact."""


@st.composite
def weighted_keys(draw: st.DrawFn) -> tuple[list[float], list[Any]]:
    n = draw(st.integers(1, 12))
    weights = draw(st.lists(draw(st.sampled_from([WHOLE, DYADIC])), min_size=n, max_size=n))
    weights[draw(st.integers(0, n - 1))] = 1
    return draw(st.lists(st.integers(-3, 3).map(float), min_size=n, max_size=n)), weights


@given(weighted_keys(), st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.75, 1.0]))
def test_the_rule(given: tuple[list[float], list[Any]], q: float) -> None:
    keys, weights = given
    for method, averaged in zip(BOTH, (False, True), strict=True):
        found = modern.quantile(keys, q, weights=weights, method=method)
        assert found == by_rule(keys, weights, q, averaged)
    assert modern.median(keys, weights=weights) == by_rule(keys, weights, 0.5, True)


@given(weighted_keys(), st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.75, 1.0]))
def test_integers_repeat_keys(given: tuple[list[float], list[Any]], q: float) -> None:
    keys, weights = given
    times = np.ceil(weights).astype(np.int64)
    repeated = np.repeat(keys, times)
    found = modern.quantile(keys, q, weights=times, method=INVERTED)
    assert found == np.quantile(repeated, q, weights=np.ones(repeated.size), method=INVERTED)
    assert modern.median(keys, weights=times) == np.median(repeated)


def random_weights(rng: np.random.Generator, shape: Any) -> Any:
    """Weights of some types and strides, some zero, or any floats.

    The sums of the whole floats are exact, whatever the order.
    """
    dtype = str(
        rng.choice(["int8", "uint8", "int64", "uint64", "float32", "float64", ">i4", ">f8"])
    )
    if dtype.endswith("f8") and rng.integers(2):
        return laid_out(rng.random(shape).astype(dtype), rng)
    return laid_out(rng.integers(0, 9, shape, endpoint=True).astype(dtype), rng)


def random_keys(rng: np.random.Generator) -> Keys:
    """Keys of any type and strides, of few values; some floats have a NaN."""
    shape = tuple(rng.choice([1, 2, 3, 7, 8, 9, 33], rng.integers(1, 4)).tolist())
    x = rng.integers(0, 50, shape).astype(str(rng.choice(TYPES)))
    if x.dtype.kind == "f" and not rng.integers(3):
        x.flat[rng.integers(x.size)] = np.nan
    return laid_out(x, rng)


@pytest.mark.parametrize("part", range(2))
def test_random_arrays_as_numpy(part: int) -> None:
    rng = np.random.default_rng(part)
    for _ in range(ROUNDS // 2):
        x = random_keys(rng)
        axis, keepdims, q = random_axis(rng, x.ndim), bool(rng.integers(2)), random_q(rng)
        one_axis = isinstance(axis, int) and bool(rng.integers(2))
        weights = random_weights(rng, (x.shape[axis],) if one_axis else x.shape)
        sums = weights.sum(axis=0 if one_axis else axis, keepdims=True)
        weights = weights + (sums == 0).astype(weights.dtype)
        options: dict[str, Any] = {"axis": axis, "keepdims": keepdims, "weights": weights}
        expected = by_numpy(np.quantile, x, q, method=INVERTED, **options)
        agree(modern.quantile(x, q, method=INVERTED, **options), expected)
        if not rng.integers(4):
            assert_omits(x, q, options)


def assert_omits(x: Keys, q: Any, options: dict[str, Any]) -> None:
    """NaNs are left out with their weights: as keys without weight."""
    weights, axis = options["weights"], options["axis"]
    if weights.shape != x.shape:
        last = np.broadcast_to(weights, np.moveaxis(x, axis, -1).shape)
        weights = np.moveaxis(last, -1, axis)
    numbers, left = np.where(x == x, x, 0).astype(x.dtype), np.where(x == x, weights, 0)
    where: dict[str, Any] = {"axis": axis, "keepdims": options["keepdims"]}
    if not left.sum(axis=axis).all():
        return
    for method in BOTH:
        expected = modern.quantile(numbers, q, method=method, weights=left, **where)
        agree(modern.nanquantile(x, q, method=method, **options), expected)
        agree(modern.quantile(x, q, method=method, nan_policy="omit", **options), expected)
    agree(modern.nanmedian(x, **options), modern.median(numbers, weights=left, **where))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "uint64"])
def test_equal_weights_change_nothing(n: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    some = rng.integers(0, 100, n).astype(dtype)
    for keys in (some, np.sort(some), np.sort(some)[::-1], np.full(n, 7, dtype)):
        for weights in (np.ones(n), np.full(n, 0.5), np.full(n, 3, np.uint8), np.full(n, True)):
            agree(modern.median(keys, weights=weights), np.median(keys))
            found = modern.quantile(keys, [0, 0.3, 1], weights=weights, method=INVERTED)
            agree(found, np.quantile(keys, [0, 0.3, 1], method=INVERTED))


def test_unusual_keys() -> None:
    largest, least = np.finfo("f4").max, np.finfo("f4").smallest_subnormal
    x = np.array([np.inf, -np.inf, largest, least, -0.0, -least], "float32")
    ones = np.ones(6)
    agree(
        modern.quantile(x, [0, 0.5, 1], weights=ones, method=INVERTED),
        np.array([-np.inf, 0, np.inf], "float32"),
    )
    agree(modern.median(x[:2], weights=[1, 1]), np.float32(np.nan))
    agree(modern.median(x[:1], weights=[2]), np.float32(np.inf))
    agree(modern.median(np.full(2, largest), weights=[1, 1]), largest)
    agree(modern.median([True, False], weights=[1, 1]), np.float64(0.5))
    times = np.array(["2005-01-01", "NaT", "2005-01-03", "2005-01-09"], "M8[D]")
    weights = [1, 9, 1, 3]
    assert np.isnat(modern.quantile(times, 0.5, weights=weights, method=INVERTED))
    agree(modern.nanquantile(times, 0.4, weights=weights, method=INVERTED), times[2])
    agree(modern.nanquantile(times, 0.2, weights=weights, method=AVERAGED), times[0] + 1)
    spans = times - times[0]
    agree(modern.nanmedian(spans, weights=[2, 5, 0, 2]), spans[3] // 2)
    assert np.isnat(modern.median(spans, weights=weights))


def test_sums_of_integers_are_exact() -> None:
    """In float64, 2**53 + 1 is 2**53, and in int64 these weights overflow."""
    huge = 1 << 62
    assert modern.median([1, 2, 3], weights=np.array([huge, 2 * huge, huge], "uint64")) == 2
    assert modern.median([1, 2], weights=[huge, huge]) == 1.5
    half = (1 << 53) - 1
    for more, expected in ((0, 1.5), (3, 2.0)):
        assert modern.median([1, 2], weights=[half, half + more]) == expected
    many = np.full(5000, huge // 2, np.int64)
    assert modern.quantile(np.arange(5000), 0.2, weights=many, method=INVERTED) == 999


@given(st.permutations(range(12)))
def test_the_order_of_equal_keys_does_not_matter(order: list[int]) -> None:
    weights = np.array(
        [0.1, 0.7, 1e-17, 0.3, 1e17, 3e-9, 0.2, 0.2, 1 / 3, 1e-3, 5.5, 0.6], "float64"
    )
    keys = np.array([1, 1, 1, 1, 9, 2, 2, 2, 3, 3, 3, 3], "float32")
    weights[4] = 1e-5
    q = np.linspace(0, 1, 57)
    expected = modern.quantile(keys, q, weights=weights, method=AVERAGED)
    agree(modern.quantile(keys[order], q, weights=weights[order], method=AVERAGED), expected)


@pytest.mark.parametrize("dtype", ["float32", "int16"])
def test_rows_in_chunks_and_threads(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 8)
    for name in ("LONG_CALLS", "SHORT_CALLS"):
        monkeypatch.setattr(chunks, name, chunks.Sharing(worth=0, most=8))
    monkeypatch.setattr(chunks, "cores", lambda: 3)
    rng = np.random.default_rng(8)
    x = rng.integers(0, 40, (5, 9, 70)).astype(dtype)
    for axis in (0, 1, (0, 2), None):
        weights = rng.integers(1, 9, x.shape)
        expected = np.quantile(x, [0.2, 0.9], axis=axis, weights=weights, method=INVERTED)
        found = modern.quantile(x, [0.2, 0.9], axis=axis, weights=weights, method=INVERTED)
        agree(found, expected)


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_all_rows_at_once(dtype: str) -> None:
    """What rows on a GPU do, here with NumPy."""
    rng = np.random.default_rng(11)
    keys = rng.integers(0, 9, (3, 17, 4)).astype(dtype)
    q = np.broadcast_to(np.array([[0], [0.25], [0.5], [1]]), (3, 4, 4))
    counts = np.full((3, 4), 17)
    for weights in (rng.random(keys.shape), rng.integers(1, 4, keys.shape)):
        for how in (How(INVERTED, nan=True), How(AVERAGED, nan=False)):
            search = Search(np, how, None)
            expected = weighted._in_chunks(NumPyRows(keys), weights, q, counts, search)
            found = weighted._at_once(NumPyRows(keys), weights, q, counts, search)
            np.testing.assert_array_equal(found, expected)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint8", "int64"])
def test_arrays_on_a_gpu(dtype: str) -> None:
    import cupy

    rng = np.random.default_rng(12)
    x = rng.integers(0, 50, (6, 40, 5)).astype(dtype)
    if x.dtype.kind == "f":
        x[0, 3, 2] = np.nan
    q = rng.random((2, 6, 5))
    for weights in (
        rng.integers(0, 9, x.shape) + 1,
        np.full(x.shape, 1 << 60),
        rng.integers(1, 5, 40) / 4,
    ):
        given = cupy.asarray(weights)
        for method in BOTH:
            options: dict[str, Any] = {"axis": 1, "method": method}
            for name in ("quantile", "nanquantile"):
                call = getattr(modern, name)
                expected = call(x, [0, 0.25, 0.9], weights=weights, **options)
                agree(
                    call(cupy.asarray(x), [0, 0.25, 0.9], weights=given, **options).get(), expected
                )
                options["q_per_row"] = True
                expected = call(x, q, weights=weights, **options)
                agree(call(cupy.asarray(x), q, weights=weights, **options).get(), expected)
                del options["q_per_row"]
        expected = modern.median(x, axis=1, weights=weights)
        agree(modern.median(cupy.asarray(x), axis=1, weights=given).get(), expected)
    agree(
        modern.quantile(cupy.asarray(x), q, axis=1, q_per_row=True).get(),
        modern.quantile(x, q, axis=1, q_per_row=True),
    )
    with pytest.raises(errors.BadWeights, match="in the memory of a GPU"):
        modern.median(x, weights=cupy.asarray(x))
    if x.dtype.kind == "f":
        with pytest.raises(errors.NaNRefused):
            modern.median(cupy.asarray(x), nan_policy="raise")


def test_rows_of_nan_only() -> None:
    x, weights = np.array([[1.0, 2.0], [np.nan, np.nan]]), [[1, 2], [0, 0]]
    with pytest.warns(RuntimeWarning, match="NaN"):
        found = modern.nanmedian(x, axis=1, weights=weights)
    agree(found, np.array([2, np.nan]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agree(modern.quantile(x, 0.1, axis=1, weights=[1, 2], method=INVERTED), found - 1)


X = np.arange(12.0).reshape(3, 4)
BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"weights": X, "method": "linear"}, errors.BadWeights, "Only method 'inverted_cdf' supports"),
    ({"weights": X - 1}, errors.BadWeights, "Weights must be non-negative"),
    ({"weights": X * np.nan}, errors.BadWeights, "Weights included NaN, inf or were all zero"),
    ({"weights": X + np.inf}, errors.BadWeights, "Weights included NaN, inf or were all zero"),
    ({"weights": X * 1e307}, errors.BadWeights, "Weights included NaN, inf or were all zero"),
    ({"weights": X * 0}, errors.BadWeights, "Weights included NaN, inf or were all zero"),
    ({"weights": X * 0, "axis": 0}, errors.BadWeights, "were all zero"),
    ({"weights": X[0]}, errors.WeightsNeedAxis, "Axis must be specified when shapes of a and wei"),
    ({"weights": X[0], "axis": 0}, errors.BadWeights, "Shape of weights must be consistent with"),
    ({"weights": X + 1j}, errors.BadWeights, "not complex128"),
    ({"weights": [[1, 2], [3]]}, errors.BadWeights, "no array of numbers"),
    ({"weights": np.ma.masked_array(X, X > 1)}, errors.BadWeights, "masked"),
    ({"weights": X, "selector": "radix"}, errors.MethodUnavailable, "method of their own"),
    ({"weights": X, "axis": 2}, np.exceptions.AxisError, "axis 2 is out of bounds"),
    ({"weights": X, "out": np.zeros(2)}, errors.BadOption, r"out has \(2,\)"),
    ({"nan_policy": "ignore"}, errors.BadOption, "nan_policy must be one of"),
    ({"q_per_row": True, "axis": 0}, errors.ValuesMismatch, r"\(4,\), not \(\)"),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad[2])
def test_bad_input(bad: tuple[dict[str, Any], type[Exception], str]) -> None:
    options, error, words = bad
    with pytest.raises(error, match=words):
        quiet(modern.quantile, X, 0.5, **{"method": INVERTED, **options})


def test_bad_input_of_medians_and_mixed_booleans() -> None:
    with pytest.raises(errors.MethodUnavailable, match="method of their own"):
        modern.median(X, weights=X, method="bucket")
    with pytest.raises(errors.EmptyInput):
        modern.median([], weights=[])
    with pytest.raises(errors.UnsupportedKeys, match="booleans"):
        modern.quantile([True], 0.5, weights=[1], method=AVERAGED)
    with pytest.raises(errors.QuantileOutOfRange):
        modern.quantile(X, 1.5, weights=X, method=INVERTED)
