"""Wrong functions of shaders that compile, and that no mistake names."""

from collections.abc import Iterable
from typing import Any

from shadersort.lessons.shared.glsl.exercise import ShaderExercise

UNKNOWN = {
    "turned": (
        "return texel_at(size - 1 - place.yx);",
        "return texelFetch(keys, size / 2, 0);",
        "return texel_at(size - 1 - place) + 1.0;",
        "return texel_at(size - 1 - place).abgr;",
        "return vec4(place, size);",
    ),
    "kept_smaller": (
        "return min(texel_at(place), texel_at(place.yx));",
        "return (texel_at(place) + texel_at(size - 1 - place)) / 2.0;",
    ),
    "mirror_step": (
        "int partner = wire ^ (block - 1);\n"
        "vec4 own = texel_of(wire), other = texel_of(partner);\n"
        "return wire <= block ? min(own, other) : max(own, other);",
        "return texel_of(wire);",
    ),
    "directed_step": ("return texel_of(wire ^ distance);", "return texel_of(wire);"),
    "channel_pairs": ("return four;", "return four.grab;", "return four.abgr;"),
    "sorted_texel": ("return four;", "return four.abgr;"),
    "one_list": ("return texel_of(texel);", "return texel_of(texel).abgr;"),
    "largest_of_four": ("return texel_at(place);", "return vec4(0.0);"),
    "counts_of_texel": ("return four;", "return vec4(pivot);"),
}
"""Bodies of functions, by the name of the exercise."""


def wrong_shaders(exercises: Iterable[ShaderExercise]) -> dict[str, list[Any]]:
    """Return wrong answers to each of some exercises."""
    return {
        each.name: list(map(each.surroundings.function, UNKNOWN[each.name])) for each in exercises
    }
