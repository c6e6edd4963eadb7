"""The last step of a robust fit, which uses all good rows: reweighted, or an MM-estimate."""

from typing import Any, Literal, NamedTuple

import numpy as np

from shadersort.robust.normal import CUTOFF
from shadersort.robust.problem import Numbers, Problem
from shadersort.robust.scale import biweight_scale, scale_of_kept
from shadersort.robust.weighted import biweight_fit, least_squares, residuals

Finish = Literal["reweighted", "mm", "raw"]
FINISHES: tuple[Finish, ...] = ("reweighted", "mm", "raw")
"""What follows the raw fit: least squares of rows that are no outliers; an M-estimate; nothing."""


class Fit(NamedTuple):
    """A fit to the columns of a problem."""

    theta: Numbers
    weights: Any  # of each row, where the rows are
    scale: float  # of the errors
    rank: int  # of the columns, in the rows that have weight
    strip: float = 0.0  # residuals up to this size are no outliers', whatever the scale


def reweighted(problem: Problem, raw: Fit) -> Fit:
    """Return the least squares fit of the rows that are no outliers beside a raw fit."""
    sizes = abs(residuals(problem, raw.theta))
    limit = max(CUTOFF * raw.scale, raw.strip)
    weights = (sizes <= limit).astype(np.float64)
    theta, rank = least_squares(problem, weights)
    squares = float((weights * residuals(problem, theta) ** 2).sum())
    scale = scale_of_kept(squares, float(weights.sum()), problem.parameters, limit)
    return Fit(theta, weights, scale, rank)


def mm(problem: Problem, raw: Fit, efficiency: float) -> Fit:
    """Return the MM-estimate that begins at a raw fit (Yohai 1987)."""
    sizes = abs(residuals(problem, raw.theta))
    scale = biweight_scale(sizes, problem.parameters, raw.scale, problem.home.xp)
    theta, weights, rank = biweight_fit(problem, raw.theta, scale, efficiency)
    return Fit(theta, weights, scale, rank)
