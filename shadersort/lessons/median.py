"""Lesson 10, the median as a minimum: the objective, cutting planes, and the exercises."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercise import Answer, Case, Exercise, answered
from shadersort.lessons.median_pictures import (
    Draggable,
    show_cut,
    show_iterations,
    show_outlier,
    show_pivot,
    show_ranks,
    show_slopes,
)
from shadersort.lessons.pictures import Frames
from shadersort.selection import SelectionTrace
from shadersort.selection import select as selected
from shadersort.selection.primitives import NumPyPrimitives

__all__ = [
    "EXERCISES",
    "Cut",
    "Draggable",
    "cuts",
    "iterations",
    "meeting_point",
    "objective",
    "show_cut",
    "show_cuts",
    "show_iterations",
    "show_outlier",
    "show_pivot",
    "show_ranks",
    "show_slopes",
    "traced",
]


@dataclass(frozen=True, slots=True)
class Cut:
    """One step: the ends of the bracket, and where the lines that touch there meet."""

    low: float
    high: float
    pivot: float


def cuts(keys: Keys) -> list[Cut]:
    """Return every cut on the way to the median of an odd number of whole numbers.

    Examples
    --------
    >>> [cut.pivot for cut in cuts(np.array([0, 1, 5, 6, 90]))]
    [4.0, 5.5, 5.0]
    """
    low, high, k = float(keys.min()), float(keys.max()), len(keys) // 2
    made: list[Cut] = []
    while not made or np.median(keys) != made[-1].pivot:
        pivot = float(keys[(low < keys) & (keys < high)].mean())
        made.append(Cut(low, high, pivot))
        if k < np.sum(keys < pivot):
            high = pivot
        else:
            low = pivot
    return made


def show_cuts(keys: Keys) -> Frames:
    """Return the cuts, one a frame."""
    made = cuts(keys)
    return Frames(
        len(made),
        lambda number: show_cut(
            keys, made[number].low, made[number].high, made[number].pivot, number + 1
        ),
        "two lines that touch the objective at the ends of a bracket meet at the next pivot",
        seconds=2.5,
    )


def traced(keys: Keys, method: str) -> SelectionTrace:
    """Return what a method does to find the median, with NumPy, to its end and without copies."""
    options = {"finish": "iterate"} if method == "cutting-plane" else {}
    rank, found = len(keys) // 2, NumPyPrimitives(keys)
    trace: SelectionTrace = selected(found, rank, method=method, return_trace=True, **options)[1]
    return trace


def iterations(keys: Keys, outliers: Sequence[float], method: str) -> list[int]:
    """Return how many iterations the median takes when the last key is each of the outliers."""
    counts = []
    for outlier in outliers:
        spoilt = np.append(keys[:-1], keys.dtype.type(outlier))
        counts.append(len(traced(spoilt, method).iterations))
    return counts


def _objective(keys: Keys, pivot: float) -> tuple[float, int]:
    right = int(np.sum(keys <= pivot)) - int(np.sum(keys > pivot))
    return float(np.abs(keys - pivot).sum()), right


def _a_pair(answer: Answer, keys: Keys, pivot: float) -> tuple[float, float]:
    """Return the two numbers; whatever cannot be unpacked into two is an error."""
    value, slope = answered(answer(keys, pivot))
    return float(value), float(slope)


def _keys_and_pivots(rng: np.random.Generator) -> Iterator[Case]:
    """Whole numbers in any order; pivots between keys, on keys, on ties and outside."""
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 7
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 5
    yield rng.permutation([3, 3, 3, 8, 8, 10]), 3
    yield rng.integers(-50, 50, size=9), -60
    yield rng.integers(-50, 50, size=100), 0.5


def _draw_objective(case: Case, yours: Any, expected: Any) -> Any:
    keys, pivot = case
    return show_pivot(keys, pivot, yours=yours, expected=expected)


objective = Exercise(
    name="objective",
    specification=_objective,
    cases=_keys_and_pivots,
    outcome=_a_pair,
    hints=(
        "Two numbers. The first is a sum of distances, the second a difference of two counts.",
        "np.abs(keys - pivot) are the distances. keys <= pivot is True for the keys whose distance "
        "grows when the pivot moves to the right; np.sum counts them.",
        "A key at the pivot belongs to those on the left. "
        "The slope is np.sum(keys <= pivot) - np.sum(keys > pivot).",
    ),
    draw=_draw_objective,
)


def _inside(keys: Keys, low: float, high: float) -> Keys:
    return keys[(low < keys) & (keys < high)]


def _touching(keys: Keys, low: float, high: float) -> tuple[float, ...]:
    """Return place, objective and slope at both ends of a bracket; slopes are those inside."""
    f_low, f_high = (float(np.abs(keys - end).sum()) for end in (low, high))
    g_low = int(np.sum(keys <= low)) - int(np.sum(keys > low))
    g_high = int(np.sum(keys < high)) - int(np.sum(keys >= high))
    return low, f_low, g_low, high, f_high, g_high


def _met(answer: Answer, keys: Keys, low: float, high: float) -> float:
    return round(float(answered(answer(*_touching(keys, low, high)))), 9)


def _brackets(rng: np.random.Generator) -> Iterator[Case]:
    """Keys, and two places with the median between them."""
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 1, 20
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 3, 10
    yield np.array([0, 0, 1, 1, 2, 500]), 0, 500
    for _ in range(3):
        keys = np.sort(rng.integers(-100, 100, size=31))
        yield keys, int(keys[4]), int(keys[28])


def _draw_meeting(case: Case, yours: Any, expected: Any) -> Any:
    keys, low, high = case
    return show_cut(keys, low, high, float(expected), yours=float(yours))


meeting_point = Exercise(
    name="meeting_point",
    specification=lambda keys, low, high: round(float(_inside(keys, low, high).mean()), 9),
    cases=_brackets,
    hints=(
        "A line of slope g through the point (low, f) has the height f + g * (y - low) at y.",
        "The lines meet at the y where both have the same height: "
        "f_low + g_low * (y - low) == f_high + g_high * (y - high). Solve it for y.",
        "Bring what has a y to one side: y * (g_low - g_high) == "
        "f_high - f_low + g_low * low - g_high * high.",
    ),
    outcome=_met,
    draw=_draw_meeting,
)

EXERCISES = (objective, meeting_point)
