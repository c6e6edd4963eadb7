"""Robust distances of rows: by the minimum covariance determinant (Rousseeuw 1984), on the host."""

from math import sqrt

import numpy as np

from shadersort.robust.concentration import RANK
from shadersort.robust.deterministic import central_subsets
from shadersort.robust.normal import above, chi_squared_quantile
from shadersort.robust.problem import Numbers

LIMIT = 0.975
"""Of normal rows this share has a smaller distance than the limit."""

MOST_ROWS = 5000
"""Rows that decide about centre and scatter; with more rows, some are drawn."""

MOST_STEPS = 100


def distance_limit(columns: int) -> float:
    """Return the distance that one normal row in forty exceeds.

    Examples
    --------
    >>> round(distance_limit(2), 3)
    2.716
    """
    return sqrt(chi_squared_quantile(LIMIT, columns))


def robust_distances(x: Numbers) -> Numbers:
    """Return the distance of each row of (rows, columns) from the middle of most rows.

    It is in standard deviations of those rows, if they are normal. Constant columns do not count.

    Examples
    --------
    >>> x = np.random.default_rng(0).standard_normal((200, 2))
    >>> x[:50] += 100
    >>> bool(robust_distances(x)[:50].min() > 50 > 5 > robust_distances(x)[50:].max())
    True
    """
    some = x
    if len(x) > MOST_ROWS:
        some = x[np.random.default_rng(0).choice(len(x), MOST_ROWS, replace=False)]
    wide = x.shape[1]
    h = (len(some) + wide + 1) // 2
    squares = _concentrated(some, min(h, len(some)), x)
    squares *= trimmed_factor(min(h / len(some), 1.0), wide)
    good = squares <= chi_squared_quantile(LIMIT, wide)
    return np.asarray(np.sqrt(_squares(x[good], x)[0] * trimmed_factor(LIMIT, wide)))


def trimmed_factor(share: float, columns: int) -> float:
    """Return the variance of the middle share of normal rows (Croux and Haesbroeck 1999).

    Examples
    --------
    >>> round(trimmed_factor(0.5, 1), 4), trimmed_factor(1.0, 3)
    (0.1427, 1.0)
    """
    if share >= 1:
        return 1.0
    return (1 - above(chi_squared_quantile(share, columns), columns + 2)) / share


def _concentrated(some: Numbers, h: int, x: Numbers) -> Numbers:
    """Return squared distances of x by the h rows of `some` with the least determinant."""
    best = np.inf, np.zeros(len(x))
    for subset in central_subsets(some.T, (len(some) + 1) // 2):
        taken, before = subset, np.inf
        for _ in range(MOST_STEPS):
            squares, volume = _squares(some[taken], some)
            if not volume < before:
                break
            taken, before = np.argpartition(squares, h - 1)[:h], volume
        if volume < best[0]:
            best = volume, _squares(some[taken], x)[0]
    return best[1]


def _squares(good: Numbers, x: Numbers) -> tuple[Numbers, float]:
    """Return squared distances of x by the mean and covariance of good rows; and the determinant.

    The logarithm of the determinant is that of the directions in which the rows scatter.
    """
    centre = good.mean(axis=0)
    values, axes = np.linalg.eigh(np.atleast_2d(np.cov(good, rowvar=False, ddof=0)))
    counted = values > RANK * max(values[-1], np.finfo(float).tiny)
    turned = (x - centre) @ axes[:, counted]
    return (turned**2 / values[counted]).sum(axis=1), float(np.log(values[counted]).sum())
