"""The picture that `watch` draws: the channels of a texture, with the quads of a pass.

It is drawn by shaders from the very textures that the sort works on; no key leaves the device.
"""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Self

import moderngl
import numpy as np
import numpy.typing as npt

from shadersort.drawing import shaders
from shadersort.drawing.devices.base import CHANNELS, Texels
from shadersort.drawing.devices.opengl import OpenGLDevice, OpenGLTexture
from shadersort.keys.aside import padding
from shadersort.pictures.palette import CIVIDIS, rgb
from shadersort.pictures.roles import Role
from shadersort.pictures.strips import PANELS, ROLE_COLOURS, ROLE_NAMES
from shadersort.pictures.watch.glyphs import HEIGHT, bitmap, width_of
from shadersort.pictures.watch.layout import FOOTER, MARGIN, NAME, Box, Layout, lay_out

__all__ = ["ALL_CHANNELS", "Scene", "View"]

PAPER, INK, FAINT = "#ffffff", "#1f2430", "#d8dbe2"
CHANNEL_COLOURS = (FAINT, "#d62728", "#2ca02c", "#1f77b4", INK)
"""Of the line over each panel: the quads, red, green, blue, alpha."""
ALL_CHANNELS = tuple(range(CHANNELS))
LEAST_OUTLINED = 4
"""Quads are outlined where a texel has at least so many pixels; else the first panel shows them."""
KEYS_UNIT, VALUES_UNIT, ROLES_UNIT = range(3)


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be seen.

    Attributes
    ----------
    texture
        The texture whose keys are shown.
    roles
        What the last pass did to each texel, or None if none was drawn.
    heading, caption, state
        Lines of text: what runs, which pass this is, and how it goes on.
    done
        The share of the passes that are drawn, from 0 to 1.
    channels
        Which channels are shown.
    """

    texture: OpenGLTexture
    roles: npt.NDArray[np.uint8] | None
    heading: str
    caption: str
    state: str
    done: float
    channels: tuple[int, ...] = ALL_CHANNELS


class View:
    """Draws scenes of one texture's size and type, and of the keys that were in its input."""

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
            self._label_panel = self._panel("label.frag", dtype)
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
        self._frame, self._window, self._unit = frame, size, unit
        self._fill(Box(0, 0, *size), PAPER)
        roles = np.zeros(self.size[::-1], np.uint8) if scene.roles is None else scene.roles
        self._roles.write(np.ascontiguousarray(roles))
        layout = lay_out(size, self.size, 1 + len(scene.channels), unit)
        scene.texture.layers[0].use(KEYS_UNIT)
        self._values.layers[0].use(VALUES_UNIT)
        self._roles.use(ROLES_UNIT)
        self._draw_panels(layout, scene.channels)
        self._draw_header(scene)
        self._draw_footer(scene.done)

    def _draw_panels(self, layout: Layout, channels: tuple[int, ...]) -> None:
        """Draw what the pass does, and the channels."""
        self._keys_panel.program["outline"] = outline_of(layout.pixels_per_texel, self._unit)
        names = [PANELS[0], *(PANELS[1 + channel] for channel in channels)]
        for i, (box, name) in enumerate(zip(layout.panels, names, strict=True)):
            colour = CHANNEL_COLOURS[PANELS.index(name)]
            self._write(name, box.left, box.top - (NAME - 1) * self._unit)
            line = Box(box.left, box.top - 6 * self._unit, box.width, 3 * self._unit)
            self._fill(line, colour)
            if i:
                self._keys_panel.program["channel"] = channels[i - 1]
            self._render(self._keys_panel if i else self._roles_panel, box)

    def _draw_header(self, scene: Scene) -> None:
        """Write what runs and which pass this is, as large as there is room."""
        unit, wide = self._unit, self._window[0] - 2 * MARGIN * self._unit
        above = width_of(scene.heading) + MARGIN // 2 + width_of(scene.state)
        dots = 2 if 2 * unit * max(above, width_of(scene.caption)) <= wide else 1
        top, left = 16 * unit, MARGIN * unit
        self._write(scene.heading, left, top, dots)
        self._write(scene.state, left + wide - width_of(scene.state) * dots * unit, top, dots)
        self._write(scene.caption, left, top + 22 * unit, dots)

    def _draw_footer(self, done: float) -> None:
        """Say what the colours mean, and draw how many of the passes are done."""
        unit, wide = self._unit, self._window[0] - 2 * MARGIN * self._unit
        left, top = MARGIN * unit, self._window[1] - (FOOTER - 14) * unit
        patches = [((ROLE_COLOURS[role],), name) for role, name in ROLE_NAMES.items()]
        for colours, text in (*patches, (CIVIDIS, "smallest to largest key, by rank")):
            width = (4 if len(colours) > 1 else 12) * unit
            words = left + width * len(colours) + 6 * unit
            end = words + width_of(text) * unit
            if end > self._window[0]:
                break
            for i, colour in enumerate(colours):
                self._fill(Box(left + i * width, top, width, 10 * unit), colour)
            self._write(text, words, top + 2 * unit)
            left = end + 24 * unit
        bar = Box(MARGIN * unit, self._window[1] - 18 * unit, wide, 6 * unit)
        self._fill(bar, FAINT)
        self._fill(Box(bar.left, bar.top, round(wide * done), bar.height), INK)

    def _fill(self, box: Box, colour: str) -> None:
        """Fill a rectangle."""
        if box.width > 0 and box.height > 0:
            self._frame.clear(*rgb(colour), 1.0, viewport=self._upwards(box))

    def _render(self, panel: moderngl.VertexArray, box: Box) -> None:
        """Let a shader fill a rectangle."""
        self._frame.viewport = self._upwards(box)
        panel.render(moderngl.TRIANGLE_STRIP, 4)

    def _write(self, text: str, left: int, top: int, size: int = 1) -> None:
        """Write a line, of dots of so many units."""
        if not text:
            return
        width, dot = width_of(text), self._unit * size
        dots = self._gl.texture((width, HEIGHT), 1, bitmap(text).tobytes(), alignment=1, dtype="u1")
        try:
            dots.use(ROLES_UNIT)
            self._label_panel.program["dots"] = ROLES_UNIT
            self._label_panel.program["size"] = width, HEIGHT
            self._label_panel.program["ink"] = rgb(INK)
            self._render(self._label_panel, Box(left, top, width * dot, HEIGHT * dot))
        finally:
            dots.release()
            self._roles.use(ROLES_UNIT)

    def _upwards(self, box: Box) -> tuple[int, int, int, int]:
        """Return a rectangle as OpenGL has it: from the lower left corner."""
        return box.left, self._window[1] - box.top - box.height, box.width, box.height

    def release(self) -> None:
        """Give back what it holds on the device."""
        self._owned.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


def outline_of(pixels: float, unit: int) -> tuple[float, float]:
    """Return how wide outlines are, and outlines with their casing, in texels of so many pixels.

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


def in_texels(values: npt.NDArray[Any], most: int = 1024) -> Texels:
    """Return keys four to a texel, in rows of at most so many texels, filled up at the end."""
    texels = -(-len(values) // CHANNELS)
    width = min(texels, most)
    height = -(-texels // width)
    filled: Texels = np.full(width * height * CHANNELS, padding(values.dtype), values.dtype)
    filled[: len(values)] = values
    return filled.reshape(height, width, CHANNELS)


def pixels_of(frame: moderngl.Framebuffer, size: Iterable[int]) -> npt.NDArray[np.uint8]:
    """Return the picture in a framebuffer, of shape (height, width, 3), the top row first."""
    width, height = size
    data = frame.read((0, 0, width, height), components=3, alignment=1)
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)[::-1]
