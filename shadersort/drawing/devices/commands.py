"""Passes made ready for OpenGL: a program is linked once, and then run often.

A pass over a small texture takes a GPU a few microseconds. So Python does its part for each pass
ahead of time: it looks up shaders, and packs uniforms into bytes.
"""

import struct
from typing import Protocol

import moderngl

from shadersort.drawing import shaders
from shadersort.drawing.kipfer import smaller_stays
from shadersort.drawing.passes import BLOCK, BLOCK_STEPS, Blend, Parameters, Pass, Program
from shadersort.drawing.quads import Quads

BLEND_EQUATION: dict[Blend, tuple[int, int]] = {
    "min": (moderngl.MIN, moderngl.MIN),
    "max": (moderngl.MAX, moderngl.MAX),
}
"""The blend equations of colour and alpha."""

LANES = {"global": 256, "block": BLOCK}
"""Texels that a work group of each compute shader writes."""

MOST_GROUPS = 1 << 15
"""Work groups along one axis, at most; OpenGL promises 65535."""

NOTHING, EVERYTHING = (False,) * 4, (True,) * 4
"""Colour masks."""

Layers = list[moderngl.Texture]
"""The layers of a texture; most have one."""
Macros = tuple[tuple[str, int | str], ...]
ShaderKey = tuple[str, str, Macros]
"""All that a linked shader depends on: its name, a type of key, and its macros."""


