"""The scale of the errors, from the residuals of a robust fit.

The smallest of many normal errors deviate less than all of them do; and a fit of few rows follows
its rows. So each scale has two factors: one that makes it consistent, and one for few rows.
"""

from math import exp, log, sqrt
from statistics import NormalDist

NORMAL = NormalDist()

CUTOFF = NORMAL.inv_cdf(0.9875)
"""Residuals of more scales than this are outliers: of normal errors, one in forty is."""

EXACT = 1e-11
"""Residuals up to this are zero but for rounding, in problems whose columns have the size 1."""

TURNS = 50
LEAST_SHARE, MOST_SHARE = 0.8, 1 - 1e-9
"""Of the errors that are no outliers, among normal ones: other shares are not believed."""

NO_COLUMN = (0.262024211897096, 0.604756680630497), (-0.351584646688712, 1.01646567502486)
ONE_COLUMN = {
    True: ((0.630869217886906, 0.650789250442946), (0.565065391014791, 1.03044199012509)),
    False: ((-0.0181777452315321, 0.697629772271099), (-0.310122738776431, 1.06241615923172)),
}
SEVERAL = {
    True: (
        ((-0.746945886714663, 0.56264937192689, 3), (-0.535478048924724, 0.543323462033445, 5)),
        ((-0.458580153984614, 1.12236071104403, 3), (-0.267178168108996, 1.1022478781154, 5)),
    ),
    False: (
        ((-0.487338281979106, 0.405511279418594, 3), (-0.340762058011, 0.37972360544988, 5)),
        ((-0.251778730491252, 0.883966931611758, 3), (-0.146660023184295, 0.86292940340761, 5)),
    ),
}
"""Pison, Van Aelst and Willems 2002, "Small sample corrections for LTS and MCD", Metrika 55: for
trimming to a half, and to seven eighths; by whether there is an intercept beside the columns."""


def trimmed_deviation(share: float) -> float:
    """Return the standard deviation of the middle share of a standard normal variable.

    For share α that is √(1 − 2 q φ(q) / α), with q the quantile of (1 + α) / 2 (Croux and
    Haesbroeck 1999). Divided by it, the deviation of the smallest residuals estimates that of all.
    """
    if share >= 1:
        return 1.0
    end = NORMAL.inv_cdf((1 + share) / 2)
    return sqrt(1 - 2 * end * NORMAL.pdf(end) / share)


def trimmed_scale(objective: float, h: int, rows: int, columns: int, intercept: bool) -> float:
    """Return the scale of normal errors whose h smallest squares have this sum.

    It is consistent, and corrected for few rows, by whether a fit has an intercept, too.
    """
    share = h / rows
    consistent = sqrt(objective / h) / trimmed_deviation(share)
    return consistent / small_sample(share, rows, columns, intercept)


def small_sample(share: float, rows: int, columns: int, intercept: bool) -> float:
    """Return by how much a trimmed scale of few rows is too small, on the average."""
    half, most = (max(1 - exp(_line(place, columns, rows, intercept)), 0.1) for place in (0, 1))
    if not columns:
        half, most = sqrt(half), sqrt(most)
    if share <= 0.875:
        return half + (most - half) * max(share - 0.5, 0) / 0.375
    return most + (1 - most) * (share - 0.875) / 0.125


def _line(place: int, columns: int, rows: int, intercept: bool) -> float:
    """Return the logarithm of a correction, which is linear in that of the number of rows."""
    if columns < 2:
        start, slope = (ONE_COLUMN[intercept] if columns else NO_COLUMN)[place]
        return start - slope * log(rows)
    (x0, y0), (x1, y1) = (
        (log(factor * columns**2), log(-scale) - power * log(columns))
        for scale, power, factor in SEVERAL[intercept][place]
    )
    return y0 + (y1 - y0) * (log(rows) - x0) / (x1 - x0)


def median_scale(size: float, h: int, rows: int, parameters: int) -> float:
    """Return the scale of normal errors whose h-th smallest size is this.

    It has the factor for few rows of Rousseeuw and Leroy 1987, section 5.1, which is too small: for
    30 rows and 4 parameters the scale is about six tenths of the right one.
    """
    share = min(h / rows, rows / (rows + 1))
    return size / NORMAL.inv_cdf((1 + share) / 2) * (1 + 5 / (rows - parameters))


def scale_of_kept(squares: float, kept: float, parameters: int, limit: float) -> float:
    """Return the scale of normal errors, from the sum of squares of those up to a limit.

    The scale decides what share of the errors is below the limit, and this by how much their
    deviation is too small: both are found in turns. Of few rows the scale is too small.
    """
    found = scale = sqrt(squares / max(kept - parameters, 1))
    for _ in range(TURNS):
        share = 2 * NORMAL.cdf(limit / scale) - 1 if scale else 1
        scale = found / trimmed_deviation(min(max(share, LEAST_SHARE), MOST_SHARE))
    return scale
