import json
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import pytest
from platformdirs import macos, unix, windows

import shadersort as ss
from shadersort.drawing.cost import calibration
from shadersort.drawing.cost.calibration import Figures, calibrate, find_profile
from shadersort.drawing.cost.estimate import resolved
from shadersort.drawing.profiles import PROFILES
from shadersort.errors import ProfileLimit
from shadersort.names import DeviceKind


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "shadersort"


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Invented figures instead of measured ones; a list of the devices to be measured."""
    asked: list[str] = []

    def measure(device: ss.Device) -> Figures:
        asked.append(device.renderer)
        return {name: 1e-9 * len(asked) for name in calibration.FIGURES}

    monkeypatch.setattr(calibration, "measure", measure)
    return asked


@pytest.mark.parametrize("kind", ["software", "egl"])
def test_a_measured_sheet_prices_any_sort(kind: DeviceKind) -> None:
    """The memory never takes longer than a pass that was measured, which is priced as it was."""
    with ss.open_device(kind) as device:
        sheet = calibrate(device)
        assert (sheet.name, sheet.title) == ("this", device.renderer)
        assert sheet.largest_side.value == device.max_texture_size
    assert sheet.compute_shaders.value in (False, True)
    small, large = (
        ss.estimate(n, precision="float32", profile=sheet).seconds for n in (1 << 10, 1 << 20)
    )
    assert 0 < small < large < 3600
    for cycles, moved in (
        (sheet.cycles_per_copy, 2),
        (sheet.cycles_per_blend, 3),
        (sheet.cycles_per_comparison, 3),
    ):
        for precision, size in (("float16", 8), ("float32", 16)):
            assert moved * size / sheet.bytes_per_cycle <= cycles.of(precision) * (1 + 1e-9)


def test_auto_is_priced_as_it_would_be_drawn(
    software: ss.Device, egl: ss.Device, measured: list[str]
) -> None:
    """A CPU may have compute shaders, and yet be faster without."""
    for device in (software, egl):
        drawn_by = device.resolved("auto", np.dtype(np.float32))
        assert resolved("auto", calibrate(device)) == drawn_by


def test_it_is_measured_once_unless_forced(
    software: ss.Device, measured: list[str], cache: Path
) -> None:
    first = calibrate(software)
    assert calibrate(software) == first
    assert len(measured) == 1
    assert [path.suffix for path in cache.iterdir()] == [".json"]
    again = calibrate(software, anew=True)
    assert again.setup_time.value == 2 * first.setup_time.value
    assert calibrate(software) == again
    assert len(measured) == 2


def test_devices_are_told_apart(software: ss.Device, egl: ss.Device, measured: list[str]) -> None:
    for device in (software, egl, software):
        calibrate(device)
    assert measured == [software.renderer, egl.renderer]


def test_a_new_version_measures_anew(
    software: ss.Device, measured: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calibrate(software)
    monkeypatch.setattr("shadersort.version.__version__", "99")
    calibrate(software)
    assert len(measured) == 2


@pytest.mark.parametrize(
    "damaged",
    [
        lambda record: "",
        lambda record: json.dumps(record)[:-20],
        lambda record: "[1, 2]",
        lambda record: json.dumps({"device": record["device"]}),
        lambda record: json.dumps({**record, "figures": {}}),
        lambda record: json.dumps({**record, "figures": 7}),
        lambda record: json.dumps(record).replace("1e-09", "NaN"),
        lambda record: json.dumps(record).replace("1e-09", "-1"),
        lambda record: "\udcff",
        lambda record: json.dumps(record | {"device": record["device"] | {"renderer": "another"}}),
        lambda record: json.dumps(record | {"figures": record["figures"] | {"setup": None}}),
    ],
)
def test_a_damaged_or_foreign_file_is_measured_anew(
    software: ss.Device, measured: list[str], cache: Path, damaged: Any
) -> None:
    first = calibrate(software)
    (path,) = cache.iterdir()
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(damaged(record), encoding="utf-8", errors="surrogateescape")
    assert calibrate(software) != first
    assert len(measured) == 2
    calibrate(software)
    assert len(measured) == 2


def test_a_cache_that_cannot_be_written_is_told(
    software: ss.Device, measured: list[str], cache: Path
) -> None:
    cache.write_text("a file where the directory should be", encoding="utf-8")
    with pytest.warns(UserWarning, match="cannot be kept in .* XDG_CACHE_HOME may name another"):
        calibrate(software)
    assert cache.is_file()


def test_a_write_that_fails_leaves_nothing(
    software: ss.Device, measured: list[str], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.warns(UserWarning, match="No space left"):
        calibrate(software)
    assert list(cache.iterdir()) == []


def test_this_is_the_default_device(measured: list[str]) -> None:
    sheet = find_profile("this")
    assert measured == [sheet.title]
    assert ss.estimate(1 << 12, profile="this", precision="float32").seconds > 0


def test_an_emulated_card_is_not_measured(measured: list[str]) -> None:
    name = next(iter(PROFILES))
    with (
        ss.open_device("software", profile=name) as card,
        pytest.raises(ProfileLimit, match=f"PROFILES\\['{name}'\\]"),
    ):
        calibrate(card)
    assert not measured


def test_caches_are_where_the_platform_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "get_win_folder", lambda name: "/local")
    for platform, expected in (
        (unix.Unix, "~/.cache/shadersort"),
        (macos.MacOS, "~/Library/Caches/shadersort"),
        (windows.Windows, "/local/shadersort"),
    ):
        monkeypatch.setattr(platformdirs, "PlatformDirs", platform)
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        assert calibration.cache_directory() == Path(expected).expanduser(), platform
        monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
        assert calibration.cache_directory() == Path("/elsewhere/shadersort"), platform
