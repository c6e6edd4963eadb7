"""Lesson 17, stage 3: the part of a statistic that is drawn, for each statistic with a checker."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.shared.glsl.exercise import ShaderExercise, shader_exercise
from shadersort.lessons.shared.glsl.grids import four_channels
from shadersort.lessons.shared.glsl.surroundings import Surroundings
from shadersort.lessons.shared.mistakes import Case

SIGNATURE, CALL = "vec4 new_texel(int number)", "new_texel(number)"

BETWEEN = Surroundings(SIGNATURE, CALL, ("low", "high"), rules=("loop",))
STARTS = Surroundings(SIGNATURE, CALL, rules=("loop",))


def between(texels: Texels, low: float, high: float) -> Texels:
    """Return for each texel how many of its keys lie strictly between bounds, and their sum."""
    inside = (low < texels) & (texels < high)
    drawn = np.zeros_like(texels)
    drawn[..., 0], drawn[..., 1] = inside.sum(2), np.where(inside, texels, 0).sum(2)
    return drawn


def starts(texels: Texels) -> Texels:
    """Return 1 for each key that differs from the one before it, and 0 for the others."""
    keys = texels.ravel()
    return np.append(True, keys[1:] != keys[:-1]).astype(texels.dtype).reshape(texels.shape)


def _keys_and_bounds(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures with keys on the bounds, below and above; once with nothing between."""
    for height, width, low, high in ((1, 2, 2.0, 6.0), (2, 2, 3.0, 3.0), (2, 4, -1.0, 4.0)):
        yield rng.integers(-3, 8, size=(height, width, CHANNELS)).astype(np.float32), low, high


