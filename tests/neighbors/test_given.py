"""What the estimators refuse, and the memory that they take."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn import neighbors as theirs
from sklearn.exceptions import NotFittedError

from shadersort import errors
from shadersort import neighbors as ours
from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor

X, Y = np.arange(6.0).reshape(3, 2), np.arange(3.0)
BAD: list[tuple[Any, Any, type[Exception]]] = [
    ([[np.nan, 1], [1, 2], [2, 3]], Y, errors.NotFinite),
    ([[np.inf, 1], [1, 2], [2, 3]], Y, errors.NotFinite),
    (Y, Y, errors.KeysNotFlat),
    (X[None], Y, errors.KeysNotFlat),
    (X[:0], Y[:0], errors.EmptyInput),
    (X[:, :0], Y, errors.EmptyInput),
    (X + 1j, Y, errors.BadSamples),
    ([["a", "b"]] * 3, Y, errors.BadSamples),
    ([[{}, 1]] * 3, Y, errors.UnsupportedKeys),
    (scipy.sparse.csr_array(X), Y, errors.UnsupportedKeys),
    (X, None, errors.BadSamples),
    (X, Y[:2], errors.ValuesMismatch),
    (X, [0.0, np.nan, 1.0], errors.NotFinite),
    (X, X[:, :, None], errors.KeysNotFlat),
]


@pytest.mark.parametrize(("samples", "targets", "error"), BAD)
@pytest.mark.parametrize("make", [KNeighborsRegressor, KNeighborsClassifier])
def test_bad_samples(make: Any, samples: Any, targets: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make(1).fit(samples, targets)


BAD_OPTIONS: list[tuple[dict[str, Any], type[Exception]]] = [
    ({"n_neighbors": 4}, errors.BadOption),
    ({"n_neighbors": 0}, errors.BadOption),
    ({"n_neighbors": 1.5}, errors.BadRank),
    ({"weights": "far"}, errors.BadOption),
]


@pytest.mark.parametrize(("options", "error"), BAD_OPTIONS)
def test_bad_parameters(options: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        KNeighborsRegressor(**{"n_neighbors": 1, **options}).fit(X, Y)
    fitted = KNeighborsRegressor(1).fit(X, Y)
    with pytest.raises(error):
        fitted.set_params(**options).predict(X)


def test_bad_queries_and_classes() -> None:
    model = KNeighborsRegressor(1)
    with pytest.raises(NotFittedError, match="call fit"):
        model.predict(X)
    model.fit(X, Y)
    with pytest.raises(errors.ValuesMismatch, match="expecting 2 features"):
        model.predict(X[:, :1])
    with pytest.raises(errors.NotFinite):
        model.predict(X * np.nan)
    with pytest.raises(errors.BadSamples, match="KNeighborsRegressor"):
        KNeighborsClassifier(1).fit(X, Y / 2)


def test_memory_is_bounded() -> None:
    """Two clusters far apart: half of all samples are candidates, and the guess is no help."""
    rng = np.random.default_rng(1)
    samples = rng.standard_normal((30_000, 2)) + 1e9 * rng.integers(0, 2, (30_000, 1))
    model = KNeighborsRegressor(20).fit(samples, samples[:, 0])
    tracemalloc.start()
    try:
        found = model.predict(samples[:300])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 512 << 20
    np.testing.assert_allclose(found, samples[:300, 0], atol=2)


# predictions of scikit-learn's brute force, on data without ties


KINDS = ["uniform", "distance"]


def both(name: str, k: int, kind: str = "uniform") -> tuple[Any, Any]:
    brute = getattr(theirs, name)(k, weights=kind, algorithm="brute")
    return getattr(ours, name)(k, weights=kind), brute


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_regression(dtype: str, kind: str) -> None:
    rng = np.random.default_rng(3)
    X, Q = (rng.random((n, 5)).astype(dtype) for n in (300, 40))
    if dtype == "float16":  # few bits: ties are likely, but not in the sum of 5 squares
        X = np.unique(X, axis=0)
    rtol = 1e-5 if dtype == "float32" and kind == "distance" else 1e-10  # theirs are float32
    y = rng.standard_normal((len(X), 2))
    for k in (1, 7, len(X)):
        ours_, theirs_ = both("KNeighborsRegressor", k, kind)
        for targets in (y, y[:, 0]):
            expected = theirs_.fit(X, targets).predict(Q)
            found = ours_.fit(X, targets).predict(Q)
            np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol)
            assert k == len(X) or ours_.score(Q, expected) == pytest.approx(1)


@pytest.mark.parametrize("kind", KINDS)
def test_classes(kind: str) -> None:
    rng = np.random.default_rng(4)
    X, Q = rng.standard_normal((500, 3)), rng.standard_normal((30, 3))
    y = np.array(["one", "two", "three", "four"])[rng.integers(0, 4, 500)]
    for k in (3, 64, 500):
        ours_, theirs_ = (each.fit(X, y) for each in both("KNeighborsClassifier", k, kind))
        np.testing.assert_array_equal(ours_.classes_, theirs_.classes_)
        np.testing.assert_array_equal(ours_.predict(Q), theirs_.predict(Q))
        np.testing.assert_allclose(ours_.predict_proba(Q), theirs_.predict_proba(Q), atol=1e-12)
        assert ours_.score(Q, y[:30]) == theirs_.score(Q, y[:30])


@pytest.mark.parametrize("n", [400, 40_000])
def test_neighbours_in_order(n: int) -> None:
    """Of few samples all are candidates; of many, a sample guesses how near the k-th is."""
    rng = np.random.default_rng(5)
    X, Q = rng.standard_normal((n, 4)), rng.standard_normal((30, 4))
    for k in (1, 17, 300):
        ours_, theirs_ = (each.fit(X, X[:, 0]) for each in both("KNeighborsRegressor", k))
        (distances, places), (expected, which) = ours_.kneighbors(Q), theirs_.kneighbors(Q)
        np.testing.assert_array_equal(places, which)
        np.testing.assert_allclose(distances, expected)
        np.testing.assert_array_equal(ours_.kneighbors(Q, return_distance=False), which)
