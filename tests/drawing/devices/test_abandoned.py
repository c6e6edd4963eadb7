"""Devices that nobody closed: the warning, and what happens to their contexts."""

import gc
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device, open_device
from shadersort.drawing.devices import contexts, processes, window
from shadersort.names import DeviceName

KEYS = np.array([3, 1, 2], np.float32)


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The kinds of the contexts that were destroyed, in this order."""
    released: list[str] = []
    for each in (contexts.EGLContext, window.WindowContext):

        def release(context: contexts.Context, before: object = each.release) -> None:
            released.append(type(context).__name__)
            before(context)  # type: ignore[operator]

        monkeypatch.setattr(each, "release", release)
    yield released
    processes.release_abandoned()


def call_in_another_thread(call: Callable[[], object]) -> None:
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()


def forget(kind: DeviceName) -> None:
    """Open a device, sort on it, and forget it in a circle that only the collector finds."""
    device = open_device(kind)
    ss.sort(KEYS, device=device)
    circle = [device, device.upload(np.zeros((2, 2, 4), np.float32))]
    circle.append(circle)  # type: ignore[arg-type]


@pytest.mark.parametrize("collect", [gc.collect, partial(call_in_another_thread, gc.collect)])
def test_the_warning_is_given_once_and_says_what_to_do(
    collect: Callable[[], object], released: list[str]
) -> None:
    forget("egl")
    with pytest.warns(ResourceWarning, match="unclosed device") as caught:
        collect()
    (warning,) = caught
    assert "egl" in str(warning.message)
    assert "with shadersort.open_device(...) as device" in str(warning.message)
    assert released == ["EGLContext"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with open_device("egl") as device:
            ss.sort(KEYS, device=device)
        open_device("egl").close()
        del device
        gc.collect()
    assert released == ["EGLContext"] * 3


@pytest.mark.slow
def test_a_window_waits_until_it_may_be_destroyed(released: list[str], display: None) -> None:
    """GLFW destroys windows on the main thread only, and not in its callbacks."""
    forget("window")
    with pytest.warns(ResourceWarning):
        gc.collect()
    assert released == []
    call_in_another_thread(processes.release_abandoned)
    assert released == []
    open_device("software").close()
    assert released == []
    open_device("egl").close()
    assert released == ["WindowContext", "EGLContext"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "other"),
    [
        *product(("egl", "window"), ("egl", "window")),
        pytest.param("egl", "gpu", marks=pytest.mark.gpu),
    ],
)
def test_collected_while_another_device_draws(
    kind: DeviceName, other: str, request: pytest.FixtureRequest
) -> None:
    """The other device keeps its context, and draws on."""
    drawing: Device = request.getfixturevalue(other)
    if kind == "window":
        request.getfixturevalue("display")
    keys = np.random.default_rng(0).random(4096, np.float32)
    program = ss.compile(ss.network("pbsn", 1024), 32, 32, "blend")

    def collect(index: int, buffers: object) -> None:
        if index == 5:
            gc.collect()

    forget(kind)
    with pytest.warns(ResourceWarning, match="unclosed device"):
        ordered = drawing.run(program, keys.reshape(32, 32, 4), collect)
    expected = np.sort(keys.reshape(-1, 4), axis=0)
    np.testing.assert_array_equal(ordered.reshape(-1, 4), expected)


MANY = """
import gc, os, sys, warnings
import numpy as np
import shadersort as ss

warnings.simplefilter("ignore", ResourceWarning)

def resources():
    (line,) = [each for each in open("/proc/self/status") if each.startswith("VmRSS")]
    return np.array([int(line.split()[1]) >> 10, len(os.listdir("/proc/self/fd"))])

def use(devices):
    for _ in range(devices):
        device = ss.open_device(sys.argv[1])
        ss.sort(np.float32([3, 1, 2]), device=device)
        if len(sys.argv) > 2:
            device.close()
        del device
        gc.collect()

use(5)
before = resources()
use(15)
print(*resources() - before)
"""


def script(*arguments: str, warn: str = "default") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", warn, "-c", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["egl", "egl close", "window close"])
def test_fifteen_of_them_leave_nothing(arguments: str, display: None) -> None:
    """Each would take 28 MB."""
    megabytes, files = map(int, script(MANY, *arguments.split()).stdout.split())
    assert megabytes < 200
    assert files <= 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["egl", "window"])
def test_at_exit(kind: DeviceName, display: None) -> None:
    """A device that is open at exit is closed then, with the warning; the default has none."""
    default = "import numpy as np, shadersort as ss; print(ss.sort(np.float32([2, 1])))"
    done = script(default, warn="error")
    assert (done.stdout, done.stderr) == ("[1. 2.]\n", "")
    opened = f"; device = ss.open_device({kind!r}); print(ss.sort(np.float32([1]), device=device))"
    done = script(default + opened, warn="always::ResourceWarning")
    assert done.stdout == "[1. 2.]\n[1.]\n"
    (warned,) = [line for line in done.stderr.splitlines() if "ResourceWarning" in line]
    assert f"unclosed device <OpenGLDevice {kind}" in warned
