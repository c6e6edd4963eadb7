"""Lesson 7: wrong answers that no mistake names."""

import numpy as np

from tests.lessons.wrong import Answers

WRONG: Answers = {
    "bounds_at": [
        lambda entries, x: 3,
        lambda entries, x: (0, entries.n),  # true, but says nothing
    ],
    "merged": [
        lambda a, b: np.sort(np.concatenate([a.values, b.values])),  # values only
        lambda a, b: a,
    ],
}
