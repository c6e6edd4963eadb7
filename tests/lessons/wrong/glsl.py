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
        "return texel_at(1 - place);",
        "return -texel_at(place);",
    ),
    "kept_smaller": (
        "return min(texel_at(place), texel_at(place.yx));",
        "return (texel_at(place) + texel_at(size - 1 - place)) / 2.0;",
        "vec4 own = texel_at(place), other = texel_at(size - 1 - place);\n"
        "return vec4(min(own.r, other.r));",
    ),
    "mirror_step": (
        "int partner = wire ^ (block - 1);\n"
        "vec4 own = texel_of(wire), other = texel_of(partner);\n"
        "return wire <= block ? min(own, other) : max(own, other);",
        "return texel_of(wire);",
        "return min(texel_of(wire), texel_of(wire & (block - 1)));",
    ),
    "directed_step": (
        "return texel_of(wire ^ distance);",
        "return texel_of(wire);",
        "int partner = wire ^ distance;\n"
        "vec4 own = texel_of(wire), other = texel_of(partner);\n"
        "return (wire < partner) == (wire % run == 0) ? min(own, other) : max(own, other);",
    ),
    "channel_pairs": (
        "return four;",
        "return four.grab;",
        "return four.abgr;",
        "return vec4(min(four.r, four.g), max(four.r, four.g), max(four.b, four.a), four.b);",
    ),
    "sorted_texel": (
        "return four;",
        "return four.abgr;",
        "return vec4(min(four.r, four.g), min(four.g, four.b), min(four.b, four.a), four.a);",
    ),
    "one_list": (
        "return texel_of(texel);",
        "return texel_of(texel).abgr;",
        "return min(texel_of(texel), texel_of(4 * texel ^ (block - 1)));",
    ),
    "largest_of_four": (
        "return texel_at(place);",
        "return vec4(0.0);",
        "return max(texel_at(place), texel_at(place + size / 2));",
    ),
    "counts_of_texel": (
        "return four;",
        "return vec4(pivot);",
        "return vec4(dot(vec4(lessThan(four, vec4(pivot))), vec4(1.0)));",
    ),
}
"""Bodies of functions, by the name of the exercise."""


def wrong_shaders(exercises: Iterable[ShaderExercise]) -> dict[str, list[Any]]:
    """Return wrong answers to each of some exercises."""
    return {
        each.name: list(map(each.surroundings.function, UNKNOWN[each.name])) for each in exercises
    }
