"""Fits change with the data as they should: by shift, scale, regression and affine maps."""

import numpy as np
import pytest

from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from tests.robust.problems import contaminated

ESTIMATORS = [LeastTrimmedSquares(), LeastTrimmedSquares(0.75), LeastMedianSquares(n_starts=1000)]
DATA = contaminated(11, 3, "both", share=0.3)
SMALL = DATA.x[:14], DATA.y[:14]
"""So few rows that the least is found, of any data."""


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_units_and_origins_do_not_matter(estimator: LeastTrimmedSquares) -> None:
    found = estimator.fit(DATA.x, DATA.y)
    coef, intercept, scale, kept = found.coef_, found.intercept_, found.scale_, found.weights_ > 0
    units, origins = np.array([8, 0.25, 1024]), np.array([5, -300, 0.1])
    moved = estimator.fit(DATA.x * units + origins, 16 * DATA.y - 7)
    np.testing.assert_allclose(moved.coef_, 16 * coef / units, rtol=1e-6)
    expected = 16 * intercept - 7 - moved.coef_ @ origins
    np.testing.assert_allclose(moved.intercept_, expected, rtol=1e-6)
    np.testing.assert_allclose(moved.scale_, 16 * scale, rtol=1e-6)
    np.testing.assert_array_equal(moved.weights_ > 0, kept)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_columns_may_be_mixed_and_a_plane_added(estimator: LeastTrimmedSquares) -> None:
    mixing, plane = np.array([[1.0, 2, 0], [0, 1, -1], [3, 0, 1]]), np.array([3.0, -20, 0.5])
    # other starts find the same; of the median, that is certain for few rows
    many = [] if isinstance(estimator, LeastMedianSquares) else [(DATA.x, DATA.y)]
    for x, y in (SMALL, *many):
        coef = estimator.fit(x, y).coef_
        moved = estimator.fit(x @ mixing, y + x @ plane + 4)
        np.testing.assert_allclose(mixing @ moved.coef_, coef + plane, rtol=1e-5, atol=1e-6)


def test_the_order_of_the_rows_does_not_matter() -> None:
    order = np.random.default_rng(0).permutation(len(DATA.y))
    coef = LeastTrimmedSquares().fit(DATA.x, DATA.y).coef_
    found = LeastTrimmedSquares().fit(DATA.x[order], DATA.y[order])
    np.testing.assert_allclose(found.coef_, coef, rtol=1e-7)


def test_random_states() -> None:
    for state in (7, np.random.default_rng(7), np.random.RandomState(7), None):
        found = LeastTrimmedSquares(random_state=state).fit(DATA.x, DATA.y)
        assert np.abs(found.coef_ - DATA.coef).max() < 0.5


def test_all_rows_are_ordinary_least_squares() -> None:
    found = LeastTrimmedSquares(coverage=1).fit(DATA.x, DATA.y)
    expected = np.linalg.lstsq(np.insert(DATA.x, 3, 1, axis=1), DATA.y, rcond=None)[0]
    fit = np.append(found.raw_coef_, found.raw_intercept_)
    np.testing.assert_allclose(fit, expected, rtol=1e-10)
    assert found.h_ == len(DATA.y)
    assert found.support_.all()
