"""Texels on their way between host and device."""

from collections.abc import Callable, Iterator

import moderngl
import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS

STAGING_BYTES = 4 << 20
"""Size of each buffer object, unless one row is larger."""


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
