"""What both estimators have in common: parameters, predictions, outliers and their map."""

from typing import TYPE_CHECKING, Any, Self
from warnings import warn

import numpy as np

from shadersort.arguments import generator_of, is_between, whole_number
from shadersort.arrays import Home, home_of
from shadersort.errors import BadCount, BadOption
from shadersort.estimators import Base, Regressor
from shadersort.robust.concentration import residual_sizes, trimmed
from shadersort.robust.finish import FINISHES, Finish, Fit, mm, reweighted
from shadersort.robust.normal import CUTOFF
from shadersort.robust.outlier_map import draw_outlier_map
from shadersort.robust.problem import Numbers, Problem, problem_of
from shadersort.robust.scale import EXACT
from shadersort.robust.search import STARTS, Starts
from shadersort.robust.weighted import TUKEY, residuals
from shadersort.samples import (
    check_fitted,
    check_required,
    check_targets,
    floats,
    in_one_dimension,
    samples,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def checked_choice(name: str, given: Any, allowed: Any) -> Any:
    """Return an option, or raise BadOption unless it is one of those allowed."""
    if given not in allowed:
        raise BadOption(f"{name} must be one of {', '.join(map(repr, allowed))}, not {given!r}")
    return given


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
        alpha: float = 0.5,
        *,
        starts: Starts = "auto",
        n_starts: int = 3000,
        finish: Finish = "reweighted",
        efficiency: float = 0.95,
        fit_intercept: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.alpha = alpha
        self.starts = starts
        self.n_starts = n_starts
        self.finish = finish
        self.efficiency = efficiency
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model to arrays (rows, columns) and (rows,); return the estimator.

        Raises ValueError or TypeError for bad options, for NaN, infinity and wrong shapes, and for
        fewer rows than a fit needs. Warns of columns that are constant or collinear.
        """
        self._check_options()
        home, x, target = self._given(X, y, fit=True)
        check_rows(len(x), x.shape[1] + bool(self.fit_intercept))
        with home.here():
            problem = problem_of(home, x, target, bool(self.fit_intercept))
            self._fit(problem, generator_of("random_state", self.random_state))
        return self

    def predict(self, X: Any) -> Any:
        """Return predictions for an array (rows, columns), where the array is."""
        check_fitted(self, "coef_")
        home = home_of(X)
        with home.here():
            x = samples(self, X, home, fit=False)
            return home.given(x @ home.xp.asarray(self.coef_) + self.intercept_)

    def plot(self, X: Any, y: Any, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the outlier map: standardised residuals against robust distances of the rows of X.

        Lines show what normal data rarely exceed (Rousseeuw and van Zomeren 1990). Vertical
        outliers lie above and below the middle, good leverage points on the right of it, and bad
        ones in the corners there. Returns the axes, of a new figure if `ax` is None. Needs
        matplotlib.
        """
        check_fitted(self, "coef_")
        home, x, target = self._given(X, y, fit=False)
        with home.here():
            left = target - (x @ home.xp.asarray(self.coef_) + self.intercept_)
        return draw_outlier_map(x, left, self.scale_, ax)

    def _given(self, X: Any, y: Any, *, fit: bool) -> tuple[Home, Any, Any]:
        """Return the home of X and y, and both as arrays of its own."""
        check_required(self, y)
        home = home_of(X, y)
        with home.here():
            x = samples(self, X, home, fit=fit)
            target = in_one_dimension(floats(home, y, "y"))
            check_targets(target, len(x), (1,))
            return home, x, target

    def _check_options(self) -> None:
        checked_choice("starts", self.starts, STARTS)
        checked_choice("finish", self.finish, FINISHES)
        checked_choice("efficiency", self.efficiency, TUKEY)
        if not is_between(self.alpha, 0.5, 1):
            raise BadOption(f"alpha must be from 0.5 to 1, not {self.alpha!r}")
        whole_number("n_starts", self.n_starts, error=BadOption)

    def _fit(self, problem: Problem, random: np.random.Generator) -> None:
        self.h_ = trimmed_rows(self.alpha, problem.rows, problem.parameters)
        fit = self._keep_raw(problem, self._searched(problem, random))
        if self.finish != "raw" and fit.scale > 0:
            by_mm = self.finish == "mm"
            fit = mm(problem, fit, self.efficiency) if by_mm else reweighted(problem, fit)
        warn_of_columns(problem, fit.rank)
        self._keep(problem, fit)

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
        found = trimmed(problem.home, sizes, self.h_)
        self.support_ = problem.home.given(first_rows(problem.home.xp, sizes[0], found, self.h_))
        self.raw_coef_, self.raw_intercept_ = problem.coefficients(fit.theta)
        unit = unit_of(problem)
        self.raw_scale_ = fit.scale * unit
        self.objective_ = objective * unit * unit  # unit**2 may raise OverflowError
        return fit

    def _keep(self, problem: Problem, fit: Fit) -> None:
        """Set the attributes of the last fit."""
        self.coef_, self.intercept_ = problem.coefficients(fit.theta)
        self.scale_ = fit.scale * unit_of(problem)
        sizes = abs(residuals(problem, fit.theta))
        limit = max(CUTOFF * fit.scale, fit.strip, rounding(fit.theta))
        self.outliers_ = problem.home.given(sizes > limit)
        self.weights_ = problem.home.given(fit.weights)


def trimmed_rows(alpha: float, rows: int, parameters: int) -> int:
    """Return h, how many rows are fitted: about the share alpha, and all for 1.

    For alpha = 0.5 it is [(n + p + 1) / 2], which has the largest breakdown point.

    Examples
    --------
    >>> trimmed_rows(0.5, 21, 4), trimmed_rows(0.75, 21, 4), trimmed_rows(1.0, 21, 4)
    (13, 17, 21)
    """
    least = (rows + parameters + 1) // 2
    return min(int(2 * least - rows + 2 * (rows - least) * alpha), rows)


def check_rows(rows: int, parameters: int) -> None:
    """Raise BadCount if there are too few rows for a fit."""
    if rows <= parameters:
        raise BadCount(
            f"n_samples={rows} is too few: a fit of {parameters} parameters needs "
            f"{parameters + 1} rows at least"
        )


def first_rows(xp: Any, sizes: Any, found: Any, h: int) -> Any:
    """Return which h rows have the smallest sizes; of equal ones those at the lowest places."""
    below, equal = sizes < found.bounds[0], sizes == found.bounds[0]
    return below | (equal & (xp.cumsum(equal, dtype=np.int64) <= h - below.sum()))


def unit_of(problem: Problem) -> float:
    """Return by what y was divided."""
    return float(problem.scales[-1] or 1)


def rounding(theta: Numbers) -> float:
    """Return the size of residuals that are zero but for rounding."""
    return EXACT * (1 + float(np.abs(theta).sum()))


def warn_of_columns(problem: Problem, rank: int) -> None:
    """Warn if columns of X are constant or collinear; the fit is defined all the same."""
    constant = np.flatnonzero(problem.constant)
    if constant.size:
        warn(
            f"columns {constant.tolist()} of X are constant: their coefficients are 0",
            UserWarning,
            stacklevel=4,
        )
    if rank < problem.parameters - constant.size:
        warn(
            f"columns of X are collinear in the rows that were fitted: rank {rank} of "
            f"{problem.parameters}. Of all best fits, this has the least norm",
            UserWarning,
            stacklevel=4,
        )
