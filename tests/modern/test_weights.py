"""Weighted quantiles: against NumPy."""

from typing import Any

import numpy as np
import pytest

import modern
from shadersort import errors
from shadersort.keys.types import Keys
from tests.expected import expected
from tests.modern.test_axes import TYPES, agree, laid_out, random_axis, random_q


def weighted(x: Any, q: Any, weights: Any, **where: Any) -> Any:
    return modern.quantile(x, q, weights=weights, method="inverted_cdf", **where)


def random_case(rng: np.random.Generator) -> tuple[Keys, Any, dict[str, Any]]:
    """Keys of any type and strides, some with NaNs, and weights of some types, some zero."""
    shape = tuple(rng.choice([1, 2, 3, 8, 9, 33], rng.integers(1, 4)).tolist())
    x = rng.integers(0, 50, shape).astype(str(rng.choice(TYPES)))
    if x.dtype.kind == "f" and not rng.integers(3):
        x.flat[rng.integers(x.size)] = np.nan
    axis = random_axis(rng, x.ndim)
    one_axis = isinstance(axis, int) and bool(rng.integers(2))
    shape = (x.shape[axis],) if one_axis else x.shape
    dtype = str(rng.choice(["int8", "uint64", "float32", "float64", ">f8", "bool"]))
    weights = rng.random(shape) if dtype == "float64" else rng.integers(0, 9, shape)
    weights = weights.astype(dtype)
    sums = weights.sum(axis=0 if one_axis else axis, keepdims=True)
    weights = laid_out(weights + (sums == 0).astype(dtype), rng)
    if not weights.any():
        weights = np.ones_like(weights)
    where: dict[str, Any] = {"axis": axis, "keepdims": bool(rng.integers(2))}
    return laid_out(x, rng), weights, where


def test_random_arrays_as_numpy() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        x, weights, where = random_case(rng)
        q = random_q(rng)
        native = x.astype(x.dtype.newbyteorder("="))
        options = {"weights": weights, "method": "inverted_cdf", **where}
        try:
            answer = expected(np.quantile, native, q, **options)
        except ValueError:  # some row has no weight
            with pytest.raises(errors.BadWeights):
                weighted(x, q, weights, **where)
            continue
        agree(weighted(x, q, weights, **where), answer)
        if weights.shape == x.shape and np.ndim(q) < 2:
            left = np.where(x == x, weights, 0)
            if left.sum(axis=where["axis"]).all():
                found = modern.nanquantile(x, q, **options)
                numbers = np.where(x == x, x, 0).astype(native.dtype)
                agree(found, weighted(numbers, q, left, **where))


def test_other_keys() -> None:
    times = np.array([[5, 1, 3], [4, "NaT", 2]], "M8[s]")
    weights = np.array([1, 1, 3])
    agree(weighted(times, 0.5, weights, axis=1), np.array([3, "NaT"], "M8[s]"))
    found = modern.nanquantile(times, 0.5, axis=1, weights=weights, method="inverted_cdf")
    agree(found, np.array([3, 2], "M8[s]"))
    agree(weighted([True, False, False], 0.5, [3, 1, 1]), np.True_)
    bfloat16 = np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    assert weighted(np.array([3, 1, 2], bfloat16), 0.5, [1, 1, 5]) == bfloat16.type(2)
    none = np.full((2, 2), np.nan)
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        found = modern.nanquantile(none, 0.5, axis=1, weights=none * 0 + 1, method="inverted_cdf")
    agree(found, np.full(2, np.nan))


X = np.arange(6.0).reshape(2, 3)
BAD: list[tuple[dict[str, Any], type[Exception]]] = [
    ({"weights": X, "method": "linear"}, errors.BadWeights),
    ({"weights": X, "method": "cubic"}, errors.UnknownName),
    ({"weights": X, "selector": "radix"}, errors.MethodUnavailable),
    ({"weights": [1, 2, 3]}, errors.WeightsNeedAxis),
    ({"weights": [1, 2], "axis": 1}, errors.BadWeights),
    ({"weights": [1, -2, 3], "axis": 1}, errors.BadWeights),
    ({"weights": [0, 0, 0], "axis": 1}, errors.BadWeights),
    ({"weights": [1, np.nan, 3], "axis": 1}, errors.BadWeights),
    ({"weights": [1, np.inf, 3], "axis": 1}, errors.BadWeights),
    ({"weights": ["1", "2", "3"], "axis": 1}, errors.BadWeights),
    ({"weights": [[1], [2, 3]], "axis": 1}, errors.BadWeights),
    ({"weights": np.ma.masked_array(X, X > 2)}, errors.BadWeights),
]


def test_bad_weights() -> None:
    for options, error in BAD:
        with pytest.raises(error):
            modern.quantile(X, 0.5, **{"method": "inverted_cdf", **options})


@pytest.mark.gpu
def test_on_a_gpu() -> None:
    import cupy

    rng = np.random.default_rng(2)
    for _ in range(25):
        x, weights, where = random_case(rng)
        x = x.astype(x.dtype.newbyteorder("="))
        weights = np.ceil(weights.astype("f8")).astype("i8") + 1  # whose sums are exact anywhere
        for call in (modern.quantile, modern.nanquantile):
            options = {"weights": weights, "method": "inverted_cdf", **where}
            answer = expected(call, x, [0, 0.3, 1], **options)
            for each in (weights, cupy.asarray(weights)):
                options["weights"] = each
                agree(expected(call, cupy.asarray(x), [0, 0.3, 1], **options).get(), answer)
