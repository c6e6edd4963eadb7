"""Waits for the device, which must not end before its work, and how often it is waited for."""

import ctypes
from collections.abc import Callable
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shadersort as ss
from shadersort import Device, errors
from shadersort.drawing.devices import fences
from shadersort.drawing.devices.fences import (
    ALREADY_DONE,
    DONE,
    FIRST_TEXELS,
    NOT_YET,
    SECONDS,
    Fences,
    Flights,
)
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.devices.opengl_objects import Transfers

FAILED = 0x911D


class Driver:
    """OpenGL's functions that fences need, which note their calls and give these answers."""

    def __init__(self, *answers: int, fence: int = 7) -> None:
        self.calls: list[str] = []
        remaining = list(answers)

        def ask(fence: int, bits: int, nanoseconds: int) -> int:
            self.calls.append("ask")
            return remaining.pop(0)

        def make(condition: int, bits: int) -> int:
            self.calls.append("make")
            return fence

        number, long = ctypes.c_uint, ctypes.c_uint64

        def delete(fence: int) -> None:
            self.calls.append(f"delete {fence}")

        self._kept: dict[str, Any] = {
            "glFenceSync": ctypes.CFUNCTYPE(ctypes.c_void_p, number, number)(make),
            "glClientWaitSync": ctypes.CFUNCTYPE(number, ctypes.c_void_p, number, long)(ask),
            "glDeleteSync": ctypes.CFUNCTYPE(None, ctypes.c_void_p)(delete),
        }

    def __call__(self, name: str) -> int:
        return ctypes.cast(self._kept[name], ctypes.c_void_p).value or 0


def test_a_wait_goes_on_until_all_is_done_or_fails() -> None:
    for early, last in product((0, 1, 3), (ALREADY_DONE, DONE)):
        driver = Driver(*[NOT_YET] * early, last)
        Fences(driver).wait()
        assert driver.calls == ["make", "ask", *["ask"] * early, "delete 7"]
    driver = Driver(NOT_YET, FAILED)
    with pytest.raises(errors.DeviceUnusable, match="cannot wait for the device: answer 0x911d"):
        Fences(driver).wait()
    assert driver.calls[-1] == "delete 7"


@pytest.fixture
def order(egl: Device, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was called: waits for the device, passes, and what brings something to the host."""
    called: list[str] = []

    def noted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*given: Any, **options: Any) -> Any:
            called.append(name)
            return function(*given, **options)

        return noting

    assert isinstance(egl, OpenGLDevice)
    for owner, method, name in (
        (Fences, "wait", "wait"),
        (OpenGLDevice, "_draw", "pass"),
        (Transfers, "download", "copy"),
    ):
        monkeypatch.setattr(owner, method, noted(name, getattr(owner, method)))
    return called


def test_a_result_is_copied_after_a_wait(egl: Device, order: list[str]) -> None:
    keys = np.arange(100, dtype=np.float32)[::-1].copy()
    assert np.array_equal(ss.sort(keys, device=egl), keys[::-1])
    assert order.index("wait") == order.index("copy") - 1 > order.index("pass")
    assert "pass" not in order[order.index("copy") :]


def test_keys_are_counted_after_a_wait(egl: Device, order: list[str]) -> None:
    keys = np.arange(100, dtype=np.float32)
    assert ss.select(keys, 3, method="bitwise", device=egl) == 3
    passes = [i for i, name in enumerate(order) if name == "pass"]
    assert len(passes) > 1
    assert all("wait" in order[i + 1 : i + 3] for i in passes)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that goes on when work is done."""
    time = SimpleNamespace(now=0.0, perf_counter=lambda: time.now)
    monkeypatch.setattr(fences, "time", time)
    return time


def fly(flights: Flights, clock: SimpleNamespace, texels: int, texels_a_second: float) -> float:
    """Send passes of some texels until the flight is full; return the seconds that it took."""
    passes = 1
    while not flights.sent(texels):
        passes += 1
    seconds = passes * texels / texels_a_second
    clock.now += seconds
    flights.landed()
    return seconds


@pytest.mark.parametrize("texels_a_second", [1e6, 1e8, 3.5e9, 1e12])
def test_a_flight_comes_to_a_tenth_of_a_second(
    clock: SimpleNamespace, texels_a_second: float
) -> None:
    """Where others begin to use the device, the first flight is longer, but not the second."""
    flights = Flights()
    first = fly(flights, clock, 1000, texels_a_second)
    assert first * texels_a_second >= FIRST_TEXELS > 1000
    texels = 1 << 13 if texels_a_second < 1e8 else 1 << 20
    for _ in range(20):
        last = fly(flights, clock, texels, texels_a_second)
    assert last == pytest.approx(SECONDS, rel=0.15)
    if texels_a_second == 3.5e9:
        assert fly(flights, clock, texels, 4e7) > 50 * SECONDS
        assert fly(flights, clock, texels, 4e7) < 2 * SECONDS


@settings(max_examples=30)
@given(sent=st.lists(st.tuples(st.integers(1, 1 << 40), st.floats(0, 1e6))))
def test_a_flight_can_always_be_filled(
    clock: SimpleNamespace, sent: list[tuple[int, float]]
) -> None:
    """Whatever the clock says, even that no time went by."""
    flights = Flights()
    for texels, seconds in sent:
        full = flights.sent(texels)
        clock.now += seconds
        if full:
            flights.landed()
    assert flights._most >= 1
    assert flights.sent(flights._most)
