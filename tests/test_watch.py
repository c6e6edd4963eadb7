"""`watch`: what is seen in its window, what its keys do, and that it leaves nothing behind."""

import ctypes
import math
import os
import subprocess
import sys
from collections.abc import Callable
from ctypes.util import find_library
from functools import partial
from pathlib import Path
from typing import Any, cast

import glfw
import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import shadersort as ss
import shadersort.watch as module
from shadersort import Device
from shadersort.cli.watch import watch as command
from shadersort.errors import BadOption, DeviceUnusable, UnknownNetwork, UnsupportedKeys
from shadersort.palette import CIVIDIS, rgb
from shadersort.strips import ROLE_COLOURS, ranks_of
from shadersort.watch_controls import HELP, SPEEDS
from shadersort.watch_layout import lay_out
from shadersort.watch_screen import SIZE, Screen
from tests.helpers import TYPES, random_bits
from tests.test_leaks import living_objects

Keys = np.typing.NDArray[Any]
Act = Callable[[Screen], object]


@pytest.fixture(autouse=True)
def _display(display: None) -> None:
    """Every test here opens windows."""


class Told:
    """What a run showed, frame by frame, and what it was told to do after some of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.acts: dict[int, Act] = {}
        self.scenes: list[tuple[str, str, str]] = []
        self.titles: list[str] = []
        self.screens: list[Screen] = []
        told = self

        class Scripted(Screen):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(*arguments, **options)
                told.screens.append(self)

            def _draw(self) -> None:
                super()._draw()
                scene = self._scene()
                told.scenes.append((scene.heading, scene.caption, scene.state))
                told.titles.append(glfw.get_window_title(self.device.window))
                if act := told.acts.pop(self.drawn, None):
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


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    return Told(monkeypatch)


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


WAYS = [
    ("pbsn", "blend", "float32"),
    ("bitonic", "blend", "float16"),
    ("odd-even-merge", "fragment", "uint32"),
    ("pbsn", "fused", "int32"),
    ("bitonic", "compute", "float32"),
]


@pytest.mark.parametrize(("network", "method", "dtype"), WAYS)
def test_a_frame_shows_what_a_trace_holds(
    network: str, method: str, dtype: str, software: Device, told: Told, tmp_path: Path
) -> None:
    """The texture after a pass, and what the pass drew, are those of the NumPy device."""
    keys = np.random.default_rng(0).integers(0, 1000, 500).astype(dtype)
    traced = ss.trace(keys, network=network, method=method, device=software)
    index = min(7, len(traced) - 1)
    path = tmp_path / "frame.png"
    module.watch(keys, network=network, method=method, frames=index + 2, speed=60, screenshot=path)
    seen, size = traced[index], (traced.program.width, traced.program.height)
    assert told.scenes[-1][1] == seen.caption
    quads, *channels = panels_of(picture_of(path), size)
    roles = np.array([rgb(colour) for colour in ROLE_COLOURS.values()]) * 255
    np.testing.assert_allclose(quads, roles[seen.roles.role], atol=1)
    ranks = ranks_of(np.unique(traced.input), seen.after)
    for channel, panel in enumerate(channels):
        np.testing.assert_allclose(panel, shades(ranks[..., channel]), atol=1.5)


def test_the_last_frame_is_sorted(told: Told, tmp_path: Path) -> None:
    path = tmp_path / "sorted.png"
    path.write_bytes(b"an older picture")
    module.watch(n=1024, frames=2, speed=math.inf, screenshot=path)
    picture = picture_of(path)
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    quads, *channels = panels_of(picture, (16, 16))
    np.testing.assert_allclose(quads, 242)  # nothing is drawn any more
    for panel in channels:
        brightness = panel.reshape(-1, 3).astype(float) @ [0.299, 0.587, 0.114]
        assert np.all(np.diff(brightness) >= -1)  # cividis grows brighter; colours are rounded
        assert brightness[-1] - brightness[0] > 150
    assert [state for _, _, state in told.scenes] == [
        "as fast as it goes",
        "sorted: equal to np.sort",
    ]
    assert told.titles[-1].endswith("sorted: equal to np.sort")
    assert told.titles[-1].startswith("pbsn by blend · 1,024 float32 keys · pass 191 (last 191)")
    assert [each.name for each in tmp_path.iterdir()] == ["sorted.png"]


def test_the_clock_counts_frames(told: Told) -> None:
    module.watch(n=256, frames=12, speed=30)
    assert told.passes == [-1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    told.scenes.clear()
    module.watch(n=256, frames=4, speed=180)
    assert told.passes == [-1, 2, 5, 8]


def test_without_frames_time_is_real(told: Told, tmp_path: Path) -> None:
    """A sort runs to its end, idles there without drawing, and a closed window ends it."""
    path = tmp_path / "closed.png"

    def close_when_sorted(screen: Screen) -> None:
        told.acts[screen.drawn + 1] = close_when_sorted
        if screen._verdict:
            glfw.set_window_should_close(screen.device.window, True)

    told.acts[1] = close_when_sorted
    module.watch(n=64, speed=1000, screenshot=path)
    assert told.passes[0] == -1
    assert told.passes[-1] == 47
    assert told.scenes[-1][2] == "sorted: equal to np.sort"
    assert picture_of(path).shape == (SIZE[1], SIZE[0], 3)


def test_pause_and_steps(told: Told) -> None:
    told.press(f3=glfw.KEY_SPACE, f6=glfw.KEY_RIGHT, f8=glfw.KEY_N, f10=glfw.KEY_SPACE)
    module.watch(n=256, frames=13, speed=60)
    assert told.passes == [-1, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6]
    states = [state for _, _, state in told.scenes]
    assert states == ["60 passes/s"] * 3 + ["paused"] * 7 + ["60 passes/s"] * 3
    assert told.titles[4].endswith(" · paused")


def test_speed(told: Told) -> None:
    told.press(f1=glfw.KEY_UP, f2=glfw.KEY_UP, f3=glfw.KEY_DOWN)
    module.watch(n=1024, frames=5, speed=60)
    states = [state.split()[0] for _, _, state in told.scenes]
    assert states == ["60", "100", "200", "100", "100"]
    told.scenes.clear()
    told.acts = {i: lambda screen: press(screen, glfw.KEY_DOWN, glfw.REPEAT) for i in range(1, 9)}
    module.watch(n=1024, frames=9, speed=50)
    assert told.scenes[-1][2] == f"{SPEEDS[0]} pass/s"


def test_networks_methods_and_new_keys(told: Told) -> None:
    told.press(f3=glfw.KEY_2, f6=glfw.KEY_TAB, f9=glfw.KEY_M, f12=glfw.KEY_R, f15=glfw.KEY_1)
    inputs: list[Keys] = []
    for frame in (4, 10, 13):  # the first of a run
        told.acts[frame] = lambda screen: inputs.append(cast(Any, screen._shown).read())
    module.watch(n=256, frames=18, speed=60)
    names = [heading.split(" · ")[0] for heading in told.headings]
    assert names == (
        ["pbsn by blend"] * 3
        + ["bitonic by blend"] * 3
        + ["odd-even-merge by blend"] * 3
        + ["odd-even-merge by fragment"] * 6
        + ["pbsn by fragment"] * 3
    )
    assert told.passes == [-1, 0, 1] * 6
    same, again, new = inputs
    np.testing.assert_array_equal(same, again)
    assert (same != new).any()


def test_methods_are_those_that_sort_these_keys(told: Told) -> None:
    told.acts = {i: lambda screen: press(screen, glfw.KEY_M) for i in range(1, 5)}
    module.watch(np.arange(64, dtype=np.int32), method="fragment", frames=5, speed=1)
    assert [heading.split()[2] for heading in told.headings] == [
        *("fragment", "fused", "compute", "fragment", "fused")
    ]
    told.scenes.clear()
    told.acts = {i: lambda screen: press(screen, glfw.KEY_M) for i in range(1, 5)}
    module.watch(n=64, profile="geforce-6800-ultra", frames=4, speed=1)
    kinds = [(heading.split()[2], heading.split()[5]) for heading in told.headings]
    assert kinds == [
        *(("blend", "float16"), ("fragment", "float32"), ("fused", "float32"), ("blend", "float16"))
    ]


def test_one_channel_and_another_size(told: Told, tmp_path: Path) -> None:
    def resize(screen: Screen) -> None:
        glfw.set_window_size(screen.device.window, 500, 400)

    told.press(f1=glfw.KEY_C, f2=glfw.KEY_C)
    told.acts[3] = resize
    path = tmp_path / "green.png"
    module.watch(n=256, frames=20, speed=math.inf, screenshot=path)
    picture = picture_of(path)
    assert picture.shape == (400, 500, 3)
    assert told.screens[0].controls.channels == (1,)
    _, green = panels_of(picture, (8, 8), count=2)
    keys = np.random.default_rng(module.SEED).random(256, np.float32)
    ranks = ranks_of(np.sort(keys), np.sort(keys.reshape(-1, 4)[:, 1]))
    np.testing.assert_allclose(green, shades(ranks).reshape(8, 8, 3), atol=1.5)


def test_help_and_keys_without_a_meaning(told: Told, capsys: pytest.CaptureFixture[str]) -> None:
    told.press(f1=glfw.KEY_H, f2=glfw.KEY_9, f3=glfw.KEY_F5, f4=glfw.KEY_X)
    module.watch(n=16, frames=6, speed=60)
    printed = capsys.readouterr().out
    for key, meaning in HELP:
        assert printed.count(key) >= 2, key
        assert printed.count(meaning) == 2, meaning
    assert told.passes == [-1, 0, 1, 2, 3, 4]


def test_a_window_too_small_for_its_panels(told: Told, tmp_path: Path) -> None:
    path = tmp_path / "small.png"
    told.acts[1] = lambda screen: glfw.set_window_size(screen.device.window, 1, 1)
    module.watch(n=1 << 14, frames=20, speed=60, screenshot=path)
    assert picture_of(path).size > 0


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 31, 32, 33])
def test_few_keys(n: int, told: Told) -> None:
    module.watch(n=n, frames=2, speed=math.inf)
    assert told.scenes[-1][2] == "sorted: equal to np.sort"


def test_every_bit_pattern(told: Told) -> None:
    for dtype in TYPES:
        method = "blend" if dtype.startswith("float") else "fused"
        module.watch(random_bits(1, 1000, dtype), method=method, frames=2, speed=math.inf)
        assert told.scenes[-1][2] == "sorted: equal to np.sort"


class XKeyEvent(ctypes.Structure):
    """A key event of the X protocol, as Xlib has it."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("root", ctypes.c_ulong),
        ("subwindow", ctypes.c_ulong),
        ("time", ctypes.c_ulong),
        ("x", ctypes.c_int),
        ("y", ctypes.c_int),
        ("x_root", ctypes.c_int),
        ("y_root", ctypes.c_int),
        ("state", ctypes.c_uint),
        ("keycode", ctypes.c_uint),
        ("same_screen", ctypes.c_int),
        ("rest", ctypes.c_long * 24),
    )


