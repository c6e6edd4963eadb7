"""Lesson 1, a GPU that can only draw: the functions of shaders to write."""

from collections.abc import Iterator

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.exercises import Case, Exercise, Mistake, ShaderRunner
from shadersort.lessons.exercises.shaders.pictures import one_channel


def shuffled(rng: np.random.Generator, height: int, width: int) -> Texels:
    """Return texels with different whole numbers in all channels."""
    numbers = rng.permutation(height * width * CHANNELS)
    return numbers.reshape(height, width, CHANNELS).astype(np.float32)


def _textures(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures wider than high, higher than wide, and square."""
    for height, width in ((2, 4), (4, 2), (4, 4)):
        yield (shuffled(rng, height, width),)


def _one_too_far(texels: Texels) -> Texels:
    found = np.full_like(texels, -1)
    found[1:, 1:] = texels[:0:-1, :0:-1]
    return found


def _by_red(texels: Texels) -> Texels:
    other = texels[::-1, ::-1]
    return np.where(texels[..., :1] < other[..., :1], texels, other)


turned = Exercise(
    name="turned",
    asks="Turn the texture by half a circle: exchange left and right, and top and bottom.",
    specification=lambda texels: texels[::-1, ::-1],
    cases=_textures,
    hints=(
        "In a row of four texels, column 0 takes its texel from column 3, and column 1 from column "
        "2. Which column does column x take it from?",
        "From column size.x - 1 - place.x. With rows it is the same.",
        "Vectors are subtracted part by part, as arrays are: fetch at size - 1 - place.",
    ),
    mistakes=(
        Mistake(
            "you mirrored the columns, but not the rows",
            lambda texels: texels[:, ::-1],
            "Do the same with y.",
        ),
        Mistake(
            "you mirrored the rows, but not the columns",
            lambda texels: texels[::-1],
            "Do the same with x.",
        ),
        Mistake(
            "you went one texel too far",
            _one_too_far,
            "Columns are counted from 0, so the last is size.x - 1. Beyond it texel_at gives -1.",
        ),
        Mistake(
            "you copied the texture as it is",
            lambda texels: texels,
            "`place` is where the new texel will be. Fetch the one that lies opposite.",
        ),
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
    cases=_textures,
    hints=(
        "Fetch two texels: the one at `place`, and the one that `turned` fetches.",
        "Give them names: vec4 own = texel_at(place); and the same for the other one.",
        "min(own, other) keeps the smaller number of each channel, as np.minimum does.",
    ),
    mistakes=(
        Mistake(
            "you kept the larger key",
            lambda texels: np.maximum(texels, texels[::-1, ::-1]),
            "max keeps the larger of two numbers, min the smaller.",
        ),
        Mistake(
            "you took the partner, and did not compare",
            lambda texels: texels[::-1, ::-1],
            "Fetch the texel at `place`, too, and keep the smaller by min.",
        ),
        Mistake(
            "your partner is mirrored in its row only",
            lambda texels: np.minimum(texels, texels[:, ::-1]),
            "The partner lies at size - 1 - place: mirrored from left to right, and from top to "
            "bottom.",
        ),
        Mistake(
            "you compared red alone, and took whole texels",
            _by_red,
            "Each channel has keys of its own: min compares them channel by channel.",
        ),
    ),
    runner=ShaderRunner(),
    draw=one_channel,
)

SHADERS = (turned, kept_smaller)
