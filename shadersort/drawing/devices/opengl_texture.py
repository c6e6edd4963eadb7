"""Textures of the OpenGL device, the framebuffers that draw into them, and copies to and fro."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import moderngl
import numpy as np

from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.passes import CHANNELS
from shadersort.errors import OutOfDeviceMemory

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
        self.moderngl_type = f"{dtype.kind}{dtype.itemsize}"
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
