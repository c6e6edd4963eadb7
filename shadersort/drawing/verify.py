"""The verifier: it checks a program before it runs, and names a bad pass by its index."""

from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakSet

import numpy as np

from shadersort.drawing.methods.blending import copy, halves
from shadersort.drawing.methods.butterflies import butterfly_of, layout_after, row_by_row
from shadersort.drawing.methods.fused import butterfly_quads
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
from shadersort.errors import BadProgram, choices
from shadersort.keys.types import Integers, Mask

MOST_STEPS = {
    "keep": 1,
    "comparator": CONE_STEPS,
    "butterfly": BLOCK_STEPS,
    "global": CONE_STEPS,
    "block": BLOCK_STEPS,
}
"""Steps that a pass of each shader may run."""

Cover = tuple[tuple[Integers, Integers], tuple[Integers, Integers]]
"""Columns and rows that quads cover, each with its texture coordinates."""
Complaints = Iterator[str]
"""What is wrong with a pass. Only the first is told, so that later checks may rely on earlier."""


def verify(program: Program) -> Program:
    """Return the program; raise BadProgram, with the index of the pass, if a pass is invalid.

    Every quad and its texture coordinates must lie inside the texture. No texture is stretched. No
    pass covers a texel twice, or reads the buffer that it writes. No pass reads or blends with a
    texel that was never written, and the result has no such texel. A program that asks a question
    leaves its input as it is. A program is verified only once.
    """
    if program in _verified:
        return program
    checked = _Verifier(program)
    for index, each in enumerate(program.passes):
        for complaint in checked.complaints(index, each):
            raise BadProgram(index, complaint)
    for complaint in checked.complaints_of_program():
        raise BadProgram(None, complaint)
    _verified.add(program)
    return program


_verified: WeakSet[Program] = WeakSet()


