"""Predictions are those of scikit-learn's brute force, on data without ties."""

from typing import Any

import numpy as np
import pytest
from sklearn import neighbors as theirs

from shadersort import neighbors as ours

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
