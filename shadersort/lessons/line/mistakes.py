"""Lesson 15, a line that outliers cannot move: known mistakes."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises import Mistake
from shadersort.lessons.line.lines import key_of_rank, least_squares, sizes_of, through


def _residuals(x: Any, y: Any, i: int, j: int) -> Any:
    slope, intercept = through(x, y, i, j)
    return y - (slope * x + intercept)


def _sizes(x: Any, y: Any, i: int, j: int) -> Any:
    return np.abs(_residuals(x, y, i, j))


def _turned(x: Any, y: Any, i: int, j: int) -> Any:
    slope = (x[j] - x[i]) / (y[j] - y[i])
    return np.median(np.abs(y - y[i] - slope * (x - x[i])))


def _without_intercept(x: Any, y: Any, i: int, j: int) -> Any:
    return np.median(np.abs(y - through(x, y, i, j)[0] * x))


MIDDLE_RESIDUAL = (
    Mistake(
        "you took the median of the residuals with their signs, and not of their sizes",
        lambda x, y, i, j: np.median(_residuals(x, y, i, j)),
        "A line far above half of the points, and far below the others, would be praised. "
        "Take np.abs first.",
    ),
    Mistake(
        "you took the mean of the sizes: one outlier moves it as far as it likes",
        lambda x, y, i, j: np.mean(_sizes(x, y, i, j)),
        "np.median.",
    ),
    Mistake(
        "you divided the way by the climb: that is 1 / slope",
        _turned,
        "The slope is (y[j] - y[i]) / (x[j] - x[i]).",
    ),
    Mistake(
        "you let the line begin at height 0, and not go through the two points",
        _without_intercept,
        "The height of the line at x is y[i] + slope * (x - x[i]).",
    ),
)


def _bounded(squares: Any, h: int) -> tuple[Any, Any, int]:
    """Return the bound, the sum of the squares below it, and how many these are."""
    bound = key_of_rank(squares, h - 1)
    below = squares < bound
    return bound, squares[below].sum(), int(below.sum())


def _without_ties(squares: Any, h: int) -> Any:
    return _bounded(squares, h)[1]


def _one_tie(squares: Any, h: int) -> Any:
    bound, total, _ = _bounded(squares, h)
    return total + bound


TRIMMED_SUM = (
    Mistake(
        "you added all squares that are equal to the bound, and so more than h squares",
        lambda squares, h: squares[squares <= key_of_rank(squares, h - 1)].sum(),
        "Only h - below of them count.",
    ),
    Mistake(
        "you left out the squares that are equal to the bound",
        _without_ties,
        "h - below of them count, and each adds the bound.",
    ),
    Mistake(
        "you added the bound once, but several squares may be equal to it",
        _one_tie,
        "h - below of them count. If there are no ties, this is one.",
    ),
    Mistake(
        "you added the first h squares, and not the smallest ones",
        lambda squares, h: squares[:h].sum(),
        "The smallest ones are those below the bound, and some that are equal to it.",
    ),
)


def _fitted(x: Any, y: Any, kept: Any) -> Any:
    return least_squares(x[kept], y[kept])


def _first(values: Any, h: int) -> Any:
    return np.argsort(values, kind="stable")[:h]


def _distances(x: Any, y: Any, slope: float, intercept: float) -> Any:
    return sizes_of(x, y, (slope, intercept))


CONCENTRATED = (
    Mistake(
        "you kept the points with the smallest residuals, signs included: those far below the line",
        lambda x, y, slope, intercept, h: _fitted(x, y, _first(y - slope * x - intercept, h)),
        "The size of a residual is its distance: np.abs.",
    ),
    Mistake(
        "you kept one point too many: the rank of the h-th smallest is h - 1",
        lambda x, y, slope, intercept, h: _fitted(
            x, y, _first(_distances(x, y, slope, intercept), h + 1)
        ),
        "key_of_rank(sizes, h - 1).",
    ),
    Mistake(
        "you kept the points that are nearest to the line of least squares, and not to the line "
        "that is given",
        lambda x, y, slope, intercept, h: _fitted(
            x, y, _first(_distances(x, y, *least_squares(x, y)), h)
        ),
        "The residuals are those of slope * x + intercept.",
    ),
    Mistake(
        "you fitted all points, and left none out",
        lambda x, y, slope, intercept, h: least_squares(x, y),
        "x[kept] and y[kept] are the points that are kept.",
    ),
)


def _quotient(good: float, size: int, sure: float) -> float:
    return float(np.log(1 - sure) / np.log(1 - good**size))


STARTS_NEEDED = (
    Mistake(
        "you rounded down: then the probability is a little too small",
        lambda good, size, sure: np.floor(_quotient(good, size, sure)),
        "np.ceil rounds up.",
    ),
    Mistake(
        "you asked for *one* good point in a start, but all of its points must be good",
        lambda good, size, sure: np.ceil(np.log(1 - sure) / np.log((1 - good) ** size)),
        "The probability that all are good is good ** size.",
    ),
    Mistake(
        "you forgot that a start has several points",
        lambda good, size, sure: np.ceil(np.log(1 - sure) / np.log(1 - good)),
        "All of them must be good: good ** size.",
    ),
    Mistake(
        "you took the logarithm of `sure`, the probability of success",
        lambda good, size, sure: np.ceil(np.log(sure) / np.log(1 - good**size)),
        "The probability that all starts are spoilt shall be at most 1 - sure.",
    ),
)
