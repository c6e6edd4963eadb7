"""Lesson 16, a line that outliers cannot move: the exercises."""

from collections.abc import Iterator
from math import ceil, floor, log
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import (
    SORTS,
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    number_of,
    numbers_of,
)
from shadersort.lessons.line import lines
from shadersort.lessons.line.lines import Line, key_of_rank, least_squares
from shadersort.lessons.line.pictures import show_lines
from shadersort.pictures.matplotlib_types import Figure

__all__ = ["EXERCISES", "key_of_rank", "least_squares"]


def _points(rng: np.random.Generator, n: int) -> tuple[Keys, Keys]:
    """Return points of whole numbers, no two of which share a place or a height."""
    return rng.permutation(3 * n)[:n], rng.permutation(3 * n)[:n]


def _pairs(rng: np.random.Generator) -> Iterator[Case]:
    yield np.array([0, 1, 2, 3, 4]), np.array([1, 2, 9, 4, 0]), 0, 1
    for n in (5, 7, 11, 31):
        yield *_points(rng, n), *rng.choice(n, 2, replace=False).tolist()


middle_residual = Exercise(
    name="middle_residual",
    specification=lambda x, y, i, j: float(
        np.median(lines.sizes_of(x, y, lines.through(x, y, i, j)))
    ),
    cases=_pairs,
    hints=(
        "First the line. From point i to point j it climbs y[j] - y[i], on a way of x[j] - x[i]: "
        "the slope is one divided by the other.",
        "The line has the height y[i] + slope * (x - x[i]) at x. This works for all points at "
        "once, because x is an array.",
        "A residual is the height of the point minus that of the line; its size is np.abs of it. "
        "Take the median of the sizes of all points.",
    ),
    runner=PythonRunner(number_of),
    mistakes=(
        Mistake(
            "you took the median of the residuals with their signs, and not of their sizes",
            lambda x, y, i, j: np.median(lines.residuals(x, y, lines.through(x, y, i, j))),
            "A line far above half of the points, and far below the others, would be praised.",
        ),
        Mistake(
            "you took the mean of the sizes: one outlier moves it as far as it likes",
            lambda x, y, i, j: np.mean(lines.sizes_of(x, y, lines.through(x, y, i, j))),
            "np.median.",
        ),
    ),
)


def _squares(rng: np.random.Generator) -> Iterator[Case]:
    """Yield squares without and with ties at the last one that counts, and how many count."""
    yield np.array([9, 1, 4]), 2
    yield np.array([4, 1, 4, 4]), 2
    yield np.array([4, 0, 4, 9, 4, 1]), 4
    yield np.array([25, 4, 9, 16, 1, 36, 49]), 4
    for n in (10, 100):
        yield rng.integers(8, size=n) ** 2, n // 2 + 1
    yield rng.permutation(40) ** 2, 21


def _add_below(squares: Any, h: int, ties: int) -> Any:
    """Return the sum of the squares below the bound, and of the bound some times."""
    bound = key_of_rank(squares, h - 1)
    return squares[squares < bound].sum() + ties * bound


trimmed_sum = Exercise(
    name="trimmed_sum",
    specification=lambda squares, h: float(np.sort(squares)[:h].sum()),
    cases=_squares,
    hints=(
        "key_of_rank(squares, h - 1) is the largest square that counts: h - 1 others come before "
        "it. Call it `bound`.",
        "All squares below the bound count. How many are they? np.sum(squares < bound).",
        "If h count, and `below` of them are below the bound, then h - below are equal to it. "
        "Each of these adds the bound.",
        "squares[squares < bound].sum() + (h - below) * bound",
    ),
    runner=PythonRunner(number_of, forbidden=(*SORTS, "partition", "argpartition")),
    mistakes=(
        Mistake(
            "you added all squares that are equal to the bound, and so more than h squares",
            lambda squares, h: squares[squares <= key_of_rank(squares, h - 1)].sum(),
            "Only h - below of them count.",
        ),
        Mistake(
            "you left out the squares that are equal to the bound",
            lambda squares, h: _add_below(squares, h, ties=0),
            "h - below of them count, and each adds the bound.",
        ),
        Mistake(
            "you added the bound once, but several squares may be equal to it",
            lambda squares, h: _add_below(squares, h, ties=1),
            "h - below of them count. If there are no ties, this is one.",
        ),
    ),
)


