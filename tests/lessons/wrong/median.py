from typing import Any

import numpy as np

from tests.lessons.wrong import Answers


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


def heights_exchanged(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return (f_low - f_high + g_low * low - g_high * high) / (g_low - g_high)


def slopes_added(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return (f_high - f_low + g_low * low - g_high * high) / (g_low + g_high + 0.5)


def height_instead(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    met = (f_high - f_low + g_low * low - g_high * high) / (g_low - g_high)
    return f_low + g_low * (met - low)


def a_chord(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return low - g_low * (high - low) / (g_high - g_low)


WRONG: Answers = {
    "objective": [
        *(slope_to_the_left, slope_upside_down, ties_left_out, mean_of_distances, squares),
        lambda keys, pivot: np.abs(keys - pivot).sum(),  # without slope
        # signs forgotten
        lambda keys, pivot: ((keys - pivot).sum(), np.sum(keys <= pivot) - np.sum(keys > pivot)),
    ],
    "meeting_point": [
        *(heights_exchanged, slopes_added, height_instead, a_chord),
        lambda low, f_low, g_low, high, f_high, g_high: (low + high) / 2,  # middle
        # ends forgotten
        lambda low, f_low, g_low, high, f_high, g_high: (f_high - f_low) / (g_low - g_high),
    ],
}
