"""The verifier: it checks a program before it runs, and names a bad pass by its index."""

from dataclasses import replace
from weakref import WeakSet

import numpy as np

from shadersort.drawing.blending import copy
from shadersort.drawing.butterflies import (
    Fusion,
    WireLayout,
    butterfly_of,
    layout_after,
    row_by_row,
)
from shadersort.drawing.fused import butterfly_quads
from shadersort.drawing.kipfer import kept_halves
from shadersort.drawing.networks import is_power_of_two
from shadersort.drawing.passes import (
    ALL_CHANNELS,
    BLOCK,
    BLOCK_STEPS,
    CHANNELS,
    CONE_STEPS,
    MOST_TAPS,
    SHADER_PARAMETERS,
    TEXTURE,
    Pass,
)
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quads, Repeat, whole
from shadersort.drawing.written import Cover, Written
from shadersort.errors import BadProgram, choices
from shadersort.keys.types import Integers

MOST_STEPS = {
    "keep": 1,
    "comparator": CONE_STEPS,
    "butterfly": BLOCK_STEPS,
    "global": CONE_STEPS,
    "block": BLOCK_STEPS,
}
"""Steps that a pass of each shader may run."""


def verify(program: Program) -> None:
    """Raise BadProgram, with the index of the pass, if a pass is invalid.

    Every quad and its texture coordinates must lie inside the texture. No texture is stretched. No
    pass covers a texel twice, or reads the buffer that it writes. No pass reads or blends with a
    texel that was never written, and the result has no such texel. A program that asks a question
    leaves its input as it is. A program is verified only once.
    """
    if program in _verified:
        return
    if program.record not in (1, 2, 4):
        raise BadProgram(None, f"a record has 2 or 4 channels, a key 1, not {program.record}")
    straight = _row_by_row(program)
    written, layouts = Written(program), {TEXTURE: straight}
    known: dict[
        tuple[tuple[Quads, ...], bool], list[Cover]
    ] = {}  # the passes of a network repeat themselves
    for index, each in enumerate(program.passes):
        if each.source == each.target:
            raise BadProgram(index, f"reads the buffer {each.source!r} that it writes")
        drawn = each.quads, each.counts
        if drawn not in known:
            known[drawn] = _covers(index, each, program)
        covers = known[drawn]
        _verify_shader(index, each, program, written)
        _verify_layout(index, each, program, layouts)
        for (x, s), (y, t) in covers:
            _verify_reads(index, each, (s, t), written)
            if each.blend and not written.contains(each.target, x, y):
                raise BadProgram(index, f"blends with texels of {each.target!r} left unwritten")
        if not each.counts:
            written.add(each, covers)
    _verify_answer(program, written)
    if layouts.get(program.result, straight) != straight:
        raise BadProgram(None, f"the result {program.result!r} does not lie row by row")
    _verified.add(program)


_verified: WeakSet[Program] = WeakSet()


def _verify_reads(
    index: int, each: Pass, coordinates: tuple[Integers, Integers], written: Written
) -> None:
    """Raise BadProgram if a pass reads unwritten texels, or texels outside the texture."""
    for dx, dy in each.taps or ((0, 0),):
        columns, rows = coordinates[0] + dx, coordinates[1] + dy
        if not written.inside(columns, rows):
            raise BadProgram(index, f"fetches texels outside the texture, at a tap of {dx, dy}")
        if not written.contains(each.source, columns, rows):
            raise BadProgram(index, f"reads texels of {each.source!r} left unwritten")


def _verify_answer(program: Program, written: Written) -> None:
    """Raise BadProgram if nothing writes the answer, or if passes that count change the input."""
    asks = any(each.counts or each.taps for each in program.passes)
    if asks == (program.answer == "texture"):
        raise BadProgram(None, f"answers by a {program.answer}, but its passes do not")
    if asks and any(each.target == TEXTURE for each in program.passes):
        raise BadProgram(None, "asks a question, but draws into its input")
    first = np.zeros(1, np.int64)
    if program.answer == "texture" and not written.everywhere(program.result):
        raise BadProgram(None, f"the result {program.result!r} has texels left unwritten")
    if program.answer == "texel" and not written.contains(program.result, first, first):
        raise BadProgram(None, f"the first texel of {program.result!r} is left unwritten")


