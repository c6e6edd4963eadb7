"""Lesson 16: straight lines by least squares, and by least trimmed squares step by step."""

from typing import Any

import numpy as np

from shadersort.keys.types import Keys

Line = tuple[float, float]
"""The slope of a line, and its intercept: its height at 0."""


def key_of_rank(keys: Keys, rank: int) -> Any:
    """Return the key with `rank` others before it in order; ranks begin at 0."""
    return np.partition(keys, rank)[rank]


def least_squares(x: Keys, y: Keys) -> Line:
    """Return the slope and the intercept of the line with the least sum of squared residuals."""
    across = x - x.mean()
    slope = float(across @ y / (across @ across))
    return slope, float(y.mean() - slope * x.mean())


def through(x: Keys, y: Keys, i: int, j: int) -> Line:
    """Return the slope and the intercept of the line through two points."""
    slope = float((y[j] - y[i]) / (x[j] - x[i]))
    return slope, float(y[i] - slope * x[i])


def residuals(x: Keys, y: Keys, line: Line) -> Keys:
    """Return how far each point is above a line."""
    slope, intercept = line
    found: Keys = y - (slope * x + intercept)
    return found


def sizes_of(x: Keys, y: Keys, line: Line) -> Keys:
    """Return the size of each residual: how far a point is above or below a line."""
    return np.abs(residuals(x, y, line))


def nearest(x: Keys, y: Keys, line: Line, h: int) -> Any:
    """Return which h points are nearest to a line; of equal distances, the first ones."""
    sizes = sizes_of(x, y, line)
    bound = key_of_rank(sizes, h - 1)
    below, equal = sizes < bound, sizes == bound
    return below | (equal & (np.cumsum(equal) <= h - below.sum()))


def objective(x: Keys, y: Keys, line: Line, h: int) -> float:
    """Return the sum of the h smallest squared residuals."""
    return float(np.sum(sizes_of(x, y, line)[nearest(x, y, line, h)] ** 2))


def concentrated(x: Keys, y: Keys, line: Line, h: int) -> Line:
    """Return the line of least squares of the h points that are nearest to a line."""
    kept = nearest(x, y, line, h)
    return least_squares(x[kept], y[kept])


def concentrations(x: Keys, y: Keys, line: Line, h: int) -> list[Line]:
    """Return a line and those after each step, until the same points are kept again."""
    found = [line]
    while True:
        line = concentrated(x, y, found[-1], h)
        if line == found[-1]:
            return found
        found.append(line)
