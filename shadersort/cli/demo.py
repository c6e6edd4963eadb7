"""`shadersort demo`: random keys are sorted by drawing; the sort is checked, timed and shown."""

import sys
import time
from pathlib import Path

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from shadersort.cli.options import device_option, force_option
from shadersort.drawing.compile import compile
from shadersort.drawing.devices import Device, devices, open_device
from shadersort.drawing.networks import pbsn
from shadersort.drawing.passes import CHANNELS, texture_size
from shadersort.drawing.program import Program
from shadersort.keys.outputs import check_output
from shadersort.keys.types import Keys
from shadersort.names import DeviceName
from shadersort.pictures.figure_files import write_figure
from shadersort.pictures.matplotlib_types import check_matplotlib
from shadersort.pictures.plots import draw_stages, stages_of
from shadersort.sorting.sort import sort

KEYS = 1 << 20
KEYS_IN_SOFTWARE = 1 << 17
"""Fewer, because the software device is slow."""


EXAMPLES = """\b
shadersort demo
shadersort demo --device software --picture sort.png --force
"""


@click.command(epilog=EXAMPLES, short_help="Sort a million random keys by drawing, with a picture.")
@device_option
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    default="demo.png",
    show_default=True,
    help="The PNG file to draw the sort into.",
)
@force_option
def demo(device: DeviceName, picture: Path, force: bool) -> None:
    """Sort a million random keys by drawing; check the answer, time it and show it."""
    if picture.suffix != ".png":
        raise click.UsageError(f"the picture is a .png file: {picture} has another name")
    check_output(picture.resolve(), overwrite=force)
    check_matplotlib()
    console = Console()
    console.print("[bold]Devices of this machine[/]")
    for report in devices():
        console.print(f"  {report}", highlight=False, markup=False, soft_wrap=True)
    with open_device(device) as opened:
        console.print(f"\n[bold]Sorting on[/] {opened.renderer} ({opened.kind})", highlight=False)
        count = KEYS_IN_SOFTWARE if opened.kind == "software" else KEYS
        keys = np.random.default_rng(2005).random(count, np.float32)
        program = program_for(len(keys))
        console.print(_measured(opened, keys, program))
        _draw(opened, keys, program, picture, overwrite=force)
    console.print(f"The texture at six stages of the sort: [bold]{picture}[/]")


def program_for(keys: int) -> Program:
    """Return the program that `sort` would run for 2**p keys, in one window of four channels."""
    texels = keys // CHANNELS
    return compile(pbsn(texels), *texture_size(texels), "blend")


def _measured(device: Device, keys: Keys, program: Program) -> Table:
    """Sort, check the answer against NumPy's, and return a table of times."""
    sort(keys[:64], device=device)  # compiles the shaders
    start = time.perf_counter()
    result = sort(keys, device=device, progress=sys.stderr.isatty())
    drawn = time.perf_counter() - start
    start = time.perf_counter()
    expected = np.sort(keys)
    on_cpu = time.perf_counter() - start
    if not np.array_equal(result.view(np.uint32), expected.view(np.uint32)):
        raise SystemExit("the result differs from np.sort: this is a bug, please report it")

    table = Table(title=f"{len(keys):,} random float32 keys, same answer bit for bit")
    table.add_column("")
    table.add_column("drawing quads", justify="right")
    table.add_column("np.sort", justify="right")
    comparators = program.network.comparator_count * CHANNELS
    table.add_row("network", "periodic balanced (PBSN)", "")
    table.add_row("texture", f"{program.width} × {program.height} texels, RGBA", "")
    table.add_row("passes", f"{len(program.passes):,}", "")
    table.add_row("comparators", f"{comparators:,}", "")
    table.add_row("time", f"{drawn:.3f} s", f"{on_cpu:.3f} s")
    rates = (f"{len(keys) / seconds / 1e6:,.1f} million" for seconds in (drawn, on_cpu))
    table.add_row("keys per second", *rates)
    return table


def _draw(device: Device, keys: Keys, program: Program, path: Path, *, overwrite: bool) -> None:
    """Draw the texture at stages of a second run."""
    log_n = program.network.n.bit_length() - 1  # steps of a stage
    steps = (1, log_n, 3 * log_n, 8 * log_n, log_n * log_n)
    after = [-1] + [3 * step - 1 for step in steps]  # pass 0 copies; a step is MIN, MAX and a copy
    texels = keys.reshape(program.height, program.width, CHANNELS)
    stages = stages_of(device, program, texels, after)
    title = f"{len(keys):,} keys in a texture, sorted by MIN and MAX blending ({device.renderer})"
    write_figure(draw_stages(stages, title), path, overwrite=overwrite)
