"""The k-th distance and the indicator: ties are shared, and cancellation changes nothing."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor
from shadersort.neighbors.nearest import WEIGHTS, Weights
from tests.neighbors.references import hard_samples, weights

HARD = sorted(hard_samples(np.random.default_rng(0), 8, 2))


def check(X: Keys, y: Keys, Q: Keys, k: int, kind: Weights = "uniform") -> None:
    """Compare predictions with the weighted means of all targets."""
    found = KNeighborsRegressor(k, weights=kind).fit(X, y).predict(Q)
    scale = 2.0 ** -np.frexp(np.abs(X).max())[1].clip(-1000, 1000)
    expected = weights(X * scale, Q * scale, k, kind) @ y
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)


@settings(max_examples=50)
@given(
    *(st.integers(1, 40), st.integers(1, 4), st.floats(0, 1), st.integers(0, 2**32)),
    st.sampled_from(WEIGHTS),
)
@example(1, 1, 0.0, 450, "distance")  # all samples are 0
def test_ties_are_shared(n: int, features: int, part: float, seed: int, kind: Weights) -> None:
    rng = np.random.default_rng(seed)
    X, Q = (rng.integers(0, 4, (m, features)).astype(np.float32) for m in (n, 9))
    k, y, order = 1 + int(part * (n - 1)), rng.standard_normal(n), rng.permutation(n)
    check(X, y, Q, k, kind)
    check(X[order], y[order], Q, k, kind)
    classes = KNeighborsClassifier(k, weights=kind).fit(X, y > 0)
    shares = weights(X, Q, k, kind)
    expected = np.stack([shares @ (y > 0).__eq__(each) for each in classes.classes_], axis=1)
    np.testing.assert_allclose(classes.predict_proba(Q), expected, atol=1e-12)


def test_votes_of_shares_tie_exactly() -> None:
    """Three tenths three times and nine tenths once are equal votes, however they are added."""
    X = np.concatenate([np.zeros((7, 1)), np.ones((10, 1))])
    y = np.concatenate([[1] * 3 + [0] * 4, [1] * 5 + [0] * 5])
    for k in range(7, 18):
        proba = KNeighborsClassifier(k).fit(X, y).predict_proba([[0.0]])[0, 1]
        assert proba == float(Fraction(3) + Fraction(k - 7, 10) * 5) / k


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("name", HARD)
def test_hard_samples(name: str, kind: Weights) -> None:
    """More samples than are looked at one by one: bounds by products have to be right."""
    rng = np.random.default_rng(7)
    for dtype in ("float64", "float32"):
        X = hard_samples(rng, 600, 3)[name]
        if np.abs(X).max() > 1e30 and dtype == "float32":
            continue
        X = X.astype(dtype)
        Q = np.concatenate([X[:10], (X[:10] + X[10:20]) / 2, X[:1] * 1e3])
        y = rng.standard_normal(len(X))
        for k in (1, 5, 300, len(X)):
            check(X, y, Q, k, kind)


@pytest.mark.parametrize("factor", [0.0, 0.5, 100.0])
def test_a_wrong_guess_costs_time_only(factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guesses far below the k-th distance and far above it: the answer is the same."""
    from shadersort.neighbors.screen import Screen

    guess = Screen._guessed
    monkeypatch.setattr(Screen, "_guessed", lambda *given: factor * guess(*given) + 1e-30)
    rng = np.random.default_rng(9)
    X, y = rng.standard_normal((1000, 3)), rng.standard_normal(1000)
    for k in (1, 100, 999):
        check(X, y, X[:50], k)


@pytest.mark.parametrize(("n", "features"), [(1, 1), (2, 2), (513, 31), (600, 300), (700, 2)])
def test_sizes_and_queries_far_away_or_beyond_float32(n: int, features: int) -> None:
    rng = np.random.default_rng(10)
    X, y = rng.standard_normal((n, features)), rng.standard_normal(n)
    far = np.array([[1e3], [1e12], [-1e30], [1e100]]) * np.eye(1, features)
    for k in {1, (n + 1) // 2, n}:
        check(X, y, np.concatenate([X[:20], far]), k)


def test_views() -> None:
    rng = np.random.default_rng(12)
    X, y = rng.standard_normal((600, 4)), rng.standard_normal(600)
    wide = np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)
    expected = KNeighborsRegressor(4).fit(X, y).predict(X[:50])
    for each in (np.asfortranarray(X), wide[::2, ::2], X[::-1].copy()[::-1], X.astype(">f8")):
        found = KNeighborsRegressor(4).fit(each, y).predict(each[:50])
        np.testing.assert_array_equal(found, expected)
