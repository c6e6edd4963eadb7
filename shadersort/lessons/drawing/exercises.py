"""Lesson 1, a GPU that can only draw: the exercises."""

from collections.abc import Callable
from dataclasses import astuple
from functools import partial
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS, FRAME, TEXTURE, Pass
from shadersort.drawing.quads import Quad, Quads, whole
from shadersort.keys.types import Keys
from shadersort.lessons.drawing.pictures import draw
from shadersort.lessons.exercises import (
    Answer,
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    ShaderRunner,
    WrongKind,
    parts_of,
)
from shadersort.lessons.exercises.comparing import describe
from shadersort.lessons.exercises.shaders.pictures import one_channel
from shadersort.lessons.shared.grids import show_grids
from shadersort.pictures.matplotlib_types import Figure

Cases = Callable[[np.random.Generator], list[Case]]


def textures(*of: tuple[Any, ...], texel: tuple[int, ...] = (CHANNELS,)) -> Cases:
    """Return cases of shuffled texels: each of a height and a width, with further arguments."""

    def shuffled(rng: np.random.Generator, height: int, width: int) -> Texels:
        keys = np.arange(height * width * np.prod(texel, dtype=int), dtype=np.float32)
        return rng.permutation(keys).reshape(height, width, *texel)

    return lambda rng: [(shuffled(rng, *each[:2]), *each[2:]) for each in of]


grids = partial(textures, texel=())
"""Cases of one channel: arrays of keys."""


def compared(case: Case, yours: Any, expected: Any) -> Figure:
    """Draw a texture, what an answer made of it, and what is expected."""
    return show_grids({"the texture": case[0], "yours": yours, "expected": expected})


def quads_of(found: Any, kind: type[Quad | Quads], asked: str) -> list[Quads]:
    """Return the two parts of an answer as `Quads`; raise WrongKind if they are of another kind."""
    parts = parts_of(found, asked, 2)
    for part in parts:
        if not isinstance(part, kind):
            raise WrongKind(f"return {asked}: one of yours is {describe(part)}")
    quads = [part if isinstance(part, Quads) else Quads(part) for part in parts]
    for part in (part for each in quads for part in (each.quad, each.inner, each.outer)):
        if any(isinstance(number, float) for number in astuple(part)):
            rule = "texels are counted in whole numbers, so width // 2 and not width / 2"
            raise WrongKind(f"{rule}: {part!r}")
    return quads


def _drawn_halves(answer: Answer, keys: Keys) -> Keys:
    quads = quads_of(answer(*keys.shape[::-1]), Quad, "a list of two ss.Quad")
    return draw(keys, Pass("copy", TEXTURE, FRAME, tuple(quads)), device="software")[-1]


