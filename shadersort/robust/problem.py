"""A regression in numbers of moderate size: its columns centred and scaled, where its arrays are.

Every column is divided by its median size, and with an intercept its median is subtracted first. So
fits are those of the given columns in any unit, and outliers do not decide about the scales.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.arrays import Home, NumPyHome

Numbers = npt.NDArray[np.float64]
"""Numbers on the host."""

FARTHEST = 1e60
"""In units of the median size: what is farther away is moved here, so that no square overflows."""


@dataclass(frozen=True, eq=False)
class Problem:
    """The columns of a regression.

    Attributes
    ----------
    home
        Where the columns are.
    columns
        float64, of shape (parameters + 1, rows): ones first if there is an intercept, then the
        columns of X, and y last.
    centres, scales
        What was subtracted from each column, and by what it was divided then: on the host.
    intercept
        Whether the first column is one of ones.

    Examples
    --------
    >>> x, y = np.array([[1.0], [2], [4]]), np.array([3.0, 5, 9])
    >>> problem_of(NumPyHome(), x, y, intercept=True).columns
    array([[ 1.,  1.,  1.],
           [-1.,  0.,  2.],
           [-1.,  0.,  2.]])
    """

    home: Home
    columns: Any
    centres: Numbers
    scales: Numbers
    intercept: bool

    @property
    def parameters(self) -> int:
        """How many parameters a fit has, the intercept among them."""
        return int(self.columns.shape[0]) - 1

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.columns.shape[1])

    @property
    def constant(self) -> npt.NDArray[np.bool_]:
        """Which columns of X are 0 everywhere, after their centre was subtracted."""
        return np.equal(self.scales[int(self.intercept) : -1], 0)

    def at(self, places: Any) -> "Problem":
        """Return the problem of some rows, on the host."""
        some = self.columns[:, self.home.xp.asarray(places)]
        return replace(self, home=NumPyHome(), columns=on_host(some))

    def on_host(self) -> "Problem":
        """Return the same problem on the host."""
        return replace(self, home=NumPyHome(), columns=on_host(self.columns))

    def coefficients(self, theta: Numbers) -> tuple[Numbers, float]:
        """Return a fit to these columns as coefficients and intercept of the given ones."""
        first = int(self.intercept)
        steps = np.where(self.scales == 0, 1.0, self.scales)
        coef = theta[first:] * steps[-1] / steps[first:-1]
        if not self.intercept:
            return coef, 0.0
        return coef, float(self.centres[-1] + theta[0] * steps[-1] - coef @ self.centres[1:-1])


def problem_of(home: Home, x: Any, y: Any, intercept: bool) -> Problem:
    """Return the problem of arrays (rows, columns) and (rows,) that are at home there."""
    first = int(intercept)
    columns = home.xp.empty((x.shape[1] + first + 1, x.shape[0]), np.float64)
    columns[:first] = 1
    columns[first:-1] = x.T
    columns[-1] = y
    centres, scales = np.zeros(len(columns)), np.ones(len(columns))
    with np.errstate(over="ignore"):
        if intercept:
            centres[1:] = medians_of(home, columns[1:])
            columns[1:] -= home.xp.asarray(centres[1:, None])
        scales[first:] = sizes_of(home, columns[first:])
        columns /= home.xp.asarray(np.where(scales == 0, 1.0, scales)[:, None])
    home.xp.clip(columns, -FARTHEST, FARTHEST, out=columns)
    return Problem(home, columns, centres, scales, intercept)


def medians_of(home: Home, rows: Any) -> Numbers:
    """Return the median of each row, on the host."""
    found = home.rows(rows)
    return np.asarray(on_host(found.result(found.middle(nan=False))))


def sizes_of(home: Home, rows: Any) -> Numbers:
    """Return the median size in each row; where that is 0, the mean size."""
    sizes = home.xp.abs(rows)
    medians = medians_of(home, sizes)
    if (medians > 0).all():
        return medians
    return np.where(medians > 0, medians, on_host((sizes / rows.shape[1]).sum(axis=1)))


def on_host(x: Any) -> Any:
    """Return an array as one of NumPy."""
    return x if isinstance(x, np.ndarray) else x.get()
