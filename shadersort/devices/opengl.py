"""The OpenGL device: executes programs by drawing, on a GPU or on Mesa's llvmpipe.

OpenGL 3.3 core is all it needs. Each pass is one instanced drawing call for each of its `Quads`.
"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import moderngl
import numpy as np

from shadersort import shaders
from shadersort.devices.base import CHANNELS, Device, Texels, Texture
from shadersort.devices.contexts import Context, is_hardware
from shadersort.errors import DeviceClosed, DeviceUnusable, OutOfDeviceMemory
from shadersort.passes import Blend, Pass, Quads

__all__ = ["OpenGLDevice"]

BLEND_EQUATION: dict[Blend, tuple[int, int]] = {
    "min": (moderngl.MIN, moderngl.MIN),
    "max": (moderngl.MAX, moderngl.MAX),
}
"""The blend equations of colour and alpha."""

STAGING_BYTES = 4 << 20
"""Size of each of the two buffer objects through which texels travel, at least one row."""

TEXELS_IN_FLIGHT = 1 << 26
"""Texels drawn before waiting for the device.

A driver may drop work that has been queued for long: on an NVIDIA H200, 13 s of passes that were
submitted without a wait left nothing in the texture, and raised no error. This many take well
under a second even on a slow GPU, and waiting this seldom costs nothing that can be measured.
"""


class OpenGLTexture(Texture):
    """A texture, and the framebuffer that draws into it."""

    def __init__(self, device: "OpenGLDevice", width: int, height: int, dtype: np.dtype[Any]):
        super().__init__(width, height, dtype)
        self._device = device
        gl, name = device.gl, f"{dtype.kind}{dtype.itemsize}"
        try:
            self.texture = gl.texture((width, height), CHANNELS, dtype=name)
        except moderngl.Error as error:
            raise OutOfDeviceMemory(self._no_room(str(error))) from error
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        try:
            if (code := gl.error) != "GL_NO_ERROR":
                raise OutOfDeviceMemory(self._no_room(code))
            self.framebuffer = gl.framebuffer([self.texture])
        except BaseException:
            self.texture.release()
            raise
        self._released = False
        device.textures.add(self)

    def _no_room(self, reason: str) -> str:
        size = self.width * self.height * CHANNELS * self.dtype.itemsize
        return f"{self._device!r} cannot make a texture of {size:,} bytes: {reason}"

    def read(self) -> Texels:
        """Copy the texels to the host, through buffer objects."""
        if self._released:
            raise DeviceClosed("this texture was released")
        texels = np.empty((self.height, self.width, CHANNELS), self.dtype)
        with self._device._active():
            self._device.transfers.download(self, texels)
        return texels

    def release(self) -> None:
        """Give back the texture's memory."""
        if not self._released:
            self._released = True
            with self._device._active():
                self._device.rest()  # moderngl would go on restoring a framebuffer that is gone
                self.framebuffer.release()
                self.texture.release()
            self._device.textures.discard(self)


class Transfers:
    """Copies texels to and from textures in bands of rows, through two buffer objects in turn.

    While the driver copies one band, the host copies the other.
    """

    def __init__(self, gl: moderngl.Context) -> None:
        self._gl = gl
        self._buffers: list[moderngl.Buffer] = []

    def upload(self, texels: Texels, texture: OpenGLTexture) -> None:
        """Copy an array into a texture."""
        for i, (y, rows) in enumerate(self._bands(texture)):
            buffer = self._buffers[i % 2]
            buffer.orphan()  # the driver may still be reading what it held
            buffer.write(np.ascontiguousarray(texels[y : y + rows]))
            texture.texture.write(buffer, viewport=(0, y, texture.width, rows))

    def download(self, texture: OpenGLTexture, texels: Texels) -> None:
        """Copy a texture into an array."""
        ready: tuple[moderngl.Buffer, int, int] | None = None
        for i, (y, rows) in enumerate(self._bands(texture)):
            buffer = self._buffers[i % 2]
            texture.framebuffer.read_into(
                buffer,
                viewport=(0, y, texture.width, rows),
                components=CHANNELS,
                dtype=texture.texture.dtype,
            )
            if ready:
                self._take(*ready, texels)
            ready = buffer, y, rows
        if ready:
            self._take(*ready, texels)

    def release(self) -> None:
        """Release the buffer objects."""
        while self._buffers:
            self._buffers.pop().release()

    @staticmethod
    def _take(buffer: moderngl.Buffer, y: int, rows: int, texels: Texels) -> None:
        band = texels[y : y + rows]
        buffer.read_into(band.reshape(-1).view(np.uint8), size=band.nbytes)

    def _bands(self, texture: OpenGLTexture) -> Iterator[tuple[int, int]]:
        """Yield the first row and the number of rows of each band, once the buffers hold one."""
        row_bytes = texture.width * CHANNELS * texture.dtype.itemsize
        rows = max(1, STAGING_BYTES // row_bytes)
        size = max(STAGING_BYTES, row_bytes)
        if not self._buffers or self._buffers[0].size < size:
            self.release()
            self._buffers = [self._gl.buffer(reserve=size, dynamic=True) for _ in range(2)]
        for y in range(0, texture.height, rows):
            yield y, min(rows, texture.height - y)


class Painter:
    """A linked shader program that remembers its uniforms, and so sets only what changes."""

    def __init__(self, gl: moderngl.Context, shader: str, dtype: np.dtype[Any]) -> None:
        self._program = gl.program(
            vertex_shader=shaders.source("quads.vert", dtype),
            fragment_shader=shaders.source(f"{shader}.frag", dtype),
        )
        self._vertices = gl.vertex_array(self._program, [])
        self._values: dict[str, tuple[int, ...]] = {}

    def set(self, name: str, value: tuple[int, ...]) -> None:
        """Set a uniform; one that the shader does not use is left alone."""
        if self._values.get(name) != value:
            self._values[name] = value
            if name in self._program:
                uniform = self._program[name]
                assert isinstance(uniform, moderngl.Uniform)
                uniform.value = value if len(value) > 1 else value[0]

    def draw(self, quads: Quads) -> None:
        """Draw quads with the uniforms as they are."""
        q, inner, outer = quads.quad, quads.inner, quads.outer
        self.set("corners", (q.x0, q.y0, q.x1, q.y1))
        self.set("coordinates", (q.s0, q.t0, q.s1, q.t1))
        self.set("inner", (inner.count, inner.dx, inner.dy))
        self.set("outer", (outer.count, outer.dx, outer.dy))
        self._vertices.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=quads.count)

    def release(self) -> None:
        """Release the program."""
        self._vertices.release()
        self._program.release()


