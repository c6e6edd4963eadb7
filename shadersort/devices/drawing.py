"""Passes made ready to draw with OpenGL: a program is linked once, and then drawn often.

Drawing a pass of a small texture takes a GPU a few microseconds, so what Python does for each pass
is done ahead: shaders are looked up, and uniforms packed into bytes.
"""

import struct
from typing import Any

import moderngl
import numpy as np

from shadersort import shaders
from shadersort.networks import Step
from shadersort.passes import Blend, Pass, Quads

__all__ = ["Command", "LinkedShader"]

BLEND_EQUATION: dict[Blend, tuple[int, int]] = {
    "min": (moderngl.MIN, moderngl.MIN),
    "max": (moderngl.MAX, moderngl.MAX),
}
"""The blend equations of colour and alpha."""


class LinkedShader:
    """A fragment shader linked with quads.vert, for one type of key.

    It remembers its uniforms, and sets only those that change.
    """

    def __init__(self, gl: moderngl.Context, name: str, dtype: np.dtype[Any]) -> None:
        self._program = gl.program(
            vertex_shader=shaders.source("quads.vert", dtype),
            fragment_shader=shaders.source(f"{name}.frag", dtype),
        )
        self._vertices = gl.vertex_array(self._program, [])
        self._values: dict[str, bytes] = {}

    def set(self, name: str, value: bytes) -> None:
        """Set a uniform to packed integers."""
        if self._values.get(name) != value:
            uniform = self._program[name]
            assert isinstance(uniform, moderngl.Uniform)
            uniform.write(value)
            self._values[name] = value

    def draw(self, count: int) -> None:
        """Draw so many quads with the uniforms as they are."""
        self._vertices.render(moderngl.TRIANGLE_STRIP, 4, 0, count)

    def release(self) -> None:
        """Release the program."""
        self._vertices.release()
        self._program.release()


class Command:
    """One pass, ready to be drawn between two textures."""

    __slots__ = ("_draws", "_equation", "_gl", "_shader", "_uniforms")

    def __init__(
        self, gl: moderngl.Context, shader: LinkedShader, each: Pass, size: tuple[int, int]
    ) -> None:
        self._gl, self._shader = gl, shader
        self._equation = BLEND_EQUATION[each.blend] if each.blend else None
        self._uniforms = [
            uniform for step in each.steps for uniform in _step_uniforms(step, size[0])
        ]
        self._draws = [(_quads_uniform(quads, size), quads.count) for quads in each.quads]

    def draw(self, source: moderngl.Texture, target: moderngl.Framebuffer) -> None:
        """Draw the pass."""
        target.use()
        source.use()
        if self._equation is None:
            self._gl.disable(moderngl.BLEND)
        else:
            self._gl.enable(moderngl.BLEND)
            self._gl.blend_equation = self._equation
        shader = self._shader
        for name, value in self._uniforms:
            shader.set(name, value)
        for value, count in self._draws:
            shader.set("quads", value)
            shader.draw(count)


def _packed(numbers: tuple[int, ...]) -> bytes:
    return struct.pack(f"{len(numbers)}i", *numbers)


def _step_uniforms(step: Step, width: int) -> list[tuple[str, bytes]]:
    """Pack what comparator.frag needs to know of a step and of the texture's width."""
    rule = (int(step.pairing == "mirror"), step.block, step.offset, step.period)
    return [("rule", _packed(rule)), ("log2_width", _packed((width.bit_length() - 1,)))]


def _quads_uniform(quads: Quads, size: tuple[int, int]) -> bytes:
    """Pack what quads.vert needs to know of quads and of the target's size."""
    q, inner, outer = quads.quad, quads.inner, quads.outer
    return _packed(
        (
            *(q.x0, q.y0, q.x1, q.y1),
            *(q.s0, q.t0, q.s1, q.t1),
            *(inner.count, inner.dx, inner.dy, size[0]),
            *(outer.count, outer.dx, outer.dy, size[1]),
        )
    )