def send_key(screen: Screen, keysym: int) -> None:
    """Let the X server send a key press to the window."""
    library = ctypes.CDLL(find_library("X11"))
    display = ctypes.c_void_p(cast(Any, glfw).get_x11_display())
    window = glfw.get_x11_window(screen.device.window)
    library.XKeysymToKeycode.restype = ctypes.c_ubyte
    keycode = library.XKeysymToKeycode(display, ctypes.c_ulong(keysym))
    event = XKeyEvent(type=2, display=display.value, window=window, keycode=keycode, same_screen=1)
    assert library.XSendEvent(
        display, ctypes.c_ulong(window), 1, ctypes.c_long(1), ctypes.byref(event)
    )
    library.XSync(display, 0)


def test_keys_from_the_x_server(told: Told, tmp_path: Path) -> None:
    path = tmp_path / "left.png"
    told.acts = {2: lambda s: send_key(s, ord("2")), 60: lambda s: send_key(s, 0xFF1B)}  # Escape
    module.watch(n=256, frames=1000, speed=60, screenshot=path)
    assert "bitonic" in told.headings[-1]
    assert told.screens[0].drawn < 1000
    assert path.is_file()


def test_nothing_of_opengl_is_left(told: Told) -> None:
    counts = []
    keys = [glfw.KEY_TAB, glfw.KEY_R, glfw.KEY_M, glfw.KEY_C]

    def count_and_go_on(screen: Screen) -> None:
        counts.append(living_objects(screen.device))
        press(screen, keys[len(counts) % len(keys)])

    told.acts = {3 * i: count_and_go_on for i in range(1, 14)}
    module.watch(n=256, frames=42, speed=60)
    assert len(counts) == 13
    kinds = ("Texture", "Buffer", "Framebuffer")
    most = [
        [max(each[kind] for each in half) for kind in kinds] for half in (counts[:6], counts[6:])
    ]
    assert most[0] == most[1]
    (screen,) = told.screens
    assert screen.device.closed
    assert not screen.device.textures


