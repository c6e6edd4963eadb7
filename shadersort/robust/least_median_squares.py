"""Least median of squares (Rousseeuw 1984): the h-th smallest squared residual is the least."""

import numpy as np

from shadersort.robust.concentration import residual_sizes, trimmed
from shadersort.robust.exact import FEW, MOST, check_number, number_of
from shadersort.robust.finish import Fit
from shadersort.robust.medians import adjusted, exact_medians, searched_medians
from shadersort.robust.nested import best_of_parts
from shadersort.robust.normal import NORMAL
from shadersort.robust.problem import Numbers, Problem
from shadersort.robust.regressor import RobustRegressor, rounding
from shadersort.robust.weighted import rank_of


class LeastMedianSquares(RobustRegressor):
    """Linear regression by the least median of squares: nearly half of the rows may be outliers.

    What is least is the h-th smallest squared residual: half the rows lie in the narrowest strip.
    Normal errors move it more than least trimmed squares. Rows in the strip are no outliers.

    Parameters and attributes are those of `LeastTrimmedSquares`, with these differences.

    Parameters
    ----------
    alpha
        The share of the rows that h is, from 0.5 to 1.
    starts
        As for `LeastTrimmedSquares`; then follow elemental subsets of rows that the best fit takes.
        "exact", and "auto" for tiny problems: all minimax fits of one row more than parameters.

    Attributes
    ----------
    objective_
        The h-th smallest squared residual of the raw fit.
    raw_coef_, raw_intercept_, raw_scale_
        The fit of least median of squares, and its scale.

    Examples
    --------
    >>> x = np.arange(11.0)[:, None]
    >>> y = 3 * x[:, 0] + 2
    >>> y[::3] = 1000
    >>> found = LeastMedianSquares().fit(x, y)
    >>> found.coef_.round(9), round(found.intercept_, 9), found.outliers_.nonzero()[0]
    (array([3.]), 2.0, array([0, 3, 6, 9]))
    """

    def _searched(self, problem: Problem, random: np.random.Generator) -> Numbers:
        h, starts = self.h_, self.starts
        size = problem.parameters + 1
        count = number_of(problem.rows, size, MOST) << problem.parameters
        if starts == "exact" or (starts == "auto" and count <= FEW):
            check_number(count, f"minimax fits of {size} of {problem.rows} rows")
            return exact_medians(problem.on_host(), h)
        thetas = best_of_parts(
            problem,
            h,
            lambda part, some: searched_medians(part, some, starts, self.n_starts, random),
            adjusted,
            random,
        )
        objectives, thetas = adjusted(problem, thetas, h)
        return np.asarray(thetas[objectives.argmin()])

    def _raw(self, problem: Problem, theta: Numbers) -> tuple[Fit, float]:
        sizes = residual_sizes(problem, theta[None])
        found = trimmed(problem.home, sizes, self.h_)
        size, weights = float(found.bounds[0, 0]), found.weights(sizes)[0]
        scale = median_scale(size, self.h_, problem.rows, problem.parameters)
        # The largest of many normal errors is beyond the cutoff: by the scale alone, rows of the
        # strip would be outliers if h is nearly all rows, and all rows if their sizes are equal.
        strip = size + rounding(theta)
        return Fit(theta, weights, scale, rank_of(problem, weights), strip), size**2


def median_scale(size: float, h: int, rows: int, parameters: int) -> float:
    """Return the scale of normal errors whose h-th smallest size is this.

    It has the factor for few rows of Rousseeuw and Leroy 1987, section 5.1, which is too small: for
    30 rows and 4 parameters the scale is about six tenths of the right one.

    Examples
    --------
    >>> round(median_scale(0.6745, 500_000, 10**6, 2), 4)
    1.0
    """
    share = min(h / rows, rows / (rows + 1))
    return size / NORMAL.inv_cdf((1 + share) / 2) * (1 + 5 / (rows - parameters))
