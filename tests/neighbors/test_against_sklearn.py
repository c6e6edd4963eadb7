"""Predictions are those of scikit-learn's brute force, on data without ties."""

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn import neighbors as theirs
from sklearn.utils.estimator_checks import check_estimator

from shadersort import neighbors as ours

KINDS = ["uniform", "distance"]


def both(name: str, k: int, kind: str) -> tuple[Any, Any]:
    return (
        getattr(ours, name)(k, weights=kind),
        getattr(theirs, name)(k, weights=kind, algorithm="brute"),
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_regression(dtype: str, kind: str) -> None:
    rng = np.random.default_rng(3)
    X, Q = (rng.random((n, 5)).astype(dtype) for n in (300, 40))
    if dtype == "float16":  # few bits: ties are likely, but not in the sum of 5 squares
        X = np.unique(X, axis=0)
    rtol = 1e-5 if dtype == "float32" and kind == "distance" else 1e-10  # theirs are float32
    y = rng.standard_normal((len(X), 2))
    for k in (1, 2, 7, 255, 256, 257, len(X)):
        ours_, theirs_ = both("KNeighborsRegressor", k, kind)
        for targets in (y, y[:, 0]):
            expected = theirs_.fit(X, targets).predict(Q)
            found = ours_.fit(X, targets).predict(Q)
            np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol)
            assert k == len(X) or ours_.score(Q, expected) == pytest.approx(1)


@pytest.mark.parametrize("kind", KINDS)
def test_classes(kind: str) -> None:
    rng = np.random.default_rng(4)
    X, Q = rng.standard_normal((500, 3)), rng.standard_normal((60, 3))
    y = np.array(["one", "two", "three", "four"])[rng.integers(0, 4, 500)]
    for k in (1, 3, 64, 500):
        ours_, theirs_ = (each.fit(X, y) for each in both("KNeighborsClassifier", k, kind))
        np.testing.assert_array_equal(ours_.classes_, theirs_.classes_)
        np.testing.assert_array_equal(ours_.predict(Q), theirs_.predict(Q))
        np.testing.assert_allclose(ours_.predict_proba(Q), theirs_.predict_proba(Q), atol=1e-12)
        assert ours_.score(X, y) == theirs_.score(X, y)


def test_neighbours_in_order() -> None:
    rng = np.random.default_rng(5)
    X, Q = rng.standard_normal((400, 4)), rng.standard_normal((30, 4))
    y = np.zeros(400)
    ours_, theirs_ = (each.fit(X, y) for each in both("KNeighborsRegressor", 17, "uniform"))
    (distances, places), (expected, which) = ours_.kneighbors(Q), theirs_.kneighbors(Q)
    np.testing.assert_array_equal(places, which)
    np.testing.assert_allclose(distances, expected)
    np.testing.assert_array_equal(ours_.kneighbors(Q, return_distance=False), which)


def test_many_samples_are_screened_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only few of the samples are candidates, and these give the prediction of them all."""
    rng = np.random.default_rng(6)
    X, Q = (rng.standard_normal((n, 6)).astype(np.float32) for n in (100_000, 20))
    y = X[:, 0].astype(float)
    found = []
    keep = candidates.Search._arranged

    def noted(self: Any, *given: Any) -> Any:
        found.append(keep(self, *given))
        return found[-1]

    monkeypatch.setattr(candidates.Search, "_arranged", noted)
    for k in (1, 50, 2000):
        found.clear()
        ours_, theirs_ = (each.fit(X, y) for each in both("KNeighborsRegressor", k, "uniform"))
        np.testing.assert_allclose(ours_.predict(Q), theirs_.predict(Q), rtol=1e-10)
        assert Screen(ours_._home, X).sample.shape[0] < len(X)
        assert max(each.places.shape[1] for each in found) < 2 * k + 500


@pytest.mark.parametrize(
    "estimator",
    [
        ours.KNeighborsRegressor(),
        ours.KNeighborsClassifier(weights="distance"),
    ],
)
def test_it_is_an_estimator_of_scikit_learn(estimator: Any) -> None:
    """No failure is expected; what is skipped needs a setting of SciPy."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, on_fail=None)
    assert {each["status"] for each in results} <= {"passed", "skipped"}
    skipped = {each["check_name"] for each in results if each["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}
