"""Textures of the OpenGL device, and the framebuffers that draw into them."""

from contextlib import ExitStack
from typing import Any

import moderngl
import numpy as np

from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.passes import CHANNELS
from shadersort.errors import OutOfDeviceMemory


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
            except moderngl.Error as error:
                raise OutOfDeviceMemory(self._no_room(str(error))) from error
            if (code := device.gl.error) != "GL_NO_ERROR":
                raise OutOfDeviceMemory(self._no_room(code))
            undo.pop_all()
        device.textures.add(self)

    def _no_room(self, reason: str) -> str:
        size = self.width * self.height * CHANNELS * self.dtype.itemsize
        return f"{self.device!r} cannot make a texture of {size:,} bytes: {reason}"

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
