"""Devices for the tests. A device that is missing fails a test; nothing is skipped."""

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shadersort import Device, open_device
from tests.soaking import load_profile

load_profile()

ON_GPU = "mark.gpu", "device: Device", "device: ss.Device", "opengl: Device"
"""What the text of a file has if a test in it may have the mark `gpu`."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Under `-m gpu`, leave out files without such tests, and the libraries that they import."""
    is_folder = collection_path.is_dir()
    if config.getoption("-m") != "gpu" or not (is_folder or collection_path.match("test_*.py")):
        return None
    files = collection_path.rglob("test_*.py") if is_folder else [collection_path]
    texts = (file.read_text(encoding="utf-8") for file in files)
    return None if any(word in text for text in texts for word in ON_GPU) else True


def pytest_report_header() -> str:
    from shadersort import devices

    return "\n".join(f"device {report}" for report in devices())


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print how long the tests of each room took, beside the slowest tests."""
    if not terminalreporter.config.getoption("durations"):
        return
    seconds = defaultdict[str, float](float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds["/".join(report.nodeid.split("::")[0].split("/")[:2])] += report.duration
    terminalreporter.section("seconds by room, on all cores")
    for room, spent in sorted(seconds.items(), key=lambda each: -each[1]):
        terminalreporter.line(f"{spent:8.1f} {spent / sum(seconds.values()):4.0%} {room}")


@pytest.fixture(scope="session")
def software() -> Iterator[Device]:
    with open_device("software") as device:
        yield device


@pytest.fixture(scope="session")
def egl() -> Iterator[Device]:
    with open_device("egl") as device:
        yield device


@pytest.fixture(scope="session")
def gpu() -> Iterator[Device]:
    with open_device("auto") as device:
        assert device.hardware, f"no GPU here: {device!r}"
        yield device


@pytest.fixture(scope="session")
def display() -> Iterator[None]:
    """A window system: the one at hand, or an X server without a screen."""
    if sys.platform != "linux" or os.environ.get("DISPLAY"):
        yield
        return
    assert shutil.which("Xvfb"), "Xvfb is missing: apt install xvfb"
    read_end, write_end = os.pipe()
    # -noreset: the server would start anew after its last window, beside the first of the next test
    command = f"Xvfb -displayfd {write_end} -screen 0 640x480x24 -nolisten tcp -noreset".split()
    server = subprocess.Popen(command, pass_fds=[write_end], stderr=subprocess.DEVNULL)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        os.environ["DISPLAY"] = f":{pipe.readline().strip()}"
    try:
        yield
    finally:
        del os.environ["DISPLAY"]
        server.terminate()
        server.wait()


@pytest.fixture(scope="session")
def window(display: None) -> Iterator[Device]:
    with open_device("window") as device:
        yield device


EVERY_OPENGL: list[Any] = [
    "egl",
    pytest.param("window", marks=pytest.mark.slow),  # the driver is that of EGL
    pytest.param("gpu", marks=pytest.mark.gpu),
]
EVERY_DEVICE = ["software", *EVERY_OPENGL]


def once_by_each_driver(fixture: str, devices: list[Any]) -> pytest.MarkDecorator:
    """Leave out the window for tests that draw much: it draws by the same driver as EGL."""
    some = [each for each in devices if getattr(each, "values", ("",)) != ("window",)]
    return pytest.mark.parametrize(fixture, some, indirect=True)


without_window = once_by_each_driver("device", EVERY_DEVICE)
opengl_without_window = once_by_each_driver("opengl", EVERY_OPENGL)


@pytest.fixture(params=EVERY_DEVICE)
def device(request: pytest.FixtureRequest) -> Device:
    """Each device in turn."""
    opened = request.getfixturevalue(request.param)
    assert isinstance(opened, Device)
    return opened


@pytest.fixture(params=["software", "egl"])
def card(request: pytest.FixtureRequest) -> Iterator[Device]:
    """A GeForce 6800 Ultra, emulated on either kind of device."""
    with open_device(request.param, profile="geforce-6800-ultra") as device:
        yield device


@pytest.fixture(params=EVERY_OPENGL)
def opengl(request: pytest.FixtureRequest) -> Device:
    """Each OpenGL device in turn."""
    opened = request.getfixturevalue(request.param)
    assert isinstance(opened, Device)
    return opened
