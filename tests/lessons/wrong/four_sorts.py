"""Lesson 4: wrong answers that no mistake names."""

import numpy as np

from shadersort.lessons.four_sorts.shaders import SHADERS
from tests.lessons.wrong import Answers
from tests.lessons.wrong.glsl import wrong_shaders

WRONG: Answers = {
    "merged": [
        lambda first, second: len(first),
        lambda first, second: np.sort([key.key for key in first + second])[::-1],  # descending
    ],
    "packed": [
        lambda windows, width: windows[0],
        lambda windows, width: np.zeros((*windows.shape, 4)),
    ],
    **wrong_shaders(SHADERS),
}
