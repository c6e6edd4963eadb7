"""Chromium without a screen, on two drivers of WebGL, and what programs leave there."""

import atexit
import base64
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files

import numpy as np
from playwright.sync_api import Page, Playwright, sync_playwright

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.program import Program
from shadersort.web.glsl import glsl_of
from shadersort.web.probes import probes

DRIVERS = {
    "SwiftShader": ("--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
    "llvmpipe": ("--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"),
}
QUIET = (
    *("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
"""Started by root, and with no network."""

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

SCRIPTS = ("executor.js", "encoded.js", "keys.js", "probe.js", "film.js")

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
    const observe = every ? (index, read) => seen.push(packed(read())) : null;
    const result = executor.run(program, input, dtype, observe);
    return [packed(result), seen, executor.gl.getError()];
}
"""


@cache
def started() -> Playwright:
    """Playwright, once for a process: it cannot be started while it runs."""
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    return playwright


@contextmanager
def chromium(driver: str) -> Iterator[Page]:
    """A page of a browser that draws by a driver."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    assert path, "Chromium is missing: sudo apt install chromium"
    args = [*QUIET, *DRIVERS[driver]]
    browser = started().chromium.launch(executable_path=path, args=args)
    try:
        yield browser.new_page()
    finally:
        browser.close()


def open_executor(page: Page) -> None:
    """Load an empty page with the executor."""
    folder = files("shadersort.web")
    script = "\n".join((folder / name).read_text(encoding="utf-8") for name in SCRIPTS)
    glsl = json.dumps(glsl_of(SHADERS))
    page.set_content("<canvas></canvas>")
    page.add_script_tag(
        content=f"{script}\n"
        'const gl = document.querySelector("canvas").getContext("webgl2");\n'
        'gl.getExtension("EXT_color_buffer_float"); gl.getExtension("EXT_float_blend");\n'
        f"const executor = new Executor(gl, {glsl});\n"
        f"const probes = {json.dumps(probes())};"
    )


def renderer(page: Page) -> str:
    """The name in DRIVERS of what draws, as WebGL tells it."""
    told: str = page.evaluate(
        "gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL)"
    )
    return next(name for name in DRIVERS if name in told)


def run(
    page: Page, program: Program, texels: Texels, *, every: bool = False
) -> tuple[Texels, list[Texels]]:
    """Run a program in the browser; return the texels of its result, and maybe after every pass."""
    kept = np.dtype(np.float32) if texels.dtype.kind == "f" else texels.dtype
    sent = base64.b64encode(texels.astype(kept).tobytes()).decode()
    data = json.loads(program.to_json())
    result, seen, error = page.evaluate(RUN, [data, texels.dtype.name, sent, every])
    assert error == 0, f"WebGL notes error {error}"

    def unpacked(text: str) -> Texels:
        found = np.frombuffer(base64.b64decode(text), kept).reshape(texels.shape)
        return found.astype(texels.dtype)

    return unpacked(result), [unpacked(each) for each in seen]
