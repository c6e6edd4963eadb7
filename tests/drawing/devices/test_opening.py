"""Finding a device: what is preferred, and what is said of those that fail."""

from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np
import pytest

from shadersort import Device, devices, open_device
from shadersort.drawing.devices import contexts, default_device, opening, window
from shadersort.drawing.devices import probe as probing
from shadersort.drawing.devices.opengl_objects import LinkedShader
from shadersort.drawing.devices.probe import probe
from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.drawing.program import Program
from shadersort.errors import DeviceUnavailable, DeviceUnusable


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
        def openers(kinds: tuple[str, ...]) -> Iterator[Any]:
            for kind in kinds:

                def opener(kind: str = kind) -> Device:
                    what = hardware.get(kind, "not here")
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


def test_an_interrupted_search_leaves_nothing_open(machine: Any) -> None:
    opened = machine(egl=False, window=KeyboardInterrupt, software=False)
    with pytest.raises(KeyboardInterrupt):
        open_device("auto")
    assert [device.closed for device in opened] == [True]


def test_what_is_missing_is_named(display: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(contexts, "VERSIONS", (990,))
        patch.setattr(window, "VERSIONS", (990,))
        with pytest.raises(DeviceUnavailable, match=r"no window with an OpenGL 9\.9 context: "):
            open_device("window")
        with pytest.raises(DeviceUnavailable, match="EGL device 0 gives no context"):
            open_device("egl")
    monkeypatch.setattr(contexts, "library_path", lambda name: None)
    with pytest.raises(DeviceUnavailable, match=r"libEGL is missing.*apt install libegl1"):
        open_device("egl")
    with open_device("auto") as device:
        assert device.kind != "egl"


def test_any_error_of_a_driver_is_named(monkeypatch: pytest.MonkeyPatch, display: None) -> None:
    """A foreign error is reported, and the next device is tried."""

    def fail(*arguments: object) -> None:
        raise moderngl.Error("GLSL Compiler failed")

    monkeypatch.setattr(probing, "_probed", set())
    monkeypatch.setattr(LinkedShader, "__init__", fail)
    with pytest.raises(DeviceUnavailable, match="failed when it was tried: GLSL Compiler failed"):
        open_device("egl")
    assert not any(each.usable for each in devices() if each.kind in ("egl", "window"))
    with open_device("auto") as device:
        assert device.kind not in ("egl", "window")


def test_the_default_device_is_opened_once() -> None:
    assert default_device() is default_device()
    default_device().close()
    assert not default_device().closed


class Careless(SoftwareDevice):
    """A device that loses infinities, always or where it draws layers."""

    def __init__(self, *, always: bool) -> None:
        super().__init__()
        self.always = always

    def run(self, program: Program, *args: Any, **options: Any) -> Any:
        result = super().run(program, *args, **options)
        changes = self.always or any(each.layers > 1 for each in program.passes)
        return np.nan_to_num(result) if changes else result


@pytest.mark.parametrize(("always", "method"), [(True, "blend"), (False, "fused")])
def test_the_probe_sees_every_shader_of_a_method(always: bool, method: str) -> None:
    with pytest.raises(DeviceUnusable, match=f"float16 keys wrongly by method '{method}'"):
        probe(Careless(always=always))


def test_a_driver_is_probed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that failed is closed, and probed again."""
    monkeypatch.setattr(probing, "_probed", set())
    probed: list[Device] = []

    def probe(device: Device) -> None:
        probed.append(device)
        if len(probed) == 1:
            raise DeviceUnusable("seen to be wrong")

    monkeypatch.setattr(probing, "probe", probe)
    with pytest.raises(DeviceUnavailable, match="seen to be wrong"):
        open_device("egl")
    assert probed[0].closed
    for kind in ("egl", "egl", "software", "software"):
        open_device(kind).close()
    assert [device.kind for device in probed] == ["egl", "egl", "software"]
