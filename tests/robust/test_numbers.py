"""Distributions and scales beside SciPy's, and beside simulations."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, norm
from shadersort.robust.distances import distance_limit, robust_distances, trimmed_factor
from shadersort.robust.normal import (
    above,
    chi_squared_quantile,
    normal_quantiles,
    trimmed_deviation,
)
from shadersort.robust.weighted import TUKEY

from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from shadersort.robust.scale import HALF, biweight_scale


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 10, 50])
def test_chi_squared(degrees: int) -> None:
    for share in (0.01, 0.5, 0.975, 0.9999):
        assert chi_squared_quantile(share, degrees) == pytest.approx(chi2.ppf(share, degrees))
        value = chi2.ppf(share, degrees)
        assert above(value, degrees) == pytest.approx(1 - share, rel=1e-9)


def test_normal() -> None:
    shares = np.array([1e-9, 0.1, 0.5, 0.99])
    np.testing.assert_allclose(normal_quantiles(shares), norm.ppf(shares), atol=1e-12)


@pytest.mark.parametrize("share", [0.5, 0.51, 0.75, 0.99])
def test_trimmed_normal(share: float) -> None:
    end = norm.ppf((1 + share) / 2)
    inner = norm.expect(lambda x: x * x, lb=-end, ub=end) / share
    assert trimmed_deviation(share) == pytest.approx(inner**0.5)
    assert trimmed_factor(share, 1) == pytest.approx(inner)


def test_tukeys_constants() -> None:
    """ρ has the mean a half; ψ has the efficiency: (E ψ')² / E ψ² at normal errors."""
    rho = norm.expect(lambda x: 1 - (1 - min(abs(x) / HALF, 1) ** 2) ** 3)
    assert rho == pytest.approx(0.5, abs=1e-5)
    for efficiency, far in TUKEY.items():
        squares = norm.expect(lambda x, c=far: (x * (1 - (x / c) ** 2) ** 2) ** 2, lb=-far, ub=far)
        slope = norm.expect(
            lambda x, c=far: (1 - (x / c) ** 2) * (1 - 5 * (x / c) ** 2), lb=-far, ub=far
        )
        assert slope**2 / squares == pytest.approx(efficiency, abs=1e-5)


def test_a_biweight_scale_solves_its_equation() -> None:
    sizes = abs(np.random.default_rng(0).standard_t(3, 500))
    scale = biweight_scale(sizes, 3, 5.0, np)
    parts = np.minimum(sizes / (HALF * scale), 1) ** 2
    assert (1 - (1 - parts) ** 3).sum() / (500 - 3) == pytest.approx(0.5)


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("intercept", [True, False])
def test_scales_of_few_rows_are_right_on_the_average(columns: int, intercept: bool) -> None:
    """Pison, Van Aelst and Willems 2002: the reason of the correction. The median's is rough."""
    random, trimmed, final, median = np.random.default_rng(1), [], [], []
    either: Any = {"n_starts": 20, "fit_intercept": intercept}
    for _ in range(25):
        x, y = random.standard_normal((30, columns)), random.standard_normal(30)
        found = LeastTrimmedSquares(**either).fit(x, y)
        trimmed.append(found.raw_scale_)
        final.append(found.scale_)
        median.append(LeastMedianSquares(finish="raw", **either).fit(x, y).scale_)
    assert np.mean(trimmed) == pytest.approx(1, abs=0.2)
    assert 0.7 < np.mean(final) < 1.15
    assert 0.5 < np.mean(median) < 1.2


def test_scales_of_many_rows() -> None:
    random = np.random.default_rng(2)
    x, y = random.standard_normal((2000, 2)), 3 * random.standard_normal(2000)
    for finish in ("raw", "reweighted", "mm"):
        for alpha in (0.5, 0.75, 1.0):
            found = LeastTrimmedSquares(alpha, finish=finish, n_starts=20)
            assert found.fit(x, y).scale_ == pytest.approx(3, rel=0.08)


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_distances_are_those_of_good_rows(columns: int) -> None:
    random = np.random.default_rng(columns)
    x = random.standard_normal((600, columns)) @ random.standard_normal((columns, columns)) + 5
    x[:200] = 1000 + random.standard_normal((200, columns))
    good = x[200:]
    centred = x - good.mean(axis=0)
    inverse = np.linalg.inv(np.atleast_2d(np.cov(good, rowvar=False)))
    expected = np.sqrt(np.einsum("ij,jk,ik->i", centred, inverse, centred))
    np.testing.assert_allclose(robust_distances(x), expected, rtol=0.15, atol=0.35)
    assert distance_limit(columns) == pytest.approx(chi2.ppf(0.975, columns) ** 0.5)


def test_distances_of_many_and_of_flat_rows() -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal((6000, 2))
    assert (robust_distances(x) > distance_limit(2)).mean() == pytest.approx(0.025, abs=0.01)
    flat = np.insert(x[:100], 1, 4.0, axis=1)
    assert np.isfinite(robust_distances(flat)).all()
