"""Lesson 3, sorting by drawing: steps of networks as functions of a shader."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers
from shadersort.lessons.drawing.shaders import shuffled
from shadersort.lessons.exercises import Case, Exercise, Mistake, ShaderRunner
from shadersort.lessons.exercises.shaders.pictures import one_channel

Flags = npt.NDArray[np.bool_]

AFTER_STEP = "vec4 after_step(int wire)"


def step(texels: Texels, partner: Integers, keeps_smaller: Flags) -> Texels:
    """Return texels after a step: wire i meets partner[i], and keeps the smaller key or the larger.

    Examples
    --------
    >>> keys = np.array([7, 2]).repeat(4).reshape(1, 2, 4)
    >>> step(keys, np.array([1, 0]), np.array([True, False]))[0, :, 0]
    array([2, 7])
    """
    own = texels.reshape(-1, CHANNELS)
    other = own[partner]
    smaller, larger = np.minimum(own, other), np.maximum(own, other)
    return np.where(keeps_smaller[:, np.newaxis], smaller, larger).reshape(texels.shape)


def _mirrored(texels: Texels, block: int, *, smaller_first: bool = True) -> Texels:
    wires = np.arange(texels.size // CHANNELS)
    partner = wires // block * block + block - 1 - wires % block
    return step(texels, partner, (wires < partner) == smaller_first)


def _blocks(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures, each with a block: half a row, a row, and several rows."""
    for height, width, block in ((2, 4, 4), (2, 4, 2), (2, 4, 8), (4, 4, 8), (4, 2, 8)):
        yield shuffled(rng, height, width), block


def _keep_by_number(texels: Texels, block: int) -> Any:
    """Return whole texels, kept by the numbers of the wires and not by their keys."""
    wires = np.arange(texels.size // CHANNELS)
    partner = wires ^ (block - 1)
    return texels.reshape(-1, CHANNELS)[np.minimum(wires, partner)].reshape(texels.shape)


mirror_step = Exercise(
    name="mirror_step",
    asks=(
        "Write a step of PBSN: in blocks of `block` wires, wire i of a block meets wire block - "
        "1 - i. The first of the two keeps the smaller key."
    ),
    specification=_mirrored,
    cases=_blocks,
    hints=(
        "Two questions: which wire is the partner, and which of the two keys stays here? Which "
        "bits of a place in a block change if place i becomes block - 1 - i?",
        "The partner's number is wire ^ (block - 1). Store it: int partner = wire ^ (block - 1);",
        "Fetch both: vec4 own = texel_of(wire); and the same for the partner.",
        "The wire with the smaller number keeps the smaller key: "
        "return wire < partner ? … : …; with min and max.",
    ),
    mistakes=(
        Mistake(
            "you exchanged smaller and larger",
            lambda texels, block: _mirrored(texels, block, smaller_first=False),
            "If wire < partner, this texel comes first, so it keeps the smaller key.",
        ),
        Mistake(
            "every texel keeps the smaller key",
            lambda texels, block: np.minimum(
                _mirrored(texels, block), _mirrored(texels, block, smaller_first=False)
            ),
            "So the larger keys are lost. The second texel of each pair has to keep them.",
        ),
        Mistake(
            "you mirrored the whole texture, and not each block",
            lambda texels, block: _mirrored(texels, texels.size // CHANNELS),
            "The last bits of a wire are its place in its block. They are the ones of block - 1.",
        ),
        Mistake(
            "you compared the numbers of the wires, and not the keys",
            _keep_by_number,
            "min(own, other) is the smaller key, and max(own, other) the larger.",
        ),
    ),
    runner=ShaderRunner(AFTER_STEP, "after_step(number)", ("block",)),
    draw=one_channel,
)


def _runs(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures, each with a distance and the length of a run, as a bitonic sort has them."""
    for height, width, distance, run in (
        *((2, 4, 1, 2), (2, 4, 2, 4), (2, 4, 1, 4), (2, 4, 4, 8)),
        *((4, 4, 4, 8), (4, 4, 1, 8)),
    ):
        yield shuffled(rng, height, width), distance, run


Question = Callable[[Flags, Flags], Flags]
"""Asks whether a wire keeps the smaller key: whether it is the first of two, and its run rises."""


def _directed_by(question: Question) -> Callable[[Texels, int, int], Texels]:
    """Return a step that answers another question about each wire."""

    def keep(texels: Texels, distance: int, run: int) -> Texels:
        wires = np.arange(texels.size // CHANNELS)
        kept = question((wires & distance) == 0, (wires & run) == 0)
        return step(texels, wires ^ distance, kept)

    return keep


directed_step = Exercise(
    name="directed_step",
    asks=(
        "Write a step of the bitonic network with directions: a wire meets the wire that "
        "differs in the bit `distance`. Runs of `run` wires rise and fall in turn."
    ),
    specification=_directed_by(lambda first, rises: first == rises),
    cases=_runs,
    hints=(
        "Two questions, each answered by a bit: bool first = (wire & distance) == 0; and whether "
        "the run rises, by the bit `run`.",
        "In a rising run the first texel keeps the smaller key. In a falling run the second does.",
        "So a texel keeps the smaller key if both answers are equal: first == rises.",
    ),
    mistakes=(
        Mistake(
            "all your runs rise",
            _directed_by(lambda first, rises: first),
            "Where (wire & run) is not 0, the run falls: the first texel keeps the larger key.",
        ),
        Mistake(
            "your runs fall where they should rise, and rise where they should fall",
            _directed_by(lambda first, rises: first != rises),
            "The first run rises. Keep the smaller key where both answers are equal.",
        ),
        Mistake(
            "you asked for the direction only, so both texels of a pair keep the same key",
            _directed_by(lambda first, rises: rises),
            "Ask, too, which texel of the pair this one is: (wire & distance) == 0.",
        ),
        Mistake(
            "you keep the smaller key only where both answers are true",
            _directed_by(lambda first, rises: first & rises),
            "In a falling run the second texel keeps the smaller key: both answers are false. (If "
            "you compare the two bits as numbers: they are equal only if both are 0. Compare each "
            "with 0 first.)",
        ),
    ),
    runner=ShaderRunner(AFTER_STEP, "after_step(number)", ("distance", "run")),
    draw=one_channel,
)

SHADERS = (mirror_step, directed_step)
