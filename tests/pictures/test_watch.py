"""`watch`: what its window shows, what its keys do, and its errors before a window opens."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import glfw
import numpy as np
import pytest
from matplotlib import colormaps
from PIL import Image

import shadersort as ss
from shadersort import Device, Trace
from shadersort.errors import BadOption, OutputExists
from shadersort.palette import rgb
from shadersort.pictures.strips import panel_pitch, relative_ranks
from shadersort.pictures.watch import HEADER, MARGIN, SIZE, Player, panels_of, watch
from shadersort.web.roles import ROLE_COLOURS
from tests.helpers import METHODS_AND_TYPES, random_bits


@pytest.fixture
def seen(software: Device) -> Trace:
    return ss.trace(np.random.default_rng(0).random(1024, np.float32), device=software)


def test_panels_show_what_a_trace_holds(software: Device) -> None:
    roles = np.array([rgb(colour) for colour in ROLE_COLOURS.values()]) * 255
    for method, dtype in METHODS_AND_TYPES:
        seen = ss.trace(random_bits(1, 300, dtype), method=method, device=software)
        values = np.unique(seen.input)
        for traced in seen[::7]:
            panels = panels_of(values, traced.roles.role, traced.after)
            width = traced.after.shape[1]
            np.testing.assert_allclose(panels[:, :width], roles[traced.roles.role], atol=1)
            ranks = relative_ranks(values, traced.after)
            shades = colormaps["cividis"](ranks)[..., :3] * 255
            for channel in range(4):
                left = (1 + channel) * panel_pitch(width)
                panel = panels[:, left : left + width]
                np.testing.assert_allclose(panel, shades[:, :, channel], atol=13)  # 17 of 256


def test_keys_play_pause_and_step() -> None:
    player = Player(passes=100, speed=20.0)
    player.advance(0.5)
    assert (player.index, player.state) == (10, "20 passes/s")
    for key, index in (("right", 11), ("right", 12), ("left", 11), ("x", 11), ("", 11)):
        player.press(key)
        player.advance(10)
        assert (player.index, player.state) == (index, "paused")
    for key in ("space", "up", "up", "down"):
        player.press(key)
    player.advance(1)
    assert (player.index, player.state) == (51, "40 passes/s")
    player.advance(10)
    player.press("right")
    assert (player.index, player.state) == (99, "end")
    player.press("home")
    player.press("left")
    assert player.index == 0
    assert not player.ended
    player.press("q")
    assert player.ended


def test_the_window_shows_the_pass_of_its_last_frame(
    display: None, seen: Trace, tmp_path: Path
) -> None:
    path = tmp_path / "last.png"
    watch(seen, speed=60, frames=12, screenshot=path)
    with Image.open(path) as picture:
        assert picture.size == SIZE
        page = np.asarray(picture)
    traced = seen[11]
    panels = panels_of(np.unique(seen.input), traced.roles.role, traced.after)
    scale = min((SIZE[0] - 2 * MARGIN) // panels.shape[1], 11)
    large = panels.repeat(scale, axis=0).repeat(scale, axis=1)
    high, wide, _ = large.shape
    np.testing.assert_array_equal(page[HEADER : HEADER + high, MARGIN : MARGIN + wide], large)
    with pytest.raises(OutputExists):
        watch(seen, frames=1, screenshot=path)


After = Callable[[int, Callable[[Any], object]], None]


@pytest.fixture
def after(display: None, monkeypatch: pytest.MonkeyPatch) -> After:
    """Do something with the window after a frame of this number."""
    acts: dict[int, Callable[[Any], object]] = {}
    swap, count = glfw.swap_buffers, 0

    def swap_and_act(window: Any) -> None:
        nonlocal count
        count += 1
        swap(window)
        acts.get(count, lambda window: None)(window)

    monkeypatch.setattr(glfw, "swap_buffers", swap_and_act)
    return acts.__setitem__


@pytest.mark.slow
def test_a_closed_window_ends_it(after: After, seen: Trace, tmp_path: Path) -> None:
    after(2, lambda window: glfw.set_window_size(window, 600, 300))
    after(9, lambda window: glfw.set_window_should_close(window, True))
    watch(seen, screenshot=tmp_path / "last.png")
    with Image.open(tmp_path / "last.png") as picture:
        assert picture.size == (600, 300)


@pytest.mark.slow
def test_keys_of_the_window(
    after: After, seen: Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def press(key: int) -> Callable[[Any], None]:
        def call_the_handler(window: Any) -> None:
            module: Any = glfw
            handler = module.set_key_callback(window, None)
            module.set_key_callback(window, handler)
            handler(window, key, glfw.get_key_scancode(key), glfw.PRESS, 0)

        return call_the_handler

    after(3, press(glfw.KEY_RIGHT))
    after(4, press(glfw.KEY_S))
    after(6, press(glfw.KEY_ESCAPE))
    watch(seen, speed=60, frames=1000)
    assert [path.name for path in tmp_path.iterdir()] == ["shadersort-pass-3.png"]


@pytest.mark.slow
def test_an_interruption_closes_the_window(after: After, seen: Trace) -> None:
    after(5, lambda window: signal.raise_signal(signal.SIGINT))
    after(7, lambda window: pytest.fail("it went on"))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # else it may be ignored
    try:
        with pytest.raises(KeyboardInterrupt):
            watch(seen, frames=100)
    finally:
        signal.signal(signal.SIGINT, before)


def test_bad_options(seen: Trace, tmp_path: Path) -> None:
    bad: list[dict[str, Any]] = [{"speed": 0}, {"speed": np.nan}, {"frames": 0}]
    for wrong in (*bad, {"screenshot": "picture.jpg"}):
        with pytest.raises(BadOption):
            watch(seen, **wrong)
    with pytest.raises(BadOption):
        watch(seen[:0])


def test_without_a_display(tmp_path: Path) -> None:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY"}
    result = subprocess.run(
        [sys.executable, "-m", "shadersort", "watch", "--random", "64", "--frames", "3"],
        env={name: value for name, value in os.environ.items() if name not in hidden},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.startswith("Error: no window system")
    assert "xvfb-run" in result.stderr
