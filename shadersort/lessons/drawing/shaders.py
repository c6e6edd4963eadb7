"""Lesson 1, a GPU that can only draw: the functions of shaders to write."""

from collections.abc import Iterator

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.shared.glsl.exercise import ANY, shader_exercise
from shadersort.lessons.shared.mistakes import Case


def shuffled(rng: np.random.Generator, height: int, width: int) -> Texels:
    """Return texels with different whole numbers in all channels."""
    numbers = rng.permutation(height * width * CHANNELS)
    return numbers.reshape(height, width, CHANNELS).astype(np.float32)


def _textures(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures wider than high, higher than wide, and square."""
    for height, width in ((2, 4), (4, 2), (4, 4)):
        yield (shuffled(rng, height, width),)


turned = shader_exercise(
    name="turned",
    asks="Turn the texture by half a circle: exchange left and right, and top and bottom.",
    surroundings=ANY,
    specification=lambda texels: texels[::-1, ::-1],
    cases=_textures,
    hints=(
        "In a row of four texels, column 0 takes its texel from column 3, and column 1 from column "
        "2. Which column does column x take it from?",
        "From column size.x - 1 - place.x. With rows it is the same.",
        "Vectors are subtracted part by part, as arrays are: fetch at size - 1 - place.",
    ),
    mistakes=[
        (
            "you mirrored the columns, but not the rows",
            "return texel_at(ivec2(size.x - 1 - place.x, place.y));",
            "Do the same with y.",
        ),
        (
            "you mirrored the rows, but not the columns",
            "return texel_at(ivec2(place.x, size.y - 1 - place.y));",
            "Do the same with x.",
        ),
        (
            "you went one texel too far",
            "return texel_at(size - place);",
            "Columns are counted from 0, so the last is size.x - 1. Beyond it texel_at gives -1.",
        ),
        (
            "you exchanged columns and rows",
            "return texel_at(place.yx);",
            "Column x becomes another column: size.x - 1 - place.x.",
        ),
        (
            "you gave the row first, and then the column",
            "return texel_at(ivec2(size.y - 1 - place.y, size.x - 1 - place.x));",
            "A place is ivec2(column, row): x comes first.",
        ),
        (
            "you copied the texture as it is",
            "return texel_at(place);",
            "`place` is where the new texel will be. Fetch the one that lies opposite.",
        ),
        (
            "you subtracted the other way round",
            "return texel_at(place - (size - 1));",
            "Places below 0 are outside of the texture, and texel_at gives -1 there.",
        ),
    ],
)

kept_smaller = shader_exercise(
    name="kept_smaller",
    asks=(
        "Each texel becomes the smaller of two, in every channel: the one at its place, and the "
        "one that lies opposite."
    ),
    surroundings=ANY,
    specification=lambda texels: np.minimum(texels, texels[::-1, ::-1]),
    cases=_textures,
    hints=(
        "Fetch two texels: the one at `place`, and the one that `turned` fetches.",
        "Give them names: vec4 own = texel_at(place); and the same for the other one.",
        "min(own, other) keeps the smaller number of each channel, as np.minimum does.",
    ),
    mistakes=[
        (
            "you kept the larger key",
            "return max(texel_at(place), texel_at(size - 1 - place));",
            "max keeps the larger of two numbers, min the smaller.",
        ),
        (
            "you took the partner, and did not compare",
            "return texel_at(size - 1 - place);",
            "Fetch the texel at `place`, too, and keep the smaller by min.",
        ),
        (
            "you copied the texture as it is",
            "return texel_at(place);",
            "Fetch the partner, too, and return the smaller: min(own, other) changes neither.",
        ),
        (
            "your partner is mirrored in its row only",
            "return min(texel_at(place), texel_at(ivec2(size.x - 1 - place.x, place.y)));",
            "The partner lies at size - 1 - place: mirrored from left to right, and from top to "
            "bottom.",
        ),
        (
            "your partner lies one texel too far",
            "return min(texel_at(place), texel_at(size - place));",
            "Columns are counted from 0, so the last is size.x - 1. Beyond it texel_at gives -1.",
        ),
        (
            "you compared red alone, and took whole texels",
            "vec4 own = texel_at(place), other = texel_at(size - 1 - place);\n"
            "    return own.r < other.r ? own : other;",
            "Each channel has keys of its own: min compares them channel by channel.",
        ),
        (
            "you compared the places, and not the keys that lie there",
            "return texel_at(min(place, size - 1 - place));",
            "Fetch both texels first, and give them to min.",
        ),
    ],
)

SHADERS = (turned, kept_smaller)
