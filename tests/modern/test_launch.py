"""What a launch requests from the driver; no GPU is needed."""

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import cupy
import numpy as np
import pytest
from cupy.cuda import driver

from modern.launching import launch, workspace


def test_shared_memory_is_as_much_as_any_thread_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    granted, less_is_asked, more_is_granted = [0], threading.Event(), threading.Event()

    def set_attribute(kernel: int, attribute: int, shared: int) -> None:
        if shared == 20_000:
            less_is_asked.set()
            more_is_granted.wait(0.2)  # time for the other thread, if nothing stops it
        granted[0] = shared
        if shared == 40_000:
            more_is_granted.set()

    def ask(shared: int) -> Callable[[], None]:
        return lambda: launch._ask_for(7, shared)

    monkeypatch.setattr(driver, "funcSetAttribute", set_attribute)
    monkeypatch.setattr(launch, "_shared", {})
    less, more = threading.Thread(target=ask(20_000)), threading.Thread(target=ask(40_000))
    less.start()
    less_is_asked.wait()
    more.start()
    less.join()
    more.join()
    assert granted == [40_000]
    ask(30_000)()
    assert granted == [40_000]


class _Space:
    """A workspace with expected copies only."""

    def __init__(self, device: int) -> None:
        self.device, self.expected = device, [(0, 0)]


def test_the_workspace_of_a_thread_that_ended_goes_to_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workspace, "Workspace", _Space)
    monkeypatch.setattr(workspace, "_left", {})
    monkeypatch.setattr(cupy.cuda.runtime, "getDevice", lambda: 0)
    stream, other = SimpleNamespace(ptr=1), SimpleNamespace(ptr=2)

    def in_a_thread() -> list[workspace.Lease]:
        found: list[workspace.Lease] = []
        thread = threading.Thread(target=lambda: found.append(workspace.workspace(stream)))
        thread.start()
        thread.join()
        return found

    kept = in_a_thread()  # a launcher may outlive its thread
    later = in_a_thread()
    assert later[0].space is not kept[0].space
    space = later.pop().space
    again = in_a_thread()
    assert again[0].space is space
    assert again[0].space.expected == []
    leased: list[workspace.Lease] = []

    def twice() -> None:
        leased.extend(workspace.workspace(each) for each in (stream, stream, other))

    thread = threading.Thread(target=twice)
    thread.start()
    thread.join()
    assert leased[0] is leased[1]
    assert leased[2].space is not leased[0].space


class _Module:
    """A module of the driver, whose functions are all different."""

    def load(self, code: bytes) -> None:
        assert code == b"code"

    def get_function(self, name: str) -> list[str]:
        return [name]


def test_threads_that_compile_at_once_get_one_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    launcher: Any = object.__new__(launch.Launcher)
    launcher._type, launcher.dtype = "f", np.dtype(np.float32)
    launcher._space = SimpleNamespace(device=0, architecture="sm_90")
    found: list[Any] = []

    def compiled(*of: Any) -> bytes:
        if not found:  # meanwhile another thread compiles, and finishes first
            found.append(None)
            found[0] = launcher.kernel("extent", SUMS=1)
        return b"code"

    monkeypatch.setattr(launch, "_kernels", {})
    monkeypatch.setattr(launch, "compiled", compiled)
    monkeypatch.setattr(cupy.cuda.function, "Module", _Module)
    first, again = launcher.kernel("extent", SUMS=1), launcher.kernel("extent", SUMS=1)
    assert found[0] == ["extent"]
    assert first is found[0] is again
    assert launcher.kernel("extent", SUMS=0) is not first
