"""Passes as a graphics device takes them: shaders, uniforms and calls, as plain numbers.

A device with GLSL links the shader of a command, sets its uniforms, and draws its quads or runs its
work groups. OpenGL does this by moderngl, a browser by WebGL; what they are given is made here,
once and ahead of time, because a pass over a small texture takes a GPU only a few microseconds.

The maps from a position in a layer to a wire and back are linear over bits. So the shader of a
butterfly gets a matrix: for every bit of a position in the target, the bits to flip in the source.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from shadersort.drawing.methods.butterflies import Fusion
from shadersort.drawing.methods.kipfer import smaller_stays
from shadersort.drawing.networks import Step
from shadersort.drawing.passes import BLOCK, BLOCK_STEPS, Blend, Pass
from shadersort.drawing.quads import Quads
from shadersort.keys.types import BLENDED

LANES = {"global": 256, "block": BLOCK}
"""Texels that a work group of each compute shader writes."""

MOST_GROUPS = 1 << 15
"""Work groups along one axis, at most; OpenGL promises 65535."""

Macros = tuple[tuple[str, int | str], ...]
Uniform = tuple[str, tuple[int, ...]]
"""The name of a uniform, and its integers, one vector after the other."""
Size = tuple[int, int]
"""Width and height of the buffers of a program, in texels."""


class ShaderKey(NamedTuple):
    """All that a linked shader depends on."""

    name: str
    dtype: str
    macros: Macros


@dataclass(frozen=True, slots=True)
class Draw:
    """One instanced call: a quad of four vertices, drawn `count` times."""

    count: int
    uniforms: tuple[Uniform, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """One pass, with everything that a device is told about it."""

    shader: ShaderKey  # the shader to link: with quads.vert, or a compute shader alone
    uniforms: tuple[Uniform, ...]  # what is set once, before all draws
    draws: tuple[Draw, ...]  # the calls of a pass that draws
    groups: tuple[int, int] | None  # the work groups, across and down, of a pass that computes
    # as of the `Pass`
    blend: Blend | None
    counts: bool
    parameters: tuple[str, ...]


def command_of(each: Pass, size: Size, dtype: np.dtype[Any]) -> Command:
    """Return the command of a pass over buffers of a size, for a type of key."""
    return Command(
        ShaderKey(each.shader, _type_of_shader(each, dtype), _macros(each, size)),
        _uniforms(each, size),
        () if each.computes else tuple(_draw(each, quads, size) for quads in each.quads),
        _groups(each, size) if each.computes else None,
        each.blend,
        each.counts,
        each.parameters,
    )


def _type_of_shader(each: Pass, dtype: np.dtype[Any]) -> str:
    """Return the type that a shader is written for.

    An image is declared with its format, a sampler and a colour only with the kind of number.
    """
    return "float32" if dtype in BLENDED and not each.computes else dtype.name


def _macros(each: Pass, size: Size) -> Macros:
    if each.taps:
        return (("TAPS", len(each.taps)),)
    macros: Macros = ()
    if each.fusion:
        butterfly = each.fusion.butterfly
        comparators = (f"COMPARE(key{low}, key{high})" for low, high in butterfly.comparators)
        macros = (
            ("INPUTS", len(butterfly.inputs)),
            ("OUTPUTS", each.layers),
            ("BITS", _position_bits(each.layers, size)),
            ("COMPARATORS", " ".join(comparators)),
        )
    elif each.shader in ("comparator", "global", "block"):
        most = BLOCK_STEPS if each.computes_blocks else len(each.steps)
        macros = (("STEPS", most), ("SKIPS", int(any(step.skips for step in each.steps))))
        if each.computes_blocks:
            macros += (("BLOCK", BLOCK), ("HALF_BLOCK", BLOCK // 2))
    if each.inside:  # the calls of inside.glsl that run these steps
        names = {"turn": "TURN", "inside": "ORDER"}
        calls = " ".join(f"{names[step.pairing]}({step.block})" for step in each.inside)
        macros += (("INSIDE", calls),)
    orders = each.steps or each.inside
    return (*macros, ("RECORD", each.record)) if each.record > 1 and orders else macros


def _uniforms(each: Pass, size: Size) -> tuple[Uniform, ...]:
    found: list[Uniform] = []
    if each.fusion:
        found += _uniforms_of_butterfly(each.fusion, each.layers, size)
    elif each.steps and each.shader != "keep":  # the quads of `keep` say it all
        rules = [number for step in each.steps for number in rule_of(step)]
        room = 4 * BLOCK_STEPS - len(rules) if each.computes_blocks else 0
        found.append(("rules", (*rules, *[0] * room)))
    if _knows_wires(each):
        found.append(("log2_width", (size[0].bit_length() - 1,)))
    if each.taps:
        found.append(("taps", tuple(number for tap in each.taps for number in tap)))
    if each.computes:
        found.append(("texels", (size[0] * size[1],)))
    if each.computes_blocks:
        found.append(("step_count", (len(each.steps),)))
    return tuple(found)


def _knows_wires(each: Pass) -> bool:
    """Whether a shader computes which wire it is; one that only orders lists need not."""
    if each.shader == "inside":
        return any(step.pairing == "turn" for step in each.inside)
    return bool(each.steps or each.inside) and each.shader != "keep"


def rule_of(step: Step) -> tuple[int, int, int, int]:
    """Return what steps.glsl knows of a step."""
    return step.mask, step.half, step.offset, step.period


def _uniforms_of_butterfly(fusion: Fusion, layers: int, size: Size) -> list[Uniform]:
    offsets = tuple(fusion.reads.position(wire) for wire in fusion.butterfly.inputs)
    columns = [_column(fusion, bit) for bit in range(_position_bits(layers, size))]
    return [("offsets", offsets), ("columns", tuple(n for column in columns for n in column))]


def _position_bits(layers: int, size: Size) -> int:
    """Return the bits of a position in a layer of the target; at least 1."""
    return max(1, (size[0] * size[1] // layers - 1).bit_length())


def _column(fusion: Fusion, bit: int) -> tuple[int, int]:
    """Return the bits that butterfly.frag flips for a bit of a position in the target.

    They are bits of the position of the butterfly's first key, and bits of the wire's place among
    the keys. Bits above those of a window count windows, in source and target alike.
    """
    inside = len(fusion.writes.order)
    if bit >= inside:
        return 1 << (len(fusion.reads.order) + bit - inside), 0
    wire = fusion.writes.wire(1 << bit)
    return fusion.reads.position(fusion.butterfly.first(wire)), fusion.butterfly.place(wire)


def _draw(each: Pass, quads: Quads, size: Size) -> Draw:
    """Return the call that draws some quads, with the uniforms that differ between quads."""
    uniforms: list[Uniform] = []
    if fusion := each.fusion:  # the layer of each key
        position = quads.quad.y0 * size[0] + quads.quad.x0
        wire = fusion.writes.wire(position % (1 << len(fusion.writes.order)))
        first, inputs = fusion.butterfly.first(wire), fusion.butterfly.inputs
        uniforms.append(("sources", tuple(fusion.reads.layer(first ^ each) for each in inputs)))
    if each.shader == "keep":  # the same for all repeats of a quad
        uniforms.append(("smaller_stays", (int(smaller_stays(quads)),)))
    layer = size[0], size[1] // each.layers
    return Draw(quads.count, (*uniforms, ("quads", uniform_of(quads, layer))))


def uniform_of(quads: Quads, layer: Size) -> tuple[int, ...]:
    """Return the uniform of quads.vert: the quads, and the size of a layer of the target."""
    q, inner, outer = quads.quad, quads.inner, quads.outer
    return (
        *(q.x0, q.y0, q.x1, q.y1),
        *(q.s0, q.t0, q.s1, q.t1),
        *(inner.count, inner.dx, inner.dy, layer[0]),
        *(outer.count, outer.dx, outer.dy, layer[1]),
    )


def _groups(each: Pass, size: Size) -> tuple[int, int]:
    groups = -(-size[0] * size[1] // LANES[each.shader])
    return min(groups, MOST_GROUPS), -(-groups // MOST_GROUPS)
