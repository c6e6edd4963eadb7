"""Lesson 6, the same shaders today: known mistakes."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises import Mistake


def _descending(keys: Any, partner: Any) -> Any:
    wires, other = np.arange(len(keys)), keys[partner]
    return np.where(wires > partner, np.minimum(keys, other), np.maximum(keys, other))


def _keys_for_wires(keys: Any, partner: Any) -> Any:
    other = keys[partner]
    return np.where(keys < partner, np.minimum(keys, other), np.maximum(keys, other))


AFTER_ONE_STEP = (
    Mistake(
        "you gave the larger key to the upper wire",
        _descending,
        "Where wires < partner, the texel keeps the smaller key.",
    ),
    Mistake(
        "you compared a key with the number of a wire",
        _keys_for_wires,
        "Which of the two keys a texel keeps depends on its place: np.arange(len(keys)).",
    ),
    Mistake(
        "every wire keeps the smaller key, so the larger ones are lost",
        lambda keys, partner: np.minimum(keys, keys[partner]),
        "The lower wire of each pair keeps the larger key: choose by np.where.",
    ),
    Mistake(
        "you exchanged the keys of all pairs, whichever is smaller",
        lambda keys, partner: keys[partner],
        "These are the partners' keys. Which of the two does each texel keep?",
    ),
)


def _seconds(copied: int, blended: int, writing: float, blending: float) -> float:
    return copied / (writing * 1e9) + blended / (blending * 1e9)


PREDICTED_MS = (
    Mistake("you returned seconds", _seconds, "A second has 1000 milliseconds."),
    Mistake(
        "you forgot the texels that are blended",
        lambda copied, blended, writing, blending: copied / writing / 1e6,
        "Blended texels take their own time: add blended / (blending * 1e9).",
    ),
    Mistake(
        "you let blended texels be as fast as copied ones",
        lambda copied, blended, writing, blending: (copied + blended) / writing / 1e6,
        "Blending has a rate of its own.",
    ),
    Mistake(
        "you multiplied by the rates",
        lambda copied, blended, writing, blending: (copied * writing + blended * blending) / 1e6,
        "Texels divided by texels a second are seconds.",
    ),
)
