"""Lesson 3, sorting by drawing: the exercises."""

from collections.abc import Iterator

import numpy as np

from shadersort.drawing.methods.blending import halves
from shadersort.drawing.networks import Step
from shadersort.drawing.quads import Quads
from shadersort.lessons.by_drawing.mistakes import (
    COLUMNS,
    SHIFTED_STEP,
    compare_mirrored,
    compare_shifted,
)
from shadersort.lessons.by_drawing.shaders import directed_step, mirror_step
from shadersort.lessons.drawing.exercises import compared, drawn
from shadersort.lessons.exercises import Case, Exercise, PythonRunner


def sort_step(block: int, width: int, height: int) -> tuple[Quads, Quads]:
    """Return the quads of the minima and of the maxima of a step of PBSN: routine SortStep.

    They are bands of rows if a block is longer than a row, and columns if it is not.

    Examples
    --------
    >>> minima, maxima = sort_step(16, 4, 4)
    >>> minima.quad
    Quad(x0=0, y0=0, x1=4, y1=2, s0=4, t0=4, s1=0, t1=2)
    """
    (minima,), (maxima,) = halves(Step("mirror", block), width, height)
    return minima, maxima


def _textures(rng: np.random.Generator, *of: tuple[int, int, int]) -> Iterator[Case]:
    """Yield textures of integers, each with the length of a block."""
    for height, width, block in of:
        keys = rng.permutation(height * width).astype(np.float32)
        yield keys.reshape(height, width), block


columns = Exercise(
    name="columns",
    specification=compare_mirrored,
    cases=lambda rng: _textures(rng, (4, 4, 4), (4, 4, 2), (2, 8, 8), (2, 8, 4), (8, 4, 2)),
    hints=(
        "Begin with the blocks of the first columns, from column 0 to column block. The quad of "
        "the minima covers the first half of these columns, over all rows.",
        "It shows the second half, left and right exchanged: s runs from block down to block // 2. "
        "The rows stay where they are, so t runs with y, from 0 to height.",
        "The maxima: x from block // 2 to block, and s from block // 2 down to 0.",
        "There are width // block such groups of columns, each `block` columns after the one "
        "before: ss.Repeat(width // block, dx=block), for both quads.",
    ),
    runner=PythonRunner(
        outcome=lambda answer, keys, block: drawn(answer(block, *keys.shape[::-1]), keys),
        forbidden=("sort_step",),
    ),
    draw=lambda case, yours, expected: compared(case[0], yours, expected),
    mistakes=COLUMNS,
)


shifted_step = Exercise(
    name="shifted_step",
    specification=compare_shifted,
    cases=lambda rng: _textures(
        rng, (4, 4, 16), (4, 4, 8), (4, 4, 4), (4, 4, 2), (8, 4, 8), (2, 8, 4), (8, 2, 16)
    ),
    hints=(
        "There are two cases again: bands of rows if block > width, columns if not. Take `bands` "
        "and your `columns`, and change the texture coordinates only.",
        "Nothing is mirrored now: s runs with x, and t runs with y.",
        "Bands, with rows = block // width: the quad of the minima lies over the rows from 0 to "
        "rows // 2 and shows those from rows // 2 to rows. The maxima are the other way round.",
        "Columns: the minima lie over the columns from 0 to block // 2 and show those from "
        "block // 2 to block, over all rows.",
    ),
    runner=PythonRunner(
        outcome=lambda answer, keys, block: drawn(answer(block, *keys.shape[::-1]), keys)
    ),
    draw=lambda case, yours, expected: compared(case[0], yours, expected),
    mistakes=SHIFTED_STEP,
)

EXERCISES = (columns, shifted_step, mirror_step, directed_step)
