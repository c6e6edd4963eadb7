"""The keys of `watch`, through GLFW's own handler and from the X server."""

import ctypes
import struct
from ctypes.util import find_library
from pathlib import Path
from typing import Any, cast

import glfw
import numpy as np
import pytest

import shadersort.pictures.watch.watch as module
from shadersort.drawing.networks import NETWORKS
from shadersort.keys.types import Keys
from shadersort.names import SortMethod
from shadersort.pictures.watch.controls import HELP, SPEEDS
from shadersort.pictures.watch.screen import Screen
from tests.drawing.test_leaks import living_objects
from tests.pictures.watching import WatchedRun, press


def test_pause_and_steps(watched: WatchedRun) -> None:
    watched.press(f3=glfw.KEY_SPACE, f6=glfw.KEY_RIGHT, f8=glfw.KEY_N, f10=glfw.KEY_SPACE)
    module.watch(n=256, frames=13, speed=60)
    assert watched.passes == [-1, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6]
    states = [state for _, _, state in watched.scenes]
    assert states == ["60 passes/s"] * 3 + ["paused"] * 7 + ["60 passes/s"] * 3
    assert watched.titles[4].endswith(" · paused")


def test_speed(watched: WatchedRun) -> None:
    watched.press(f1=glfw.KEY_UP, f2=glfw.KEY_UP, f3=glfw.KEY_DOWN)
    module.watch(n=1024, frames=5, speed=60)
    states = [state.split()[0] for _, _, state in watched.scenes]
    assert states == ["60", "100", "200", "100", "100"]
    watched.scenes.clear()
    watched.acts = {
        i: lambda screen: press(screen, glfw.KEY_DOWN, glfw.REPEAT) for i in range(1, 9)
    }
    module.watch(n=1024, frames=9, speed=50)
    assert watched.scenes[-1][2] == f"{SPEEDS[0]} pass/s"


def test_networks_methods_and_new_keys(watched: WatchedRun) -> None:
    watched.press(f3=glfw.KEY_2, f6=glfw.KEY_TAB, f9=glfw.KEY_M, f12=glfw.KEY_R, f15=glfw.KEY_1)
    inputs: list[Keys] = []
    for frame in (4, 10, 13):  # the first of a run
        watched.acts[frame] = lambda screen: inputs.append(cast(Any, screen._shown).read())
    module.watch(n=256, frames=18, speed=60)
    names = [heading.split(" · ")[0] for heading in watched.headings]
    last = ["odd-even-merge by fragment"] * 6 + ["pbsn by fragment"] * 3
    blended = [f"{name} by blend" for name in NETWORKS for _ in range(3)]
    assert names == blended + last
    assert watched.passes == [-1, 0, 1] * 6
    same, again, new = inputs
    np.testing.assert_array_equal(same, again)
    assert (same != new).any()


def test_methods_are_those_that_sort_these_keys(watched: WatchedRun) -> None:
    watched.acts = {i: lambda screen: press(screen, glfw.KEY_M) for i in range(1, 5)}
    module.watch(np.arange(64, dtype=np.int32), method="fragment", frames=5, speed=1)
    assert [heading.split()[2] for heading in watched.headings] == [
        *("fragment", "kipfer", "fused", "compute", "fragment")
    ]
    watched.scenes.clear()
    watched.acts = {i: lambda screen: press(screen, glfw.KEY_M) for i in range(1, 5)}
    module.watch(n=64, profile="geforce-6800-ultra", frames=5, speed=1)
    kinds = [(heading.split()[2], heading.split()[5]) for heading in watched.headings]
    assert kinds == [
        *(("blend", "float16"), ("fragment", "float32"), ("kipfer", "float32")),
        *(("fused", "float32"), ("blend", "float16")),
    ]


def test_help_and_keys_without_a_meaning(
    watched: WatchedRun, capsys: pytest.CaptureFixture[str]
) -> None:
    watched.press(f1=glfw.KEY_H, f2=glfw.KEY_9, f3=glfw.KEY_F5, f4=glfw.KEY_X)
    module.watch(n=16, frames=6, speed=60)
    printed = capsys.readouterr().out
    for key, meaning in HELP:
        assert printed.count(key) >= 2, key
        assert printed.count(meaning) == 2, meaning
    assert watched.passes == [-1, 0, 1, 2, 3, 4]


def send_key(screen: Screen, keysym: int) -> None:
    """Let the X server send a key press to the window: an XKeyEvent of Xlib."""
    library = ctypes.CDLL(find_library("X11"))
    address = cast(Any, glfw).get_x11_display()
    display, window = ctypes.c_void_p(address), glfw.get_x11_window(screen.device.window)
    library.XKeysymToKeycode.restype = ctypes.c_ubyte
    keycode = library.XKeysymToKeycode(display, ctypes.c_ulong(keysym))
    fields = (2, 0, 0, address, window, 0, 0, 0, 0, 0, 0, 0, 0, keycode, 1)
    event = struct.pack("@iLiPLLLLiiiiIIi", *fields).ljust(24 * 8, b"\0")
    assert library.XSendEvent(display, ctypes.c_ulong(window), 1, ctypes.c_long(1), event)
    library.XSync(display, 0)


def test_keys_from_the_x_server(watched: WatchedRun, tmp_path: Path) -> None:
    path = tmp_path / "left.png"
    watched.acts = {2: lambda s: send_key(s, ord("2")), 20: lambda s: send_key(s, 0xFF1B)}  # Escape
    module.watch(n=256, frames=1000, speed=60, screenshot=path)
    assert "bitonic" in watched.headings[-1]
    assert watched.screens[0].drawn < 1000
    assert path.is_file()


@pytest.mark.parametrize("method", ["blend", "fused"])
def test_nothing_of_opengl_is_left(watched: WatchedRun, method: SortMethod) -> None:
    counts = []
    keys = [glfw.KEY_TAB, glfw.KEY_R, glfw.KEY_C]

    def count_and_go_on(screen: Screen) -> None:
        counts.append(living_objects(screen.device))
        press(screen, keys[len(counts) % len(keys)])

    watched.acts = {2 * i: count_and_go_on for i in range(1, 14)}
    module.watch(n=256, method=method, frames=28, speed=60)
    assert len(counts) == 13
    kinds = ("Texture", "Buffer", "Framebuffer")
    most = [
        [max(each[kind] for each in half) for kind in kinds] for half in (counts[:6], counts[6:])
    ]
    assert most[0] == most[1]
    (screen,) = watched.screens
    assert screen.device.closed
    assert not screen.device.textures
