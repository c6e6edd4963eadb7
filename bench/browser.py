"""The executor of the page in a browser, beside the OpenGL device on the same driver, in one run.

    python -m bench.browser --output bench/records/browser-llvmpipe.json

Chromium and the device draw the same programs over the same texels. There are two times: all passes
over a texture that is uploaded already, until they are drawn; and the whole, with upload and
read-back. Both sides are timed by the page's and the device's own code, after a first turn in which
drivers compile. They take turns, and the record has medians. Each answer is compared with np.sort,
bit for bit, before it is timed. A browser's clock has steps of 0.1 ms.

With `--driver SwiftShader` there is no OpenGL device that draws by the same driver, and no ratio.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np

from bench.shared.browser import DRIVERS, chromium, open_executor, renderer, run
from bench.shared.data import WRONG
from bench.shared.machines import seconds, seconds_of_passes
from bench.shared.options import Options, command, option, output_option
from bench.shared.record import Row, begun, described, tell
from shadersort import NETWORKS, Device, Program, compile, network, open_device
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.texture_size import texture_size
from shadersort.errors import DeviceUnavailable
from shadersort.keys.accepted import random_keys
from shadersort.keys.in_order import in_order
from shadersort.names import DrawingMethod
from shadersort.web.encoded import encoded, in_page
from shadersort.web.probes import METHODS

if TYPE_CHECKING:
    from playwright.sync_api import Page

Timer = Callable[[], float]
"""Draws once and returns the milliseconds it took."""

OF_THE_DEVICE = "llvmpipe"
"""The driver that Mesa's OpenGL has, too."""

KEEP = """
([program, dtype, texels]) => {
    globalThis.film = { program, dtype, input: unpacked(texels), length: program.passes.length };
}
"""
WHOLE = """
() => {
    const began = performance.now();
    executor.run(film.program, film.input, film.dtype);
    return performance.now() - began;
}
"""

TYPES: dict[str, tuple[DrawingMethod, ...]] = {"float32": METHODS, "float16": ("blend",)}
"""Methods to measure, by the type of the keys."""


@command(__doc__)
@option("--driver", type=click.Choice(list(DRIVERS)), default=OF_THE_DEVICE)
@option("--smallest", type=int, default=10, metavar="P", help="from 2**P keys on")
@option("--largest", type=int, default=16, metavar="P", help="up to 2**P keys")
@option("--turns", type=int, default=15, help="of each, after one to warm up")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    try:
        with ExitStack() as stack:
            page = stack.enter_context(chromium(options.driver))
            device = None
            if options.driver == OF_THE_DEVICE:
                device = stack.enter_context(open_device("egl"))
            open_executor(page)
            record = begun("browser", told_of(page, device))
            tell(record, measurements(page, device, options), options.output)
    except DeviceUnavailable as error:
        raise click.ClickException(str(error)) from None


def told_of(page: "Page", device: Device | None) -> dict[str, Any]:
    """Describe the browser and the device; refuse two that draw by different drivers."""
    drawn_by, browser = renderer(page), page.context.browser
    if device and device.label not in drawn_by:
        raise DeviceUnavailable(
            f"the browser draws by {drawn_by}, and the OpenGL device by {device.renderer}: "
            "this benchmark compares them on one driver"
        )
    assert browser
    return {
        "kind": "webgl",
        "renderer": drawn_by,
        "webgl": page.evaluate("gl.getParameter(gl.VERSION)"),
        "chromium": browser.version,
        "opengl_device": described(device) if device else None,
    }


class Side(NamedTuple):
    """What draws a program over the same texels again and again."""

    result: Callable[[], Texels]
    alone: Timer  # all passes, over a texture that is there
    whole: Timer  # with upload and read-back


def in_browser(page: "Page", program: Program, texels: Texels) -> Side:
    """Draw in the browser, by the code of the page."""
    page.evaluate(
        KEEP, [json.loads(program.to_json()), texels.dtype.name, encoded(in_page(texels))]
    )
    return Side(
        lambda: run(page, program, texels)[0],
        lambda: page.evaluate("() => sorter.timed(film)"),
        lambda: page.evaluate(WHOLE),
    )


def on_device(device: Device, program: Program, texels: Texels) -> Side:
    """Draw on a device of the package."""

    def result() -> Texels:
        return device.run(program, texels)

    def alone() -> float:
        return 1e3 * seconds_of_passes(device, program, texels)

    return Side(result, alone, lambda: 1e3 * seconds(result))


def measurements(page: "Page", device: Device | None, options: Options) -> Iterator[Row]:
    """Measure every size, type of keys, network and method that the page offers."""
    for power, dtype in product(range(options.smallest, options.largest + 1), TYPES):
        keys = random_keys(1 << power, dtype, seed=power)
        for name, method in product(NETWORKS, TYPES[dtype]):
            length = len(keys) // CHANNELS
            program = compile(network(name, length), *texture_size(length), method)
            texels = keys.reshape(program.height, program.width, CHANNELS)
            sides = {"browser": in_browser(page, program, texels)}
            if device:
                sides["opengl"] = on_device(device, program, texels)
            what = {"keys": len(keys), "dtype": dtype, "network": name, "method": method}
            check(sides, texels, f"{name} by {method}, {len(keys):,} {dtype} keys")
            yield {**what, "passes": len(program.passes), **compared(sides, options.turns)}


def check(sides: Mapping[str, Side], texels: Texels, what: str) -> None:
    """Raise AssertionError unless each side leaves the four channels sorted, bit for bit."""
    expected = in_order(texels.reshape(-1, CHANNELS), axis=0).tobytes()
    for side, drawn in sides.items():
        if drawn.result().tobytes() != expected:
            raise AssertionError(WRONG.format(f"{side}, {what}"))


def compared(sides: Mapping[str, Side], turns: int) -> Row:
    """Return the median milliseconds of each side, which take turns, and their ratio."""
    taken = [[(side.alone(), side.whole()) for side in sides.values()] for _ in range(turns + 1)]
    medians = np.median(taken[1:], axis=0)
    row: Row = {}
    for (alone, whole), side in zip(medians.tolist(), sides, strict=True):
        row |= {f"{side}_ms": alone, f"{side}_with_transfers_ms": whole}
    if "opengl" in sides:
        alone, whole = (medians[0] / medians[1]).tolist()
        row |= {"ratio": alone, "ratio_with_transfers": whole}
    return row | {"turns": turns}


if __name__ == "__main__":
    main()
