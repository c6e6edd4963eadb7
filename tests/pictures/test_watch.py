"""`watch`: the picture in its window, how it ends, and its errors before it begins."""

import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import glfw
import numpy as np
import pytest
from click.testing import CliRunner, Result

import shadersort as ss
import shadersort.pictures.watch.watch as module
from shadersort import Device
from shadersort.cli import commands
from shadersort.errors import (
    BadOption,
    DeviceUnusable,
    OutputExists,
    UnknownNetwork,
    UnsupportedKeys,
)
from shadersort.keys.types import Keys
from shadersort.names import NetworkName, SortMethod
from shadersort.palette import rgb
from shadersort.pictures.strips import relative_ranks
from shadersort.pictures.watch.controls import HELP, SEED, Controls
from shadersort.pictures.watch.screen import SIZE, Screen
from shadersort.web.look import ROLE_COLOURS
from tests.helpers import TYPES, random_bits
from tests.pictures.watching import WatchedRun, panels_of, picture_of, press, shades

WAYS = [
    ("pbsn", "blend", "float32"),
    ("bitonic", "blend", "float16"),
    ("odd-even-merge", "fragment", "uint32"),
    ("pbsn", "fused", "int32"),
    ("bitonic", "compute", "float32"),
]


@pytest.mark.parametrize(("network", "method", "dtype"), WAYS)
def test_a_frame_shows_what_a_trace_holds(
    network: NetworkName,
    method: SortMethod,
    dtype: str,
    software: Device,
    watched: WatchedRun,
    tmp_path: Path,
) -> None:
    """The texture after a pass, and what the pass drew, are those of the NumPy device."""
    keys = np.random.default_rng(0).integers(0, 1000, 500).astype(dtype)
    traced = ss.trace(keys, network=network, method=method, device=software)
    index = min(7, len(traced) - 1)
    path = tmp_path / "frame.png"
    module.watch(keys, network=network, method=method, frames=index + 2, speed=60, screenshot=path)
    seen, size = traced[index], (traced.program.width, traced.program.height)
    assert watched.scenes[-1][1] == seen.caption
    quads, *channels = panels_of(picture_of(path), size)
    roles = np.array([rgb(colour) for colour in ROLE_COLOURS.values()]) * 255
    np.testing.assert_allclose(quads, roles[seen.roles.role], atol=1)
    ranks = relative_ranks(np.unique(traced.input), seen.after)
    for channel, panel in enumerate(channels):
        np.testing.assert_allclose(panel, shades(ranks[..., channel]), atol=1.5)


def test_the_last_frame_is_sorted(watched: WatchedRun, tmp_path: Path) -> None:
    path = tmp_path / "sorted.png"
    module.watch(n=1024, frames=2, speed=math.inf, screenshot=path)
    picture = picture_of(path)
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    quads, *channels = panels_of(picture, (16, 16))
    np.testing.assert_allclose(quads, 242)  # nothing is drawn any more
    for panel in channels:
        brightness = panel.reshape(-1, 3).astype(float) @ [0.299, 0.587, 0.114]
        assert np.all(np.diff(brightness) >= -1)  # cividis grows brighter; colours are rounded
        assert brightness[-1] - brightness[0] > 150
    assert [state for _, _, state in watched.scenes] == [
        "as fast as it goes",
        "sorted: equal to np.sort",
    ]
    assert watched.titles[-1].endswith("sorted: equal to np.sort")
    assert watched.titles[-1].startswith("pbsn by blend · 1,024 float32 keys · pass 191 (last 191)")
    assert [each.name for each in tmp_path.iterdir()] == ["sorted.png"]


def test_the_clock_counts_frames(watched: WatchedRun) -> None:
    module.watch(n=256, frames=12, speed=30)
    assert watched.passes == [-1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    watched.scenes.clear()
    module.watch(n=256, frames=4, speed=180)
    assert watched.passes == [-1, 2, 5, 8]


def test_without_frames_time_is_real(watched: WatchedRun, tmp_path: Path) -> None:
    """A sort runs to its end, idles there without drawing, and a closed window ends it."""
    path = tmp_path / "closed.png"

    def close_when_sorted(screen: Screen) -> None:
        watched.acts[screen.drawn + 1] = close_when_sorted
        if screen._verdict:
            glfw.set_window_should_close(screen.device.window, True)

    watched.acts[1] = close_when_sorted
    module.watch(n=64, speed=1000, screenshot=path)
    assert watched.passes[0] == -1
    assert watched.passes[-1] == 47
    assert watched.scenes[-1][2] == "sorted: equal to np.sort"
    assert picture_of(path).shape == (SIZE[1], SIZE[0], 3)


def test_one_channel_and_another_size(watched: WatchedRun, tmp_path: Path) -> None:
    def resize(screen: Screen) -> None:
        glfw.set_window_size(screen.device.window, 500, 400)

    watched.press(f1=glfw.KEY_C, f2=glfw.KEY_C)
    watched.acts[3] = resize
    path = tmp_path / "green.png"
    module.watch(n=256, frames=20, speed=math.inf, screenshot=path)
    picture = picture_of(path)
    assert picture.shape == (400, 500, 3)
    assert watched.screens[0].controls.channels == (1,)
    _, green = panels_of(picture, (8, 8), count=2)
    keys = np.random.default_rng(SEED).random(256, np.float32)
    ranks = relative_ranks(np.sort(keys), np.sort(keys.reshape(-1, 4)[:, 1]))
    np.testing.assert_allclose(green, shades(ranks).reshape(8, 8, 3), atol=1.5)


def test_a_window_too_small_for_its_panels(watched: WatchedRun, tmp_path: Path) -> None:
    path = tmp_path / "small.png"
    watched.acts[1] = lambda screen: glfw.set_window_size(screen.device.window, 1, 1)
    module.watch(n=1 << 14, frames=20, speed=60, screenshot=path)
    assert picture_of(path).size > 0


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 31, 32, 33])
def test_few_keys(n: int, watched: WatchedRun) -> None:
    module.watch(n=n, frames=2, speed=math.inf)
    assert watched.scenes[-1][2] == "sorted: equal to np.sort"


