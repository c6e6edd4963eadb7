"""Lesson 16: wrong answers that no mistake names."""

import numpy as np

from shadersort.sparse import threshold
from tests.lessons.wrong import Answers

WRONG: Answers = {
    "keep": [
        lambda x, k: threshold(x, k),  # right, but not your own
        lambda x, k: x,
        lambda x, k: np.where(np.arange(len(x)) < k, x, 0),  # the first ones
        lambda x, k: threshold(x, k, kind="soft"),
        lambda x, k: k,
    ],
    "one_step": [
        lambda x, signs, y, k, length: x,
        lambda x, signs, y, k, length: threshold(x + length * (signs.T @ (y - signs @ x)), k + 1),
        lambda x, signs, y, k, length: "picture",
        lambda x, signs, y, k, length: length * (y - signs @ x),
    ],
    "best_length": [
        lambda signs, gradient, kept: 1 / len(signs),
        lambda signs, gradient, kept: signs @ gradient,  # no number
        lambda signs, gradient, kept: float(np.linalg.norm(gradient)),
    ],
    "enough": [
        lambda numbers, recovered, share: numbers[-1],
        lambda numbers, recovered, share: recovered.mean(axis=0) >= share,
        lambda numbers, recovered, share: numbers[0],
    ],
}
