"""Lesson 6, the same shaders today: functions of a shader that reduce and count."""

from collections.abc import Iterator

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.drawing.shaders import shuffled
from shadersort.lessons.shared.glsl.exercise import shader_exercise
from shadersort.lessons.shared.glsl.grids import four_channels
from shadersort.lessons.shared.glsl.surroundings import Surroundings
from shadersort.lessons.shared.mistakes import Case


def _textures(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures with an even number of rows and columns."""
    for height, width in ((4, 4), (2, 4), (4, 2), (4, 8)):
        yield (shuffled(rng, height, width),)


def _largest(texels: Texels) -> Texels:
    """Return the largest key of each square of two by two texels, channel by channel."""
    height, width, _ = texels.shape
    squares = texels.reshape(height // 2, 2, width // 2, 2, CHANNELS)
    largest: Texels = squares.max(axis=(1, 3))
    return largest


def _of_four(places: tuple[str, ...], joined: str = "max") -> str:
    """Return the body of a function that joins the texels at some places."""
    first, *others = (f"texel_at({place})" for place in places)
    for other in others:
        first = f"{joined}({first}, {other})" if joined != "+" else f"{first} + {other}"
    return f"return {first};"


def _square(corner: str) -> tuple[str, ...]:
    return (
        corner,
        f"{corner} + ivec2(1, 0)",
        f"{corner} + ivec2(0, 1)",
        f"{corner} + ivec2(1, 1)",
    )


largest_of_four = shader_exercise(
    name="largest_of_four",
    asks=(
        "The frame is half as wide and half as high as the texture. Each of its texels is the "
        "largest of a square of two by two texels, in every channel."
    ),
    surroundings=Surroundings("vec4 folded(ivec2 place)", "folded(place)", part=2),
    specification=_largest,
    cases=_textures,
    hints=(
        "The square of the texel at (x, y) begins at column 2 x and row 2 y of the texture: "
        "ivec2 corner = 2 * place;",
        "Its other texels are one column to the right, one row below, and both: "
        "corner + ivec2(1, 0), and so on.",
        "max takes two vectors. Of four texels: max(max(…, …), max(…, …)).",
    ),
    mistakes=[
        (
            "you fetched the texels around `place`, and not those of its square",
            _of_four(_square("place")),
            "The texture is twice as wide and twice as high as the frame: its square begins at "
            "2 * place.",
        ),
        (
            "you halved `place`, and did not double it",
            _of_four(_square("place / 2")),
            "The texture is twice as wide and twice as high as the frame: its square begins at "
            "2 * place.",
        ),
        (
            "your squares lie above and on the left of their corners",
            _of_four(tuple(each.replace("+", "-") for each in _square("2 * place"))),
            "2 * place is the upper left texel of the square: add, and do not subtract.",
        ),
        (
            "you kept the smallest key",
            _of_four(_square("2 * place"), "min"),
            "max keeps the larger of two.",
        ),
        (
            "you looked at the upper two texels of each square only",
            _of_four(_square("2 * place")[:2]),
            "The row below has two more: ivec2(0, 1) and ivec2(1, 1).",
        ),
        (
            "you looked at the left two texels of each square only",
            _of_four(_square("2 * place")[::2]),
            "The column on the right has two more: ivec2(1, 0) and ivec2(1, 1).",
        ),
        (
            "the last texel of each square is missing, at ivec2(1, 1)",
            _of_four(_square("2 * place")[:3]),
            "A square has four texels.",
        ),
        (
            "you copied one texel of each square",
            "return texel_at(2 * place);",
            "Fetch four, and keep the largest key of each channel.",
        ),
        (
            "you added the keys",
            _of_four(_square("2 * place"), "+"),
            "Keep the largest, by max.",
        ),
    ],
)


def _counts(texels: Texels, pivot: float) -> Texels:
    """Return how many keys of each texel are below, equal to and above a pivot."""
    counts = [(texels < pivot).sum(2), (texels == pivot).sum(2), (texels > pivot).sum(2)]
    return np.stack([*counts, np.zeros_like(counts[0])], axis=2).astype(np.float32)


def _pivots(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures with few different keys, each with a pivot."""
    for height, width, pivot in ((2, 2, 3.0), (2, 4, 2.0), (4, 4, 5.0)):
        yield rng.integers(7, size=(height, width, CHANNELS)).astype(np.float32), pivot


def _counted(below: str = "lessThan", equal: str = "equal", above: str = "greaterThan") -> str:
    """Return the body of a function that counts by three comparisons."""
    flags = (f"vec4({name}(four, vec4(pivot)))" for name in (below, equal, above))
    sums = (f"dot({each}, vec4(1.0))" for each in flags)
    return f"return vec4({', '.join(sums)}, 0.0);"


counts_of_texel = shader_exercise(
    name="counts_of_texel",
    asks=(
        "Count in each texel: red is how many of its four keys are below the pivot, green how "
        "many are equal, blue how many are above; alpha is 0."
    ),
    surroundings=Surroundings(
        *("vec4 counted(vec4 four)", "counted(texel_at(place))", ("pivot",)),
        rules=("choice", "loop"),
    ),
    specification=_counts,
    cases=_pivots,
    hints=(
        "lessThan(four, vec4(pivot)) has true where a key is below the pivot. vec4(…) around it "
        "makes 1.0 of true and 0.0 of false.",
        "dot(ones, vec4(1.0)) adds the four numbers of a vector `ones`: how many keys are below.",
        "Do the same with equal and greaterThan, and return vec4(below, same, above, 0.0);",
    ),
    mistakes=[
        (
            "you counted the keys that are equal to the pivot among those below it",
            _counted(below="lessThanEqual"),
            "lessThan leaves out the equal ones.",
        ),
        (
            "you counted the keys that are equal to the pivot among those above it",
            _counted(above="greaterThanEqual"),
            "greaterThan leaves out the equal ones.",
        ),
        (
            "you exchanged below and above",
            _counted("greaterThan", "equal", "lessThan"),
            "Red takes the number of keys below the pivot.",
        ),
        (
            "you exchanged equal and above",
            _counted("lessThan", "greaterThan", "equal"),
            "Green takes the number of keys that are equal to the pivot, blue those above it.",
        ),
        (
            "you exchanged equal and below",
            _counted("equal", "lessThan", "greaterThan"),
            "Red takes the number of keys below the pivot, green those that are equal to it.",
        ),
        (
            "you marked the channels that are below the pivot, and did not add them up",
            "return vec4(lessThan(four, vec4(pivot)));",
            "dot(…, vec4(1.0)) adds the four numbers.",
        ),
        (
            "you added the keys, and did not count them",
            _counted().replace("vec4(1.0)", "four"),
            "dot(…, four) multiplies each 1 by a key before it adds. Take vec4(1.0) instead.",
        ),
        (
            "you counted the keys that are not equal to the pivot as equal",
            _counted(equal="notEqual"),
            "equal(a, b) is true where two numbers are equal.",
        ),
    ],
    draw=four_channels,
)

SHADERS = (largest_of_four, counts_of_texel)
