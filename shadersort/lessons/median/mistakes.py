"""Lesson 10, the median as a minimum: known mistakes."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises import Mistake
from shadersort.lessons.median.cuts import touching


def _distances(keys: Any, pivot: float) -> Any:
    return np.abs(keys - pivot)


def _slope(keys: Any, pivot: float) -> Any:
    return np.sum(keys <= pivot) - np.sum(keys > pivot)


def _slope_to_the_left(keys: Any, pivot: float) -> Any:
    return np.sum(keys < pivot) - np.sum(keys >= pivot)


OBJECTIVE = (
    Mistake(
        "you returned the slope to the left of the pivot",
        lambda keys, pivot: (_distances(keys, pivot).sum(), _slope_to_the_left(keys, pivot)),
        "A key at the pivot counts as being on the left: keys <= pivot.",
    ),
    Mistake(
        "you turned the sign of the slope",
        lambda keys, pivot: (_distances(keys, pivot).sum(), -_slope(keys, pivot)),
        "To the right, the distances to keys on the left grow: these count as plus.",
    ),
    Mistake(
        "you left out the keys at the pivot",
        lambda keys, pivot: (
            _distances(keys, pivot).sum(),
            np.sum(keys < pivot) - np.sum(keys > pivot),
        ),
        "A key at the pivot counts as being on the left: keys <= pivot.",
    ),
    Mistake(
        "you let negative differences cancel positive ones",
        lambda keys, pivot: ((keys - pivot).sum(), _slope(keys, pivot)),
        "A distance is never negative: np.abs.",
    ),
)


def _met(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return (f_high - f_low + g_low * low - g_high * high) / (g_low - g_high)


def _heights_exchanged(
    low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any
) -> Any:
    return _met(low, f_high, g_low, high, f_low, g_high)


def _height_instead(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return f_low + g_low * (_met(low, f_low, g_low, high, f_high, g_high) - low)


def _where_the_slope_is_zero(
    low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any
) -> Any:
    return low - g_low * (high - low) / (g_high - g_low)


MEETING_POINT = (
    Mistake(
        "you exchanged the two heights",
        lambda *case: _heights_exchanged(*touching(*case)),
        "With y on one side: y * (g_low - g_high) == f_high - f_low + g_low * low - g_high * high.",
    ),
    Mistake(
        "you returned the height where the lines meet, and not the place",
        lambda *case: _height_instead(*touching(*case)),
        "The place is y in f_low + g_low * (y - low).",
    ),
    Mistake(
        "you sought the place where a slope between both would be zero",
        lambda *case: _where_the_slope_is_zero(*touching(*case)),
        "Both lines are straight: set their heights equal.",
    ),
    Mistake(
        "you returned the middle of the bracket",
        lambda keys, low, high: (low + high) / 2,
        "The lines know more: use their heights and slopes.",
    ),
)
