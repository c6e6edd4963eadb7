"""The picture that `watch` draws: the channels of a texture, with the quads of a pass.

Shaders draw it from the very textures that the sort works on; no key leaves the device.
"""

from contextlib import ExitStack
from dataclasses import astuple
from typing import Any, Self

import moderngl
import numpy as np
from PIL.Image import Image, Transpose, frombytes

from shadersort.drawing import shaders
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.roles import Role
from shadersort.keys.aside import padding
from shadersort.keys.types import Keys
from shadersort.palette import CIVIDIS, rgb
from shadersort.pictures.watch.layout import Box, lay_out
from shadersort.pictures.watch.paper import Paper
from shadersort.pictures.watch.scene import Scene
from shadersort.web.look import ROLE_COLOURS

LEAST_OUTLINED = 4
"""Pixels of a texel from which on quads are outlined; the first panel shows them always."""
KEYS_UNIT, VALUES_UNIT, ROLES_UNIT, IMAGE_UNIT = range(4)


class View:
    """Draws scenes of a texture with a given size, type and set of keys."""

    def __init__(self, device: OpenGLDevice, texels: Texels) -> None:
        self._gl, dtype = device.gl, texels.dtype
        height, width, _ = texels.shape
        values = np.unique(texels)
        self.size, self.value_count = (width, height), len(values)
        self._owned = ExitStack()
        with ExitStack() as undo:
            undo.enter_context(self._owned)
            self._values = self._owned.enter_context(device.upload(in_texels(values)))
            self._roles = self._own(self._gl.texture(self.size, 1, dtype="u1", alignment=1))
            self._keys_panel = self._panel("show.frag", dtype)
            self._roles_panel = self._panel("roles.frag", dtype)
            self._image_panel = self._panel("image.frag", dtype)
            self._set_constants()
            undo.pop_all()

    def _own(self, made: Any) -> Any:
        self._owned.callback(made.release)
        return made

    def _panel(self, name: str, dtype: np.dtype[Any]) -> moderngl.VertexArray:
        """Link a shader that fills a panel."""
        program = self._own(
            self._gl.program(
                vertex_shader=shaders.source("panel.vert", dtype),
                fragment_shader=shaders.source(name, dtype, (("COLOURS", len(CIVIDIS)),)),
            )
        )
        array = self._own(self._gl.vertex_array(program, []))
        assert isinstance(array, moderngl.VertexArray)
        return array

    def _set_constants(self) -> None:
        colours = [rgb(ROLE_COLOURS[role]) for role in Role]
        for panel in (self._keys_panel, self._roles_panel):
            panel.program["size"] = self.size
            panel.program["roles"] = ROLES_UNIT
            panel.program["role_colours"] = colours
        self._image_panel.program["image"] = IMAGE_UNIT
        keys = self._keys_panel.program
        keys["keys"], keys["values"] = KEYS_UNIT, VALUES_UNIT
        keys["value_count"] = self.value_count
        keys["palette"] = [rgb(colour) for colour in CIVIDIS]

    def draw(
        self, frame: moderngl.Framebuffer, size: tuple[int, int], unit: int, scene: Scene
    ) -> None:
        """Draw a scene into a framebuffer of this size, where a line is `unit` pixels thick."""
        frame.use()
        self._gl.disable(moderngl.BLEND)
        self._frame, self._frame_height = frame, size[1]
        layout = lay_out(size, self.size, 1 + len(scene.channels), unit)
        paper = Paper(size, unit)
        paper.draw(scene, layout.panels)
        self._show_image(paper.image)
        roles = np.zeros(self.size[::-1], np.uint8) if scene.roles is None else scene.roles
        self._roles.write(np.ascontiguousarray(roles))
        scene.texture.layers[0].use(KEYS_UNIT)
        self._values.layers[0].use(VALUES_UNIT)
        self._roles.use(ROLES_UNIT)
        self._keys_panel.program["outline"] = outline_of(layout.pixels_per_texel, unit)
        self._render(self._roles_panel, layout.panels[0])
        for box, channel in zip(layout.panels[1:], scene.channels, strict=True):
            self._keys_panel.program["channel"] = channel
            self._render(self._keys_panel, box)

    def _show_image(self, image: Image) -> None:
        """Fill the framebuffer with an image of its size."""
        texture = self._gl.texture(image.size, 3, image.tobytes(), alignment=1)
        try:
            texture.use(IMAGE_UNIT)
            self._image_panel.program["size"] = image.size
            self._render(self._image_panel, Box(0, 0, *image.size))
        finally:
            texture.release()

    def _render(self, panel: moderngl.VertexArray, box: Box) -> None:
        """Fill a rectangle by a shader."""
        left, top, width, height = astuple(box)
        self._frame.viewport = left, self._frame_height - top - height, width, height
        panel.render(moderngl.TRIANGLE_STRIP, 4)

    def release(self) -> None:
        """Release everything on the device."""
        self._owned.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


def outline_of(pixels: float, unit: int) -> tuple[float, float]:
    """Return the widths of outlines, without and with their border, in texels of `pixels` pixels.

    Examples
    --------
    >>> outline_of(32.0, unit=1), outline_of(3.0, unit=1)
    ((0.09375, 0.15625), (0.0, 0.0))
    """
    if pixels < LEAST_OUTLINED * unit:
        return 0.0, 0.0
    line = max(unit, round(pixels / 12))
    casing = max(unit, round(line / 2)) if pixels >= 3 * LEAST_OUTLINED * unit else 0
    return line / pixels, (line + casing) / pixels


def in_texels(values: Keys, most: int = 1024) -> Texels:
    """Return keys four to a texel, in rows of at most `most` texels, filled up at the end."""
    texels = -(-len(values) // CHANNELS)
    width = min(texels, most)
    height = -(-texels // width)
    filled: Texels = np.full(width * height * CHANNELS, padding(values.dtype), values.dtype)
    filled[: len(values)] = values
    return filled.reshape(height, width, CHANNELS)


def image_of(frame: moderngl.Framebuffer, size: tuple[int, int]) -> Image:
    """Return the picture in a framebuffer."""
    data = frame.read((0, 0, *size), components=3, alignment=1)
    return frombytes("RGB", size, data).transpose(Transpose.FLIP_TOP_BOTTOM)
