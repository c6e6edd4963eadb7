"""Lesson 10, the median as a minimum: the exercises."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import (
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    number_of,
    parts_of,
)
from shadersort.lessons.median.cuts import touching
from shadersort.lessons.median.kernels import distances, sum_of_distances
from shadersort.lessons.median.pictures import show_cut, show_pivot


def _objective(keys: Keys, pivot: float) -> tuple[float, int]:
    slope = int(np.sum(keys <= pivot)) - int(np.sum(keys > pivot))
    return float(np.abs(keys - pivot).sum()), slope


def _slope_to_the_left(keys: Any, pivot: float) -> tuple[float, int]:
    slope = int(np.sum(keys < pivot)) - int(np.sum(keys >= pivot))
    return float(np.abs(keys - pivot).sum()), slope


def _a_pair(found: Any) -> tuple[float, float]:
    """Return the two numbers of an answer; raise WrongKind for any other answer."""
    value, slope = parts_of(found, "two numbers, the sum and the slope", 2)
    return number_of(value), number_of(slope)


def _keys_and_pivots(rng: np.random.Generator) -> Iterator[Case]:
    """Yield integers in any order, with pivots between keys, on keys, on ties and outside."""
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 7
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 5
    yield rng.permutation([3, 3, 3, 8, 8, 10]), 3
    yield rng.integers(-50, 50, size=9), -60
    yield rng.integers(-50, 50, size=100), 0.5


objective = Exercise(
    name="objective",
    specification=_objective,
    cases=_keys_and_pivots,
    runner=PythonRunner(_a_pair),
    hints=(
        "Two numbers. The first is a sum of distances, the second a difference of two counts.",
        "np.abs(keys - pivot) are the distances. keys <= pivot is True for the keys whose distance "
        "grows when the pivot moves to the right; np.sum counts them.",
        "A key at the pivot counts as being on the left. "
        "The slope is np.sum(keys <= pivot) - np.sum(keys > pivot).",
    ),
    draw=lambda case, yours, right: show_pivot(*case, yours=yours, expected=right),
    mistakes=(
        Mistake(
            "you returned the slope to the left of the pivot",
            _slope_to_the_left,
            "A key at the pivot counts as being on the left: keys <= pivot.",
        ),
        Mistake(
            "you turned the sign of the slope",
            lambda keys, pivot: np.multiply(_objective(keys, pivot), (1, -1)).tolist(),
            "To the right, the distances to keys on the left grow: these count as plus.",
        ),
        Mistake(
            "you let negative differences cancel positive ones",
            lambda keys, pivot: ((keys - pivot).sum(), _objective(keys, pivot)[1]),
            "A distance is never negative: np.abs.",
        ),
    ),
)


def _brackets(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys, with two places around the median."""
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 1, 20
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 3, 10
    yield np.array([0, 0, 1, 1, 2, 500]), 0, 500
    for _ in range(3):
        keys = np.sort(rng.integers(-100, 100, size=31))
        yield keys, int(keys[4]), int(keys[28])


def _meet(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return (f_high - f_low + g_low * low - g_high * high) / (g_low - g_high)


def _exchange_heights(*case: Any) -> Any:
    low, f_low, g_low, high, f_high, g_high = touching(*case)
    return _meet(low, f_high, g_low, high, f_low, g_high)


def _return_height(*case: Any) -> Any:
    low, f_low, g_low, *_ = ends = touching(*case)
    return f_low + g_low * (_meet(*ends) - low)


def _draw_meeting(case: Case, yours: Any, expected: Any) -> Any:
    keys, low, high = case
    return show_cut(keys, low, high, float(expected), yours=float(yours))


meeting_point = Exercise(
    name="meeting_point",
    specification=lambda keys, low, high: float(keys[(low < keys) & (keys < high)].mean()),
    cases=_brackets,
    hints=(
        "A line of slope g through the point (low, f) has the height f + g * (y - low) at y.",
        "The lines meet at the y where both have the same height: "
        "f_low + g_low * (y - low) == f_high + g_high * (y - high). Solve it for y.",
        "Collect the terms with y on one side: y * (g_low - g_high) == "
        "f_high - f_low + g_low * low - g_high * high.",
    ),
    runner=PythonRunner(number_of, lambda answer, *case: answer(*touching(*case))),
    draw=_draw_meeting,
    mistakes=(
        Mistake(
            "you exchanged the two heights",
            _exchange_heights,
            "y * (g_low - g_high) == f_high - f_low + g_low * low - g_high * high.",
        ),
        Mistake(
            "you returned the height where the lines meet, and not the place",
            _return_height,
            "The place is y in f_low + g_low * (y - low).",
        ),
        Mistake(
            "you returned the middle of the bracket",
            lambda keys, low, high: (low + high) / 2,
            "The lines know more: use their heights and slopes.",
        ),
    ),
)

EXERCISES = (objective, distances, sum_of_distances, meeting_point)
