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

    def in_a_thread(*streams: Any) -> list[workspace.Lease]:
        found: list[workspace.Lease] = []
        thread = threading.Thread(target=lambda: found.extend(map(workspace.workspace, streams)))
        thread.start()
        thread.join()
        return found

    kept = in_a_thread(stream)  # a launcher may outlive its thread
    later = in_a_thread(stream)
    assert later[0].space is not kept[0].space
    space = later.pop().space
    again = in_a_thread(stream)
    assert again[0].space is space
    assert again[0].space.expected == []
    leased = in_a_thread(stream, stream, other)
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


class _Launcher(launch.Launcher):
    """Copies to no device, and counts what is copied."""

    def __init__(self, *, capturing: bool = False) -> None:
        self._space: Any = SimpleNamespace(fixed={})
        self._stream = SimpleNamespace(is_capturing=lambda: capturing)
        self.sent: list[Any] = []

    def given(self, array: Any) -> Any:
        self.sent.append(array.copy())
        return self.sent[-1]


def test_equal_ranks_are_copied_once() -> None:
    one = _Launcher()
    for ks in ([3], [3], [4], [3]):
        np.testing.assert_array_equal(one.fixed(np.array(ks)), ks)
    assert one.fixed(np.array([3])) is not one.fixed(np.array([3], np.int32))
    assert [each.tolist() for each in one.sent] == [[3], [4], [3]]


def test_what_a_graph_captures_or_is_large_is_copied_again() -> None:
    capturing, large = _Launcher(capturing=True), np.zeros(launch.LARGEST_FIXED)
    for _ in range(2):
        capturing.fixed(np.array([3]))
    assert len(capturing.sent) == 2
    one = _Launcher()
    assert one.fixed(large) is not one.fixed(large)


def test_few_copies_are_kept() -> None:
    one = _Launcher()
    for k in range(3 * launch.MOST_FIXED):
        one.fixed(np.array([k]))
        assert len(one._space.fixed) <= launch.MOST_FIXED
