"""Lesson 7: wrong answers that no mistake names."""

import numpy as np

from shadersort.lessons.quantiles.entries import bounds_of, united_entries
from tests.lessons.wrong import Answers

WRONG: Answers = {
    "bounds_at": [
        lambda entries, x: 3,
        lambda entries, x: bounds_of(entries, x),  # right, but it is the lesson's own
        lambda entries, x: (0, entries.n),  # true, but says nothing
    ],
    "merged": [
        lambda a, b: np.sort(np.concatenate([a.values, b.values])),  # values only
        lambda a, b: a,
        lambda a, b: united_entries(a, b),  # right, but it is the lesson's own
    ],
}
