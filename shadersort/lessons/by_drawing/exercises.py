"""Lesson 3, sorting by drawing: the exercises."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.drawing.methods.blending import halves
from shadersort.drawing.networks import Step
from shadersort.drawing.quads import Quads
from shadersort.keys.types import Keys
from shadersort.lessons.drawing.exercises import compared, drawn, grids, textures
from shadersort.lessons.exercises import Answer, Exercise, Mistake, PythonRunner, ShaderRunner
from shadersort.lessons.exercises.shaders.pictures import one_channel

Flags = npt.NDArray[np.bool_]


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


def step(keys: Any, bits: int, run: int = 0, keeps: Callable[..., Flags] = np.equal) -> Any:
    """Return keys or texels after a step: each wire meets the one that differs in some bits.

    `keeps` takes two flags of each wire: whether it is the first of the two, and whether its run
    rises; it returns whether the wire keeps the smaller key.
    """
    wires = np.arange(keys.shape[0] * keys.shape[1])
    own, partner = keys.reshape(len(wires), -1), wires ^ bits
    smaller, larger = np.minimum(own, own[partner]), np.maximum(own, own[partner])
    kept = keeps(wires < partner, wires & run == 0)
    return np.where(kept[:, np.newaxis], smaller, larger).reshape(keys.shape)


def mirrored(keys: Any, block: int) -> Any:
    """Compare wire i of every block with wire block − 1 − i."""
    return step(keys, block - 1)


def shifted(keys: Any, block: int) -> Any:
    """Compare wire i in the first half of every block with wire block / 2 + i."""
    return step(keys, block // 2)


def _drawn(answer: Answer, keys: Keys, block: int) -> Keys:
    return drawn(answer(block, *keys.shape[::-1]), keys)


columns = Exercise(
    name="columns",
    specification=mirrored,
    cases=grids((4, 4, 4), (4, 4, 2), (2, 8, 8), (2, 8, 4), (8, 4, 2)),
    hints=(
        "Begin with the blocks of the first columns, from column 0 to column block. The quad of "
        "the minima covers the first half of these columns, over all rows.",
        "It shows the second half, left and right exchanged: s runs from block down to block // 2. "
        "The rows stay where they are, so t runs with y, from 0 to height.",
        "The maxima: x from block // 2 to block, and s from block // 2 down to 0.",
        "There are width // block such groups of columns: ss.Repeat(width // block, dx=block).",
    ),
    runner=PythonRunner(outcome=_drawn, forbidden=("sort_step",)),
    draw=compared,
    mistakes=(
        Mistake(
            "you exchanged minima and maxima: the larger keys go to the left",
            lambda keys, block: -mirrored(-keys, block),
        ),
        Mistake(
            "you drew the first block of columns only",
            lambda keys, block: np.hstack([mirrored(keys, block)[:, :block], keys[:, block:]]),
        ),
        Mistake("you moved the halves of a block without mirroring them", shifted),
    ),
)


shifted_step = Exercise(
    name="shifted_step",
    specification=shifted,
    cases=grids(
        *((4, 4, 16), (4, 4, 8), (4, 4, 4), (4, 4, 2), (8, 4, 8), (2, 8, 4), (8, 2, 16)),
    ),
    hints=(
        "There are two cases again: bands of rows if block > width, columns if not. Take `bands` "
        "and your `columns`, and change the texture coordinates only.",
        "Nothing is mirrored now: s runs with x, and t runs with y.",
        "Bands, with rows = block // width: the minima lie over the rows from 0 to rows // 2, and "
        "show those from rows // 2 to rows. The maxima are the other way round.",
        "Columns: the minima lie over columns 0 to block // 2, and show block // 2 to block.",
    ),
    runner=PythonRunner(outcome=_drawn),
    draw=compared,
    mistakes=(
        Mistake("you mirrored the halves of a block, as PBSN does", mirrored),
        Mistake(
            "your bands are right, but your columns are still mirrored",
            lambda keys, block: (mirrored if block <= keys.shape[1] else shifted)(keys, block),
        ),
        Mistake(
            "your columns are right, but your bands are still mirrored",
            lambda keys, block: (shifted if block <= keys.shape[1] else mirrored)(keys, block),
        ),
    ),
)


def _smaller_everywhere(texels: Any, block: int) -> Any:
    return np.minimum(mirrored(texels, block), -mirrored(-texels, block))


mirror_step = Exercise(
    name="mirror_step",
    asks=(
        "Write a step of PBSN: in blocks of `block` wires, wire i of a block meets wire block - "
        "1 - i. The first of the two keeps the smaller key."
    ),
    specification=mirrored,
    cases=textures((2, 4, 4), (2, 4, 2), (2, 4, 8), (4, 4, 8), (4, 2, 8)),
    hints=(
        "Two questions: which wire is the partner, and which of the two keys stays here? Which "
        "bits of a place in a block change if place i becomes block - 1 - i?",
        "The partner's number is wire ^ (block - 1). Store it: int partner = wire ^ (block - 1);",
        "Fetch both: vec4 own = texel_of(wire); and the same for the partner.",
        "The smaller number keeps the smaller key: return wire < partner ? min(…) : max(…);",
    ),
    mistakes=(
        Mistake(
            "you exchanged smaller and larger", lambda texels, block: -mirrored(-texels, block)
        ),
        Mistake(
            "every texel keeps the smaller key, so the larger ones are lost", _smaller_everywhere
        ),
        Mistake(
            "you mirrored the whole texture, and not each block",
            lambda texels, block: mirrored(texels, texels[..., 0].size),
            "The last bits of a wire are its place in its block. They are the ones of block - 1.",
        ),
    ),
    runner=ShaderRunner("vec4 after_step(int wire)", "after_step(number)", ("block",)),
    draw=one_channel,
)


directed_step = Exercise(
    name="directed_step",
    asks=(
        "Write a step of the bitonic network with directions: a wire meets the wire that "
        "differs in the bit `distance`. Runs of `run` wires rise and fall in turn."
    ),
    specification=step,
    cases=textures(
        *((2, 4, 1, 2), (2, 4, 2, 4), (2, 4, 1, 4), (2, 4, 4, 8), (4, 4, 4, 8), (4, 4, 1, 8)),
    ),
    hints=(
        "bool first = (wire & distance) == 0; and the bit `run` says whether the run rises.",
        "In a rising run the first texel keeps the smaller key. In a falling run the second does.",
        "So a texel keeps the smaller key if both answers are equal: first == rises.",
    ),
    mistakes=(
        Mistake(
            "all your runs rise",
            lambda texels, distance, run: step(texels, distance),
            "Where (wire & run) is not 0, the run falls: the first texel keeps the larger key.",
        ),
        Mistake(
            "your runs fall where they should rise, and rise where they should fall",
            lambda texels, distance, run: -step(-texels, distance, run),
        ),
        Mistake(
            "you keep the smaller key only where both answers are true",
            lambda texels, distance, run: step(texels, distance, run, np.logical_and),
            "In a falling run both answers are false: the second texel keeps the smaller key. If "
            "you compare the bits as numbers, compare each with 0 first.",
        ),
    ),
    runner=ShaderRunner("vec4 after_step(int wire)", "after_step(number)", ("distance", "run")),
    draw=one_channel,
)

EXERCISES = (columns, shifted_step, mirror_step, directed_step)
