"""OpenGL after a fork: an error that says what to do, never a wait for ever."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PATIENCE = 60
"""Seconds after which a child is taken for one that hangs."""

SETUP = """
import atexit, os, sys, warnings
import numpy as np
import shadersort as ss
from shadersort.errors import DeviceForked
warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads, from Python 3.12 on
keys = np.float32([3, 1, 2])

def forked(use):
    sys.stdout.flush()
    child = os.fork()
    if not child:
        try:
            print("in the child:", use())
        except DeviceForked as error:
            print("DeviceForked:", error)
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(0)  # as multiprocessing does: exit handlers of a driver may fail in a child
    print("exit code:", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def said(tmp_path: Path, code: str) -> list[str]:
    """What a new process prints that forks; in a file, because pytest has threads and devices."""
    script = tmp_path / "script.py"
    script.write_text(SETUP + code)
    command = [sys.executable, "-W", "error::ResourceWarning", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def assert_advised(line: str) -> None:
    assert line.startswith("DeviceForked: ")
    assert "multiprocessing.get_context('spawn')" in line
    assert "device='software'" in line


@pytest.mark.parametrize("kind", ["egl", "window"])
def test_a_device_of_the_parent(kind: str, display: None, tmp_path: Path) -> None:
    """Each use in a child of its own."""
    code = f"""
with ss.open_device({kind!r}) as device, device.upload(np.zeros((1, 1, 4), np.float32)) as texture:
    ss.sort(keys, device=device)
    for use in (
        lambda: ss.sort(keys, device=device),
        lambda: texture.read(),
        lambda: device.upload(np.zeros((1, 1, 4), np.float32)),
        lambda: device.finish(),
    ):
        forked(use)
        print(ss.sort(keys, device=device), texture.read().shape)
"""
    lines = said(tmp_path, code)
    assert len(lines) == 3 * 4
    for told in lines[::3]:
        assert_advised(told)
        assert f"{kind}: llvmpipe" in told or "OpenGLDevice" in told
    assert lines[1::3] == ["exit code: 0"] * 4
    assert lines[2::3] == ["[1. 2. 3.] (1, 1, 4)"] * 4


@pytest.mark.parametrize("parent", ["ss.open_device('egl').close()", "ss.sort(keys)"])
def test_a_new_device_after_the_parent_used_opengl(parent: str, tmp_path: Path) -> None:
    uses = "lambda: ss.open_device('egl'), lambda: ss.open_device(), lambda: ss.sort(keys)"
    lines = said(tmp_path, f"{parent}\nfor use in ({uses}): forked(use)")
    assert len(lines) == 2 * 3
    for told in lines[::2]:
        assert_advised(told)
    assert lines[1::2] == ["exit code: 0"] * 3


def test_the_software_device_and_the_list_of_devices(tmp_path: Path) -> None:
    code = """
software = ss.open_device("software")
ss.open_device("egl").close()
forked(lambda: ss.sort(keys, device="software"))
forked(lambda: ss.sort(keys, device=software))
forked(lambda: [(each.kind, each.usable, "spawn" in each.detail) for each in ss.devices()])
"""
    lines = said(tmp_path, code)
    assert lines[:4] == ["in the child: [1. 2. 3.]", "exit code: 0"] * 2
    assert "('egl', False, True)" in lines[4]
    assert "('software', True, False)" in lines[4]


def test_a_device_of_the_parent_is_left_alone(tmp_path: Path) -> None:
    """Closing it, and collecting it, touch nothing of OpenGL: the parent still uses it."""
    code = """
import gc
from shadersort.drawing.devices import contexts, opengl

device = ss.open_device("egl")
texture = device.upload(np.float32([[[1, 2, 3, 4]]]))
other = ss.open_device("egl")

def use():
    global device, texture, other
    def fail(*arguments): os._exit(9)
    contexts.EGLContext.release = contexts.EGLContext._bind = contexts.EGLContext._unbind = fail
    texture.release()
    device.close()
    del device, texture, other
    gc.collect()
    return "left alone"

forked(use)
print(texture.read().ravel(), ss.sort(keys, device=device), ss.sort(keys, device=other))
device.close()
other.close()
"""
    assert said(tmp_path, code) == [
        "in the child: left alone",
        "exit code: 0",
        "[1. 2. 3. 4.] [1. 2. 3.] [1. 2. 3.]",
    ]
