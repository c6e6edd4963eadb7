from typing import Any

import numpy as np

from shadersort.lessons.ladder.shaders import SHADERS
from tests.lessons.wrong import Answers
from tests.lessons.wrong.glsl import wrong_shaders


def descending(keys: Any, partner: Any) -> Any:
    wires, other = np.arange(len(keys)), keys[partner]
    return np.where(wires > partner, np.minimum(keys, other), np.maximum(keys, other))


def keys_for_wires(keys: Any, partner: Any) -> Any:
    other = keys[partner]
    return np.where(keys < partner, np.minimum(keys, other), np.maximum(keys, other))


def one_after_the_other(keys: Any, partner: Any) -> Any:
    for wire in range(len(keys)):
        choose = min if wire < partner[wire] else max
        keys[wire] = choose(keys[wire], keys[partner[wire]])
    return keys


def in_seconds(copied: int, blended: int, writing: float, blending: float) -> float:
    return copied / (writing * 1e9) + blended / (blending * 1e9)


def in_place(keys: Any, partner: Any) -> Any:
    wires, other = np.arange(len(keys)), keys[partner]
    keys[:] = np.where(wires < partner, np.minimum(keys, other), np.maximum(keys, other))
    return keys


WRONG: Answers = {
    "after_one_step": [
        *(descending, keys_for_wires, one_after_the_other, in_place),
        lambda keys, partner: np.minimum(keys, keys[partner]),  # smaller everywhere
        lambda keys, partner: keys[partner],  # exchanged always
        lambda keys, partner: np.sort(keys),  # all sorted
        lambda keys, partner: keys,  # unchanged
    ],
    "predicted_ms": [
        in_seconds,
        lambda copied, blended, writing, blending: copied / writing / 1e6,  # blended forgotten
        # one rate for all
        lambda copied, blended, writing, blending: (copied + blended) / writing / 1e6,
        # the slower only
        lambda copied, blended, writing, blending: max(copied / writing, blended / blending) / 1e6,
        # rates added
        lambda copied, blended, writing, blending: (copied + blended) / (writing + blending) / 1e6,
        # multiplied
        lambda copied, blended, writing, blending: (copied * writing + blended * blending) / 1e6,
    ],
    **wrong_shaders(SHADERS),
}
