"""Lesson 4, four sorts for the price of one: functions of a shader that move keys in a texel."""

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
    """Yield textures, so large that a texel has its keys in each order."""
    for height, width in ((2, 2), (2, 4), (4, 4)):
        yield (shuffled(rng, height, width),)


def _in_pairs(texels: Texels) -> Texels:
    """Sort red and green, and blue and alpha."""
    return np.sort(texels.reshape(-1, 2), axis=1).reshape(texels.shape)


IN_PLACE = (
    "four.r = min(four.r, four.g);\n"
    "    four.g = max(four.r, four.g);\n"
    "    four.b = min(four.b, four.a);\n"
    "    four.a = max(four.b, four.a);\n    "
)
"""The first step, with the old keys lost."""

channel_pairs = shader_exercise(
    name="channel_pairs",
    asks="Put red and green in order, and blue and alpha: the smaller key first.",
    surroundings=Surroundings(
        "vec4 in_pairs(vec4 four)", "in_pairs(texel_at(place))", rules=("choice",)
    ),
    specification=_in_pairs,
    cases=_textures,
    hints=(
        "The new red is the smaller of red and green: min(four.r, four.g).",
        "The new green is the larger of the same two: max(four.r, four.g).",
        "A vec4 is made of four numbers, in the order red, green, blue, alpha: "
        "return vec4(min(…), max(…), min(…), max(…));",
    ),
    mistakes=[
        (
            "you put the larger key of each pair first",
            "return vec4(max(four.rb, four.ga), min(four.rb, four.ga)).rbga;",
            "Red and blue take the smaller key of their pair.",
        ),
        (
            "you compared red with blue, and green with alpha",
            "return vec4(min(four.rg, four.ba), max(four.rg, four.ba));",
            "The pairs are neighbours: red with green, blue with alpha.",
        ),
        (
            "you put the second pair in order, but not the first",
            "return vec4(four.rg, min(four.b, four.a), max(four.b, four.a));",
            "Red and green are a pair, too.",
        ),
        (
            "you put the first pair in order, but not the second",
            "return vec4(min(four.r, four.g), max(four.r, four.g), four.ba);",
            "Blue and alpha are a pair, too.",
        ),
        (
            "all channels took the smaller key of their pair",
            "return min(four, four.grab);",
            "The larger keys are lost. Green and alpha take them, by max.",
        ),
        (
            "you wrote the smaller key into red before the old red was compared for green",
            f"{IN_PLACE}return four;",
            "Return a new vec4 of four numbers, or keep the smaller keys in names of their own.",
        ),
        (
            "you took the smaller keys first, and then the larger ones",
            "return vec4(min(four.rb, four.ga), max(four.rb, four.ga));",
            "The order of the four numbers is red, green, blue, alpha: .rbga exchanges the middle "
            "two.",
        ),
    ],
    draw=four_channels,
)

PAIRS = (
    "vec4 a = vec4(min(four.r, four.g), max(four.r, four.g), "
    "min(four.b, four.a), max(four.b, four.a));\n    "
)
HALVES = "vec4 b = vec4(min(a.rg, a.ba), max(a.rg, a.ba));\n    "

sorted_texel = shader_exercise(
    name="sorted_texel",
    asks="Sort the four keys of a texel: red is the smallest, alpha the largest.",
    surroundings=Surroundings(
        "vec4 in_order(vec4 four)", "in_order(texel_at(place))", rules=("choice", "loop")
    ),
    specification=lambda texels: np.sort(texels, axis=2),
    cases=_textures,
    hints=(
        "The first step is that of the last exercise. Give its result a name: vec4 a = …;",
        "The second step compares red with blue and green with alpha, and all four keys are in two "
        "vectors: min(a.rg, a.ba) and max(a.rg, a.ba).",
        "After it red is the smallest key and alpha the largest. What is left is to put green and "
        "blue in order.",
    ),
    mistakes=[
        (
            "you sorted from the largest to the smallest",
            f"{PAIRS}{HALVES}return vec4(b.a, max(b.g, b.b), min(b.g, b.b), b.r);",
            "Red takes the smallest key.",
        ),
        (
            "you exchanged smaller and larger in the last step",
            f"{PAIRS}{HALVES}return vec4(b.r, max(b.g, b.b), min(b.g, b.b), b.a);",
            "Green comes before blue, so it takes the smaller key of the two.",
        ),
        (
            "the last step is missing, which compares green with blue",
            f"{PAIRS}{HALVES}return b;",
            "Two keys can still be in the wrong order: those in the middle.",
        ),
        (
            "only the pairs are in order",
            f"{PAIRS}return a;",
            "The smallest key may be in blue still. Compare red with blue, and green with alpha.",
        ),
        (
            "the second step, which compares red with blue and green with alpha, is missing, or "
            "compares the same pairs again",
            f"{PAIRS}return vec4(a.r, min(a.g, a.b), max(a.g, a.b), a.a);",
            "After the first step each pair has a smaller key and a larger one. The second step "
            "compares the smaller keys of both pairs, and the larger ones.",
        ),
        (
            "the first step is missing, which puts the pairs in order",
            "vec4 b = vec4(min(four.rg, four.ba), max(four.rg, four.ba));\n"
            "    return vec4(b.r, min(b.g, b.b), max(b.g, b.b), b.a);",
            "Then the smallest key may be in green after the second step.",
        ),
        (
            "you wrote the smaller keys into red and blue before the old ones were compared for "
            "green and alpha, in the first step",
            f"{IN_PLACE}vec4 a = four;\n    {HALVES}"
            "return vec4(b.r, min(b.g, b.b), max(b.g, b.b), b.a);",
            "Make a new vec4 of four numbers, or keep the smaller keys in names of their own.",
        ),
        (
            "you wrote the smaller key of each pair into its channel before the old key was "
            "compared for the other channel, in every step",
            f"{IN_PLACE}four.r = min(four.r, four.b);\n"
            "    four.b = max(four.r, four.b);\n"
            "    four.g = min(four.g, four.a);\n"
            "    four.a = max(four.g, four.a);\n"
            "    four.g = min(four.g, four.b);\n"
            "    four.b = max(four.g, four.b);\n"
            "    return four;",
            "Make a new vec4 in each step, or keep the smaller keys in names of their own.",
        ),
    ],
    draw=four_channels,
)


