"""Least median of squares (Rousseeuw 1984): the h-th smallest squared residual is the least.

Many fits are tried, and each gets the best intercept for its slopes: the middle of the shortest
interval that holds h of the differences between y and the slopes' predictions (Rousseeuw and Leroy
1987, section 5.2). So the fits are compared as if the intercept had been searched for, too.
"""

import numpy as np

from shadersort.arrays import kth_of_rows
from shadersort.robust.concentration import grams, residual_sizes, solved, trimmed
from shadersort.robust.problem import Numbers, Problem, on_host
from shadersort.robust.regressor import Fit, RobustRegressor, rounding
from shadersort.robust.scale import median_scale
from shadersort.robust.search import (
    SAME,
    Found,
    best_of_parts,
    elemental_fits,
    fits_of,
    in_order,
    random_subsets,
    searched,
)

NEARBY, ROUNDS = 2000, 5
"""Starts near the best fit, and how often they are drawn at most: while they find a better one."""


class LeastMedianSquares(RobustRegressor):
    """Linear regression by the least median of squares: nearly half of the rows may be outliers.

    What is least is the h-th smallest squared residual: half the rows lie in the narrowest strip.
    Normal errors move it more than least trimmed squares. Rows in the strip are no outliers.

    Parameters and attributes are those of `LeastTrimmedSquares`; the raw fit is that of least
    median of squares, and `objective_` is its h-th smallest squared residual.

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
        h = self.h_
        thetas = best_of_parts(
            problem,
            h,
            lambda part, some: _searched(part, some, self.n_starts, random),
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
        rank = int(solved(grams(problem, lambda some: weights[None, some]))[1][0])
        # The largest of many normal errors is beyond the cutoff: by the scale alone, rows of the
        # strip would be outliers if h is nearly all rows, and all rows if their sizes are equal.
        return Fit(theta, weights, scale, rank, size + rounding(theta)), size**2


def adjusted(problem: Problem, thetas: Numbers, h: int) -> Found:
    """Return the h-th smallest residuals of fits with the best intercepts, and these fits."""
    home = problem.home
    if not problem.intercept:
        return on_host(kth_of_rows(home, residual_sizes(problem, thetas), h - 1))[:, 0], thetas
    lines = home.xp.asarray(np.append(-thetas, np.ones((len(thetas), 1)), axis=1))
    rows = home.rows(lines @ problem.columns)
    ordered = rows.axis_result(rows.sort())
    low, high = ordered[:, : problem.rows - h + 1], ordered[:, h - 1 :]
    places = (high - low).argmin(axis=1)[:, None]
    low, high = (home.xp.take_along_axis(each, places, axis=1)[:, 0] for each in (low, high))
    shifted = thetas.copy()
    shifted[:, 0] += on_host((low + high) / 2)
    return on_host((high - low) / 2), shifted


def _searched(problem: Problem, h: int, count: int, random: np.random.Generator) -> Found:
    """Return the fits that were found, in a problem on the host.

    They begin with fits of small trimmed squares and with elemental ones. Then follow fits through
    a few rows that the best fit takes: these find better ones nearby.
    """
    thetas = searched(problem, h, count, random)[1]
    thetas = np.append(thetas, elemental_fits(problem, random, count), axis=0)
    objectives, thetas = in_order(*adjusted(problem, thetas, h))
    for _ in range(ROUNDS):
        sizes = residual_sizes(problem, thetas[:1])[0]
        # rounding does not decide about rows at the bound: so units do not change the fits
        taken = np.flatnonzero(sizes <= (1 + SAME) * np.partition(sizes, h - 1)[h - 1])
        subsets = random_subsets(random, len(taken), problem.parameters, NEARBY)
        found = adjusted(problem, fits_of(problem, taken[subsets]), h)
        better = found[0].min() < (1 - SAME) * objectives[0]
        objectives, thetas = in_order(
            np.append(objectives, found[0]), np.append(thetas, found[1], axis=0)
        )
        if not better:
            break
    return objectives, thetas
