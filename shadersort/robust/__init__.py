"""Regression that outliers cannot move: least median and least trimmed squares."""

from shadersort.robust.least_median_squares import LeastMedianSquares
from shadersort.robust.least_trimmed_squares import LeastTrimmedSquares

__all__ = ["LeastMedianSquares", "LeastTrimmedSquares"]