def _starts(rng: np.random.Generator) -> Iterator[Case]:
    """Yield points, a line and h, such that no two points are at the same distance."""
    yield np.array([0, 1, 2, 3, 4]), np.array([1, 2, 9, 4, 0]), 0.75, 1.1, 3
    for n in (5, 8, 12, 40):
        x, y = _points(rng, n)
        yield x, y, *np.round(rng.normal((0.5, n), (1, 2)), 3).tolist(), (n + 3) // 2


def _keep_lowest(x: Any, y: Any, slope: float, intercept: float, h: int) -> Line:
    kept = np.argsort(lines.residuals(x, y, (slope, intercept)), kind="stable")[:h]
    return least_squares(x[kept], y[kept])


def _draw(case: Case, yours: Line, expected: Line) -> Figure:
    x, y, slope, intercept, h = case
    kept = lines.nearest(x, y, (slope, intercept), h)
    drawn = {"before": (slope, intercept), "yours": yours, "expected": expected}
    return show_lines(x, y, drawn, kept)


concentrated = Exercise(
    name="concentrated",
    specification=lambda x, y, slope, intercept, h: lines.concentrated(x, y, (slope, intercept), h),
    cases=_starts,
    hints=(
        "How far is each point above or below the line? np.abs(y - (slope * x + intercept)).",
        "The h points with the smallest of these distances are kept. The largest distance that is "
        "kept is key_of_rank(sizes, h - 1).",
        "kept = sizes <= key_of_rank(sizes, h - 1) says which points are kept; x[kept] and "
        "y[kept] are these points.",
        "least_squares(x[kept], y[kept]) returns the slope and the intercept.",
    ),
    runner=PythonRunner(numbers_of("a slope and an intercept", 2)),
    draw=_draw,
    mistakes=(
        Mistake(
            "you kept the points with the smallest residuals, signs included: those far below the "
            "line",
            _keep_lowest,
            "The size of a residual is its distance: np.abs.",
        ),
        Mistake(
            "you kept one point too many: the rank of the h-th smallest is h - 1",
            lambda x, y, slope, intercept, h: lines.concentrated(x, y, (slope, intercept), h + 1),
            "key_of_rank(sizes, h - 1).",
        ),
    ),
)


starts_needed = Exercise(
    name="starts_needed",
    specification=lambda good, size, sure: ceil(log(1 - sure) / log(1 - good**size)),
    cases=lambda rng: [
        (0.5, 2, 0.95),
        (0.8, 2, 0.9),
        (0.55, 2, 0.99),
        (0.9, 3, 0.999),
        (0.7, 5, 0.95),
        (0.55, 11, 0.99),
    ],
    hints=(
        "One point is good with probability `good`; so all points of a start are good with "
        "probability good ** size (nearly, if there are many points).",
        "A start is spoilt with probability 1 - good ** size, and m starts are *all* spoilt with "
        "probability (1 - good ** size) ** m.",
        "This must be at most 1 - sure. Take logarithms of both sides: m times "
        "np.log(1 - good ** size) is at most np.log(1 - sure). Both logarithms are negative.",
        "Divide, and round up with np.ceil, for there is no half start.",
    ),
    runner=PythonRunner(number_of),
    mistakes=(
        Mistake(
            "you rounded down: then the probability is a little too small",
            lambda good, size, sure: floor(log(1 - sure) / log(1 - good**size)),
            "np.ceil rounds up.",
        ),
        Mistake(
            "you forgot that a start has several points",
            lambda good, size, sure: ceil(log(1 - sure) / log(1 - good)),
            "All of them must be good: good ** size.",
        ),
    ),
)

EXERCISES = (middle_residual, trimmed_sum, concentrated, starts_needed)