def _verify_shader(index: int, each: Pass, program: Program, written: Written) -> None:
    """Raise BadProgram for an unknown shader, or a step that leaves the texture."""
    if each.record != program.record:
        raise BadProgram(index, f"has records of {each.record} channels, not of {program.record}")
    if each.shader == "copy":
        if each.steps:
            raise BadProgram(index, "copies, but has steps of a network")
        if each.blend and each.record > 1:
            raise BadProgram(index, "blends channel by channel, which parts records")
        if each.inside:
            raise BadProgram(index, "copies, but has steps inside of texels")
        return
    if each.shader == "inside":
        _verify_inside(index, each, program)
        if each.steps or not each.inside or each.blend:
            raise BadProgram(index, "runs steps inside of texels, at least one, and nothing else")
        if each.quads != (whole(program.width, program.height),):
            raise BadProgram(index, "does not cover the whole texture by one quad")
        if not is_power_of_two(program.width):
            raise BadProgram(index, f"counts wires in a texture whose width is {program.width}")
        return
    if each.shader in SHADER_PARAMETERS:
        _verify_question(index, each)
        return
    if each.shader not in MOST_STEPS:
        names = choices(["copy", "inside", *MOST_STEPS, *SHADER_PARAMETERS])
        raise BadProgram(index, f"no shader is called {each.shader!r}: use {names}")
    _verify_inside(index, each, program)
    least = 0 if each.computes_blocks and each.inside else 1
    if not least <= len(each.steps) <= MOST_STEPS[each.shader]:
        most = MOST_STEPS[each.shader]
        raise BadProgram(index, f"compares by 1 to {most} steps, not by {len(each.steps)}")
    if each.blend:
        raise BadProgram(index, "compares, but blends")
    if each.shader == "keep":
        _verify_keeping(index, each, program)
    if not is_power_of_two(program.width):
        raise BadProgram(index, f"compares in a texture whose width is {program.width}")
    for step in each.steps:
        if program.width * program.height % step.period:
            raise BadProgram(index, f"the texture is no multiple of the period of {step}")
        if each.computes_blocks and step.period > BLOCK:
            raise BadProgram(index, f"works on blocks of {BLOCK} texels, too few for {step}")
    if each.computes and each.quads != (whole(program.width, program.height),):
        raise BadProgram(index, "computes, and so covers the whole texture, by one quad")
    if not written.everywhere(each.source):
        raise BadProgram(index, f"reads texels of {each.source!r} left unwritten")


def _verify_inside(index: int, each: Pass, program: Program) -> None:
    """Raise BadProgram for a step on the wrong side, or for lists that a texel does not have."""
    if any(step.inside for step in each.steps) or not all(step.inside for step in each.inside):
        raise BadProgram(index, "takes steps between texels for steps inside of them, or back")
    can = each.shader in ("inside", "block") or (each.fusion is not None and each.layers == 1)
    if each.inside and not can:
        raise BadProgram(index, f"runs steps inside of texels by {each.shader!r}, which cannot")
    for step in each.inside:
        if step.block * each.record >= CHANNELS or program.network.n % step.period:
            raise BadProgram(index, f"runs {step} on texels without such lists")


def _verify_keeping(index: int, each: Pass, program: Program) -> None:
    """Raise BadProgram if quads are not those of the step, or if idle wires are left behind."""
    (step,) = each.steps
    if program.width * program.height % step.period:
        return  # the next check says so
    if each.quads != kept_halves(step, program.width, program.height):
        raise BadProgram(index, f"draws quads that are not those of {step}")
    before = program.passes[index - 1] if index else None
    moved = copy(each.source, each.target, program.width, program.height)
    if step.skips and (before is None or replace(before, record=1) != moved):
        raise BadProgram(index, f"leaves out wires that are idle in {step}, and were not copied")


