"""With 45% of gross outliers the model is found again; `bench.applications` tries 200 problems."""

import numpy as np
import pytest

from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from shadersort.robust.search import FIRST, SECOND
from tests.robust.problems import KINDS, contaminated

CASES = [(columns, kind) for columns in (1, 3, 6, 10) for kind in KINDS]


@pytest.mark.parametrize(("columns", "kind"), CASES)
def test_the_model_is_found(columns: int, kind: str) -> None:
    data = contaminated(columns, columns, kind)
    found = LeastTrimmedSquares().fit(data.x, data.y)
    assert abs(found.intercept_ - 1) < 0.5
    assert 0.35 < found.scale_ < 0.7
    assert np.delete(found.outliers_, data.outliers).mean() < 0.15
    fits: list[LeastTrimmedSquares | LeastMedianSquares] = [found]
    if (columns, kind) in CASES[::5]:
        fits.append(LeastMedianSquares(n_starts=1000).fit(data.x, data.y))
    for each in fits:
        assert np.abs(each.coef_ - data.coef).max() < 0.5
        assert each.outliers_[data.outliers].all()


@pytest.mark.parametrize("rows", [2 * FIRST + 1, 2 * SECOND + 1])
@pytest.mark.parametrize("estimator", [LeastTrimmedSquares, LeastMedianSquares])
def test_the_model_of_many_rows_is_found(estimator: type[LeastTrimmedSquares], rows: int) -> None:
    """Parts of them first, then all: a quarter is moved in y, and a fifth in both."""
    random = np.random.default_rng(rows)
    x = random.standard_normal((rows, 3))
    y = x.sum(axis=1) + random.standard_normal(rows)
    outliers = np.arange(rows) < int(0.45 * rows)
    y[: rows // 4] += 50
    x[rows // 4 : int(0.45 * rows)] += 20
    found = estimator(n_starts=100).fit(x, y)
    np.testing.assert_allclose(found.coef_, 1, atol=0.2)
    assert found.outliers_[outliers].all()
    assert found.outliers_[~outliers].mean() < 0.05
    assert found.scale_ == pytest.approx(1, rel=0.06)
    assert int(found.support_.sum()) == found.h_
    assert (estimator(n_starts=100).fit(x, y).coef_ == found.coef_).all()


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("intercept", [True, False])
def test_scales_of_few_rows_are_right_on_the_average(columns: int, intercept: bool) -> None:
    """Pison, Van Aelst and Willems 2002: the reason of the correction. The median's is rough."""
    random, scales, options = np.random.default_rng(1), [], {"fit_intercept": intercept}
    for _ in range(25):
        data = random.standard_normal((30, columns)), random.standard_normal(30)
        found = LeastTrimmedSquares(n_starts=20, **options).fit(*data)
        other = LeastMedianSquares(n_starts=20, **options).fit(*data)
        scales.append((found.raw_scale_, found.scale_, other.raw_scale_))
    trimmed, final, median = np.mean(scales, axis=0)
    assert trimmed == pytest.approx(1, abs=0.2)
    assert 0.7 < final < 1.15
    assert 0.5 < median < 1.2
