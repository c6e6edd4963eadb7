"""Finding a device: what is preferred, and what is said of those that fail."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from ctypes.util import find_library
from typing import Any

import moderngl
import numpy as np
import pytest

import shadersort
from shadersort import Device, devices, open_device
from shadersort.drawing.devices import contexts, default_device, egl, opening
from shadersort.drawing.devices import probe as probing
from shadersort.drawing.devices.linked import LinkedShader
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.devices.probe import probe
from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.drawing.program import Program
from shadersort.errors import DeviceUnavailable, DeviceUnusable
from shadersort.names import DeviceKind


class Fake(SoftwareDevice):
    """A software device under another name."""

    def __init__(self, kind: str, *, hardware: bool) -> None:
        super().__init__()
        self.kind, self.hardware = kind, hardware


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Let a test say what devices this machine has; yields those that were opened."""
    opened: list[Device] = []

    def install(**hardware: Any) -> list[Device]:
        def openers(kinds: tuple[str, ...], visible: bool) -> Iterator[Any]:
            for kind in kinds:
                what = hardware[kind]

                def opener(kind: str = kind, what: Any = what) -> Device:
                    if not isinstance(what, bool | str):
                        raise what
                    if isinstance(what, str):
                        raise DeviceUnavailable(what)
                    opened.append(Fake(kind, hardware=what))
                    return opened[-1]

                yield kind, opener

        monkeypatch.setattr(opening, "_openers", openers)
        return opened

    yield install
    assert all(device.closed for device in opened)


@pytest.mark.parametrize(
    ("egl", "window", "chosen"),
    [
        (True, True, "egl"),
        (False, True, "window"),
        (False, False, "egl"),
        ("no EGL", True, "window"),
        ("no EGL", False, "window"),
        ("no EGL", "no display", "software"),
        (False, "no display", "egl"),
    ],
)
def test_auto_prefers_hardware_then_the_simplest(
    machine: Any, egl: bool | str, window: bool | str, chosen: str
) -> None:
    opened = machine(egl=egl, window=window, software=False)
    with open_device("auto") as device:
        assert device.kind == chosen
        assert all(other.closed for other in opened if other is not device)


def test_a_failure_says_why(machine: Any) -> None:
    machine(egl="libEGL is missing", window="no display", software=False)
    with pytest.raises(DeviceUnavailable, match=r"egl: libEGL is missing.*devices\(\)"):
        open_device("egl")
    reports = devices()
    assert [(report.usable, report.detail) for report in reports[:2]] == [
        (False, "libEGL is missing"),
        (False, "no display"),
    ]
    assert "not usable" in str(reports[0])


def test_a_missing_libegl_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contexts, "library_path", lambda name: None)
    with pytest.raises(DeviceUnavailable, match=r"libEGL is missing.*apt install libegl1"):
        open_device("egl")
    with open_device("auto") as device:
        assert device.kind in ("window", "software")


def test_without_egl_there_are_no_egl_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    assert egl.egl_device_count() > 0
    for library in (None, "libdoesnotexist.so.9", find_library("c")):
        egl.egl_library.cache_clear()
        monkeypatch.setattr(egl, "_paths", {"EGL": library} if library else {})
        monkeypatch.setattr(egl, "find_library", lambda name: None)
        assert egl.egl_device_count() == 0, library
    egl.egl_library.cache_clear()


