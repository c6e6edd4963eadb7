"""Chromium without a screen, on two drivers of WebGL, and what programs leave there.

Tests drive it by Playwright. If either is missing, DeviceUnavailable says what to
install.
"""

import atexit
import base64
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.program import Program
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
    "inside.frag",
    "sources.frag",
)

SCRIPTS = (
    *("gpu/executor.js", "gpu/decode.js", "gpu/keys.js", "gpu/capabilities.js"),
    *("gpu/sorter.js", "sort/film.js"),
)

RUN = """
async ([program, dtype, texels, every]) => {
    const bytes = Uint8Array.from(atob(texels), (letter) => letter.charCodeAt(0));
    const packed = (array) => {
        const bytes = new Uint8Array(array.buffer);
        let text = "";
        for (let i = 0; i < bytes.length; i += 32768)
            text += String.fromCharCode(...bytes.subarray(i, i + 32768));
        return btoa(text);
    };
    const seen = [];
    const input = new FORMATS[dtype].array(bytes.buffer);
    const run = new Run(executor, program, input, dtype);
    for (const [, , target] of program.passes) {
        run.step();
        if (every) seen.push(packed(run.read(target)));
    }
    const result = packed(run.read(program.result));
    run.release();
    return [result, seen, executor.gl.getError()];
}
"""


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


def renderer(page: "Page") -> str:
    """Return the name of what draws, as WebGL tells it."""
    told: str = page.evaluate(
        "gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL)"
    )
    return told


def run(
    page: "Page", program: Program, texels: Texels, *, every: bool = False
) -> tuple[Texels, list[Texels]]:
    """Run a program there; return the texels of its result, and maybe after every pass."""
    kept = np.dtype(np.float32) if texels.dtype.kind == "f" else texels.dtype
    sent = base64.b64encode(texels.astype(kept).tobytes()).decode()
    data = json.loads(program.to_json())
    result, seen, error = page.evaluate(RUN, [data, texels.dtype.name, sent, every])
    assert error == 0, f"WebGL notes error {error}"

    def unpacked(text: str) -> Texels:
        found = np.frombuffer(base64.b64decode(text), kept).reshape(texels.shape)
        return found.astype(texels.dtype)

    return unpacked(result), [unpacked(each) for each in seen]
