"""Published robust fits of classic data."""

from itertools import combinations

import numpy as np
import pytest

from shadersort.keys.types import Keys
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from tests.robust.classic import CALLS, STACK_LOSS, STARS, WOOD


def least_squares(x: Keys, y: Keys, without: list[int]) -> Keys:
    """Coefficients and intercept of all rows but some, which are counted from 1."""
    kept = np.delete(np.arange(len(y)), np.array(without) - 1)
    ones = np.ones((len(kept), 1))
    return np.asarray(np.linalg.lstsq(np.append(x[kept], ones, axis=1), y[kept], rcond=None)[0])


def fit_of(estimator: LeastTrimmedSquares | LeastMedianSquares, data: tuple[Keys, Keys]) -> Keys:
    estimator.fit(*data)
    return np.append(estimator.coef_, estimator.intercept_)


def raw_of(estimator: LeastTrimmedSquares | LeastMedianSquares, data: tuple[Keys, Keys]) -> Keys:
    estimator.fit(*data)
    return np.append(estimator.raw_coef_, estimator.raw_intercept_)


def outliers_of(estimator: LeastTrimmedSquares | LeastMedianSquares) -> list[int]:
    return [int(place) + 1 for place in np.flatnonzero(estimator.outliers_)]


def test_stack_loss() -> None:
    """SAS/IML User's Guide, "Comparison of LMS and LTS Algorithms": the same data and h."""
    reweighted = LeastTrimmedSquares()
    published = [0.7409210642, 0.3915267228, 0.0111345398, -37.32332647]
    np.testing.assert_allclose(raw_of(reweighted, STACK_LOSS), published, rtol=1e-8)
    np.testing.assert_allclose(
        fit_of(reweighted, STACK_LOSS), [0.7976855, 0.5773404, -0.0670602, -37.6524589], rtol=1e-6
    )
    assert outliers_of(reweighted) == [1, 3, 4, 21]


def test_stack_loss_by_the_median() -> None:
    """The same: subsets of 4 rows give (0.75, 0.5, 0, −39.25), with the objective 0.75²."""
    found = LeastMedianSquares()
    fit_of(found, STACK_LOSS)
    assert found.objective_ <= 0.75**2 * (1 + 1e-12)
    assert set(outliers_of(found)) >= {1, 3, 4, 21}


def test_stars() -> None:
    """SAS/IML User's Guide, "Robust Regression and Leverage Points", and its least squares."""
    giants = [7, 9, 11, 20, 30, 34]
    median = LeastMedianSquares()
    np.testing.assert_allclose(raw_of(median, STARS), [3.97058824, -12.62794118], rtol=1e-8)
    for each in (LeastMedianSquares(), LeastTrimmedSquares()):
        np.testing.assert_allclose(fit_of(each, STARS), [3.04615694, -8.5000549], rtol=1e-7)
        np.testing.assert_allclose(fit_of(each, STARS), least_squares(*STARS, giants))
        assert (np.flatnonzero(each.weights_ == 0) + 1).tolist() == giants
        assert set(outliers_of(each)) >= set(giants)


def test_calls() -> None:
    """Rousseeuw and Leroy 1987, page 26: by the median 0.115 x − 5.610."""
    median = LeastMedianSquares()
    np.testing.assert_allclose(raw_of(median, CALLS), [0.115, -5.610], atol=0.01)
    for each in (LeastMedianSquares(), LeastTrimmedSquares()):
        coef, _ = fit_of(each, CALLS)
        assert 0.10 < coef < 0.12
        assert set(outliers_of(each)) >= {15, 16, 17, 18, 19, 20}


def test_wood() -> None:
    """Rousseeuw 1984 moved the rows 4, 6, 8 and 19; least squares does not see it."""
    found = LeastTrimmedSquares()
    np.testing.assert_allclose(fit_of(found, WOOD), least_squares(*WOOD, [4, 6, 8, 19]), rtol=1e-8)
    assert outliers_of(found) == [4, 6, 8, 19]


def test_no_line_has_a_narrower_strip() -> None:
    """Least median of squares of a line: its slope is that of two rows (Steele, Steiger 1986)."""
    for x, y in (STARS, CALLS):
        found = LeastMedianSquares().fit(x, y)
        widths = []
        for first, second in combinations(range(len(y)), 2):
            if run := x[second, 0] - x[first, 0]:
                left = np.sort(y - (y[second] - y[first]) / run * x[:, 0])
                widths.append((left[found.h_ - 1 :] - left[: len(y) - found.h_ + 1]).min())
        assert found.objective_ == pytest.approx((min(widths) / 2) ** 2, rel=1e-9)
