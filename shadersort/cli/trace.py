"""`shadersort trace`: every pass of a sort as pictures, a film or a player."""

import re
from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.drawn_keys import read_keys, shown_keys
from shadersort.cli.failures import InputFile
from shadersort.cli.inputs import Inputs, input_options
from shadersort.cli.options import (
    NumberRange,
    device_options,
    force_option,
    json_option,
    key_count,
    merge_option,
    one_way_option,
    precision_option,
    seed_option,
    usual_method,
)
from shadersort.cli.report import print_json
from shadersort.drawing.devices import open_device
from shadersort.files.request import Request
from shadersort.files.source import as_numbers, check_type
from shadersort.keys.inputs import random_keys
from shadersort.keys.outputs import check_output
from shadersort.keys.types import Keys
from shadersort.names import CardName, DeviceName, MergePlace, NetworkName, Precision, SortMethod
from shadersort.pictures.figure_files import write_figure
from shadersort.pictures.matplotlib_types import check_matplotlib
from shadersort.pictures.stills import MOST_IN_GRID
from shadersort.pictures.trace import MOST_BYTES, MOST_PAGE_BYTES, Trace
from shadersort.pictures.trace import trace as record

SUFFIXES = (".png", ".gif", ".html")


def some_passes(text: str) -> int | slice:
    """Return the number of a pass, or a slice of passes as in Python.

    Examples
    --------
    >>> some_passes("-1"), some_passes("3:30:2")
    (-1, slice(3, 30, 2))
    """
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"(-?\d*):(-?\d*)(:-?[1-9]\d*|:)?", text):
        return slice(*(int(part) if part else None for part in text.split(":")))
    raise click.BadParameter(f"{text!r} is neither a pass such as 12 nor a slice such as 3:30:2")


EXAMPLES = """\b
shadersort trace sort.html --random 256
shadersort trace passes.png --keys keys.npy --network bitonic --passes 0:12
"""


@click.command(epilog=EXAMPLES, short_help="Draw every pass of a sort: picture, film, player.")
@click.argument("output", type=click.Path(path_type=Path))
@click.option(
    "--keys",
    "src",
    type=InputFile(),
    help="Trace a sort of the keys in this file; - is the standard input.",
)
@click.option(
    "--random", type=key_count, metavar="N", help="Trace a sort of N random keys; 64 by default."
)
@seed_option
@input_options("float32 with rounding")
@one_way_option
@device_options
@precision_option
@merge_option
@click.option(
    "--passes",
    type=some_passes,
    metavar="PASSES",
    help="Only this pass, such as 12, or these, such as 3:30:2.",
)
@click.option(
    "--fps",
    type=NumberRange(0, 100, min_open=True),
    default=4,
    show_default=True,
    help="Frames a second of a film.",
)
@click.option(
    "--frames",
    type=click.IntRange(min=2),
    default=200,
    show_default=True,
    help="The most frames of a film of all passes.",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(min=0),
    default=0,
    help="Allow this many bytes of textures and page, where 1 GiB and 32 MiB are too few.",
)
@force_option
@json_option
def trace(
    output: Path,
    src: Path | None,
    random: int | None,
    seed: int,
    request: Request,
    network: NetworkName,
    method: SortMethod | None,
    device: DeviceName,
    profile: CardName | None,
    precision: Precision | None,
    merge: MergePlace,
    passes: int | slice | None,
    fps: float,
    frames: int,
    max_bytes: int,
    force: bool,
    as_json: bool,
) -> None:
    """Draw every pass of a sort into OUTPUT: a picture, a film or a player.

    A .png shows at most 60 passes in a grid: evenly spread, or those of --passes. A .gif is a film
    of them. A .html is a player to step through, with every key of every pass.
    """
    if output.suffix not in SUFFIXES:
        raise click.UsageError(f"{output} ends in none of {', '.join(SUFFIXES)}: nothing to draw")
    if src is not None and random is not None:
        raise click.UsageError("keys come from --keys or from --random, not from both")
    check_output(output.resolve(), overwrite=force)
    if output.suffix != ".html":
        check_matplotlib()

    keys = (
        _random(64 if random is None else random, seed, request.dtype)
        if src is None
        else read_keys(Inputs((src,), request))
    )
    with open_device(device, profile=profile) as opened:
        seen = record(
            keys,
            network=network,
            method=method or usual_method(keys.dtype, precision),
            device=opened,
            precision=precision,
            merge=merge,
            max_bytes=max(max_bytes, MOST_BYTES),
        )
    shown = _written(_part(seen, passes), output, frames, fps, max_bytes, overwrite=force)
    _report(seen, shown, output, as_json=as_json)


def _written(
    part: Trace, output: Path, frames: int, fps: float, max_bytes: int, *, overwrite: bool
) -> int:
    """Write passes in the format of the suffix; return how many are in the file."""
    if output.suffix == ".png":
        _write_picture(part, output, overwrite=overwrite)
        return min(len(part), MOST_IN_GRID)
    if output.suffix == ".gif":
        part.to_gif(output, frames=frames, fps=fps, overwrite=overwrite)
        return min(len(part), frames)
    part.to_html(output, max_bytes=max(max_bytes, MOST_PAGE_BYTES), overwrite=overwrite)
    return len(part)


def _report(seen: Trace, shown: int, output: Path, *, as_json: bool) -> None:
    """Print what was drawn, and where."""
    program, dtype = seen.program, seen.result.dtype
    if not as_json:
        click.echo(
            f"{output}: {shown:,} of {len(seen):,} passes, {program.network.name} by "
            f"{program.method}, {len(seen.result):,} {dtype} keys"
        )
        return
    print_json(
        {
            "output": str(output),
            "keys": len(seen.result),
            "dtype": dtype.name,
            "network": program.network.name,
            "method": program.method,
            "passes": len(program.passes),
            "shown": shown,
        }
    )


def _random(count: int, seed: int, dtype: np.dtype[Any] | None) -> Keys:
    """Return random keys: floats from 0 to 1, or integers below 1000."""
    kind = dtype or np.dtype(np.float32)
    check_type(kind, "--dtype", as_numbers)
    if kind.kind == "f":
        return random_keys(count, kind, seed=seed)
    end = min(1000, int(np.iinfo(kind).max) + 1)
    return shown_keys(np.random.default_rng(seed).integers(0, end, count).astype(kind))


def _part(seen: Trace, passes: int | slice | None) -> Trace:
    """Return the chosen passes of a trace."""
    if passes is None:
        return seen
    which = passes if isinstance(passes, slice) else slice(passes, passes + 1 or None)
    if not (part := seen[which]):
        raise click.BadParameter(f"there is no such pass: they are 0 to {len(seen) - 1}")
    return part


def _write_picture(part: Trace, output: Path, *, overwrite: bool) -> None:
    """Write a PNG of one pass or of several in a grid."""
    write_figure(part.to_image(0 if len(part) == 1 else None), output, overwrite=overwrite)