def _one_list(texels: Texels, block: int) -> Texels:
    """Mirror blocks of one list that runs through the channels of every texel."""
    keys = texels.reshape(-1, block)
    smaller, larger = np.minimum(keys, keys[:, ::-1]), np.maximum(keys, keys[:, ::-1])
    return np.where(np.arange(block) < block // 2, smaller, larger).reshape(texels.shape)


def _blocks(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures, each with a block of at least two texels."""
    for height, width, block in ((1, 4, 8), (1, 4, 16), (2, 4, 8), (2, 4, 16), (2, 4, 32)):
        yield shuffled(rng, height, width), block


def _two(partner: str, own: str, other: str, kept: str = "") -> str:
    return (
        f"int partner = {partner};\n"
        f"    vec4 own = texel_of(texel){own}, other = texel_of(partner){other};\n"
        f"    return {kept or 'texel < partner ? min(own, other) : max(own, other)'};"
    )


PARTNER = f"texel ^ (block / {CHANNELS} - 1)"

one_list = shader_exercise(
    name="one_list",
    asks=(
        "Write the step that mirrors blocks of `block` keys, for one list that runs through the "
        "four channels of each texel."
    ),
    surroundings=Surroundings("vec4 after_step(int texel)", "after_step(number)", ("block",)),
    specification=_one_list,
    cases=_blocks,
    hints=(
        "Two questions: which texel is the partner, and which of its keys meets red? Look at both "
        "ends of a block of eight keys: in which texels do they lie, and in which channels?",
        "A block of keys is block / 4 texels. Mirror these: texel ^ (block / 4 - 1).",
        "Red is the first key of a texel, and meets the last key of the other texel: alpha.",
        "So the four keys of the partner are wanted backwards: texel_of(partner).abgr. The rest is "
        "the step of lesson 3.",
    ),
    mistakes=[
        (
            "you mirrored the texels, but not the channels inside them",
            _two(PARTNER, "", ""),
            "Key 0 is in red of the first texel, and meets the last key of the block, in alpha.",
        ),
        (
            "you counted texels as if each had one key",
            _two("texel ^ (block - 1)", "", ".abgr"),
            "A texel has four keys, so a block is block / 4 texels.",
        ),
        (
            "you turned the texel's own keys, and not those of its partner",
            _two(PARTNER, ".abgr", ""),
            "What is returned becomes this texel: its own keys must stay in their channels.",
        ),
        (
            "you turned the partner's keys in min, and the texel's own keys in max",
            _two(PARTNER, "", "", "texel < partner ? min(own, other.abgr) : max(own.abgr, other)"),
            "What is returned becomes this texel: its own keys must stay in their channels, in max "
            "as in min.",
        ),
        (
            "you exchanged smaller and larger",
            _two(PARTNER, "", ".abgr", "texel < partner ? max(own, other) : min(own, other)"),
            "If texel < partner, this texel comes first, so it keeps the smaller keys.",
        ),
        (
            "every texel keeps the smaller keys",
            _two(PARTNER, "", ".abgr", "min(own, other)"),
            "So the larger keys are lost. The second texel of each pair has to keep them.",
        ),
        (
            "you exchanged the channels in pairs, and did not mirror all four",
            _two(PARTNER, "", ".grab"),
            "Backwards is alpha, blue, green, red.",
        ),
    ],
    draw=four_channels,
)

SHADERS = (channel_pairs, sorted_texel, one_list)
