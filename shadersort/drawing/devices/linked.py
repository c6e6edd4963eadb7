"""Commands made ready for OpenGL: linked shaders, and uniforms packed into bytes."""

import struct

import moderngl

from shadersort.drawing import shaders
from shadersort.drawing.commands import LANES, Command, ShaderKey, Uniform
from shadersort.drawing.passes import Blend, Parameters

BLEND_EQUATION: dict[Blend, tuple[int, int]] = {
    "min": (moderngl.MIN, moderngl.MIN),
    "max": (moderngl.MAX, moderngl.MAX),
}
"""The blend equations of colour and alpha."""

Layers = list[moderngl.Texture]
"""The layers of a texture; most have one."""
Packed = list[tuple[str, bytes]]
"""Uniforms by name, as bytes."""


class LinkedShader:
    """A fragment shader linked with quads.vert, or a compute shader, for one type of key.

    It remembers its uniforms, and sets a uniform only when it changes. A `text` stands in place of
    that of a fragment shader's file.
    """

    def __init__(self, gl: moderngl.Context, key: ShaderKey, text: str | None = None) -> None:
        name, dtype, macros = key
        self.program: moderngl.Program | moderngl.ComputeShader
        self.vertices: moderngl.VertexArray | None = None
        if name in LANES:
            source = shaders.source(f"{name}.comp", dtype, macros, version=430)
            self.program = gl.compute_shader(source)
        else:
            self.program = gl.program(
                vertex_shader=shaders.source("quads.vert", dtype),
                fragment_shader=shaders.source(f"{name}.frag", dtype, macros, text=text),
            )
            self.vertices = gl.vertex_array(self.program, [])
        self._values: dict[str, bytes] = {}

    def set(self, uniforms: Packed) -> None:
        """Set uniforms to packed numbers."""
        for name, value in uniforms:
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


class LinkedCommand:
    """One command, ready to be run between two textures."""

    def __init__(self, gl: moderngl.Context, shader: LinkedShader, command: Command) -> None:
        self._gl, self._shader = gl, shader
        self._equation = BLEND_EQUATION[command.blend] if command.blend else None
        self._uniforms = _packed(command.uniforms)
        self._draws = [(_packed(draw.uniforms), draw.count) for draw in command.draws]
        self._groups, self._parameters = command.groups, command.parameters
        self.counts = command.counts

    def run(
        self, source: Layers, target: Layers, frame: moderngl.Framebuffer, parameters: Parameters
    ) -> None:
        """Run the pass; `frame` is the framebuffer that draws into `target`."""
        for unit, layer in enumerate(source):
            layer.use(unit)
        if self._groups:
            self._compute(target[0], self._groups)
        else:
            self._draw(frame, parameters)

    def _draw(self, frame: moderngl.Framebuffer, parameters: Parameters) -> None:
        """Draw the quads."""
        if self.counts:
            frame.color_mask = (False,) * 4
        frame.use()
        if self._equation is None:
            self._gl.disable(moderngl.BLEND)
        else:
            self._gl.enable(moderngl.BLEND)
            self._gl.blend_equation = self._equation
        self._shader.set(self._uniforms)
        self._shader.set([(name, struct.pack("f", parameters[name])) for name in self._parameters])
        assert self._shader.vertices
        for uniforms, count in self._draws:
            self._shader.set(uniforms)
            self._shader.vertices.render(moderngl.TRIANGLE_STRIP, 4, 0, count)
        if self.counts:
            frame.color_mask = (True,) * 4

    def _compute(self, target: moderngl.Texture, groups: tuple[int, int]) -> None:
        """Run the work groups; a barrier lets the next pass see what they wrote."""
        target.bind_to_image(0, read=False, write=True)
        self._shader.set(self._uniforms)
        assert isinstance(self._shader.program, moderngl.ComputeShader)
        self._shader.program.run(*groups)
        self._gl.memory_barrier()


def _packed(uniforms: tuple[Uniform, ...]) -> Packed:
    return [(name, struct.pack(f"{len(numbers)}i", *numbers)) for name, numbers in uniforms]
