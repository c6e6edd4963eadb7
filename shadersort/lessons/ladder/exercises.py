"""Lesson 6, the same shaders today: the exercises."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.networks import network
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Keys
from shadersort.lessons.drawing.exercises import textures
from shadersort.lessons.exercises import (
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    ShaderRunner,
    number_of,
)
from shadersort.lessons.exercises.shaders.pictures import one_channel
from shadersort.lessons.ladder.rates import BLENDING, WRITING, milliseconds_of, partners_of


def _after_one_step(keys: Keys, partner: Keys) -> Keys:
    other, first = keys[partner], np.arange(len(keys)) < partner
    return np.where(first, np.minimum(keys, other), np.maximum(keys, other))


def _some_steps(rng: np.random.Generator) -> Iterator[Case]:
    """Yield one comparator; then steps of every network, some with idle wires."""
    yield np.array([7, 2]), np.array([1, 0])
    yield np.array([2, 7]), np.array([1, 0])
    for name, n in (("pbsn", 8), ("bitonic", 8), ("odd-even-merge", 8), ("bitonic", 32)):
        for step in network(name, n).steps[:4]:
            yield rng.permutation(n), partners_of(step, n)


after_one_step = Exercise(
    name="after_one_step",
    specification=_after_one_step,
    cases=_some_steps,
    hints=(
        "keys[partner] has the keys that all texels fetch from their partners.",
        "The numbers of the texels are wires = np.arange(len(keys)). Where a number is smaller "
        "than the partner's, the texel keeps the smaller key.",
        "np.where(wires < partner, …, …) chooses between np.minimum and np.maximum.",
    ),
    runner=PythonRunner(without_loop=True),
    mistakes=(
        Mistake(
            "you gave the larger key to the upper wire",
            lambda keys, partner: -_after_one_step(-keys, partner),
        ),
        Mistake(
            "every wire keeps the smaller key, so the larger ones are lost",
            lambda keys, partner: np.minimum(keys, keys[partner]),
        ),
    ),
)


predicted_ms = Exercise(
    name="predicted_ms",
    specification=milliseconds_of,
    cases=lambda rng: [
        (round(1e9 * WRITING), 0, WRITING, BLENDING),
        (0, round(1e9 * BLENDING), WRITING, BLENDING),
        (924_844_032, 0, WRITING, BLENDING),
        (924_844_032, 924_844_032, WRITING, BLENDING),
        (1 << 20, 1 << 19, 0.25, 0.125),
    ],
    hints=(
        f"If {WRITING} · 10⁹ texels take a second, how long does one take?",
        "copied / (writing * 1e9) is in seconds. So is the same for what is blended.",
        "Add both, and multiply by 1000: milliseconds are wanted.",
    ),
    runner=PythonRunner(number_of, forbidden=("milliseconds_of",)),
    mistakes=(
        Mistake("you returned seconds", lambda *case: milliseconds_of(*case) / 1000),
        Mistake(
            "you let blended texels be as fast as copied ones",
            lambda copied, blended, writing, _: (copied + blended) / writing / 1e6,
        ),
    ),
)


def _squares(texels: Texels) -> Any:
    """Return the keys of each square of two by two texels, on the last axis."""
    corners = [texels[y::2, x::2] for y in (0, 1) for x in (0, 1)]
    return np.stack(corners, axis=-1)


largest_of_four = Exercise(
    name="largest_of_four",
    asks=(
        "The frame is half as wide and half as high as the texture. Each of its texels is the "
        "largest of a square of two by two texels, in every channel."
    ),
    specification=lambda texels: _squares(texels).max(axis=-1),
    cases=textures((4, 4), (2, 4), (4, 2), (4, 8)),
    hints=(
        "The square of the texel at (x, y) begins at (2 x, 2 y): ivec2 corner = 2 * place;",
        "Its other texels are at corner + ivec2(1, 0), and so on.",
        "max takes two vectors. Of four texels: max(max(…, …), max(…, …)).",
    ),
    mistakes=(
        Mistake("you kept the smallest key", lambda texels: _squares(texels).min(axis=-1)),
        Mistake(
            "you looked at the upper two texels of each square only",
            lambda texels: _squares(texels)[..., :2].max(axis=-1),
        ),
    ),
    runner=ShaderRunner("vec4 folded(ivec2 place)", "folded(place)", part=2),
    draw=one_channel,
)


def _counts(texels: Texels, pivot: float) -> Texels:
    """Return how many keys of each texel are below, equal to and above a pivot."""
    asked = (texels < pivot, texels == pivot, texels > pivot, np.zeros_like(texels))
    return np.stack([each.sum(2) for each in asked], axis=2).astype(np.float32)


def _pivots(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures with few different keys, each with a pivot."""
    for height, width, pivot in ((2, 2, 3.0), (2, 4, 2.0), (4, 4, 5.0)):
        yield rng.integers(7, size=(height, width, CHANNELS)).astype(np.float32), pivot


counts_of_texel = Exercise(
    name="counts_of_texel",
    asks=(
        "Count in each texel: red is how many of its four keys are below the pivot, green how "
        "many are equal, blue how many are above; alpha is 0."
    ),
    specification=_counts,
    cases=_pivots,
    hints=(
        "vec4(lessThan(four, vec4(pivot))) has 1.0 where a key is below the pivot, else 0.0.",
        "dot(ones, vec4(1.0)) adds the four numbers of a vector `ones`: how many keys are below.",
        "Do the same with equal and greaterThan, and return vec4(below, same, above, 0.0);",
    ),
    mistakes=(
        Mistake(
            "you exchanged equal and above",
            lambda texels, pivot: _counts(texels, pivot)[..., [0, 2, 1, 3]],
        ),
        Mistake(
            "you exchanged below and above",
            lambda texels, pivot: _counts(texels, pivot)[..., [2, 1, 0, 3]],
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
)

EXERCISES = (after_one_step, predicted_ms, largest_of_four, counts_of_texel)
