"""`shadersort watch`: a window that shows a sort pass by pass."""

from pathlib import Path

import click
import numpy as np

from shadersort.cli.drawn_keys import read_keys
from shadersort.cli.failures import InputFile
from shadersort.cli.inputs import Inputs, input_options
from shadersort.cli.options import (
    CARDS,
    NumberRange,
    force_option,
    key_count,
    one_way_option,
    seed_option,
    usual_method,
)
from shadersort.drawing.devices import open_device
from shadersort.files.request import Request
from shadersort.keys.inputs import random_keys
from shadersort.names import CardName, NetworkName, SortMethod
from shadersort.pictures.trace import trace
from shadersort.pictures.watch import HELP, SPEED
from shadersort.pictures.watch import watch as play

EXAMPLES = """\b
shadersort watch --random 1024 --network bitonic --speed 5
shadersort watch --keys keys.npy --speed 600 --frames 100 --screenshot last.png --force
"""
KEY_HELP = "\b\nKeys:\n" + "\n".join(f"  {key:8} {meaning}" for key, meaning in HELP)


@click.command(epilog=f"{KEY_HELP}\n\n{EXAMPLES}", short_help="Sort in a window, pass by pass.")
@click.option(
    "--keys", "src", type=InputFile(), help="Sort the keys in this file; - is the standard input."
)
@click.option(
    "--random",
    type=key_count,
    default="4096",
    show_default=True,
    metavar="N",
    help="Without --keys, sort N random float32 keys.",
)
@seed_option
@input_options("float32 with rounding")
@one_way_option
@click.option("--profile", type=CARDS, help="Emulate the limits of this card.")
@click.option(
    "--speed",
    type=NumberRange(0, min_open=True),
    metavar="PASSES",
    default=SPEED,
    show_default=True,
    help="Passes a second.",
)
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
    src: Path | None,
    random: int,
    seed: int,
    request: Request,
    network: NetworkName,
    method: SortMethod | None,
    profile: CardName | None,
    speed: float,
    frames: int | None,
    screenshot: Path | None,
    force: bool,
) -> None:
    """Show a sort in a window, pass by pass.

    Without a display, use a virtual one:
    xvfb-run shadersort watch --frames 100 --screenshot last.png
    """
    keys = (
        random_keys(random, np.dtype(np.float32), seed=seed)
        if src is None
        else read_keys(Inputs((src,), request))
    )
    with open_device(profile=profile) as device:
        seen = trace(
            keys, network=network, method=method or usual_method(keys.dtype), device=device
        )
    play(seen, speed=speed, frames=frames, screenshot=screenshot, overwrite=force)
