"""What both estimators have in common: parameters, the reweighted fit, outliers and predictions."""

from typing import Any, NamedTuple, Self
from warnings import warn

import numpy as np

from shadersort.arrays import generator_of, home_of, is_between, whole_number
from shadersort.errors import BadOption
from shadersort.estimators import (
    Base,
    Regressor,
    check_fitted,
    check_required,
    check_targets,
    floats,
    in_one_dimension,
    samples,
)
from shadersort.robust.concentration import grams, residual_sizes, solved, trimmed
from shadersort.robust.problem import Numbers, Problem, on_host, problem_of
from shadersort.robust.scale import CUTOFF, EXACT, scale_of_kept

REFINEMENTS = 2
"""Corrections by the residuals: normal equations alone lose twice the digits that they should."""


class Fit(NamedTuple):
    """A fit to the columns of a problem."""

    theta: Numbers
    weights: Any  # of each row, where the rows are
    scale: float  # of the errors
    rank: int  # of the columns, in the rows that have weight
    strip: float = 0.0  # residuals up to this size are no outliers', whatever the scale


class RobustRegressor(Regressor, Base):
    """A linear regression that outliers cannot move; its subclasses say what is least."""

    coef_: Numbers
    intercept_: float
    scale_: float
    objective_: float
    h_: int
    n_features_in_: int

    def __init__(
        self,
        coverage: float = 0.5,
        *,
        n_starts: int = 3000,
        fit_intercept: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.coverage = coverage
        self.n_starts = n_starts
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model to arrays (rows, columns) and (rows,); return the estimator.

        Raises ValueError or TypeError for bad options, for NaN, infinity and wrong shapes, and for
        fewer rows than a fit needs. Warns of columns that are constant or collinear.
        """
        if not is_between(self.coverage, 0.5, 1):
            raise BadOption(f"coverage must be from 0.5 to 1, not {self.coverage!r}")
        whole_number("n_starts", self.n_starts)
        check_required(self, y)
        home = home_of(X, y)
        with home.here():
            x = samples(self, X, home, fit=True)
            target = in_one_dimension(floats(home, y, "y"))
            check_targets(target, len(x), (1,))
            parameters = x.shape[1] + bool(self.fit_intercept)
            if len(x) <= parameters:
                raise BadOption(
                    f"n_samples={len(x)} is too few: a fit of {parameters} parameters needs "
                    f"{parameters + 1} rows at least"
                )
            problem = problem_of(home, x, target, bool(self.fit_intercept))
            self._fit(problem, generator_of("random_state", self.random_state))
        return self

    def predict(self, X: Any) -> Any:
        """Return predictions for an array (rows, columns), where the array is."""
        check_fitted(self, "coef_")
        home = home_of(X)
        with home.here():
            x = samples(self, X, home, fit=False)
            return home.give(x @ home.xp.asarray(self.coef_) + self.intercept_)

    def _fit(self, problem: Problem, random: np.random.Generator) -> None:
        self.h_ = trimmed_rows(self.coverage, problem.rows, problem.parameters)
        fit = self._keep_raw(problem, self._searched(problem, random))
        if fit.scale > 0:
            fit = reweighted(problem, fit)
        warn_of_columns(problem, fit.rank)
        self.coef_, self.intercept_ = problem.coefficients(fit.theta)
        self.scale_ = fit.scale * unit_of(problem)
        sizes = abs(residuals(problem, fit.theta))
        limit = max(CUTOFF * fit.scale, fit.strip, rounding(fit.theta))
        self.outliers_ = problem.home.give(sizes > limit)
        self.weights_ = problem.home.give(fit.weights)

    def _searched(self, problem: Problem, random: np.random.Generator) -> Numbers:
        """Return the raw fit that was found."""
        raise NotImplementedError

    def _raw(self, problem: Problem, theta: Numbers) -> tuple[Fit, float]:
        """Return the raw fit in its full accuracy, and its objective, in units of the problem."""
        raise NotImplementedError

    def _keep_raw(self, problem: Problem, theta: Numbers) -> Fit:
        """Set the attributes of the raw fit, and return it; the scale of an exact fit is 0."""
        fit, objective = self._raw(problem, theta)
        if fit.scale <= rounding(fit.theta):
            fit, objective = fit._replace(scale=0.0), 0.0
        sizes = residual_sizes(problem, fit.theta[None])
        (bound,) = trimmed(problem.home, sizes, self.h_).bounds
        support = sizes[0] < bound
        places = problem.home.xp.flatnonzero(sizes[0] == bound)
        support[places[: self.h_ - int(support.sum())]] = True
        self.support_ = problem.home.give(support)
        self.raw_coef_, self.raw_intercept_ = problem.coefficients(fit.theta)
        unit = unit_of(problem)
        self.raw_scale_ = fit.scale * unit
        self.objective_ = objective * unit * unit  # unit**2 may raise OverflowError
        return fit


def trimmed_rows(coverage: float, rows: int, parameters: int) -> int:
    """Return h, how many rows are fitted: about this share, and all for 1.

    For a coverage of 0.5 it is [(n + p + 1) / 2], which has the largest breakdown point.
    """
    least = (rows + parameters + 1) // 2
    return min(int(2 * least - rows + 2 * (rows - least) * coverage), rows)


def residuals(problem: Problem, theta: Numbers) -> Any:
    """Return y minus what a fit predicts, for all rows."""
    return problem.home.xp.asarray(np.append(-theta, 1.0)) @ problem.columns


def least_squares(problem: Problem, weights: Any) -> tuple[Numbers, int]:
    """Return the fit of weighted rows, and the rank of its columns."""
    gram = grams(problem, lambda some: weights[None, some])
    theta, ranks = solved(gram)
    for _ in range(REFINEMENTS):
        left = weights * residuals(problem, theta[0])
        gram[0, :-1, -1] = on_host(problem.columns[:-1] @ left)
        theta += solved(gram)[0]
    return theta[0], int(ranks[0])


def reweighted(problem: Problem, raw: Fit) -> Fit:
    """Return the least squares fit of the rows that are no outliers beside a raw fit."""
    limit = max(CUTOFF * raw.scale, raw.strip)
    weights = (abs(residuals(problem, raw.theta)) <= limit).astype(np.float64)
    theta, rank = least_squares(problem, weights)
    squares = float((weights * residuals(problem, theta) ** 2).sum())
    scale = scale_of_kept(squares, float(weights.sum()), problem.parameters, limit)
    return Fit(theta, weights, scale, rank)


def unit_of(problem: Problem) -> float:
    """Return by what y was divided."""
    return float(problem.scales[-1] or 1)


def rounding(theta: Numbers) -> float:
    """Return the size of residuals that are zero but for rounding."""
    return EXACT * (1 + float(np.abs(theta).sum()))


def warn_of_columns(problem: Problem, rank: int) -> None:
    """Warn if columns of X are constant or collinear; the fit is defined all the same."""
    constant = np.flatnonzero(problem.constant)
    said = []
    if constant.size:
        said.append(f"columns {constant.tolist()} of X are constant: their coefficients are 0")
    if rank < problem.parameters - constant.size:
        said.append(
            f"columns of X are collinear in the rows that were fitted: rank {rank} of "
            f"{problem.parameters}. Of all best fits, this has the least norm"
        )
    for each in said:
        warn(each, UserWarning, stacklevel=4)
