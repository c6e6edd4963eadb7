"""Lesson 15: wrong answers that no mistake names."""

import numpy as np

from shadersort.lessons.line.lines import least_squares, sizes_of, through
from tests.lessons.wrong import Answers

WRONG: Answers = {
    "middle_residual": [
        lambda x, y, i, j: 0,  # the smallest, which is that of the two points
        lambda x, y, i, j: np.median(np.abs(y - np.median(y))),
        lambda x, y, i, j: np.median(sizes_of(x, y, least_squares(x, y))),
        lambda x, y, i, j: sizes_of(x, y, through(x, y, i, j)),  # all sizes
        lambda x, y, i, j: np.median(sizes_of(x, y, through(x, y, i, j))) + 1e-3,
    ],
    "trimmed_sum": [
        lambda squares, h: np.sum(squares),
        lambda squares, h: np.median(squares),
        lambda squares, h: h * np.min(squares),
        lambda squares, h: np.sort(squares)[:h].sum(),  # right, but sorted
        lambda squares, h: [1, 2],
    ],
    "concentrated": [
        lambda x, y, slope, intercept, h: (slope, intercept),  # no step
        lambda x, y, slope, intercept, h: least_squares(x[:h], y[:h]),
        lambda x, y, slope, intercept, h: slope,  # no intercept
        lambda x, y, slope, intercept, h: (0.0, np.median(y)),
    ],
    "starts_needed": [
        lambda good, size, sure: 500,
        lambda good, size, sure: np.ceil(size / good),
        lambda good, size, sure: "many",
        lambda good, size, sure: np.ceil(np.log(1 - sure) / np.log(1 - good**size)) + 1,
    ],
}
