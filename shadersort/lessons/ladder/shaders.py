"""Lesson 6, the same shaders today: functions of a shader that reduce and count."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.drawing.shaders import shuffled
from shadersort.lessons.exercises import Case, Exercise, Mistake, ShaderRunner
from shadersort.lessons.exercises.shaders.pictures import four_channels, one_channel


def _textures(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures with an even number of rows and columns."""
    for height, width in ((4, 4), (2, 4), (4, 2), (4, 8)):
        yield (shuffled(rng, height, width),)


def _squares(texels: Texels) -> Any:
    """Return the keys of each square of two by two texels, on the last axis."""
    height, width, _ = texels.shape
    squares = texels.reshape(height // 2, 2, width // 2, 2, CHANNELS)
    return squares.transpose(0, 2, 4, 1, 3).reshape(height // 2, width // 2, CHANNELS, 4)


def _around_place(texels: Texels) -> Any:
    """Return the largest key of each square that begins at the place in the frame."""
    height, width, _ = texels.shape
    rows, columns = height // 2, width // 2
    corners = [texels[y:, x:][:rows, :columns] for y in (0, 1) for x in (0, 1)]
    return np.max(corners, axis=0)


largest_of_four = Exercise(
    name="largest_of_four",
    asks=(
        "The frame is half as wide and half as high as the texture. Each of its texels is the "
        "largest of a square of two by two texels, in every channel."
    ),
    specification=lambda texels: _squares(texels).max(axis=-1),
    cases=_textures,
    hints=(
        "The square of the texel at (x, y) begins at column 2 x and row 2 y of the texture: "
        "ivec2 corner = 2 * place;",
        "Its other texels are one column to the right, one row below, and both: "
        "corner + ivec2(1, 0), and so on.",
        "max takes two vectors. Of four texels: max(max(…, …), max(…, …)).",
    ),
    mistakes=(
        Mistake(
            "you fetched the texels around `place`, and not those of its square",
            _around_place,
            "The texture is twice as wide and twice as high as the frame: its square begins at "
            "2 * place.",
        ),
        Mistake(
            "you kept the smallest key",
            lambda texels: _squares(texels).min(axis=-1),
            "max keeps the larger of two.",
        ),
        Mistake(
            "you looked at the upper two texels of each square only",
            lambda texels: _squares(texels)[..., :2].max(axis=-1),
            "The row below has two more: ivec2(0, 1) and ivec2(1, 1).",
        ),
        Mistake(
            "the last texel of each square is missing, at ivec2(1, 1)",
            lambda texels: _squares(texels)[..., :3].max(axis=-1),
            "A square has four texels.",
        ),
    ),
    runner=ShaderRunner("vec4 folded(ivec2 place)", "folded(place)", part=2),
    draw=one_channel,
)


def _counts(texels: Texels, pivot: float) -> Texels:
    """Return how many keys of each texel are below, equal to and above a pivot."""
    counts = [(texels < pivot).sum(2), (texels == pivot).sum(2), (texels > pivot).sum(2)]
    return np.stack([*counts, np.zeros_like(counts[0])], axis=2).astype(np.float32)


def _pivots(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures with few different keys, each with a pivot."""
    for height, width, pivot in ((2, 2, 3.0), (2, 4, 2.0), (4, 4, 5.0)):
        yield rng.integers(7, size=(height, width, CHANNELS)).astype(np.float32), pivot


def _equal_as_below(texels: Texels, pivot: float) -> Texels:
    counts = _counts(texels, pivot)
    counts[..., 0] += counts[..., 1]
    return counts


counts_of_texel = Exercise(
    name="counts_of_texel",
    asks=(
        "Count in each texel: red is how many of its four keys are below the pivot, green how "
        "many are equal, blue how many are above; alpha is 0."
    ),
    specification=_counts,
    cases=_pivots,
    hints=(
        "lessThan(four, vec4(pivot)) has true where a key is below the pivot. vec4(…) around it "
        "makes 1.0 of true and 0.0 of false.",
        "dot(ones, vec4(1.0)) adds the four numbers of a vector `ones`: how many keys are below.",
        "Do the same with equal and greaterThan, and return vec4(below, same, above, 0.0);",
    ),
    mistakes=(
        Mistake(
            "you counted the keys that are equal to the pivot among those below it",
            _equal_as_below,
            "lessThan leaves out the equal ones.",
        ),
        Mistake(
            "you exchanged below and above",
            lambda texels, pivot: _counts(texels, pivot)[..., [2, 1, 0, 3]],
            "Red takes the number of keys below the pivot.",
        ),
        Mistake(
            "you exchanged equal and above",
            lambda texels, pivot: _counts(texels, pivot)[..., [0, 2, 1, 3]],
            "Green takes the number of keys that are equal to the pivot, blue those above it.",
        ),
        Mistake(
            "you marked the channels that are below the pivot, and did not add them up",
            lambda texels, pivot: (texels < pivot).astype(np.float32),
            "dot(…, vec4(1.0)) adds the four numbers.",
        ),
    ),
    runner=ShaderRunner(
        "vec4 counted(vec4 four)", "counted(texel_at(place))", ("pivot",), rules=("choice", "loop")
    ),
    draw=four_channels,
)

SHADERS = (largest_of_four, counts_of_texel)