def _verify_question(index: int, each: Pass) -> None:
    """Raise BadProgram if a pass that counts or reduces does more, or lacks the taps it needs."""
    if each.steps or each.inside or each.blend or each.record > 1:
        raise BadProgram(index, "asks a question, but has steps, blends or has records")
    if not (0 if each.counts else 1) <= len(each.taps) <= (0 if each.counts else MOST_TAPS):
        taps = "no taps" if each.counts else f"1 to {MOST_TAPS} taps"
        raise BadProgram(index, f"needs {taps} to ask for {each.shader!r}, not {len(each.taps)}")
    if each.counts and any(quads.outer != ALL_CHANNELS for quads in each.quads):
        raise BadProgram(index, "counts, and so repeats its quads once for each channel")


def _row_by_row(program: Program) -> WireLayout:
    """Return the layout of a program's input and result."""
    return row_by_row(program.network.n.bit_length() - 1)


def _verify_layout(
    index: int, each: Pass, program: Program, layouts: dict[str, WireLayout]
) -> None:
    """Raise BadProgram if wires do not lie where a pass reads them; note where it writes them."""
    straight = _row_by_row(program)
    fusion = each.fusion
    reads, writes = (fusion.reads, fusion.writes) if fusion else (straight, straight)
    if layouts.get(each.source, reads) != reads:
        raise BadProgram(index, f"reads {each.source!r} in another layout than it was written in")
    if bool(fusion) != (each.shader == "butterfly"):
        raise BadProgram(index, "must have a fusion of steps if it draws butterflies, or else none")
    if fusion:
        _verify_fusion(index, each, program, fusion)
    layouts[each.target] = writes


def _verify_fusion(index: int, each: Pass, program: Program, fusion: Fusion) -> None:
    """Raise BadProgram if steps are not those of the butterfly, or a quad reads several layers."""
    if fusion.butterfly != butterfly_of(each.steps, fusion.reads.wire_bits):
        raise BadProgram(index, "runs steps that are not those of its butterfly")
    if fusion.writes not in (_row_by_row(program), layout_after(fusion.reads, fusion.butterfly)):
        raise BadProgram(index, "leaves a layout that is not that of its butterfly")
    if each.quads != butterfly_quads(fusion, program.width, program.height):
        raise BadProgram(index, "draws quads that are not those of its butterfly")


def _covers(index: int, each: Pass, program: Program) -> list[Cover]:
    """Return the cover of each of a pass's quads; no texel is in two of them."""
    covers = [_cover(index, quads, program, each.counts) for quads in each.quads]
    for i, ((x, _), (y, _)) in enumerate(covers):
        for (other_x, _), (other_y, _) in covers[:i]:
            if np.intersect1d(x, other_x).size and np.intersect1d(y, other_y).size:
                raise BadProgram(index, "covers texels twice: two of its quads overlap")
    return covers


def _cover(index: int, quads: Quads, program: Program, counts: bool) -> Cover:
    """Return the columns and rows that quads cover, with their texture coordinates; check them."""
    _verify_shape(index, quads, (quads.inner,) if counts else (quads.inner, quads.outer))
    columns, rows = quads.columns(), quads.rows()
    for axis, size, (positions, coordinates) in (
        ("columns", program.width, columns),
        ("rows", program.height, rows),
    ):
        for what, values in (("quads", positions), ("texture coordinates", coordinates)):
            if values.min() < 0 or values.max() >= size:
                reach = f"{axis} {values.min()} to {values.max()} of {size}"
                raise BadProgram(index, f"{what} out of bounds: {reach}")
        if len(np.unique(positions)) < len(positions):
            raise BadProgram(index, f"covers texels twice: {axis} of {quads}")
    return columns, rows


def _verify_shape(index: int, quads: Quads, moving: tuple[Repeat, ...]) -> None:
    """Raise BadProgram for an empty quad, a stretched texture, or repeats along both axes."""
    q = quads.quad
    if not (q.x0 < q.x1 and q.y0 < q.y1 and quads.count > 0):
        raise BadProgram(index, f"draws an empty quad: {quads}")
    if abs(q.s1 - q.s0) != q.x1 - q.x0 or abs(q.t1 - q.t0) != q.y1 - q.y0:
        raise BadProgram(index, f"stretches its texture: {q}")
    for repeat in moving:
        if repeat.count > 1 and bool(repeat.dx) == bool(repeat.dy):
            raise BadProgram(index, f"repeats a quad along both axes or none: {repeat}")
