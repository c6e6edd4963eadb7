"""The background of the window of `watch`: texts, legend and progress bar, drawn by Pillow."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from shadersort.palette import CHANNEL_COLOURS, CIVIDIS
from shadersort.pictures.strips import PANELS, ROLE_NAMES
from shadersort.pictures.watch.layout import FOOTER, MARGIN, NAME, Box
from shadersort.pictures.watch.scene import Scene
from shadersort.web.look import ROLE_COLOURS

WHITE, INK, FAINT = "#ffffff", "#1f2430", "#d8dbe2"
LINES = (FAINT, *CHANNEL_COLOURS)
"""Colours of the lines over the panels: the quads, red, green, blue, alpha."""
SMALL, LARGE = 12, 18
"""Sizes of the type. The heading is large where the window is wide enough."""
LEGEND = (
    *(((ROLE_COLOURS[role],), name) for role, name in ROLE_NAMES.items()),
    (CIVIDIS, "smallest to largest key, by rank"),
)
"""Colours with their meaning."""


class Paper:
    """Draws on an image of the size of a window, in which a line is `unit` pixels thick."""

    def __init__(self, size: tuple[int, int], unit: int) -> None:
        self.image = Image.new("RGB", size, WHITE)
        self._draw = ImageDraw.Draw(self.image)
        self._unit, self._left = unit, MARGIN * unit
        self._right = size[0] - self._left

    def draw(self, scene: Scene, panels: Sequence[Box]) -> None:
        """Write what runs above the panels and their names over them; draw the rest below."""
        self._draw_heading(scene)
        names = (PANELS[0], *(PANELS[1 + channel] for channel in scene.channels))
        for box, name in zip(panels, names, strict=True):
            self._write(name, box.left, box.top - (NAME + 1) * self._unit)
            colour = LINES[PANELS.index(name)]
            self._fill(box.left, box.top - 4 * self._unit, box.width, 2 * self._unit, colour)
        self._draw_legend()
        top, wide = self.image.height - 18 * self._unit, self._right - self._left
        self._fill(self._left, top, wide, 6 * self._unit, FAINT)
        self._fill(self._left, top, round(wide * scene.done), 6 * self._unit, INK)

    def _draw_heading(self, scene: Scene) -> None:
        """Write what runs and which pass this is, in large type where there is room."""
        texts = (scene.heading, scene.state, scene.caption)
        heading, state, caption = (self._width(text, LARGE) for text in texts)
        fits = max(heading + state + self._left, caption) <= self._right - self._left
        size, top = LARGE if fits else SMALL, 12 * self._unit
        self._write(scene.heading, self._left, top, size)
        self._write(scene.state, self._right - self._width(scene.state, size), top, size)
        self._write(scene.caption, self._left, top + 24 * self._unit, size)

    def _draw_legend(self) -> None:
        """Say what the colours mean; leave out what the window is too narrow for."""
        unit, left = self._unit, self._left
        top = self.image.height - (FOOTER - 14) * unit
        for colours, meaning in LEGEND:
            width = (4 if len(colours) > 1 else 12) * unit
            text = left + width * len(colours) + 6 * unit
            end = text + self._width(meaning)
            if end > self.image.width:
                break
            for number, colour in enumerate(colours):
                self._fill(left + number * width, top, width, 10 * unit, colour)
            self._write(meaning, text, top - 2 * unit)
            left = end + 18 * unit

    def _fill(self, left: int, top: int, width: int, height: int, colour: str) -> None:
        if width > 0:
            self._draw.rectangle((left, top, left + width - 1, top + height - 1), colour)

    def _write(self, text: str, left: int, top: int, size: int = SMALL) -> None:
        self._draw.text((left, top), printable(text), INK, font(size * self._unit))

    def _width(self, text: str, size: int = SMALL) -> int:
        """Return the width of a text in pixels."""
        width: float = font(size * self._unit).getlength(printable(text))
        return round(width)


@lru_cache
def font(size: int) -> Any:
    """Return the font that Pillow brings with it."""
    return ImageFont.load_default(size)


def printable(text: str) -> str:
    """Return a text without the dash that the font lacks."""
    return text.replace("–", "-")
