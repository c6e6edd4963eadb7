"""Lesson 5: wrong answers that no mistake names."""

import numpy as np

from tests.lessons.wrong import Answers

WRONG: Answers = {
    "pass_seconds": [
        lambda texels, bytes_each, cycles_each: np.ones(3),
        lambda texels, bytes_each, cycles_each: 1 / texels,  # an error for no texel
    ],
    "scaled": [
        lambda seconds, base, sizes: seconds,  # one number
        lambda seconds, base, sizes: sizes / base,  # the seconds forgotten
    ],
}
