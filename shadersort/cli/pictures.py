"""`shadersort trace` and `watch`: every pass of a sort, in a file or in a window."""

from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.inputs import Inputs, input_options
from shadersort.cli.options import (
    SEED,
    device_option,
    force_option,
    json_option,
    keys_options,
    way_options,
)
from shadersort.cli.report import print_json
from shadersort.files.words import NumberWords
from shadersort.keys.inputs import convert, random_keys
from shadersort.keys.outputs import check_output
from shadersort.keys.types import Keys
from shadersort.names import DeviceName, NetworkName, SortMethod
from shadersort.pictures.figure_files import write_figure
from shadersort.pictures.matplotlib_types import check_matplotlib
from shadersort.pictures.stills import MOST_IN_GRID
from shadersort.pictures.trace import trace as record
from shadersort.pictures.watch import HELP
from shadersort.pictures.watch import watch as play

FLOAT32 = np.dtype(np.float32)
MOST_FRAMES = 200  # of a film
TRACE_EXAMPLES = """\b
shadersort trace sort.html --random 256
shadersort trace passes.png --keys keys.npy --network bitonic
"""
WATCH_EXAMPLES = """\b
shadersort watch --random 1024 --network bitonic
shadersort watch --keys keys.npy --frames 100 --screenshot last.png --force
"""
KEY_HELP = "\b\nKeys:\n" + "\n".join(f"  {key:8} {meaning}" for key, meaning in HELP)


@click.command(epilog=TRACE_EXAMPLES, short_help="Draw every pass of a sort: page, film, picture.")
@click.argument("output", type=click.Path(path_type=Path))
@keys_options("64")
@input_options
@way_options()
@device_option
@force_option
@json_option
def trace(
    output: Path,
    keys: str | None,
    count: int,
    network: NetworkName,
    method: SortMethod,
    device: DeviceName,
    force: bool,
    as_json: bool,
    **request: Any,
) -> None:
    """Draw every pass of a sort into OUTPUT: a page, a film or a picture.

    A .html is a player to step through, with every key of every pass. A .gif is a film of at most
    200 passes, and a .png shows at most 60 in a grid; both are spread evenly. Keys are rounded to
    float32.
    """
    if output.suffix not in (".html", ".gif", ".png"):
        raise click.UsageError(f"{output} ends in none of .html, .gif, .png: nothing to draw")
    check_output(output.resolve(), overwrite=force)
    if output.suffix != ".html":
        check_matplotlib()
    seen = record(_read_keys(keys, count, request), network=network, method=method, device=device)
    if output.suffix == ".html":
        seen.to_html(output, overwrite=force)
    elif output.suffix == ".gif":
        seen.to_gif(output, frames=MOST_FRAMES, overwrite=force)
    else:
        write_figure(seen.to_image(), output, overwrite=force)
    most = {".gif": MOST_FRAMES, ".png": MOST_IN_GRID}.get(output.suffix, len(seen))
    shown, passes, count = min(len(seen), most), len(seen), len(seen.result)
    way = {"network": seen.program.network.name, "method": seen.program.method}
    if as_json:
        told = {"output": str(output), "keys": count, "passes": passes, "shown": shown}
        print_json(told | way)
        return
    drawn = f"{shown:,} of {passes:,} passes"
    click.echo(f"{output}: {drawn}, {way['network']} by {way['method']}, {count:,} keys")


@click.command(
    epilog=f"{KEY_HELP}\n\n{WATCH_EXAMPLES}", short_help="Sort in a window, pass by pass."
)
@keys_options("4096")
@input_options
@way_options()
@click.option(
    "--frames", type=click.IntRange(min=1), help="End after this many frames of 1/60 s each."
)
@click.option(
    "--screenshot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A .png file that gets the last frame, or that of the key S.",
)
@force_option
def watch(
    keys: str | None,
    count: int,
    network: NetworkName,
    method: SortMethod,
    frames: int | None,
    screenshot: Path | None,
    force: bool,
    **request: Any,
) -> None:
    """Show a sort in a window, pass by pass. Keys are rounded to float32.

    Without a display, use a virtual one:
    xvfb-run shadersort watch --frames 100 --screenshot last.png
    """
    seen = record(_read_keys(keys, count, request), network=network, method=method, device="auto")
    play(seen, frames=frames, screenshot=screenshot, overwrite=force)


def _read_keys(name: str | None, count: int, request: dict[str, Any]) -> Keys:
    """Return the keys of a file, or random ones, as float32."""
    if name is None:
        return random_keys(count, FLOAT32, seed=SEED)
    words = None if request["dtype"] is not None else NumberWords(FLOAT32, rounding=True)
    with Inputs([name], **request).read(parser=words) as reader:
        return np.concatenate(
            [np.empty(0, FLOAT32), *(convert(keys, FLOAT32) for keys in reader.numbers())]
        )
