"""Chromium without a screen, on two drivers of WebGL; its pages must say nothing on the console.

Tests drive it by Playwright. If either is missing, DeviceUnavailable says what to install.
"""

import atexit
import json
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from shadersort.errors import DeviceUnavailable
from shadersort.web.piece import Piece

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

DRIVERS = {
    "SwiftShader": ("--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
    "llvmpipe": ("--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"),
}
WEBGPU = {
    "WebGPU": (
        "--enable-unsafe-webgpu",
        "--use-webgpu-adapter=swiftshader",
        *DRIVERS["SwiftShader"],
    )
}
"""A driver of WebGPU beside that of WebGL: pages find it only at an address such as 127.0.0.1."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Of Chromium, on different systems; `scripts/setup` looks for the same ones."""

OPTIONS = (
    *("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
    *("--disable-gpu-compositing", "--disable-gpu-rasterization"),
)
"""Started by root, and with no network. The driver draws for WebGL alone, not the whole page."""

READ = "GPU stall due to ReadPixels"
"""A warning, and harmless: the textures are read because they are to be shown."""

WARNINGS = (READ, "Fragment shader output type does not match", "No available adapters")
"""The second is said of a reader's own shader, which cannot draw; the third without WebGPU."""

IMPACTS = ("minor", "moderate", "serious", "critical")
"""Of a broken rule of accessibility."""

BY_LOOK = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""The rules that depend on the width of a page or on its colours."""

PATIENCE = 60_000
"""Milliseconds that a test waits for a page, on a machine with other work."""


@cache
def start_playwright() -> "Playwright":
    """Start Playwright, once for a process: it cannot be started while it runs."""
    try:
        from playwright.sync_api import expect, sync_playwright
    except ModuleNotFoundError as error:
        raise DeviceUnavailable("Playwright is missing: pip install playwright") from error
    expect.set_options(timeout=PATIENCE)
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    return playwright


@cache
def browser_of(driver: str) -> "Browser":
    """Return a browser that draws by a driver: one for each driver and process."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if not path:
        raise DeviceUnavailable("Chromium is missing: sudo apt install chromium")
    programs = start_playwright().chromium
    from playwright.sync_api import Error

    try:
        return programs.launch(executable_path=path, args=[*OPTIONS, *(DRIVERS | WEBGPU)[driver]])
    except Error as error:
        raise DeviceUnavailable(
            f"{path} does not start: on Ubuntu it may be a stub that asks for snap. Install "
            f"Chromium or Google Chrome so that `{path} --version` works"
        ) from error


@contextmanager
def quiet(
    driver: str = "llvmpipe", *, warnings: Sequence[str] = WARNINGS, **options: Any
) -> Iterator["Page"]:
    """Yield an empty page of a browser; it must say nothing but the warnings on its console.

    The other options are those of a browser's context.
    """
    context = browser_of(driver).new_context(**options)
    context.set_default_timeout(PATIENCE)
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    try:
        yield page
    finally:
        context.close()
    assert [text for text in said if not any(each in text for each in warnings)] == []


def violations(page: "Page", impacts: Collection[str] = IMPACTS) -> list[tuple[str, ...]]:
    """Return what a page breaks: a rule, an element, a width and a colour scheme.

    It is seen narrow and light, and then wide and dark; of the rules, those that do not depend on
    this are tried once.
    """
    from axe_playwright_python.base import AXE_SCRIPT

    options: dict[str, Any] = {
        "preload": False,
        "resultTypes": ["violations"],
        "iframes": False,  # axe is not in the frames of a page: it would wait half a second for it
    }
    page.evaluate(AXE_SCRIPT)
    broken: list[tuple[str, ...]] = []
    for width, scheme in ((390, "light"), (1280, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.evaluate("new Promise(requestAnimationFrame)")  # scripts are told of the width
        for each in page.evaluate("(options) => axe.run(options)", options)["violations"]:
            if each["impact"] in impacts:
                broken.append((each["id"], each["nodes"][0]["html"][:200], str(width), scheme))
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            broken.append(("scrolls sideways", "html", str(width), scheme))
        options["runOnly"] = BY_LOOK
    return broken


SMALL = """
[...document.querySelectorAll("body *")].filter((each) =>
    [...each.childNodes].some((child) => child.nodeType === 3 && child.data.trim())
    && each.getClientRects().length && !each.closest("script")
    && parseFloat(getComputedStyle(each).fontSize) < 13).map((each) => each.outerHTML)
"""
"""The texts that are shown with less than 13 pixels."""


def assert_accessible(page: "Page") -> None:
    """Assert that a page breaks no rule, has no small letters, and does not scroll sideways."""
    assert violations(page) == []
    assert page.evaluate(SMALL) == []


def data_of(piece: Piece) -> Any:
    """Return the data of a piece, as its scripts read it."""
    return json.loads(piece.page.split('id="data">')[1].split("</script>")[0])
