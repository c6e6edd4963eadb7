"""Many rows: parts of them first, then all."""

import numpy as np
import pytest
from shadersort.robust.nested import FIRST, SECOND, extrapolated, polished

from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from shadersort.robust.concentration import stepped
from tests.robust.problems import problem


def many(rows: int, columns: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A model, a quarter of whose rows are moved in y, and a fifth in both."""
    random = np.random.default_rng(rows)
    x = random.standard_normal((rows, columns))
    y = x.sum(axis=1) + random.standard_normal(rows)
    outliers = np.arange(rows) < int(0.45 * rows)
    y[: rows // 4] += 50
    x[rows // 4 : int(0.45 * rows)] += 20
    return x, y, outliers


@pytest.mark.parametrize("rows", [2 * FIRST, 2 * FIRST + 1, 2 * SECOND + 1])
@pytest.mark.parametrize("estimator", [LeastTrimmedSquares, LeastMedianSquares])
def test_the_model_is_found(estimator: type[LeastTrimmedSquares], rows: int) -> None:
    x, y, outliers = many(rows)
    found = estimator(n_starts=100).fit(x, y)
    np.testing.assert_allclose(found.coef_, 1, atol=0.2)
    assert found.outliers_[outliers].all()
    assert found.outliers_[~outliers].mean() < 0.05
    assert found.scale_ == pytest.approx(1, rel=0.06)
    assert int(found.support_.sum()) == found.h_
    assert (estimator(n_starts=100).fit(x, y).coef_ == found.coef_).all()


def test_accelerated_steps_end_where_no_step_finds_less() -> None:
    x, y, _ = many(20_000)
    some = problem(x, y)
    objective, theta = polished(some, np.zeros(4), some.rows // 2)
    (same,), following = stepped(some, theta[None], some.rows // 2)
    (after,), _ = stepped(some, following, some.rows // 2)
    assert same == objective
    assert after >= objective * (1 - 1e-12)


def test_extrapolation_solves_linear_changes() -> None:
    """Steps that are linear in the place lead to their fixed point, of two dimensions."""
    end, matrix = np.array([3.0, -1]), np.array([[0.9, 0.05], [0, 0.8]])
    thetas = [np.zeros(2)]
    for _ in range(2):
        thetas.append(end + matrix @ (thetas[-1] - end))
    steps = [matrix @ (each - end) + end - each for each in thetas]
    np.testing.assert_allclose(extrapolated(thetas, steps), end)
    np.testing.assert_array_equal(extrapolated(thetas[:1], steps[:1]), thetas[0] + steps[0])