class OpenGLDevice(Device):
    """Executes programs through OpenGL, in a context that it owns."""

    def __init__(self, context: Context, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self._context = context
        self._lock = threading.RLock()
        self._depth = 0
        self.gl = context.gl
        self.textures: set[OpenGLTexture] = set()
        self.transfers = Transfers(self.gl)
        self._painters: dict[tuple[str, str], Painter] = {}
        self._in_flight = 0
        with self._active():
            self._resting_place = self.gl.simple_framebuffer((1, 1))
            self.renderer = self.gl.info["GL_RENDERER"]
            self.version = self.gl.info["GL_VERSION"]
            self.max_texture_size = self.gl.info["GL_MAX_TEXTURE_SIZE"]
            self.hardware = is_hardware(self.gl)
            self.gl.clear_errors()  # moderngl's `info` asks for things that not every driver knows

    def upload(self, texels: Texels) -> OpenGLTexture:
        """Copy an array into a new texture, through buffer objects."""
        self._check_texels(texels.shape, texels.dtype)
        height, width, _ = texels.shape
        with self._active():
            texture = self._allocate(width, height, texels.dtype)
            try:
                self.transfers.upload(texels, texture)
            except BaseException:
                texture.release()
                raise
        return texture

    def finish(self) -> None:
        """Wait until everything drawn so far is done."""
        self._check_open()
        with self._active():
            self.gl.finish()
            self._in_flight = 0
            if (code := self.gl.error) != "GL_NO_ERROR":
                raise DeviceUnusable(f"{self!r} failed while drawing: {code}")

    def rest(self) -> None:
        """Leave no texture's framebuffer bound."""
        self._resting_place.use()

    def _allocate(self, width: int, height: int, dtype: np.dtype[Any]) -> OpenGLTexture:
        return OpenGLTexture(self, width, height, dtype)

    def _draw(self, each: Pass, source: OpenGLTexture, target: OpenGLTexture) -> None:
        gl, painter = self.gl, self._painter(each.shader, target.dtype)
        target.framebuffer.use()
        source.texture.use(location=0)
        if each.blend is None:
            gl.disable(moderngl.BLEND)
        else:
            gl.enable(moderngl.BLEND)
            gl.blend_equation = BLEND_EQUATION[each.blend]
        painter.set("size", (target.width, target.height))
        for name, value in each.uniforms:
            painter.set(name, value)
        for quads in each.quads:
            painter.draw(quads)
        self._in_flight += each.texels
        if self._in_flight > TEXELS_IN_FLIGHT:
            self.finish()

    def _painter(self, shader: str, dtype: np.dtype[Any]) -> Painter:
        """Return the linked shader for a key type, linking it at its first use."""
        key = shader, dtype.kind
        if key not in self._painters:
            self._painters[key] = Painter(self.gl, shader, dtype)
        return self._painters[key]

    @contextmanager
    def _active(self) -> Iterator[None]:
        """Hold the context: current in this thread, and in no other."""
        with self._lock, ExitStack() as stack:
            if not self._depth:
                stack.enter_context(self._context)
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1

    def _release(self) -> None:
        with self._active():
            for texture in list(self.textures):
                texture.release()
            for painter in self._painters.values():
                painter.release()
            self._painters.clear()
            self.transfers.release()
            self._resting_place.release()
        self._context.release()