def test_every_bit_pattern(watched: WatchedRun) -> None:
    for dtype in TYPES:
        method: SortMethod = "blend" if dtype.startswith("float") else "fused"
        module.watch(random_bits(1, 1000, dtype), method=method, frames=2, speed=math.inf)
        assert watched.scenes[-1][2] == "sorted: equal to np.sort"


def test_a_wrong_sort_is_reported(watched: WatchedRun, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose_a_key(channels: list[Keys], threads: int) -> Keys:
        return np.zeros(sum(map(len, channels)), channels[0].dtype)

    monkeypatch.setattr("shadersort.sorting.texture_sort.merge_by_threads", lose_a_key)
    with pytest.raises(DeviceUnusable, match=r"differs from np\.sort"):
        module.watch(n=64, frames=2, speed=math.inf)


def test_bad_options(watched: WatchedRun, tmp_path: Path) -> None:
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
        module.watch(n=4, network="bubble", screenshot=path)  # type: ignore[arg-type]  # a wrong name
    with pytest.raises(UnsupportedKeys, match="only floats blend"):
        module.watch(np.arange(4, dtype=np.int32), screenshot=path)
    assert not watched.scenes
    assert not list(tmp_path.iterdir())


def test_a_screenshot_is_replaced_only_if_that_is_asked_for(
    watched: WatchedRun, tmp_path: Path
) -> None:
    path = tmp_path / "seen.png"
    path.write_bytes(b"an older picture")
    with pytest.raises(OutputExists, match="overwrite=True"):
        module.watch(n=16, frames=2, screenshot=path)
    command = ["watch", "--frames", "2", "--random", "16", "--screenshot", str(path)]
    refused = CliRunner().invoke(commands, command)
    assert refused.exit_code == 4
    assert "pass --force" in refused.output
    assert not watched.scenes
    assert path.read_bytes() == b"an older picture"
    assert CliRunner().invoke(commands, [*command, "--force"]).exit_code == 0
    assert picture_of(path).shape == (SIZE[1], SIZE[0], 3)
    module.watch(n=16, frames=2, screenshot=path, overwrite=True)


@pytest.mark.parametrize("moment", ["while the sort is drawn", "in a callback of GLFW"])
def test_an_interruption(moment: str, watched: WatchedRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """GLFW's callbacks print and lose exceptions, so a signal waits for their end."""

    def interrupt(screen: Screen) -> None:
        if moment == "in a callback of GLFW":
            monkeypatch.setattr(Controls, "press", signalled)
            press(screen, glfw.KEY_C)
            called.append(True)
        else:
            signalled()

    def signalled(*controls_and_key: object) -> None:
        signal.raise_signal(signal.SIGINT)

    called: list[bool] = []
    watched.acts[5] = interrupt
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            module.watch(n=64, frames=100, speed=60)
    finally:
        signal.signal(signal.SIGINT, before)
    assert called == [True] * (moment == "in a callback of GLFW")
    assert len(watched.scenes) == 5
    assert watched.screens[0].device.closed


def test_the_command(watched: WatchedRun, tmp_path: Path) -> None:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(commands, ["watch", *arguments])

    np.save(tmp_path / "keys.npy", np.arange(500, dtype=np.int32)[::-1])
    path = tmp_path / "seen.png"
    options = ["--method", "fused", "--network", "bitonic", "--speed", "max", "--frames", "2"]
    result = run("--keys", str(tmp_path / "keys.npy"), *options, "--screenshot", str(path))
    assert result.exit_code == 0, result.output
    assert watched.scenes[-1][0] == "bitonic by fused · 500 int32 keys"
    assert picture_of(path).shape == (SIZE[1], SIZE[0], 3)
    for key, meaning in HELP:
        assert f"{key:8} {meaning}" in run("--help").output
    for wrong in ("0", "fast", "nan"):
        assert run("--speed", wrong).exit_code == 2
    result = run("--screenshot", "picture.gif")
    assert result.exit_code == 2
    assert "picture.gif has another name" in result.output


def test_without_a_display(tmp_path: Path) -> None:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY"}
    path = tmp_path / "never.png"
    result = subprocess.run(
        [sys.executable, "-m", "shadersort", "watch", "--frames", "3", "--screenshot", str(path)],
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
