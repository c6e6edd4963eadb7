"""Lesson 6: wrong answers that no mistake names."""

from typing import Any

import numpy as np

from shadersort.lessons.ladder.shaders import SHADERS
from tests.lessons.wrong import Answers
from tests.lessons.wrong.glsl import wrong_shaders


def one_after_the_other(keys: Any, partner: Any) -> Any:
    for wire in range(len(keys)):
        choose = min if wire < partner[wire] else max
        keys[wire] = choose(keys[wire], keys[partner[wire]])
    return keys


def right_but_with_a_loop(keys: Any, partner: Any) -> Any:
    chosen = [min if wire < other else max for wire, other in enumerate(partner)]
    pairs = zip(chosen, keys, keys[partner], strict=True)
    return np.array([choose(own, other) for choose, own, other in pairs])


WRONG: Answers = {
    "after_one_step": [
        *(one_after_the_other, right_but_with_a_loop),
        lambda keys, partner: keys[:1],
    ],
    "predicted_ms": [
        lambda copied, blended, writing, blending: [copied, blended],
        lambda copied, blended, writing, blending: copied / blended,  # an error without blending
    ],
    **wrong_shaders(SHADERS),
}
