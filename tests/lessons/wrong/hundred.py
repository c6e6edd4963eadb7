"""Lesson 13: wrong answers that no mistake names."""

import numpy as np

from tests.lessons.wrong import Answers

WRONG: Answers = {
    "bucket_and_place": [
        lambda counts, ks: np.searchsorted(np.cumsum(counts), ks, side="right"),  # buckets only
        lambda counts, ks: (ks, ks),
    ],
    "density": [
        lambda order_statistics: 1.0,
        lambda order_statistics: np.ones(len(order_statistics)),  # one too many
    ],
}
