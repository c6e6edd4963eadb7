"""Lesson 4, four sorts for the price of one: functions of a shader that move keys in a texel."""

from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.by_drawing.exercises import mirrored
from shadersort.lessons.drawing.exercises import textures
from shadersort.lessons.exercises import Exercise, Mistake, ShaderRunner
from shadersort.lessons.exercises.shaders.pictures import four_channels

TEXTURES = textures((2, 2), (2, 4), (4, 4))


def _in_pairs(texels: Texels) -> Texels:
    """Sort red and green, and blue and alpha."""
    return np.sort(texels.reshape(-1, 2), axis=1).reshape(texels.shape)


def _in_pairs_in_place(texels: Texels) -> Texels:
    """Compare for green and alpha after red and blue have their new keys."""
    found = _in_pairs(texels)
    found[..., 1::2] = np.maximum(found[..., ::2], texels[..., 1::2])
    return found


def _joined_halves(four: Texels) -> Texels:
    """Compare red with blue, and green with alpha."""
    return _in_pairs(four[..., [0, 2, 1, 3]])[..., [0, 2, 1, 3]]


channel_pairs = Exercise(
    name="channel_pairs",
    asks="Put red and green in order, and blue and alpha: the smaller key first.",
    specification=_in_pairs,
    cases=TEXTURES,
    hints=(
        "The new red is the smaller of red and green: min(four.r, four.g).",
        "The new green is the larger of the same two: max(four.r, four.g).",
        "A vec4 is made of four numbers: return vec4(min(…), max(…), min(…), max(…));",
    ),
    mistakes=(
        Mistake(
            "you put the larger key of each pair first",
            lambda texels: _in_pairs(texels)[..., [1, 0, 3, 2]],
        ),
        Mistake("you compared red with blue, and green with alpha", _joined_halves),
        Mistake(
            "all channels took the smaller key of their pair, so the larger ones are lost",
            lambda texels: _in_pairs(texels)[..., [0, 0, 2, 2]],
        ),
        Mistake(
            "you wrote the smaller key into red before the old red was compared for green",
            _in_pairs_in_place,
            "Return a new vec4 of four numbers, or keep the smaller keys in names of their own.",
        ),
    ),
    runner=ShaderRunner("vec4 in_pairs(vec4 four)", "in_pairs(texel_at(place))", rules=("choice",)),
    draw=four_channels,
)


sorted_texel = Exercise(
    name="sorted_texel",
    asks="Sort the four keys of a texel: red is the smallest, alpha the largest.",
    specification=lambda texels: np.sort(texels, axis=2),
    cases=TEXTURES,
    hints=(
        "The first step is that of the last exercise. Give its result a name: vec4 a = …;",
        "The second step compares red with blue and green with alpha, and all four keys are in two "
        "vectors: min(a.rg, a.ba) and max(a.rg, a.ba).",
        "Now red is the smallest, alpha the largest. Put green and blue in order.",
    ),
    mistakes=(
        Mistake(
            "you sorted from the largest to the smallest",
            lambda texels: np.sort(texels, axis=2)[..., ::-1],
        ),
        Mistake(
            "the last step is missing, which compares green with blue",
            lambda texels: _joined_halves(_in_pairs(texels)),
        ),
        Mistake("only the pairs are in order", _in_pairs),
    ),
    runner=ShaderRunner(
        "vec4 in_order(vec4 four)", "in_order(texel_at(place))", rules=("choice", "loop")
    ),
    draw=four_channels,
)


def _one_list(texels: Any, block: int) -> Any:
    """Mirror blocks of one list that runs through the channels of every texel."""
    return mirrored(texels.reshape(-1, 1), block).reshape(texels.shape)


one_list = Exercise(
    name="one_list",
    asks=(
        "Write the step that mirrors blocks of `block` keys, for one list that runs through the "
        "four channels of each texel."
    ),
    specification=_one_list,
    cases=textures((1, 4, 8), (1, 4, 16), (2, 4, 8), (2, 4, 16), (2, 4, 32)),
    hints=(
        "Two questions: which texel is the partner, and which of its keys meets red? Look at both "
        "ends of a block of eight keys: in which texels do they lie, and in which channels?",
        "A block of keys is block / 4 texels. Mirror these: texel ^ (block / 4 - 1).",
        "Red is the first key of a texel, and meets the last key of the other texel: alpha.",
        "So take the partner's keys backwards: texel_of(partner).abgr.",
    ),
    mistakes=(
        Mistake(
            "you mirrored the texels, but not the channels inside them",
            lambda texels, block: mirrored(texels, block // CHANNELS),
            "Key 0 is in red of the first texel, and meets the last key of the block, in alpha.",
        ),
        Mistake(
            "you exchanged smaller and larger", lambda texels, block: -_one_list(-texels, block)
        ),
        Mistake(
            "every texel keeps the smaller keys, so the larger ones are lost",
            lambda texels, block: np.minimum(_one_list(texels, block), -_one_list(-texels, block)),
        ),
    ),
    runner=ShaderRunner("vec4 after_step(int texel)", "after_step(number)", ("block",)),
    draw=four_channels,
)
