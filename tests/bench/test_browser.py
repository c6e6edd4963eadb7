"""The benchmark of the browser checks, compares one driver with itself, says what is missing."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from bench import browser
from bench.shared import browser as shared
from bench.shared.browser import chromium, open_executor
from shadersort import NETWORKS, Device
from shadersort.errors import DeviceUnavailable
from shadersort.web.probes import METHODS
from tests.bench.helpers import options_of, run

FEW = "--smallest 6 --largest 6 --turns 1"


@pytest.fixture(scope="module", params=["llvmpipe"])
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    with chromium(request.param) as page:
        open_executor(page)
        yield page


def measured(page: Page, device: Device | None) -> list[dict[str, Any]]:
    return list(browser.measurements(page, device, options_of(browser.main, FEW)))


def test_every_way_of_the_page_is_measured(page: Page, egl: Device) -> None:
    rows = measured(page, egl)
    ways = {(row["network"], row["method"], row["dtype"]) for row in rows}
    of_floats = {(name, method, "float32") for name in NETWORKS for method in METHODS}
    assert ways == of_floats | {(name, "blend", "float16") for name in NETWORKS}
    assert len(rows) == len(ways)
    for row in rows:
        assert row["browser_with_transfers_ms"] > 0
        assert row["ratio"] == row["browser_ms"] / row["opengl_ms"]
        ratio = row["browser_with_transfers_ms"] / row["opengl_with_transfers_ms"]
        assert row["ratio_with_transfers"] == ratio


@pytest.mark.parametrize("side", ["browser", "opengl"])
def test_a_wrong_answer_is_not_timed(
    page: Page, egl: Device, monkeypatch: pytest.MonkeyPatch, side: str
) -> None:
    if side == "browser":
        monkeypatch.setattr(browser, "run", lambda page, program, texels: (texels, []))
    else:
        monkeypatch.setattr(egl, "run", lambda program, texels: texels)
    with pytest.raises(AssertionError, match=f"not timed: {side}, pbsn by blend, 64 float32 keys"):
        measured(page, egl)


@pytest.mark.parametrize("page", ["SwiftShader"], indirect=True)
def test_two_drivers_are_not_compared(page: Page, egl: Device) -> None:
    with pytest.raises(DeviceUnavailable, match=r"SwiftShader.* by llvmpipe.* on one driver"):
        browser.told_of(page, egl)
    assert all("ratio" not in row and "opengl_ms" not in row for row in measured(page, None))


def test_its_record_says_what_drew(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    told = run(browser.main, f"{FEW} --output {path}")
    record = json.loads(path.read_text())
    device = record["device"]
    assert device["renderer"] in told
    assert "llvmpipe" in device["renderer"]
    assert "llvmpipe" in device["opengl_device"]["renderer"]
    assert device["webgl"].startswith("WebGL 2.0")
    assert int(device["chromium"].split(".")[0]) > 100
    assert len(record["rows"]) == 15


def test_a_missing_browser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_browsers", {})
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert run(browser.main, FEW, 1) == "Error: Chromium is missing: sudo apt install chromium\n"


def test_a_missing_playwright_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_browsers", {})
    monkeypatch.setattr(shared, "started", shared.started.__wrapped__)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    assert run(browser.main, FEW, 1) == "Error: Playwright is missing: pip install playwright\n"
