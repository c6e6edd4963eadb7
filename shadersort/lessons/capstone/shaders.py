"""Lesson 17, stage 3: the part of a statistic that is drawn, for each statistic with a checker."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.capstone.stages import Stage
from shadersort.lessons.exercises import Case, Exercise, Mistake, ShaderRunner
from shadersort.lessons.exercises.shaders.pictures import four_channels

RUNNERS = {
    name: ShaderRunner("vec4 new_texel(int number)", "new_texel(number)", names, rules=("loop",))
    for name, names in (("trimmed mean", ("low", "high")), ("mode", ()))
}


def between(texels: Texels, low: float, high: float) -> Texels:
    """Return for each texel how many of its keys lie strictly between bounds, and their sum."""
    return _count_and_add(texels, (low < texels) & (texels < high))


def _count_and_add(texels: Texels, inside: Any) -> Texels:
    drawn = np.zeros_like(texels)
    drawn[..., 0], drawn[..., 1] = inside.sum(2), np.where(inside, texels, 0).sum(2)
    return drawn


def starts(texels: Texels) -> Any:
    """Return 1 for each key that differs from the one before it, and 0 for the others."""
    return _differ(texels, np.append(0, texels.ravel()[:-1]), first=[0])


def _differ(texels: Texels, before: Any, first: Any) -> Any:
    """Return 1 for each key that differs from another, and at the places `first`."""
    found = (texels.ravel() != before).astype(texels.dtype)
    found[first] = 1
    return found.reshape(texels.shape)


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


_trimmed = Exercise(
    name="by_drawing",
    asks=(
        "Red is how many of the four keys of a texel are greater than low and less than high, "
        "green is their sum; blue and alpha are 0."
    ),
    specification=between,
    cases=_keys_and_bounds,
    hints=(
        "Fetch the four keys: vec4 own = texel_of(number);",
        "As in lesson 6, vec4(greaterThan(own, vec4(low))) has 1.0 where a key is above the lower "
        "end. Multiplied by the same for the upper end it marks the keys between: inside.",
        "dot(inside, vec4(1.0)) counts them. What does dot(inside, own) add?",
    ),
    mistakes=(
        Mistake(
            "you counted keys that equal a bound",
            lambda texels, low, high: _count_and_add(texels, (low <= texels) & (texels <= high)),
            "Strictly between: greaterThan and lessThan. Stage 2 counts the bounds.",
        ),
        Mistake(
            "you added all four keys of the texel, also those outside",
            lambda texels, low, high: np.where(
                [False, True, False, False],
                texels.sum(axis=2, keepdims=True),
                between(texels, low, high),
            ),
            "dot(inside, own) multiplies a key outside by 0.",
        ),
    ),
    runner=RUNNERS["trimmed mean"],
    draw=four_channels,
)


_mode = Exercise(
    name="by_drawing",
    asks=(
        "The keys are in order, texel by texel, and in a texel from red to alpha. Mark where a run "
        "of equal keys starts: a channel is 1 if its key differs from the key before it, else 0. "
        "The first key of all always starts a run."
    ),
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
    mistakes=(
        Mistake(
            "you compared each key with the same channel of the texel before",
            lambda texels: _differ(texels, np.append([-1] * 4, texels.ravel()[:-4]), first=[0]),
            "The neighbours of a key are in its own texel, but for red: shift by one channel.",
        ),
        Mistake(
            "you compared the first key of all with what lies outside of the texture",
            lambda texels: _differ(texels, np.append(-1, texels.ravel()[:-1]), first=[]),
            "texel_of gives -1 there, and a key may be -1. Set the first channel yourself.",
        ),
    ),
    runner=RUNNERS["mode"],
    draw=four_channels,
)

by_drawing = Stage("by_drawing", {"trimmed mean": _trimmed, "mode": _mode})
