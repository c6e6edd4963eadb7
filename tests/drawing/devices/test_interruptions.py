"""Ctrl-C at a moment of a device's work: it interrupts, breaks nothing, and is never lost.

A moment is a call or a return, of a function in Python or in C, counted from the begin. So the
moments are the same in every run, and all of them can be tried.
"""

import gc
import random
import signal
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device, open_device
from shadersort.drawing.devices import contexts, probe
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.devices.opengl_objects import Transfers
from shadersort.drawing.signals import held_signals
from shadersort.names import DeviceName, SelectionMethod, SortMethod
from tests.soaking import SEED

pytestmark = pytest.mark.filterwarnings("ignore:unclosed device:ResourceWarning")

KEYS = np.random.default_rng(0).random(300, np.float32)
FEW, MANY = 8, 500


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    """The usual handler of Ctrl-C, which may be ignored here."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


class Moments:
    """Counts the calls and returns of a function, and sends SIGINT at one of them."""

    def __init__(self, moment: int = 0) -> None:
        self.count, self._moment, self.sent = 0, moment, False

    def _profile(self, *event: Any) -> None:
        self.count += 1
        if self.count == self._moment:
            self.sent = True
            signal.raise_signal(signal.SIGINT)

    def interrupts(self, use: Callable[[], object]) -> bool:
        """Whether the use ends in a KeyboardInterrupt."""
        sys.setprofile(self._profile)
        try:
            use()
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
        return False


def moments_of(use: Callable[[], object], many: int) -> list[int]:
    """Some moments of a use: evenly spread, or random ones in a soak."""
    use()
    counted = Moments()
    counted.interrupts(use)
    if SEED is not None:
        return random.Random(SEED).sample(range(1, counted.count), min(many, counted.count - 1))
    return [int(each) for each in np.linspace(1, counted.count - 1, FEW)]


def interrupt(use: Callable[[], object], moment: int) -> None:
    """Assert that a signal at a moment interrupts, unless all was done before (counts differ)."""
    moments = Moments(moment)
    assert moments.interrupts(use) == moments.sent, moment


def check(use: Callable[[], object]) -> None:
    """Assert that each signal interrupts a use, and that OpenGL works: afterwards on a new device.

    After each signal on another device, because it takes a tenth of a second to open one.
    """
    with open_device("egl") as other:
        for moment in moments_of(use, MANY):
            interrupt(use, moment)
            gc.collect()
            assert not contexts._active_contexts(), moment
            np.testing.assert_array_equal(ss.sort(KEYS, device=other), np.sort(KEYS))
    with open_device("egl") as new:
        np.testing.assert_array_equal(ss.sort(KEYS, device=new), np.sort(KEYS))


@pytest.mark.slow
@pytest.mark.explores
@pytest.mark.parametrize("kind", ["egl", "window"])
def test_opening_and_closing(kind: DeviceName, display: None) -> None:
    def use() -> None:
        probe._probed.clear()
        with open_device(kind):
            pass

    check(use)


@pytest.mark.slow
@pytest.mark.explores
@pytest.mark.parametrize("method", ["blend", "fused", "compute"])
def test_linking_and_sorting(method: SortMethod, display: None) -> None:
    """On a device of its own, so each method is linked anew."""

    def use() -> None:
        assert isinstance(device, OpenGLDevice)
        with held_signals:  # the package drops shaders only when a device closes, in this way
            device._commands.clear()
            device._shaders.clear()
        ss.sort(KEYS, method=method, device=device)

    with open_device("egl") as device:
        assert isinstance(device, OpenGLDevice)
        check(use)
        np.testing.assert_array_equal(ss.sort(KEYS, method=method, device=device), np.sort(KEYS))
        assert device._depth == 0


@pytest.mark.slow
@pytest.mark.explores
@pytest.mark.parametrize("method", ["bitwise", "cutting-plane"])
def test_selecting(method: SelectionMethod, egl: Device) -> None:
    def use() -> None:
        ss.median(KEYS, method=method, device=egl)

    check(use)
    assert ss.median(KEYS, method=method, device=egl) == np.median(KEYS)


@pytest.mark.parametrize("name", ["upload", "_draw", "_sent", "_allocate"])
def test_an_interruption_leaves_no_texture(
    name: str, egl: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the signal is delivered when a texture is whole, but nobody has it yet."""
    owner: Any = Transfers if name == "upload" else OpenGLDevice
    function = getattr(owner, name)

    def with_signal(*arguments: Any, **options: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return function(*arguments, **options)

    assert isinstance(egl, OpenGLDevice)
    before = set(egl.textures)
    program = ss.compile(ss.network("pbsn", 64), 8, 8, "blend")
    monkeypatch.setattr(owner, name, with_signal)
    with pytest.raises(KeyboardInterrupt):
        egl.run(program, np.zeros((8, 8, 4), np.float32))
    assert egl.textures == before


def test_selecting_makes_no_finalizer(egl: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python loses a Ctrl-C that arrives in one."""

    def fail(*_: object) -> None:
        raise AssertionError("a finalizer was made")

    monkeypatch.setattr(weakref.finalize, "__init__", fail)
    for method in ("bitwise", "cutting-plane"):
        assert ss.median(KEYS, method=method, device=egl) == np.median(KEYS)
