"""Bad and strange input: errors that say what would be right, warnings, and defined results."""

from typing import Any

import numpy as np
import pytest

from shadersort import errors
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from tests.robust.problems import contaminated

ESTIMATORS = [LeastTrimmedSquares(n_starts=50), LeastMedianSquares(n_starts=50)]
both = pytest.mark.parametrize("estimator", ESTIMATORS)

RANDOM = np.random.default_rng(0)
X = RANDOM.standard_normal((40, 2))
A = np.insert(X, 2, 1, axis=1)
Y = X @ [1.0, -2] + 0.1 * RANDOM.standard_normal(40)


@pytest.mark.parametrize(
    "option",
    [
        *({"coverage": 0.4}, {"coverage": 1.1}, {"coverage": np.nan}, {"coverage": "a"}),
        *({"n_starts": 0}, {"n_starts": 1.5}, {"random_state": "a"}, {"random_state": -1}),
    ],
)
@both
def test_impossible_options(estimator: Any, option: dict[str, Any]) -> None:
    with pytest.raises(errors.BadOption, match=next(iter(option))):
        type(estimator)(**option).fit(X, Y)


BAD: list[tuple[Any, Any, type[Exception]]] = [
    (X[:, 0], Y, errors.KeysNotFlat),
    (X, Y[1:], errors.ValuesMismatch),
    (X[:0], Y[:0], errors.EmptyInput),
    (X[:3], Y[:3], errors.BadOption),
    (X * np.nan, Y, errors.NotFinite),
    (X, np.append(Y[:-1], -np.inf), errors.NotFinite),
    (X + 1j, Y, errors.BadSamples),
    (X, None, errors.BadSamples),
]


@pytest.mark.parametrize(("x", "y", "error"), BAD)
@both
def test_bad_input(estimator: Any, x: Any, y: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        estimator.fit(x, y)


def test_bad_queries() -> None:
    found = LeastTrimmedSquares(n_starts=20)
    with pytest.raises(ValueError, match="not fitted yet: call fit"):
        found.predict(X)
    with pytest.warns(UserWarning, match=r"pass y.ravel\(\)"):
        found.fit(X, Y[:, None])
    with pytest.raises(errors.ValuesMismatch, match=r"3 features, but .* is expecting 2"):
        found.predict(np.ones((1, 3)))
    with pytest.raises(errors.NotFinite):
        found.predict(X * np.nan)


@both
def test_constant_and_collinear_columns(estimator: Any) -> None:
    with pytest.warns(UserWarning, match=r"columns \[1\] of X are constant"):
        found = estimator.fit(np.insert(X, 1, 7.0, axis=1), Y)
    assert found.coef_[1] == 0
    np.testing.assert_allclose(found.coef_[[0, 2]], estimator.fit(X, Y).coef_, atol=0.1)
    wide = np.append(X, X[:, :1] + X[:, 1:], axis=1)
    with pytest.warns(UserWarning, match=r"collinear in the rows .* rank 3 of 4"):
        found = estimator.fit(wide, Y)
    np.testing.assert_allclose(found.predict(wide), X @ [1.0, -2], atol=0.2)
    assert np.isfinite(found.coef_).all()
    with pytest.warns(UserWarning, match="collinear"):
        again = estimator.fit(np.append(X, X[:, :1], axis=1), Y)
    assert again.coef_[0] == pytest.approx(again.coef_[2])


@both
def test_most_rows_on_a_plane(estimator: Any) -> None:
    y = X @ [1.0, -2] + 3
    y[:15] += RANDOM.uniform(1, 2, 15)
    for some, plane, outliers in ((y, [1, -2, 3], 15), (np.full(40, 3.25), [0, 0, 3.25], 0)):
        found = estimator.fit(X, some)
        fit = np.append(found.coef_, found.intercept_)
        np.testing.assert_allclose(fit, plane, rtol=1e-9, atol=1e-12)
        assert (found.scale_, found.objective_, found.raw_scale_) == (0, 0, 0)
        np.testing.assert_array_equal(np.flatnonzero(found.outliers_), np.arange(outliers))
        assert np.isfinite(found.weights_).all()


def test_ties_count_by_their_share_and_without_an_intercept() -> None:
    """With the fit 0 of y, all but two residuals are 1: h of them are summed, not all."""
    y = np.array([1.0, -1] * 10 + [100, -100])
    found = LeastTrimmedSquares(fit_intercept=False).fit(np.ones((22, 1)), y)
    assert found.h_ == 12
    assert found.objective_ <= 12
    found = LeastTrimmedSquares(fit_intercept=False).fit(X + 5, (X + 5) @ [1.0, -2])
    assert found.intercept_ == 0
    np.testing.assert_allclose(found.coef_, [1, -2])


@both
@pytest.mark.parametrize("dtype", [np.float16, np.uint8, bool])
def test_types(estimator: Any, dtype: Any) -> None:
    x = RANDOM.integers(0, 2 if dtype is bool else 200, (60, 2)).astype(dtype)
    y = (x.sum(axis=1, dtype=float) + RANDOM.integers(0, 3, 60)).astype(np.float32)
    found = estimator.fit(x, y)
    assert found.coef_.dtype == np.float64
    expected = estimator.fit(x.astype(float), y.astype(float))
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.predict(x), expected.predict(x.astype(float)), rtol=1e-5)


@both
@pytest.mark.parametrize("size", [1e-150, 1e150])
def test_sizes(estimator: Any, size: float) -> None:
    expected = estimator.fit(X, Y).coef_
    np.testing.assert_allclose(estimator.fit(X, size * Y).coef_, size * expected, rtol=1e-6)
    np.testing.assert_allclose(estimator.fit(size * X, Y).coef_, expected / size, rtol=1e-6)


def test_outliers_may_be_huge() -> None:
    data = contaminated(5, 2, "both", share=0.4)
    clean = LeastTrimmedSquares().fit(data.x, data.y)
    for size in (1e50, 1e100, 1e300):
        x, y = data.x.copy(), data.y.copy()
        y[data.outliers] *= size
        x[data.outliers[::2]] *= size
        found = LeastTrimmedSquares().fit(x, y)
        np.testing.assert_allclose(found.coef_, clean.coef_, atol=0.1)
        assert found.outliers_[data.outliers].all()
    y = 1e304 * np.where(np.arange(len(y)) % 2, 1.0, -1.0)
    assert np.isfinite(LeastTrimmedSquares().fit(data.x, y).coef_).all()


@pytest.mark.parametrize("coverage", [0.5, 0.975, 0.99, 1])
@pytest.mark.parametrize("kind", ["equal sizes", "signs", "gross outliers"])
def test_rows_in_the_strip_have_weight(kind: str, coverage: float) -> None:
    """Also if h is nearly all rows: their largest residual is then beyond the cutoff."""
    places, line = np.arange(40), X @ [1.0, 2]
    signs = np.where(places % 2, 1.0, -1)
    y = {"equal sizes": line + 3 * signs, "signs": signs, "gross outliers": Y + 50 * (places < 16)}
    found = LeastMedianSquares(coverage, n_starts=20).fit(X, y[kind])
    assert found.scale_ > 0
    assert (found.weights_[found.support_] > 0).all()
    assert found.support_.sum() == found.h_
    if kind == "equal sizes" and coverage > 0.95:
        np.testing.assert_allclose(found.coef_, np.linalg.lstsq(A, y[kind])[0][:2], atol=0.1)
