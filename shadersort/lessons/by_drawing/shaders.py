"""Lesson 3, sorting by drawing: steps of networks as functions of a shader."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers
from shadersort.lessons.drawing.shaders import shuffled
from shadersort.lessons.shared.glsl.exercise import shader_exercise
from shadersort.lessons.shared.glsl.surroundings import Surroundings
from shadersort.lessons.shared.mistakes import Case

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


def _mirrored(texels: Texels, block: int) -> Texels:
    wires = np.arange(texels.size // CHANNELS)
    partner = wires // block * block + block - 1 - wires % block
    return step(texels, partner, wires < partner)


def _blocks(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures, each with a block: half a row, a row, and several rows."""
    for height, width, block in ((2, 4, 4), (2, 4, 2), (2, 4, 8), (4, 4, 8), (4, 2, 8)):
        yield shuffled(rng, height, width), block


def _two(partner: str, kept: str = "wire < partner ? min(own, other) : max(own, other)") -> str:
    """Return the body of a function that fetches two texels and keeps one."""
    return (
        f"int partner = {partner};\n"
        "    vec4 own = texel_of(wire), other = texel_of(partner);\n"
        f"    return {kept};"
    )


MIRROR = "wire ^ (block - 1)"

mirror_step = shader_exercise(
    name="mirror_step",
    asks=(
        "Write a step of PBSN: in blocks of `block` wires, wire i of a block meets wire block - "
        "1 - i. The first of the two keeps the smaller key."
    ),
    surroundings=Surroundings(AFTER_STEP, "after_step(number)", ("block",)),
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
    mistakes=[
        (
            "you exchanged smaller and larger",
            _two(MIRROR, "wire < partner ? max(own, other) : min(own, other)"),
            "If wire < partner, this texel comes first, so it keeps the smaller key.",
        ),
        (
            "every texel keeps the smaller key",
            _two(MIRROR, "min(own, other)"),
            "So the larger keys are lost. The second texel of each pair has to keep them.",
        ),
        (
            "you mirrored the whole texture, and not each block",
            _two("size.x * size.y - 1 - wire"),
            "The last bits of a wire are its place in its block. They are the ones of block - 1.",
        ),
        (
            "you mirrored the first block only",
            _two("block - 1 - wire"),
            "That is right in the first block. wire ^ (block - 1) is right in all.",
        ),
        (
            "you mirrored each block, but one texel too far",
            _two("wire / block * block + block - wire % block"),
            "Places in a block are counted from 0, so the last is block - 1.",
        ),
        (
            "you joined `wire` and `block - 1` by &, so each partner lies in the first block",
            _two("wire & (block - 1)"),
            "& keeps the bits that both numbers have: the place of `wire` in its block. ^ changes "
            "these bits.",
        ),
        (
            "you compared neighbours, whatever `block` is",
            _two("wire ^ 1"),
            "The first wire of a block meets its last: wire ^ (block - 1).",
        ),
        (
            "you compared the numbers of the wires, and not the keys",
            _two(MIRROR, "wire < partner ? own : other"),
            "min(own, other) is the smaller key, and max(own, other) the larger.",
        ),
        (
            "you took the partner's key, and did not compare",
            f"return texel_of({MIRROR});",
            "Fetch the texel's own key, too, and keep one of the two.",
        ),
    ],
)


def _directed(texels: Texels, distance: int, run: int) -> Texels:
    wires = np.arange(texels.size // CHANNELS)
    first, rises = (wires & distance) == 0, (wires & run) == 0
    return step(texels, wires ^ distance, first == rises)


def _runs(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures, each with a distance and the length of a run, as a bitonic sort has them."""
    for height, width, distance, run in (
        *((2, 4, 1, 2), (2, 4, 2, 4), (2, 4, 1, 4), (2, 4, 4, 8)),
        *((4, 4, 4, 8), (4, 4, 1, 8)),
    ):
        yield shuffled(rng, height, width), distance, run


def _kept(condition: str) -> str:
    return _two("wire ^ distance", f"{condition} ? min(own, other) : max(own, other)")


directed_step = shader_exercise(
    name="directed_step",
    asks=(
        "Write a step of the bitonic network with directions: a wire meets the wire that "
        "differs in the bit `distance`. Runs of `run` wires rise and fall in turn."
    ),
    surroundings=Surroundings(AFTER_STEP, "after_step(number)", ("distance", "run")),
    specification=_directed,
    cases=_runs,
    hints=(
        "Two questions, each answered by a bit: bool first = (wire & distance) == 0; and whether "
        "the run rises, by the bit `run`.",
        "In a rising run the first texel keeps the smaller key. In a falling run the second does.",
        "So a texel keeps the smaller key if both answers are equal: first == rises.",
    ),
    mistakes=[
        (
            "all your runs rise",
            _kept("(wire & distance) == 0"),
            "Where (wire & run) is not 0, the run falls: the first texel keeps the larger key.",
        ),
        (
            "all your runs fall",
            _kept("(wire & distance) != 0"),
            "Where (wire & run) == 0, the run rises: the first texel keeps the smaller key. "
            "Otherwise wire & run is `run`, and not 1.",
        ),
        (
            "your runs fall where they should rise, and rise where they should fall",
            _kept("((wire & distance) == 0) != ((wire & run) == 0)"),
            "The first run rises. Keep the smaller key where both answers are equal.",
        ),
        (
            "you asked for the direction only, so both texels of a pair keep the same key",
            _kept("(wire & run) == 0"),
            "Ask, too, which texel of the pair this one is: (wire & distance) == 0.",
        ),
        (
            "you keep the smaller key only where both answers are true",
            _kept("(wire & distance) == 0 && (wire & run) == 0"),
            "In a falling run the second texel keeps the smaller key: both answers are false. (If "
            "you compare the two bits as numbers: they are equal only if both are 0. Compare each "
            "with 0 first.)",
        ),
        (
            "you keep the smaller key where at least one answer is true",
            _kept("(wire & distance) == 0 || (wire & run) == 0"),
            "In a rising run the first texel keeps the smaller key, and in a falling run the "
            "second: both answers are equal.",
        ),
        (
            "only your first run rises",
            _kept("((wire & distance) == 0) == (wire < run)"),
            "Every second run rises. One bit of the wire says which: wire & run.",
        ),
        (
            "your partner lies `distance` further, for the second texel of a pair, too",
            _two(
                "wire + distance",
                "((wire & distance) == 0) == ((wire & run) == 0) ? min(own, other) "
                ": max(own, other)",
            ),
            "The second texel's partner comes before it. wire ^ distance changes the bit, "
            "whichever it is.",
        ),
        (
            "you mirrored the blocks instead of going `distance` further",
            _two(
                "wire ^ (2 * distance - 1)",
                "((wire & distance) == 0) == ((wire & run) == 0) ? min(own, other) "
                ": max(own, other)",
            ),
            "Only one bit of the wire changes: wire ^ distance.",
        ),
    ],
)

SHADERS = (mirror_step, directed_step)
