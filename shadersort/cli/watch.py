"""`shadersort watch`: a window that shows a sort pass by pass."""

import math
from pathlib import Path

import click

from shadersort.cli.drawn_keys import read_keys
from shadersort.cli.failures import InputFile
from shadersort.cli.inputs import Inputs, input_options
from shadersort.cli.options import (
    CARDS,
    force_option,
    key_count,
    one_way_option,
    seed_option,
    usual_method,
)
from shadersort.keys.reading.request import Request
from shadersort.names import CardName, NetworkName, SortMethod
from shadersort.pictures.watch.controls import HELP, KEYS, SPEED

EXAMPLES = """\b
shadersort watch --random 1024 --network bitonic --speed 5
shadersort watch --keys keys.npy --speed max --frames 100 --screenshot last.png --force
"""
KEY_HELP = "\b\nKeys:\n" + "\n".join(f"  {key:8} {meaning}" for key, meaning in HELP)


def speed_of(text: str) -> float:
    """Return a number of passes a second; infinity for "max".

    Examples
    --------
    >>> speed_of("2.5"), speed_of("max")
    (2.5, inf)
    """
    try:
        speed = math.inf if text == "max" else float(text)
    except ValueError:
        speed = math.nan
    if not speed > 0:
        raise click.BadParameter(f"{text!r} is neither a number of passes a second nor 'max'.")
    return speed


@click.command(epilog=f"{KEY_HELP}\n\n{EXAMPLES}", short_help="Sort in a window, pass by pass.")
@click.option(
    "--keys", "src", type=InputFile(), help="Sort the keys in this file; - is the standard input."
)
@click.option(
    "--random",
    type=key_count,
    default=str(KEYS),
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
    type=speed_of,
    metavar="PASSES",
    default=f"{SPEED:g}",
    show_default=True,
    help="Passes a second, or 'max'.",
)
@click.option(
    "--frames", type=click.IntRange(min=1), help="End after this many frames of 1/60 s each."
)
@click.option(
    "--screenshot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A .png file that gets the last frame.",
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
    from shadersort.pictures.watch.watch import watch as show

    keys = None if src is None else read_keys(Inputs((src,), request))
    show(
        keys,
        n=random,
        seed=seed,
        network=network,
        method=method or ("blend" if keys is None else usual_method(keys.dtype)),
        profile=profile,
        speed=speed,
        frames=frames,
        screenshot=screenshot,
        overwrite=force,
    )
