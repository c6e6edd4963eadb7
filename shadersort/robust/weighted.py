"""Weighted least squares of all rows: the last steps of a fit, where it has its full accuracy."""

from typing import Any

import numpy as np

from shadersort.robust.concentration import Weights, grams, solved
from shadersort.robust.problem import Numbers, Problem, on_host

TUKEY = {0.85: 3.443689, 0.95: 4.685061}
"""Tukey's constant for an efficiency at normal errors (Maronna, Martin and Yohai 2006)."""

REFINEMENTS = 2
"""Corrections by the residuals: normal equations alone lose twice the digits that they should."""

MOST_REWEIGHTINGS = 200
SETTLED = 1e-9
"""A fit has converged if no parameter changes by more, in units of a median residual's."""


def residuals(problem: Problem, theta: Numbers) -> Any:
    """Return y minus what a fit predicts, for all rows."""
    line = problem.home.xp.asarray(np.append(-theta, 1.0))
    return line @ problem.columns


def least_squares(problem: Problem, weights: Any) -> tuple[Numbers, int]:
    """Return the fit of weighted rows, and the rank of its columns.

    Examples
    --------
    >>> from shadersort.robust.problem import NumPyHome, problem_of
    >>> x, y = np.array([[1.0], [2], [3]]), np.array([1.0, 3, 9])
    >>> problem = problem_of(NumPyHome(), x, y, intercept=True)
    >>> theta, rank = least_squares(problem, np.array([1.0, 1, 0]))
    >>> problem.coefficients(theta), rank
    ((array([2.]), -1.0), 2)
    """
    gram = grams(problem, Weights(weights[None]))
    theta, ranks = solved(gram)
    for _ in range(REFINEMENTS):
        left = weights * residuals(problem, theta[0])
        gram[0, :-1, -1] = on_host(problem.columns[:-1] @ left)
        theta += solved(gram)[0]
    return theta[0], int(ranks[0])


def rank_of(problem: Problem, weights: Any) -> int:
    """Return the rank of the columns of X in weighted rows."""
    return int(solved(grams(problem, Weights(weights[None])))[1][0])


def biweight_fit(
    problem: Problem, theta: Numbers, scale: float, efficiency: float
) -> tuple[Numbers, Any, int]:
    """Return the M-estimate with Tukey's biweight from a fit: parameters, weights and rank.

    That is an MM-estimate (Yohai 1987) if the fit has a high breakdown point and the scale is its.
    """
    far = TUKEY[efficiency] * scale
    for _ in range(MOST_REWEIGHTINGS):
        parts = residuals(problem, theta) / far
        weights = problem.home.xp.maximum(1 - parts * parts, 0) ** 2
        before = theta
        theta, rank = least_squares(problem, weights)
        if np.abs(theta - before).max() <= SETTLED * scale:
            break
    return theta, weights, rank
