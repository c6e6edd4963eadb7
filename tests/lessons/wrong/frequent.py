"""Lesson 8: wrong answers that no mistake names."""

from typing import Any

import numpy as np

from shadersort.lessons.frequent.exercises import histogram_of
from tests.lessons.wrong import Answers


def by_a_set(window: Any) -> Any:
    """Right, but the lesson asks to sort."""
    items = sorted(set(window.tolist()))
    return np.array(items), np.array([np.sum(window == item) for item in items])


WRONG: Answers = {
    "histogram": [
        lambda window: np.unique(window, return_counts=True),  # right, but forbidden
        lambda window: histogram_of(window),  # right, but it is the lesson's own
        by_a_set,
        lambda window: (np.sort(window), np.ones(len(window))),
    ],
    "take_window": [
        lambda held, window, over: list(held),  # a list
        lambda held, window, over: dict.fromkeys(window.tolist(), (1, 0)),
    ],
}
