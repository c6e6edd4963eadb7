"""What OpenGL works with: linked shaders and their uniforms, textures, framebuffers, copies."""

import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import moderngl
import numpy as np

from shadersort.drawing import shaders
from shadersort.drawing.commands import LANES, Command, ShaderKey, Uniform
from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.passes import CHANNELS, Blend, Parameters
from shadersort.errors import OutOfDeviceMemory
from shadersort.keys.types import BLENDED

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


STAGING_BYTES = 4 << 20
"""Size of each buffer object, unless one row is larger."""


class OpenGLTexture(Texture):
    """A texture, and the framebuffer that draws into it.

    Each layer is a moderngl texture with a part of the height. A pass draws into all of them.
    """

    device: Any  # the `OpenGLDevice` that made it

    def __init__(
        self, device: Any, width: int, height: int, dtype: np.dtype[Any], layers: int = 1
    ) -> None:
        super().__init__(device, width, height, dtype)
        self.moderngl_type = f"{'f' if dtype in BLENDED else dtype.kind}{dtype.itemsize}"
        device.check("an earlier call")
        with ExitStack() as undo:
            try:
                self.layers: list[moderngl.Texture] = []
                for _ in range(layers):
                    layer = device.gl.texture(
                        (width, height // layers), CHANNELS, dtype=self.moderngl_type
                    )
                    undo.callback(layer.release)
                    layer.filter = (moderngl.NEAREST, moderngl.NEAREST)
                    self.layers.append(layer)
                self.framebuffer = device.gl.framebuffer(self.layers)
                undo.callback(self.framebuffer.release)
                if (code := device.gl.error) != "GL_NO_ERROR":
                    raise moderngl.Error(code)
            except moderngl.Error as error:
                size = f"{width * height * CHANNELS * dtype.itemsize:,} bytes"
                raise OutOfDeviceMemory(
                    f"{device!r} cannot make a texture of {size}: {error}"
                ) from error
            undo.pop_all()
        device.textures.add(self)

    def _read(self, rows: int) -> Texels:
        texels = np.empty((rows, self.width, CHANNELS), self.dtype)
        with self.device._active():
            self.device.finish()  # a copy may not wait for long: see fences.py
            for i, layer in enumerate(np.split(texels, len(self.layers))):
                self.device.transfers.download(self.framebuffer, i, self.moderngl_type, layer)
            self.device.check("drawing, or copying a texture to the host")
        return texels

    def _texel(self, x: int, y: int) -> Texels:
        with self.device._active():
            self.device.finish()
            texel = self.framebuffer.read(
                viewport=(x, y, 1, 1), components=CHANNELS, dtype=self.moderngl_type
            )
            self.device.check("drawing, or copying a texel to the host")
        return np.frombuffer(texel, self.dtype).copy()

    def _release(self) -> None:
        if self.device.is_forked:
            return
        with self.device._active():
            self.device.rest()  # otherwise moderngl restores a framebuffer that is gone
            self.framebuffer.release()
            for layer in self.layers:
                layer.release()
            # moderngl's finalizers are in Python: run them here, where signals are held back
            del self.framebuffer, self.layers, layer
        self.device.textures.discard(self)


class Transfers:
    """Copies texels to and from textures in bands of rows, through two buffer objects in turn.

    While the driver copies one band, the host copies the other.
    """

    def __init__(self, gl: moderngl.Context) -> None:
        self._gl = gl
        self._buffers: list[moderngl.Buffer] = []

    def upload(
        self, band: Callable[[int, int], Texels], texture: moderngl.Texture, row_bytes: int
    ) -> None:
        """Copy into a texture the bands that a function returns, from a row on, of some rows."""
        for i, (y, rows) in enumerate(self._bands(texture.height, row_bytes)):
            buffer = self._buffers[i % 2]
            buffer.orphan()  # the driver may still be reading its old content
            buffer.write(np.ascontiguousarray(band(y, rows)))
            texture.write(buffer, viewport=(0, y, texture.width, rows))

    def download(
        self, framebuffer: moderngl.Framebuffer, layer: int, dtype: str, texels: Texels
    ) -> None:
        """Copy a texture of a framebuffer, of this moderngl type, into an array."""
        ready: tuple[moderngl.Buffer, Texels] | None = None
        for i, (y, rows) in enumerate(self._bands(len(texels), texels[0].nbytes)):
            buffer = self._buffers[i % 2]
            area = (0, y, framebuffer.width, rows)
            framebuffer.read_into(
                buffer, viewport=area, components=CHANNELS, attachment=layer, dtype=dtype
            )
            if ready:
                self._take(*ready)
            ready = buffer, texels[y : y + rows]
        if ready:
            self._take(*ready)

    def release(self) -> None:
        """Release the buffer objects."""
        while self._buffers:
            self._buffers.pop().release()

    @staticmethod
    def _take(buffer: moderngl.Buffer, band: Texels) -> None:
        buffer.read_into(band.reshape(-1).view(np.uint8), size=band.nbytes)

    def _bands(self, height: int, row_bytes: int) -> Iterator[tuple[int, int]]:
        """Yield the first row and the number of rows of each band, once the buffers hold one."""
        rows = max(1, STAGING_BYTES // row_bytes)
        size = max(STAGING_BYTES, row_bytes)
        if not self._buffers or self._buffers[0].size < size:
            self.release()
            self._buffers = [self._gl.buffer(reserve=size, dynamic=True) for _ in range(2)]
        for y in range(0, height, rows):
            yield y, min(rows, height - y)
