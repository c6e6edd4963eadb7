"""Lesson 13: wrong answers that no mistake names."""

import numpy as np

from tests.lessons.wrong import Answers

WRONG: Answers = {
    "counts_of_threads": [
        # the keys themselves
        lambda keys, pivot, threads: [keys[thread::threads] for thread in range(threads)],
        lambda keys, pivot, threads: np.zeros(threads, int),
    ],
    "warp_sum": [
        lambda lanes: lanes.sum(),
        lambda lanes: lanes,
    ],
}
