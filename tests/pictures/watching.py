"""Watching `watch`: what a run showed, what was pressed, and the colours of its pictures."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import glfw
import numpy as np
import pytest
from PIL import Image

import shadersort.pictures.watch.watch as module
from shadersort.keys.types import Keys
from shadersort.palette import CIVIDIS, rgb
from shadersort.pictures.watch.layout import lay_out
from shadersort.pictures.watch.screen import Screen

Act = Callable[[Screen], object]


class WatchedRun:
    """What a run showed, frame by frame, and what is done after some of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.acts: dict[int, Act] = {}
        self.scenes: list[tuple[str, str, str]] = []
        self.titles: list[str] = []
        self.screens: list[Screen] = []
        watched = self

        class Scripted(Screen):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(*arguments, **options)
                watched.screens.append(self)

            def _draw(self) -> None:
                super()._draw()
                scene = self._scene()
                watched.scenes.append((scene.heading, scene.caption, scene.state))
                watched.titles.append(glfw.get_window_title(self.device.window))
                if act := watched.acts.pop(self.drawn, None):
                    act(self)

        monkeypatch.setattr(module, "Screen", Scripted)

    def press(self, **keys: int) -> None:
        """After frame 12, press a key: `press(f12=glfw.KEY_SPACE)`."""
        for frame, key in keys.items():
            self.acts[int(frame[1:])] = partial(press, key=key)

    @property
    def headings(self) -> list[str]:
        return [heading for heading, _, _ in self.scenes]

    @property
    def passes(self) -> list[int]:
        """The pass that each frame showed; −1 before the first."""
        captions = (caption.split() for _, caption, _ in self.scenes)
        return [int(words[1]) if words[0] == "pass" else -1 for words in captions]


def press(screen: Screen, key: int, action: int = glfw.PRESS) -> None:
    """Call the window's own handler, as GLFW does."""
    window, glfw_module = screen.device.window, cast(Any, glfw)
    handler = glfw_module.set_key_callback(window, None)
    glfw_module.set_key_callback(window, handler)
    handler(window, key, glfw.get_key_scancode(key), action, 0)


def picture_of(path: Path) -> Keys:
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture.convert("RGB"))


def panels_of(picture: Keys, texture: tuple[int, int], count: int = 5) -> list[Keys]:
    """The colours in the middles of the texels of each panel."""
    height, width, _ = picture.shape
    layout = lay_out((width, height), texture, count, unit=1)
    scale = layout.pixels_per_texel
    x, y = (((np.arange(side) + 0.5) * scale).astype(int) for side in texture)
    return [picture[np.ix_(box.top + y, box.left + x)] for box in layout.panels]


def shades(ranks: Keys) -> Keys:
    stops = np.array([rgb(colour) for colour in CIVIDIS]) * 255
    at = np.linspace(0, 1, len(stops))
    return np.stack([np.interp(ranks, at, stops[:, i]) for i in range(3)], axis=-1)
