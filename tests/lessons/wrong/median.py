"""Lesson 10: wrong answers that no mistake names."""

import numpy as np

from tests.lessons.wrong import Answers

WRONG: Answers = {
    "objective": [
        lambda keys, pivot: np.abs(keys - pivot).sum(),  # without slope
        lambda keys, pivot: (np.abs(keys - pivot), 0),  # not added up
    ],
    "meeting_point": [
        lambda low, f_low, g_low, high, f_high, g_high: high,
        lambda low, f_low, g_low, high, f_high, g_high: (low, high),
        # an error where slopes are opposite
        lambda low, f_low, g_low, high, f_high, g_high: f_low / (g_low + g_high),
    ],
}
