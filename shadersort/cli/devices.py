"""`shadersort info` and `demo`: the devices of this machine, and a sort on one of them."""

import sys
import time
from dataclasses import asdict, fields
from pathlib import Path

import click
import numpy as np

from shadersort.cli.options import SEED, device_option, force_option, json_option
from shadersort.cli.report import print_json, print_note, print_table
from shadersort.drawing.compile import compile
from shadersort.drawing.cost.profiles import PROFILES, Profile, Quantity
from shadersort.drawing.devices import devices, open_device
from shadersort.drawing.networks import pbsn
from shadersort.drawing.passes import CHANNELS, texture_size
from shadersort.keys.inputs import random_keys
from shadersort.keys.outputs import check_output
from shadersort.names import DeviceName
from shadersort.pictures.figure_files import write_figure
from shadersort.pictures.matplotlib_types import check_matplotlib
from shadersort.pictures.plots import draw_stages, stages_of
from shadersort.sorting.sort import sort

KEYS = 1 << 20
KEYS_IN_SOFTWARE = 1 << 17
"""Keys of `demo`; fewer for the software device, which is slow."""
INFO_EXAMPLES = """\b
shadersort info
shadersort info --json
"""
DEMO_EXAMPLES = """\b
shadersort demo
shadersort demo --device software --picture sort.png --force
"""


@click.command(epilog=INFO_EXAMPLES)
@json_option
def info(as_json: bool) -> None:
    """Show the devices of this machine, and the data sheets of cards with their sources."""
    reports = devices()
    if as_json:
        sheets = {name: asdict(sheet) for name, sheet in PROFILES.items()}
        print_json({"devices": [asdict(each) for each in reports], "profiles": sheets})
        return
    print_note("Devices of this machine", *(f"  {report}" for report in reports))
    for sheet in PROFILES.values():
        print_note("")
        title = f"{sheet.name}: {sheet.title}"
        print_table(title, ("", "value", "source"), _figures(sheet), left=(0, 2))
    title = "Fast and approximate stream mining of quantiles and frequencies (…)"
    print_note("", f"The paper: Govindaraju, Raghuvanshi and Manocha, {title}, SIGMOD 2005.")


def _figures(sheet: Profile) -> list[tuple[str, str, str]]:
    """Return the names, values and sources of a sheet's figures, those in cycles by precision."""
    found: dict[str, Quantity | None] = {}
    for field in fields(sheet)[2:]:
        name, value = field.name.replace("_", " "), getattr(sheet, field.name)
        precisions = () if isinstance(value, Quantity | None) else ("float16", "float32")
        found |= {f"{name}, {each}": getattr(value, each) for each in precisions} or {name: value}
    return [(name, each.figure, each.source) for name, each in found.items() if each]


@click.command(epilog=DEMO_EXAMPLES, short_help="Sort a million keys by drawing, with a picture.")
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
    print_note("Devices of this machine", *(f"  {report}" for report in devices()), "")
    with open_device(device) as opened:
        print_note(f"Sorting on {opened.renderer} ({opened.kind})")
        count = KEYS_IN_SOFTWARE if opened.kind == "software" else KEYS
        keys = random_keys(count, np.float32, seed=SEED)
        sort(keys[:64], device=opened)  # compiles the shaders
        began = time.perf_counter()
        result = sort(keys, device=opened, progress=sys.stderr.isatty())
        drawn = time.perf_counter()
        expected = np.sort(keys)
        ended = time.perf_counter()
        if not np.array_equal(result.view(np.uint32), expected.view(np.uint32)):
            raise SystemExit("the result differs from np.sort: this is a bug, please report it")
        program = compile(pbsn(count // CHANNELS), *texture_size(count // CHANNELS), "blend")
        print_note(
            f"{count:,} random float32 keys, by {len(program.passes):,} passes that draw quads: "
            f"{drawn - began:.3f} s; np.sort, same answer bit for bit: {ended - drawn:.3f} s"
        )
        log_n = program.network.n.bit_length() - 1  # steps of a stage
        steps = (1, log_n, 3 * log_n, 8 * log_n, log_n * log_n)
        after = [-1] + [3 * step - 1 for step in steps]  # pass 0 copies; a step has three passes
        texels = keys.reshape(program.height, program.width, CHANNELS)
        stages = stages_of(opened, program, texels, after)
    title = f"{count:,} keys in a texture, sorted by MIN and MAX blending ({opened.renderer})"
    write_figure(draw_stages(stages, title), picture, overwrite=force)
    print_note(f"The texture at six stages of the sort: {picture}")