class _Verifier:
    """What is known of a program's buffers while its passes are checked in their order."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.size = program.width, program.height
        self.straight = row_by_row(program.network.n.bit_length() - 1)
        self._layouts = {TEXTURE: self.straight}
        self._complete = {TEXTURE}  # buffers whose texels were all written
        self._partial: dict[str, Mask] = {}
        # the covers of quads that were checked: the passes of a network repeat themselves
        self._covers: dict[tuple[tuple[Quads, ...], bool], list[Cover]] = {}

    def complaints(self, index: int, each: Pass) -> Complaints:
        """Yield what is wrong with a pass; if nothing is, note what it writes."""
        if each.source == each.target:
            yield f"reads the buffer {each.source!r} that it writes"
        drawn = each.quads, each.counts
        if drawn not in self._covers:
            yield from self._of_quads(each)
            self._covers[drawn] = [(quads.columns(), quads.rows()) for quads in each.quads]
        covers = self._covers[drawn]
        yield from self._of_shader(index, each)
        yield from self._of_layout(each)
        for (x, s), (y, t) in covers:
            for dx, dy in each.taps or ((0, 0),):
                if not (_within(s + dx, self.size[0]) and _within(t + dy, self.size[1])):
                    yield f"fetches texels outside the texture, at a tap of {dx, dy}"
                if not self._has_written(each.source, s + dx, t + dy):
                    yield f"reads texels of {each.source!r} left unwritten"
            if each.blend and not self._has_written(each.target, x, y):
                yield f"blends with texels of {each.target!r} left unwritten"
        if not each.counts:
            self._note(each, covers)

    def complaints_of_program(self) -> Complaints:
        """Yield what is wrong with the answer after the last pass."""
        program, result = self.program, self.program.result
        if program.record not in (1, 2):
            yield f"a record has 2 channels, a key 1, not {program.record}"
        asks = any(each.counts or each.taps for each in program.passes)
        if asks == (program.answer == "texture"):
            yield f"answers by a {program.answer}, but its passes do not"
        if asks and any(each.target == TEXTURE for each in program.passes):
            yield "asks a question, but draws into its input"
        first = np.zeros(1, np.int64)
        if program.answer == "texture" and result not in self._complete:
            yield f"the result {result!r} has texels left unwritten"
        if program.answer == "texel" and not self._has_written(result, first, first):
            yield f"the first texel of {result!r} is left unwritten"
        if self._layouts.get(result, self.straight) != self.straight:
            yield f"the result {result!r} does not lie row by row"

    def _has_written(self, buffer: str, columns: Integers, rows: Integers) -> bool:
        """Whether the texels at all these columns and rows were written."""
        if buffer in self._complete:
            return True
        return buffer in self._partial and bool(self._partial[buffer][np.ix_(rows, columns)].all())

    def _note(self, each: Pass, covers: list[Cover]) -> None:
        """Note the texels that a pass wrote. Its quads are disjoint, so their sizes add up."""
        width, height = self.size
        if each.texels == width * height:
            self._complete.add(each.target)
        if each.target in self._complete:
            return
        mask = self._partial.setdefault(each.target, np.zeros((height, width), dtype=np.bool_))
        for (x, _), (y, _) in covers:
            mask[np.ix_(y, x)] = True
        if mask.all():
            self._complete.add(each.target)

    def _of_shader(self, index: int, each: Pass) -> Complaints:
        """Yield if a shader is unknown, or cannot do what the pass says."""
        program, (width, height) = self.program, self.size
        if each.record != program.record:
            yield f"has records of {each.record} channels, not of {program.record}"
        if each.shader in SHADER_PARAMETERS:
            yield from _of_question(each)
            return
        if each.shader == "copy":
            if each.steps:
                yield "copies, but has steps of a network"
            if each.blend and each.record > 1:
                yield "blends channel by channel, which parts records"
            if each.inside:
                yield "copies, but has steps inside of texels"
            return
        if each.shader not in ("inside", *MOST_STEPS):
            names = choices(["copy", "inside", *MOST_STEPS, *SHADER_PARAMETERS])
            yield f"no shader is called {each.shader!r}: use {names}"
        yield from self._of_inside(each)
        if each.blend:
            yield "compares, but blends"
        if not is_power_of_two(width):
            yield f"compares in a texture whose width is {width}"
        if (each.computes or each.shader == "inside") and each.quads != (whole(*self.size),):
            yield "does not cover the whole texture by one quad"
        if each.shader == "inside":
            return
        least = 0 if each.computes_blocks and each.inside else 1
        most = MOST_STEPS[each.shader]
        if not least <= len(each.steps) <= most:
            yield f"compares by 1 to {most} steps, not by {len(each.steps)}"
        for step in each.steps:
            if width * height % step.period:
                yield f"the texture is no multiple of the period of {step}"
            if each.computes_blocks and step.period > BLOCK:
                yield f"works on blocks of {BLOCK} texels, too few for {step}"
        if each.shader == "keep":
            yield from self._of_keeping(index, each)
        if each.source not in self._complete:
            yield f"reads texels of {each.source!r} left unwritten"

    def _of_inside(self, each: Pass) -> Complaints:
        """Yield if a step is on the wrong side, or texels do not have its lists."""
        if any(step.inside for step in each.steps) or not all(step.inside for step in each.inside):
            yield "takes steps between texels for steps inside of them, or back"
        if each.shader == "inside" and (each.steps or not each.inside):
            yield "runs steps inside of texels, at least one, and nothing else"
        can = each.shader in ("inside", "block") or (each.fusion is not None and each.layers == 1)
        if each.inside and not can:
            yield f"runs steps inside of texels by {each.shader!r}, which cannot"
        for step in each.inside:
            if step.block * each.record >= CHANNELS or self.program.network.n % step.period:
                yield f"runs {step} on texels without such lists"

    def _of_keeping(self, index: int, each: Pass) -> Complaints:
        """Yield if quads are not those of the step, or if idle wires are left behind."""
        (step,) = each.steps
        if each.quads != sum(halves(step, *self.size), ()):
            yield f"draws quads that are not those of {step}"
        before = self.program.passes[index - 1] if index else None
        moved = copy(each.source, each.target, *self.size)
        if step.skips and (before is None or replace(before, record=1) != moved):
            yield f"leaves out wires that are idle in {step}, and were not copied"

    def _of_layout(self, each: Pass) -> Complaints:
        """Yield if wires do not lie where a pass reads them; note where it writes them."""
        fusion = each.fusion
        reads, writes = (fusion.reads, fusion.writes) if fusion else (self.straight, self.straight)
        if self._layouts.get(each.source, reads) != reads:
            yield f"reads {each.source!r} in another layout than it was written in"
        if bool(fusion) != (each.shader == "butterfly"):
            yield "must have a fusion of steps if it draws butterflies, or else none"
        self._layouts[each.target] = writes
        if not fusion:
            return
        if fusion.butterfly != butterfly_of(each.steps, fusion.reads.wire_bits):
            yield "runs steps that are not those of its butterfly"
        if writes not in (self.straight, layout_after(fusion.reads, fusion.butterfly)):
            yield "leaves a layout that is not that of its butterfly"
        if each.quads != butterfly_quads(fusion, *self.size):
            yield "draws quads that are not those of its butterfly"

    def _of_quads(self, each: Pass) -> Complaints:
        """Yield if quads are empty, stretched, out of bounds, or cover a texel twice."""
        placed: list[tuple[Integers, Integers]] = []
        for quads in each.quads:
            yield from _of_shape(
                quads, (quads.inner,) if each.counts else (quads.inner, quads.outer)
            )
            covered = quads.columns(), quads.rows()
            for axis, size, found in zip(("columns", "rows"), self.size, covered, strict=True):
                for what, values in zip(("quads", "texture coordinates"), found, strict=True):
                    if not _within(values, size):
                        reach = f"{axis} {values.min()} to {values.max()} of {size}"
                        yield f"{what} out of bounds: {reach}"
                if len(np.unique(found[0])) < len(found[0]):
                    yield f"covers texels twice: {axis} of {quads}"
            x, y = (positions for positions, _ in covered)
            if any(np.intersect1d(x, a).size and np.intersect1d(y, b).size for a, b in placed):
                yield "covers texels twice: two of its quads overlap"
            placed.append((x, y))


def _within(values: Integers, size: int) -> bool:
    return bool(values.min() >= 0 and values.max() < size)


def _of_question(each: Pass) -> Complaints:
    """Yield if a pass that counts or reduces does more, or lacks the taps it needs."""
    if each.steps or each.inside or each.blend or each.record > 1:
        yield "asks a question, but has steps, blends or has records"
    if not (0 if each.counts else 1) <= len(each.taps) <= (0 if each.counts else MOST_TAPS):
        taps = "no taps" if each.counts else f"1 to {MOST_TAPS} taps"
        yield f"needs {taps} to ask for {each.shader!r}, not {len(each.taps)}"
    if each.counts and any(quads.outer != ALL_CHANNELS for quads in each.quads):
        yield "counts, and so repeats its quads once for each channel"


def _of_shape(quads: Quads, moving: tuple[Repeat, ...]) -> Complaints:
    """Yield if a quad is empty, its texture is stretched, or it repeats along both axes."""
    q = quads.quad
    if not (q.x0 < q.x1 and q.y0 < q.y1 and quads.count > 0):
        yield f"draws an empty quad: {quads}"
    if abs(q.s1 - q.s0) != q.x1 - q.x0 or abs(q.t1 - q.t0) != q.y1 - q.y0:
        yield f"stretches its texture: {q}"
    for repeat in moving:
        if repeat.count > 1 and bool(repeat.dx) == bool(repeat.dy):
            yield f"repeats a quad along both axes or none: {repeat}"
