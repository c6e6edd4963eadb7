"""Lesson 10: cutting planes and their iterations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.median.pictures import show_cut
from shadersort.lessons.shared.pictures import Frames
from shadersort.selection import SelectionTrace
from shadersort.selection import select as selected
from shadersort.selection.primitives import NumPyPrimitives


@dataclass(frozen=True, slots=True)
class Cut:
    """One step: the ends of the bracket, and the place where the touching lines meet."""

    low: float
    high: float
    pivot: float


def cuts_to_median(keys: Keys) -> list[Cut]:
    """Return every cut up to the median of an odd number of integers.

    Examples
    --------
    >>> [cut.pivot for cut in cuts_to_median(np.array([0, 1, 5, 6, 90]))]
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
    """Return the cuts as frames."""
    made = cuts_to_median(keys)
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
    options: dict[str, Any] = {"finish": "iterate"} if method == "cutting-plane" else {}
    rank, found = len(keys) // 2, NumPyPrimitives(keys)
    trace: SelectionTrace = selected(found, rank, method=method, return_trace=True, **options)[1]
    return trace


def iterations(keys: Keys, outliers: Sequence[float], method: str) -> list[int]:
    """Return the iterations for the median if the last key is replaced by each outlier."""
    counts = []
    for outlier in outliers:
        spoilt = np.append(keys[:-1], keys.dtype.type(outlier))
        counts.append(len(traced(spoilt, method).iterations))
    return counts
