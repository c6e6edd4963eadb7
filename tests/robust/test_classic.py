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


def outliers_of(estimator: LeastTrimmedSquares | LeastMedianSquares) -> list[int]:
    return [int(place) + 1 for place in np.flatnonzero(estimator.outliers_)]


def test_stack_loss() -> None:
    """SAS/IML User's Guide, "Comparison of LMS and LTS Algorithms": the same data and h.

    By the median, subsets of 4 rows give (0.75, 0.5, 0, −39.25), with the objective 0.75².
    """
    found, median = LeastTrimmedSquares().fit(*STACK_LOSS), LeastMedianSquares().fit(*STACK_LOSS)
    published = [0.7409210642, 0.3915267228, 0.0111345398, -37.32332647]
    raw, fit = np.append(found.raw_coef_, found.raw_intercept_), [*found.coef_, found.intercept_]
    np.testing.assert_allclose(raw, published, rtol=1e-8)
    np.testing.assert_allclose(fit, [0.7976855, 0.5773404, -0.0670602, -37.6524589], rtol=1e-6)
    assert outliers_of(found) == [1, 3, 4, 21]
    assert median.objective_ <= 0.75**2 * (1 + 1e-12)
    assert set(outliers_of(median)) >= {1, 3, 4, 21}


@pytest.mark.parametrize("kind", [LeastTrimmedSquares, LeastMedianSquares])
def test_stars_and_calls(kind: type[LeastTrimmedSquares | LeastMedianSquares]) -> None:
    """SAS/IML User's Guide, "Robust Regression and Leverage Points", and its least squares.

    Of the calls Rousseeuw and Leroy 1987, page 26, give by the median 0.115 x − 5.610.
    """
    stars, giants = kind().fit(*STARS), [7, 9, 11, 20, 30, 34]
    calls = kind().fit(*CALLS)
    fit = np.append(stars.coef_, stars.intercept_)
    np.testing.assert_allclose(fit, [3.04615694, -8.5000549], rtol=1e-7)
    np.testing.assert_allclose(fit, least_squares(*STARS, giants))
    assert (np.flatnonzero(stars.weights_ == 0) + 1).tolist() == giants
    assert set(outliers_of(stars)) >= set(giants)
    assert 0.10 < calls.coef_[0] < 0.12
    assert set(outliers_of(calls)) >= {15, 16, 17, 18, 19, 20}
    if kind is LeastMedianSquares:
        raw = [*stars.raw_coef_, stars.raw_intercept_, *calls.raw_coef_, calls.raw_intercept_]
        np.testing.assert_allclose(raw[:2], [3.97058824, -12.62794118], rtol=1e-8)
        np.testing.assert_allclose(raw[2:], [0.115, -5.610], atol=0.01)


def test_wood() -> None:
    """Rousseeuw 1984 moved the rows 4, 6, 8 and 19; least squares does not see it."""
    found, moved = LeastTrimmedSquares().fit(*WOOD), [4, 6, 8, 19]
    fit = np.append(found.coef_, found.intercept_)
    np.testing.assert_allclose(fit, least_squares(*WOOD, moved), rtol=1e-8)
    assert outliers_of(found) == moved


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