def _in_order(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures in order: runs that end inside of a texel, at its end, and all over."""
    for height, width, least, most in ((1, 2, 2, 5), (2, 2, -1, 1), (2, 4, -1, 9), (2, 2, 4, 5)):
        keys = np.sort(rng.integers(least, most, size=height * width * CHANNELS))
        keys[0] = least
        yield (keys.reshape(height, width, CHANNELS).astype(np.float32),)


def _body(above: str, below: str, drawn: str) -> str:
    """Return the body of a function that marks keys by two comparisons."""
    return (
        "vec4 own = texel_of(number);\n"
        f"    vec4 inside = vec4({above}(own, vec4(low))) * vec4({below}(own, vec4(high)));\n"
        f"    return {drawn};"
    )


COUNT, SUM = "dot(inside, vec4(1.0))", "dot(inside, own)"
RIGHT_BETWEEN = _body("greaterThan", "lessThan", f"vec4({COUNT}, {SUM}, 0.0, 0.0)")

_trimmed = shader_exercise(
    name="by_drawing",
    asks=(
        "Red is how many of the four keys of a texel are greater than low and less than high, "
        "green is their sum; blue and alpha are 0."
    ),
    surroundings=BETWEEN,
    specification=between,
    cases=_keys_and_bounds,
    hints=(
        "Fetch the four keys: vec4 own = texel_of(number);",
        "As in lesson 6, vec4(greaterThan(own, vec4(low))) has 1.0 where a key is above the lower "
        "end. Multiplied by the same for the upper end it marks the keys between: inside.",
        "dot(inside, vec4(1.0)) counts them. What does dot(inside, own) add?",
    ),
    mistakes=[
        (
            "you counted keys that equal a bound",
            _body("greaterThanEqual", "lessThanEqual", f"vec4({COUNT}, {SUM}, 0.0, 0.0)"),
            "Strictly between: greaterThan and lessThan. Stage 2 counts the bounds.",
        ),
        (
            "you counted keys that equal the lower bound",
            _body("greaterThanEqual", "lessThan", f"vec4({COUNT}, {SUM}, 0.0, 0.0)"),
            "Strictly between: greaterThan leaves out the equal ones.",
        ),
        (
            "you counted keys that equal the upper bound",
            _body("greaterThan", "lessThanEqual", f"vec4({COUNT}, {SUM}, 0.0, 0.0)"),
            "Strictly between: lessThan leaves out the equal ones.",
        ),
        (
            "you exchanged the count and the sum",
            _body("greaterThan", "lessThan", f"vec4({SUM}, {COUNT}, 0.0, 0.0)"),
            "Red takes the count, green the sum.",
        ),
        (
            "you added all four keys of the texel, also those outside",
            _body("greaterThan", "lessThan", f"vec4({COUNT}, dot(own, vec4(1.0)), 0.0, 0.0)"),
            "dot(inside, own) multiplies a key outside by 0.",
        ),
        (
            "you marked the keys, and did not add the marks",
            _body("greaterThan", "lessThan", "inside"),
            "dot(inside, vec4(1.0)) adds the four marks.",
        ),
        (
            "you looked at the red key only",
            _body("greaterThan", "lessThan", "vec4(inside.r, inside.r * own.r, 0.0, 0.0)"),
            "A texel has four keys. dot adds over all channels.",
        ),
        (
            "you counted the keys outside of the bounds",
            _body("lessThan", "greaterThan", f"vec4({COUNT}, {SUM}, 0.0, 0.0)").replace(
                ") * vec4(", ") + vec4("
            ),
            "A key between is greater than low and less than high.",
        ),
    ],
    draw=four_channels,
)


def _starts(before: str, first: str = "if (number == 0) starts.r = 1.0;") -> str:
    """Return the body of a function that compares the keys of a texel with others."""
    return (
        "vec4 own = texel_of(number);\n"
        f"    vec4 before = {before};\n"
        "    vec4 starts = vec4(notEqual(own, before));\n"
        f"    {first}\n"
        "    return starts;"
    )


BEFORE = "vec4(texel_of(number - 1).a, own.rgb)"
RIGHT_STARTS = _starts(BEFORE)

_mode = shader_exercise(
    name="by_drawing",
    asks=(
        "The keys are in order, texel by texel, and in a texel from red to alpha. Mark where a run "
        "of equal keys starts: a channel is 1 if its key differs from the key before it, else 0. "
        "The first key of all always starts a run."
    ),
    surroundings=STARTS,
    specification=starts,
    cases=_in_order,
    hints=(
        "Fetch the four keys: vec4 own = texel_of(number); Before green stands red, before blue "
        "green, before alpha blue.",
        "Before red stands the alpha of the texel before: texel_of(number - 1).a. So the four keys "
        "before are vec4(texel_of(number - 1).a, own.rgb).",
        "vec4(notEqual(own, before)) has 1.0 where two numbers differ.",
        "The first texel of all has none before it: if (number == 0) starts.r = 1.0;",
    ),
    mistakes=[
        (
            "you compared each key with the same channel of the texel before",
            _starts("texel_of(number - 1)"),
            "The neighbours of a key are in its own texel, but for red: shift by one channel.",
        ),
        (
            "you compared the first key of all with what lies outside of the texture",
            _starts(BEFORE, ""),
            "texel_of gives -1 there, and a key may be -1. Set the first channel yourself.",
        ),
        (
            "you let every texel start a run",
            _starts(BEFORE, "starts.r = 1.0;"),
            "A run goes on across texels. Only the first texel has no key before it.",
        ),
        (
            "you took red of the texel before, and not alpha",
            _starts("vec4(texel_of(number - 1).r, own.rgb)"),
            "The last key of a texel is in its alpha.",
        ),
        (
            "you marked where a run ends",
            _starts(
                "vec4(own.gba, texel_of(number + 1).r)",
                "if (number == size.x * size.y - 1) starts.a = 1.0;",
            ),
            "Compare with the key before, not with the next one.",
        ),
        (
            "you marked the keys that are equal to the one before",
            _starts(BEFORE, "starts = 1.0 - starts;"),
            "A run starts where two neighbours differ: notEqual.",
        ),
        (
            "you marked no start in the first channel of any texel",
            _starts("vec4(own.r, own.rgb)"),
            "Red's neighbour is alpha of the texel before: texel_of(number - 1).a.",
        ),
    ],
    draw=four_channels,
)

BY_DRAWING: Mapping[str, ShaderExercise] = MappingProxyType(
    {"trimmed mean": _trimmed, "mode": _mode}
)
"""The exercise of stage 3 for each statistic."""
