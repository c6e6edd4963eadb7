"""Lesson 1: wrong answers that no mistake names."""

from typing import Any

from shadersort import Quad, Quads
from shadersort.lessons.drawing.shaders import SHADERS
from tests.lessons.wrong import Answers
from tests.lessons.wrong.glsl import wrong_shaders


def six_quads(width: int, height: int) -> list[Quad]:
    """Right in the picture, but two quads are asked for."""
    half = width // 2
    return [
        *(Quad(x, 0, x + 1, height, x + half, 0, x + half + 1, height) for x in range(half)),
        Quad(half, 0, width, height, 0, 0, half, height),
    ]


def swapped_for_four_columns_only(width: int, height: int) -> Any:
    if width != 4:
        return [Quad(0, 0, width, height, 0, 0, width, height)] * 2
    return [Quad(0, 0, 2, height, 2, 0, 4, height), Quad(2, 0, 4, height, 0, 0, 2, height)]


WRONG: Answers = {
    "swapped_halves": [
        *(six_quads, swapped_for_four_columns_only),
        lambda width, height: width,  # no list
        lambda width, height: [Quad(0, 0, width, height, width, 0, 0, height)] * 2,  # mirrored
    ],
    "pairs_in_order": [
        lambda width, height: "quads",
        lambda width, height: [Quads(Quad(0, 0, 1, 1, 0, 0, 1, 1))] * 3,  # three
        lambda width, height: [Quads(Quad(0, 0, 1, 1, 1, 0, 2, 1))] * 2,  # a corner
    ],
    **wrong_shaders(SHADERS),
}
