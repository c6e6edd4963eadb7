"""Least trimmed squares (Rousseeuw 1984): the h smallest squared residuals have the least sum."""

import numpy as np

from shadersort.robust.concentration import residual_sizes, trimmed
from shadersort.robust.problem import Numbers, Problem
from shadersort.robust.regressor import Fit, RobustRegressor, least_squares
from shadersort.robust.scale import trimmed_scale
from shadersort.robust.search import least_trimmed


class LeastTrimmedSquares(RobustRegressor):
    """Linear regression by least trimmed squares: nearly half of the rows may be outliers.

    The raw fit is the one of FAST-LTS; of up to 14 rows, all subsets are tried. A reweighted fit
    follows: least squares of all rows that are no outliers beside the raw fit.

    Arrays may be of NumPy, CuPy or PyTorch, also on a GPU: work on all rows is done where they are,
    in float64. The coefficients are NumPy's. The same data give the same fit.

    Parameters
    ----------
    coverage
        The share of the rows that the raw fit takes, from 0.5 (outliers may be nearly half) to 1
        (all rows: ordinary least squares).
    n_starts
        How many elemental subsets are drawn, that is fits through as many rows as there are
        parameters. With ten columns and 45% of outliers, one in 700 has none of them.
    fit_intercept
        Whether there is an intercept.
    random_state
        The seed of elemental subsets, and of parts of many rows. None draws others in each call.

    Attributes
    ----------
    coef_, intercept_
        The fit.
    scale_
        The standard deviation of the errors that are no outliers, as if they were normal.
    weights_
        The weight of each row in the last least squares fit.
    support_
        Which h rows the raw fit takes; of equal residuals those at the lowest places.
    outliers_
        Which rows have residuals above 2.24 scales: of normal errors, one in forty.
    objective_
        The sum of the h smallest squared residuals of the raw fit.
    h_
        How many rows the raw fit takes.
    raw_coef_, raw_intercept_, raw_scale_
        The raw fit, and its scale.

    Examples
    --------
    >>> x = np.arange(20.0)[:, None]
    >>> y = 3 * x[:, 0] + np.tile([0.1, -0.1], 10)
    >>> y[:8] = 1000
    >>> found = LeastTrimmedSquares().fit(x, y)
    >>> found.coef_.round(2), found.outliers_.nonzero()[0]
    (array([3.]), array([0, 1, 2, 3, 4, 5, 6, 7]))
    """

    def _searched(self, problem: Problem, random: np.random.Generator) -> Numbers:
        return least_trimmed(problem, self.h_, self.n_starts, random)

    def _raw(self, problem: Problem, theta: Numbers) -> tuple[Fit, float]:
        sizes = residual_sizes(problem, theta[None])
        weights = trimmed(problem.home, sizes, self.h_).weights(sizes)[0]
        theta, rank = least_squares(problem, weights)
        sizes = residual_sizes(problem, theta[None])
        objective = float(trimmed(problem.home, sizes, self.h_).objectives[0, 0])
        columns = problem.parameters - problem.intercept
        scale = trimmed_scale(objective, self.h_, problem.rows, columns, problem.intercept)
        return Fit(theta, weights, scale, rank), objective