def test_a_wrong_sort_is_reported(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose_a_key(channels: Keys) -> Keys:
        return np.zeros(channels.size, channels.dtype)

    monkeypatch.setattr("shadersort.drawing.merge", lose_a_key)
    with pytest.raises(DeviceUnusable, match=r"differs from np\.sort"):
        module.watch(n=64, frames=2, speed=math.inf)


def test_bad_options(told: Told, tmp_path: Path) -> None:
    for wrong, words in (
        ({"n": -1}, "number of keys"),
        ({"speed": 0}, "more than none"),
        ({"speed": math.nan}, "more than none"),
        ({"frames": 0}, "at least one"),
        ({"screenshot": "picture.jpg"}, r"\.png"),
        ({"screenshot": tmp_path / "none" / "a.png"}, "no folder"),
    ):
        with pytest.raises(BadOption, match=words):
            module.watch(**wrong)
    path = tmp_path / "never.png"
    with pytest.raises(UnknownNetwork, match="bubble"):
        module.watch(n=4, network="bubble", screenshot=path)
    with pytest.raises(UnsupportedKeys, match="only floats blend"):
        module.watch(np.arange(4, dtype=np.int32), screenshot=path)
    assert not told.scenes
    assert not list(tmp_path.iterdir())


def test_the_command(told: Told, tmp_path: Path) -> None:
    run = CliRunner().invoke
    np.save(tmp_path / "keys.npy", np.arange(500, dtype=np.int32)[::-1])
    path = tmp_path / "seen.png"
    options = ["--method", "fused", "--network", "bitonic", "--speed", "max", "--frames", "2"]
    result = run(command, [str(tmp_path / "keys.npy"), *options, "--screenshot", str(path)])
    assert result.exit_code == 0, result.output
    assert told.scenes[-1][0] == "bitonic by fused · 500 int32 keys"
    assert picture_of(path).shape == (SIZE[1], SIZE[0], 3)
    for key, meaning in HELP:
        assert f"{key:8} {meaning}" in run(command, ["--help"]).output
    for wrong in ("0", "fast", "nan"):
        assert run(command, ["--speed", wrong]).exit_code == 2
    result = run(command, ["--screenshot", "picture.gif"])
    assert result.exit_code == 1
    assert "picture.gif has another name" in result.output


def test_without_a_display(tmp_path: Path) -> None:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY"}
    path = tmp_path / "never.png"
    code = "from shadersort.cli.watch import watch; watch()"
    result = subprocess.run(
        [sys.executable, "-c", code, "--frames", "3", "--screenshot", str(path)],
        env={name: value for name, value in os.environ.items() if name not in hidden},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.startswith("Error: window: no window system")
    assert "xvfb-run" in result.stderr
    assert "shadersort trace" in result.stderr
    assert "Traceback" not in result.stderr
    assert not path.exists()