def test_no_window_system_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own, for GLFW may already hold a display here."""
    code = "import shadersort; shadersort.open_device('window')"
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 1
    assert "DeviceUnavailable: window: no window system" in result.stderr
    assert "use device 'egl'" in result.stderr


def test_no_context_is_reported(display: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contexts, "VERSIONS", (990,))
    with pytest.raises(DeviceUnavailable, match=r"no window with an OpenGL 9\.9 context: "):
        open_device("window")
    with pytest.raises(DeviceUnavailable, match="EGL device 0 gives no context"):
        open_device("egl")


def test_any_error_of_a_driver_is_named(monkeypatch: pytest.MonkeyPatch, display: None) -> None:
    """A foreign error is reported, and the next device is tried."""

    def fail(*arguments: object) -> None:
        raise moderngl.Error("GLSL Compiler failed")

    monkeypatch.setattr(probing, "_noted", {})
    monkeypatch.setattr(LinkedShader, "__init__", fail)
    with pytest.raises(DeviceUnavailable, match="failed when it was tried: GLSL Compiler failed"):
        open_device("egl")
    assert [report.usable for report in devices()][-2:] == [False, True]
    with open_device("auto") as device:
        assert device.kind == "software"


def test_an_interrupted_search_leaves_nothing_open(machine: Any) -> None:
    opened = machine(egl=False, window=KeyboardInterrupt, software=False)
    with pytest.raises(KeyboardInterrupt):
        open_device("auto")
    assert [device.closed for device in opened] == [True]


class Careless(SoftwareDevice):
    """A device that flushes denormals, or loses infinities, always or where it draws layers."""

    def __init__(self, careless: Callable[[Any], Any], *, always: bool = False) -> None:
        super().__init__()
        self.careless, self.always = careless, always

    def run(self, program: Program, *args: Any, **options: Any) -> Any:
        result = super().run(program, *args, **options)
        changes = self.always or any(each.layers > 1 for each in program.passes)
        return self.careless(result) if changes else result


def flushed(keys: Any) -> Any:
    if keys.dtype.kind != "f":
        return keys
    zeros = np.copysign(np.zeros_like(keys), keys)
    return np.where(np.abs(keys) < np.finfo(keys.dtype).tiny, zeros, keys)


def test_the_probe_sees_every_shader_of_a_method() -> None:
    with pytest.raises(DeviceUnusable, match="float16 keys wrongly by method 'blend'"):
        probe(Careless(np.nan_to_num, always=True))
    with pytest.raises(DeviceUnusable, match="float16 keys wrongly by method 'fused'"):
        probe(Careless(np.nan_to_num))
    probe(device := Careless(flushed))
    assert {method for (method, _), kept in device.keeps_denormals.items() if not kept} == {"fused"}


def test_a_device_that_fails_its_probe_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    probed: list[Device] = []

    def refuse(device: Device) -> None:
        probed.append(device)
        raise DeviceUnusable("seen to be wrong")

    monkeypatch.setattr(opening, "probe_once", refuse)
    with pytest.raises(DeviceUnavailable, match="seen to be wrong"):
        open_device("egl")
    assert isinstance(probed[0], OpenGLDevice)
    assert probed[0].closed


def test_a_driver_is_probed_once(monkeypatch: pytest.MonkeyPatch, display: None) -> None:
    """What its first device keeps the others keep; a device that failed is probed again."""
    monkeypatch.setattr(probing, "_noted", {})
    probed: list[Device] = []

    def probe(device: Device) -> None:
        probed.append(device)
        if len(probed) == 1:
            raise DeviceUnusable("seen to be wrong")
        device.keeps_denormals["blend", np.dtype("float32")] = True
        device.answers = device.kind == "software"

    monkeypatch.setattr(probing, "probe", probe)
    with pytest.raises(DeviceUnavailable, match="seen to be wrong"):
        open_device("egl")
    kinds: tuple[DeviceKind, ...] = (
        "egl",
        "egl",
        "software",
        "window",
        "egl",
        "software",
        "window",
    )
    for kind in kinds:
        with open_device(kind) as device:
            assert device.keeps_denormals == {("blend", np.dtype("float32")): True}
            assert device.answers == (kind == "software")
            device.keeps_denormals.clear()
    assert [device.kind for device in probed] == ["egl", "egl", "software", "window"]


def test_the_probe_notes_what_the_device_keeps(device: Device) -> None:
    kept = device.keeps_denormals
    assert set(kept) == {
        (method, np.dtype(dtype))
        for method in shadersort.METHODS
        for dtype in ("float16", "float32")
    }
    if device.kind == "software":
        assert all(kept.values())
    if "llvmpipe" in device.renderer:
        assert not kept["blend", np.dtype("float32")]


def test_the_default_device_is_opened_once() -> None:
    assert default_device() is default_device()
    default_device().close()
    assert not default_device().closed
