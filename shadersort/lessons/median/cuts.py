"""Lesson 10: cutting planes and their iterations."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.median.pictures import show_cut
from shadersort.pictures.matplotlib_types import Figure
from shadersort.selection import SelectionTrace
from shadersort.selection import select as selected
from shadersort.selection.primitives import NumPyPrimitives


def show_first_cut(keys: Keys) -> Figure:
    """Draw the lines that touch the objective of different keys at the first and the last of them.

    They meet at the mean of the other keys.
    """
    low, high = float(keys.min()), float(keys.max())
    inside = keys[(low < keys) & (keys < high)]
    return show_cut(keys, low, high, float(inside.mean()))


def touching(keys: Keys, low: float, high: float) -> tuple[float, ...]:
    """Return place, objective and inner slope at both ends of a bracket."""
    f_low, f_high = (float(np.abs(keys - end).sum()) for end in (low, high))
    g_low = int(np.sum(keys <= low)) - int(np.sum(keys > low))
    g_high = int(np.sum(keys < high)) - int(np.sum(keys >= high))
    return low, f_low, g_low, high, f_high, g_high


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
