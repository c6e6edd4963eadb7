"""Lesson 1, a GPU that can only draw: the exercises."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from shadersort.drawing.passes import FRAME, TEXTURE, Pass
from shadersort.drawing.quads import Quad, Quads, Repeat, whole
from shadersort.keys.types import Keys
from shadersort.lessons.drawing.mistakes import PAIRS_IN_ORDER, SWAPPED_HALVES
from shadersort.lessons.drawing.pictures import draw
from shadersort.lessons.drawing.shaders import kept_smaller, turned
from shadersort.lessons.exercises import (
    Answer,
    Case,
    Exercise,
    PythonRunner,
    WrongKind,
    answer_of,
    parts_of,
)
from shadersort.lessons.exercises.comparing import describe
from shadersort.lessons.shared.grids import draw_keys, in_a_row
from shadersort.pictures.matplotlib_types import Figure


def _grids(rng: np.random.Generator) -> Iterator[Case]:
    """Yield small textures of integers, wide ones and high ones."""
    for height, width in ((4, 4), (2, 8), (4, 2), (8, 4)):
        yield (rng.permutation(height * width).reshape(height, width).astype(np.float32),)


def compared(keys: Keys, yours: Any, expected: Any) -> Figure:
    """Draw a texture, what an answer made of it, and what is expected."""
    figure, axes = in_a_row(3, keys.shape)
    draw_keys(axes[0], keys, "the texture")
    draw_keys(axes[1], yours, "yours", among=keys, expected=expected)
    draw_keys(axes[2], expected, "expected", among=keys)
    return figure


def minima_and_maxima(found: Any) -> tuple[Quads, Quads]:
    """Return the two `Quads` of an answer; raise WrongKind for another answer.

    Examples
    --------
    >>> minima_and_maxima(Quads(Quad(0, 0, 2, 4, 2, 0, 4, 4)))
    Traceback (most recent call last):
        ...
    shadersort.lessons.exercises.answers.WrongKind: return two ss.Quads, of minima and of maxima, \
not a value of type Quads
    """
    _refuse_others(
        parts_of(found, asked := "two ss.Quads, of minima and of maxima", 2), Quads, asked
    )
    for quads in found:
        for part in (quads.quad, quads.inner, quads.outer):
            _refuse_fractions(part)
    minima, maxima = found
    return minima, maxima


def _refuse_others(found: Sequence[Any], kind: type, asked: str) -> None:
    """Raise WrongKind unless all parts of an answer are of one kind."""
    for part in found:
        if not isinstance(part, kind):
            raise WrongKind(f"return {asked}: one of yours is {describe(part)}")


def _refuse_fractions(part: Quad | Repeat) -> None:
    if any(isinstance(number, float) for number in astuple(part)):
        rule = "texels are counted in whole numbers, so width // 2 and not width / 2"
        raise WrongKind(f"{rule}: {part!r}")


def _drawn_halves(answer: Answer, keys: Keys) -> Keys:
    quads = parts_of(answer(keys.shape[1], keys.shape[0]), asked := "a list of two ss.Quad", 2)
    _refuse_others(quads, Quad, asked)
    for quad in quads:
        _refuse_fractions(quad)
    one = Pass("copy", TEXTURE, FRAME, tuple(Quads(quad) for quad in quads))
    return draw(keys, one, device="software")[-1]


swapped_halves = Exercise(
    name="swapped_halves",
    specification=lambda keys: np.roll(keys, keys.shape[1] // 2, axis=1),
    cases=_grids,
    hints=(
        "Two quads are enough: one over the left half, one over the right half.",
        "The quad over the left half is drawn from column 0 to column width // 2, over all rows. "
        "Its texture coordinates are where the right half lies.",
        "The first quad is ss.Quad(0, 0, width // 2, height, width // 2, 0, width, height). "
        "Exchange the two halves for the second.",
    ),
    runner=PythonRunner(outcome=_drawn_halves),
    draw=lambda case, yours, expected: compared(case[0], yours, expected),
    mistakes=SWAPPED_HALVES,
)


def drawn(quads: Any, keys: Keys) -> Keys:
    """Draw minima and maxima over a copy of a texture; return the frame."""
    minima, maxima = minima_and_maxima(answer_of(quads))
    passes = (
        Pass("copy", TEXTURE, FRAME, (whole(*keys.shape[::-1]),)),
        Pass("copy", TEXTURE, FRAME, (minima,), "min"),
        Pass("copy", TEXTURE, FRAME, (maxima,), "max"),
    )
    return draw(keys, *passes, device="software")[-1]


pairs_in_order = Exercise(
    name="pairs_in_order",
    specification=lambda keys: np.sort(keys.reshape(-1, 2), axis=1).reshape(keys.shape),
    cases=_grids,
    hints=(
        "The columns 0, 2, 4 … keep the smaller keys, the columns 1, 3, 5 … the larger ones.",
        "A quad over column 0 is one texel wide and as high as the texture; it reads column 1. "
        "Nothing needs to be mirrored.",
        "There are width // 2 pairs, and each lies two columns after the one before: "
        "ss.Repeat(width // 2, dx=2).",
        "The smaller keys: ss.Quads(ss.Quad(0, 0, 1, height, 1, 0, 2, height), "
        "ss.Repeat(width // 2, dx=2)). The larger ones lie in column 1 and read column 0.",
    ),
    runner=PythonRunner(outcome=lambda answer, keys: drawn(answer(*keys.shape[::-1]), keys)),
    draw=lambda case, yours, expected: compared(case[0], yours, expected),
    mistakes=PAIRS_IN_ORDER,
)

EXERCISES = (swapped_halves, pairs_in_order, turned, kept_smaller)
