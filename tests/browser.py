"""Chromium without a screen, on two drivers of WebGL.

Tests drive it by Playwright. If either is missing, DeviceUnavailable says what to
install.
"""

import atexit
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from shadersort.errors import DeviceUnavailable
from shadersort.web.export import glsl_sources, script_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

DRIVERS = {
    "SwiftShader": ("--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
    "llvmpipe": ("--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"),
}
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Of Chromium, on different systems; `scripts/setup` looks for the same ones."""

QUIET = (
    *("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
    *("--disable-gpu-compositing", "--disable-gpu-rasterization"),
)
"""Started by root, and with no network. The driver draws for WebGL alone, not the whole page."""

QUIET_WARNING = "GPU stall due to ReadPixels"
"""Harmless: the textures are read because they are to be shown."""

SHADERS = (
    "quads.vert",
    "copy.frag",
    "keep.frag",
    "comparator.frag",
    "butterfly.frag",
    "sources.frag",
)

SCRIPTS = (
    *("gpu/executor.js", "gpu/decode.js", "gpu/keys.js", "gpu/capabilities.js"),
    *("gpu/sorter.js", "sort/film.js"),
)


@cache
def started() -> "Playwright":
    """Start Playwright, once for a process: it cannot be started while it runs."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError as error:
        raise DeviceUnavailable("Playwright is missing: pip install playwright") from error
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    return playwright


_browsers: dict[str, "Browser"] = {}
"""The browsers of this process, by their drivers; they end with Playwright."""


def browser_of(driver: str) -> "Browser":
    """Return a browser that draws by a driver: one for each driver and process."""
    browser = _browsers.get(driver)
    if browser is None or not browser.is_connected():
        path = next(filter(None, map(shutil.which, NAMES)), None)
        if not path:
            raise DeviceUnavailable("Chromium is missing: sudo apt install chromium")
        args = [*QUIET, *DRIVERS[driver]]
        browser = launched(path, args)
        _browsers[driver] = browser
    return browser


def launched(path: str, args: list[str]) -> "Browser":
    """Start a browser; raise DeviceUnavailable if its program does not start."""
    programs = started().chromium
    from playwright.sync_api import Error

    try:
        return programs.launch(executable_path=path, args=args)
    except Error as error:
        raise DeviceUnavailable(
            f"{path} does not start: on Ubuntu it may be a stub that asks for snap. Install "
            f"Chromium or Google Chrome so that `{path} --version` works"
        ) from error


@contextmanager
def chromium(driver: str) -> Iterator["Page"]:
    """Yield a new page of a browser that draws by a driver."""
    context = browser_of(driver).new_context()
    try:
        yield context.new_page()
    finally:
        context.close()


def open_executor(page: "Page") -> None:
    """Load an empty page with the executor, in a context as every page opens it."""
    script = "\n".join(script_text(name) for name in SCRIPTS)
    glsl = json.dumps(glsl_sources(SHADERS))
    page.set_content("<title>shadersort</title>")
    page.add_script_tag(
        content=f'"use strict";\n{script}\n'
        f"const sorter = new Sorter({glsl}, null, () => {{}}), {{ gl, executor }} = sorter;"
    )