swapped_halves = Exercise(
    name="swapped_halves",
    specification=lambda keys: np.roll(keys, keys.shape[1] // 2, axis=1),
    cases=grids((4, 4), (2, 8), (4, 2), (8, 4)),
    hints=(
        "Two quads are enough: one over the left half, one over the right half.",
        "The left half, from column 0 to width // 2, shows the texture from s = width // 2.",
        "The first is ss.Quad(0, 0, width // 2, height, width // 2, 0, width, height).",
    ),
    runner=PythonRunner(outcome=_drawn_halves),
    draw=compared,
    mistakes=(
        Mistake(
            "you exchanged the upper and the lower half",
            lambda keys: np.roll(keys, len(keys) // 2, axis=0),
        ),
        Mistake(
            "both halves show what was there before",
            lambda keys: keys,
            "The left half is drawn from x = 0, and shows the texture from s = width // 2.",
        ),
        Mistake("you exchanged the halves and mirrored each of them", lambda keys: keys[:, ::-1]),
    ),
)


def drawn(found: Any, keys: Keys) -> Keys:
    """Draw minima and maxima over a copy of a texture; return the frame."""
    minima, maxima = quads_of(found, Quads, "two ss.Quads, of minima and of maxima")
    passes = (
        Pass("copy", TEXTURE, FRAME, (whole(*keys.shape[::-1]),)),
        Pass("copy", TEXTURE, FRAME, (minima,), "min"),
        Pass("copy", TEXTURE, FRAME, (maxima,), "max"),
    )
    return draw(keys, *passes, device="software")[-1]


def _first_pair(keys: Keys) -> Keys:
    return np.hstack([np.sort(keys[:, :2], axis=1), keys[:, 2:]])


pairs_in_order = Exercise(
    name="pairs_in_order",
    specification=lambda keys: np.sort(keys.reshape(-1, 2), axis=1).reshape(keys.shape),
    cases=grids((4, 4), (2, 8), (4, 2), (8, 4)),
    hints=(
        "A quad over column 0 is one texel wide, and reads column 1. Nothing is mirrored.",
        "There are width // 2 pairs, two columns apart: ss.Repeat(width // 2, dx=2).",
        "The smaller keys: ss.Quads(ss.Quad(0, 0, 1, height, 1, 0, 2, height), "
        "ss.Repeat(width // 2, dx=2)). The larger ones lie in column 1 and read column 0.",
    ),
    runner=PythonRunner(outcome=lambda answer, keys: drawn(answer(*keys.shape[::-1]), keys)),
    draw=compared,
    mistakes=(
        Mistake(
            "you compared the columns 0 and 1 only",
            _first_pair,
            "ss.Repeat draws the same quad again further to the right, once for each pair.",
        ),
        Mistake(
            "you gave the larger key to the left",
            lambda keys: np.sort(keys.reshape(-1, 2), axis=1)[:, ::-1].reshape(keys.shape),
            "The first of the two is drawn with MIN: it lies over the even columns.",
        ),
        Mistake("each column reads itself, so each key is compared with itself", lambda keys: keys),
    ),
)


turned = Exercise(
    name="turned",
    asks="Turn the texture by half a circle: exchange left and right, and top and bottom.",
    specification=lambda texels: texels[::-1, ::-1],
    cases=textures((2, 4), (4, 2), (4, 4)),
    hints=(
        "Of four columns, column 0 takes its texel from column 3. And column x?",
        "From column size.x - 1 - place.x. With rows it is the same.",
        "Vectors are subtracted part by part, as arrays are: fetch at size - 1 - place.",
    ),
    mistakes=(
        Mistake("you mirrored the columns, but not the rows", lambda texels: texels[:, ::-1]),
        Mistake("you mirrored the rows, but not the columns", lambda texels: texels[::-1]),
        Mistake(
            "you went one texel too far",
            lambda texels: np.pad(
                texels[:0:-1, :0:-1], ((1, 0), (1, 0), (0, 0)), constant_values=-1
            ),
            "Columns are counted from 0, so the last is size.x - 1. Beyond it texel_at gives -1.",
        ),
        Mistake("you copied the texture as it is", lambda texels: texels),
    ),
    runner=ShaderRunner(),
    draw=one_channel,
)

kept_smaller = Exercise(
    name="kept_smaller",
    asks=(
        "Each texel becomes the smaller of two, in every channel: the one at its place, and the "
        "one that lies opposite."
    ),
    specification=lambda texels: np.minimum(texels, texels[::-1, ::-1]),
    cases=textures((2, 4), (4, 2), (4, 4)),
    hints=(
        "Fetch two texels: the one at `place`, and the one that `turned` fetches.",
        "Give them names: vec4 own = texel_at(place); and the same for the other one.",
        "min(own, other) keeps the smaller number of each channel, as np.minimum does.",
    ),
    mistakes=(
        Mistake("you kept the larger key", lambda texels: np.maximum(texels, texels[::-1, ::-1])),
        Mistake("you took the partner, and did not compare", lambda texels: texels[::-1, ::-1]),
        Mistake(
            "your partner is mirrored in its row only",
            lambda texels: np.minimum(texels, texels[:, ::-1]),
        ),
    ),
    runner=ShaderRunner(),
    draw=one_channel,
)

EXERCISES = (swapped_halves, pairs_in_order, turned, kept_smaller)
