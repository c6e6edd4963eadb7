"""`shadersort watch`: a window that shows a sort, pass by pass."""

import math
from pathlib import Path

import click

from shadersort.errors import ShadersortError
from shadersort.files import opened_source
from shadersort.networks import NETWORKS
from shadersort.profiles import PROFILES
from shadersort.program import METHODS
from shadersort.watch import KEYS, SEED, SPEED
from shadersort.watch import watch as show
from shadersort.watch_controls import HELP

__all__ = ["watch"]

KEY_HELP = "\b\nKeys:\n" + "\n".join(f"  {key:8} {meaning}" for key, meaning in HELP)


def speed_of(context: click.Context, option: click.Parameter, value: str) -> float:
    """Return passes a second; infinite for "max"."""
    try:
        speed = math.inf if value == "max" else float(value)
    except ValueError:
        speed = math.nan
    if not speed > 0:
        raise click.BadParameter(f"{value!r} is neither a number of passes a second nor 'max'.")
    return speed


@click.command(name="watch", epilog=KEY_HELP)
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False
)
@click.option(
    "-n",
    "--keys",
    type=click.IntRange(min=0),
    default=KEYS,
    show_default=True,
    help="How many random keys, where no file is given.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=SEED, show_default=True, help="Which random keys."
)
@click.option(
    "--network",
    type=click.Choice(list(NETWORKS)),
    default="pbsn",
    show_default=True,
    help="The sorting network.",
)
@click.option(
    "--method",
    type=click.Choice(list(METHODS)),
    default="blend",
    show_default=True,
    help="How its steps are drawn.",
)
@click.option(
    "--profile", type=click.Choice(list(PROFILES)), default=None, help="A card to emulate."
)
@click.option(
    "--speed",
    callback=speed_of,
    default=f"{SPEED:g}",
    show_default=True,
    help="Passes a second, or 'max'.",
)
@click.option(
    "--frames",
    type=click.IntRange(min=1),
    default=None,
    help="End after so many frames, of 1/60 s each.",
)
@click.option(
    "--screenshot",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="A .png file that gets the last frame.",
)
def watch(
    file: Path | None,
    keys: int,
    seed: int,
    network: str,
    method: str,
    profile: str | None,
    speed: float,
    frames: int | None,
    screenshot: Path | None,
) -> None:
    """Sort in a window, pass by pass, to be watched.

    Sorts random float32 keys, or those of FILE, an .npy file. Without a display, a virtual one
    does: xvfb-run shadersort watch --frames 100 --screenshot last.png
    """
    try:
        given = None
        if file is not None:
            with opened_source(file, None) as source:
                given = source.read(0, source.count)
        show(
            given,
            n=keys,
            seed=seed,
            network=network,
            method=method,
            profile=profile,
            speed=speed,
            frames=frames,
            screenshot=screenshot,
        )
    except ShadersortError as error:
        raise click.ClickException(str(error)) from error
