from collections.abc import Callable
from typing import Any

import numpy as np

Answers = dict[str, list[Callable[..., Any]]]


def without_slope(keys: Any, pivot: float) -> Any:
    return np.abs(keys - pivot).sum()


def signs_forgotten(keys: Any, pivot: float) -> Any:
    return (keys - pivot).sum(), np.sum(keys <= pivot) - np.sum(keys > pivot)


def slope_to_the_left(keys: Any, pivot: float) -> Any:
    return np.abs(keys - pivot).sum(), np.sum(keys < pivot) - np.sum(keys >= pivot)


def slope_upside_down(keys: Any, pivot: float) -> Any:
    return np.abs(keys - pivot).sum(), np.sum(keys > pivot) - np.sum(keys <= pivot)


def ties_left_out(keys: Any, pivot: float) -> Any:
    return np.abs(keys - pivot).sum(), np.sum(keys < pivot) - np.sum(keys > pivot)


def mean_of_distances(keys: Any, pivot: float) -> Any:
    return np.abs(keys - pivot).mean(), np.sum(keys <= pivot) - np.sum(keys > pivot)


def squares(keys: Any, pivot: float) -> Any:
    return ((keys - pivot) ** 2).sum(), np.sum(keys <= pivot) - np.sum(keys > pivot)


def middle(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return (low + high) / 2


def heights_exchanged(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return (f_low - f_high + g_low * low - g_high * high) / (g_low - g_high)


def slopes_added(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return (f_high - f_low + g_low * low - g_high * high) / (g_low + g_high + 0.5)


def ends_forgotten(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return (f_high - f_low) / (g_low - g_high)


def height_instead(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    met = (f_high - f_low + g_low * low - g_high * high) / (g_low - g_high)
    return f_low + g_low * (met - low)


def a_chord(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return low - g_low * (high - low) / (g_high - g_low)


WRONG: Answers = {
    "objective": [
        without_slope,
        signs_forgotten,
        slope_to_the_left,
        slope_upside_down,
        ties_left_out,
        mean_of_distances,
        squares,
    ],
    "meeting_point": [
        middle,
        heights_exchanged,
        slopes_added,
        ends_forgotten,
        height_instead,
        a_chord,
    ],
}