def macros_of(each: Pass) -> Macros:
    """Return the macros of cone.glsl, block.comp or taps.glsl for one pass."""
    if each.taps:
        return (("TAPS", len(each.taps)),)
    if not each.steps or each.shader == "keep":
        return ()
    skips = ("SKIPS", int(any(step.skips for step in each.steps)))
    if each.computes_blocks:
        return (("STEPS", BLOCK_STEPS), skips, ("BLOCK", BLOCK), ("HALF_BLOCK", BLOCK // 2))
    return (("STEPS", len(each.steps)), skips)


class LinkedShader:
    """A fragment shader linked with quads.vert, or a compute shader, for one type of key.

    It remembers its uniforms, and sets a uniform only when it changes.
    """

    def __init__(self, gl: moderngl.Context, key: ShaderKey) -> None:
        name, dtype, defines = key
        self.program: moderngl.Program | moderngl.ComputeShader
        self.vertices: moderngl.VertexArray | None = None
        if name in LANES:
            source = shaders.source(f"{name}.comp", dtype, defines, version=430)
            self.program = gl.compute_shader(source)
        else:
            self.program = gl.program(
                vertex_shader=shaders.source("quads.vert", dtype),
                fragment_shader=shaders.source(f"{name}.frag", dtype, defines),
            )
            self.vertices = gl.vertex_array(self.program, [])
        self._values: dict[str, bytes] = {}

    def set(self, name: str, value: bytes) -> None:
        """Set a uniform to packed numbers."""
        if self._values.get(name) != value:
            uniform = self.program[name]
            assert isinstance(uniform, moderngl.Uniform)
            uniform.write(value)
            self._values[name] = value

    def release(self) -> None:
        """Release the program."""
        if self.vertices:
            self.vertices.release()
        self.program.release()


class Command(Protocol):
    """One pass, ready to be run between two textures."""

    counts: bool
    """Whether it writes nothing, and must run inside a query."""

    def tell(self, parameters: Parameters) -> None:
        """Set the parameters that the shader takes."""

    def run(self, source: Layers, target: Layers, frame: moderngl.Framebuffer) -> None:
        """Run the pass; `frame` is the framebuffer that draws into `target`."""


class Draw:
    """A pass that draws quads."""

    def __init__(
        self, gl: moderngl.Context, shader: LinkedShader, each: Pass, program: Program
    ) -> None:
        assert shader.vertices is not None
        self._gl, self._shader, self._vertices = gl, shader, shader.vertices
        self._equation = BLEND_EQUATION[each.blend] if each.blend else None
        self._uniforms = [*_steps_uniforms(each, program.width), *_taps_uniforms(each)]
        self._parameters, self.counts = each.parameters, each.counts
        size = (program.width, program.height // each.layers)
        self._draws = [(_quads_uniform(quads, size), quads.count) for quads in each.quads]
        self._kept = [_kept_uniform(each, quads) for quads in each.quads]

    def tell(self, parameters: Parameters) -> None:
        """Set the uniforms that are known only when the program is executed."""
        for name in self._parameters:
            self._shader.set(name, struct.pack("f", parameters[name]))

    def run(self, source: Layers, target: Layers, frame: moderngl.Framebuffer) -> None:
        """Draw the quads."""
        self.prepare(frame)
        source[0].use()
        for (quads, count), kept in zip(self._draws, self._kept, strict=True):
            for name, value in kept:
                self._shader.set(name, value)
            self.draw(quads, count)
        if self.counts:
            frame.color_mask = EVERYTHING

    def prepare(self, frame: moderngl.Framebuffer) -> None:
        """Prepare what all quads share."""
        if self.counts:
            frame.color_mask = NOTHING
        frame.use()
        if self._equation is None:
            self._gl.disable(moderngl.BLEND)
        else:
            self._gl.enable(moderngl.BLEND)
            self._gl.blend_equation = self._equation
        for name, value in self._uniforms:
            self._shader.set(name, value)

    def draw(self, quads: bytes, count: int) -> None:
        """Draw some quads, given the packed uniform of quads.vert."""
        self._shader.set("quads", quads)
        self._vertices.render(moderngl.TRIANGLE_STRIP, 4, 0, count)


class Dispatch:
    """A pass that a compute shader runs."""

    counts = False

    def __init__(
        self, gl: moderngl.Context, shader: LinkedShader, each: Pass, program: Program
    ) -> None:
        self._gl, self._shader = gl, shader
        texels = program.width * program.height
        groups = -(-texels // LANES[each.shader])
        self._groups = min(groups, MOST_GROUPS), -(-groups // MOST_GROUPS)
        self._uniforms = [*_steps_uniforms(each, program.width), ("texels", packed(texels))]
        if each.computes_blocks:
            self._uniforms.append(("step_count", packed(len(each.steps))))

    def tell(self, parameters: Parameters) -> None:
        """Do nothing: no compute shader takes parameters."""

    def run(self, source: Layers, target: Layers, frame: moderngl.Framebuffer) -> None:
        """Run the work groups; a barrier lets the next pass see what they wrote."""
        source[0].use()
        target[0].bind_to_image(0, read=False, write=True)
        for name, value in self._uniforms:
            self._shader.set(name, value)
        assert isinstance(self._shader.program, moderngl.ComputeShader)
        self._shader.program.run(*self._groups)
        self._gl.memory_barrier()


def packed(*numbers: int) -> bytes:
    """Pack a uniform."""
    return struct.pack(f"{len(numbers)}i", *numbers)


def _steps_uniforms(each: Pass, width: int) -> list[tuple[str, bytes]]:
    """Pack the uniforms of wires.glsl and steps.glsl: a texture's width and a pass's steps."""
    if not each.steps or each.shader == "keep":  # its quads say it all
        return []
    texture = ("log2_width", packed(width.bit_length() - 1))
    if each.shader == "butterfly":  # its steps are in the shader itself
        return [texture]
    rules = b"".join(packed(step.mask, step.half, step.offset, step.period) for step in each.steps)
    if each.computes_blocks:  # its array has room for the most steps
        rules = rules.ljust(BLOCK_STEPS * 16, b"\0")
    return [("rules", rules), texture]


def _kept_uniform(each: Pass, quads: Quads) -> list[tuple[str, bytes]]:
    """Pack the uniform of keep.frag, which is the same for all repeats of a quad."""
    return [("smaller_stays", packed(smaller_stays(quads)))] if each.shader == "keep" else []


def _taps_uniforms(each: Pass) -> list[tuple[str, bytes]]:
    """Pack the uniform of taps.glsl."""
    return [("taps", packed(*(number for tap in each.taps for number in tap)))] if each.taps else []


def _quads_uniform(quads: Quads, size: tuple[int, int]) -> bytes:
    """Pack the uniform of quads.vert: the quads, and the size of the target."""
    q, inner, outer = quads.quad, quads.inner, quads.outer
    return packed(
        *(q.x0, q.y0, q.x1, q.y1),
        *(q.s0, q.t0, q.s1, q.t1),
        *(inner.count, inner.dx, inner.dy, size[0]),
        *(outer.count, outer.dx, outer.dy, size[1]),
    )
