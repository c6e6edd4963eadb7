"""Lesson 3: wrong answers that no mistake names."""

from shadersort import Quad, Quads
from shadersort.lessons.by_drawing.shaders import SHADERS
from tests.lessons.wrong import Answers
from tests.lessons.wrong.glsl import wrong_shaders

WRONG: Answers = {
    "columns": [
        lambda block, width, height: block / width,  # no quads
        lambda block, width, height: [Quads(Quad(0, 0, width, height, width, 0, 0, height))] * 2,
    ],
    "shifted_step": [
        lambda block, width, height: width.quads,  # an error
        lambda block, width, height: [Quads(Quad(0, 0, 1, 1, 0, 0, 1, 1))] * 2,
    ],
    **wrong_shaders(SHADERS),
}
