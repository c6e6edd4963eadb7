"""Least trimmed squares (Rousseeuw 1984): the h smallest squared residuals have the least sum."""

import numpy as np

from shadersort.robust.concentration import concentrated, residual_sizes, stepped, trimmed
from shadersort.robust.exact import FEW, exact, number_of
from shadersort.robust.finish import Fit
from shadersort.robust.nested import best_of_parts, polished
from shadersort.robust.problem import Numbers, Problem
from shadersort.robust.regressor import RobustRegressor
from shadersort.robust.scale import trimmed_scale
from shadersort.robust.search import MOST_STEPS, Starts, searched
from shadersort.robust.weighted import least_squares


class LeastTrimmedSquares(RobustRegressor):
    """Linear regression by least trimmed squares: nearly half of the rows may be outliers.

    Arrays may be of NumPy, CuPy or PyTorch, also on a GPU: work on all rows is done where they are,
    in float64. The coefficients are NumPy's. The same data give the same fit.

    Parameters
    ----------
    alpha
        The share of the rows that is fitted, from 0.5 (outliers may be nearly half) to 1 (all rows:
        ordinary least squares).
    starts
        "deterministic": twelve subsets found without chance (Hubert, Rousseeuw and Verdonck 2012);
        "random": elemental subsets, that is fits through as many rows as there are parameters;
        "auto": both, or all subsets of up to 14 rows; "exact": all subsets.
    n_starts
        How many elemental subsets are drawn. With ten columns and 45% of outliers, one in 700 has
        none of them.
    finish
        "reweighted": least squares of all rows that are no outliers; "mm": the M-estimate with
        Tukey's biweight that begins here; "raw": neither.
    efficiency
        Of the MM-estimate at normal errors: 0.95 or 0.85. At 0.85 outliers move it less.
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
        The fit of least trimmed squares, and its scale.

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
        return least_trimmed(problem, self.h_, self.starts, self.n_starts, random)

    def _raw(self, problem: Problem, theta: Numbers) -> tuple[Fit, float]:
        sizes = residual_sizes(problem, theta[None])
        weights = trimmed(problem.home, sizes, self.h_).weights(sizes)[0]
        theta, rank = least_squares(problem, weights)
        sizes = residual_sizes(problem, theta[None])
        objective = float(trimmed(problem.home, sizes, self.h_).objectives[0, 0])
        columns = problem.parameters - problem.intercept
        scale = trimmed_scale(objective, self.h_, problem.rows, columns, problem.intercept)
        return Fit(theta, weights, scale, rank), objective


def least_trimmed(
    problem: Problem, h: int, starts: Starts, count: int, random: np.random.Generator
) -> Numbers:
    """Return the fit whose h smallest squared residuals have the least sum that is found."""
    if h == problem.rows:
        return np.zeros(problem.parameters)
    if starts == "exact" or (starts == "auto" and number_of(problem.rows, h, FEW) <= FEW):
        return exact(problem.on_host(), h)
    thetas = best_of_parts(
        problem,
        h,
        lambda part, some: searched(part, some, starts, count, random),
        lambda part, fits, some: concentrated(part, fits, some, MOST_STEPS),
        random,
    )
    objectives, following = stepped(problem, thetas, h)
    return polished(problem, following[objectives.argmin()], h)[1]
