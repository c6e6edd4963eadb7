"""Options that several commands share, and their types."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import click

from shadersort.drawing.compile import METHODS
from shadersort.drawing.devices import KINDS
from shadersort.drawing.networks import NETWORKS

Function = TypeVar("Function", bound=Callable[..., Any])

SEED = 2005
"""The seed of all random keys."""


def key_count(text: str) -> int:
    """Return a number of keys from text: 1000, 2^20, 32M (M is 2^20, as in the paper) or 1e6."""
    number = r"(\d{1,20}(?:\.\d{1,20})?)(?:(?:\^|\*\*)(\d{1,2})|([KMG])i?|e(\d{1,2}))?"
    if found := re.fullmatch(number, re.sub("[,_]", "", text), re.IGNORECASE):
        base, power, prefix, zeros = found.groups()
        thousands = " KMG".index((prefix or " ").upper())
        count = Fraction(base) ** int(power or 1) * 1024**thousands * 10 ** int(zeros or 0)
        if count.denominator == 1 and count <= 1 << 64:
            return int(count)
    raise click.BadParameter(f"{text!r} is not a number of keys: write 1000, 2^20, 32M or 1e6")


def combine(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Return one decorator for several options, which --help lists in this order."""

    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def way_options(network: Any = "pbsn", method: Any = "blend") -> Callable[[Function], Function]:
    """Return a decorator that adds --network and --method; for lists, each several times."""
    several = isinstance(method, list)
    more = " May be given more than once." if several else ""
    return combine(
        click.option(
            "--network",
            type=click.Choice(list(NETWORKS)),
            multiple=several,
            default=network,
            show_default=True,
            help="The sorting network." + more,
        ),
        click.option(
            "--method",
            type=click.Choice([*METHODS, "auto"]),
            multiple=several,
            default=method,
            show_default=True,
            help="How it is drawn: auto is the fastest way on the device." + more,
        ),
    )


def keys_options(count: str) -> Callable[[Function], Function]:
    """Return a decorator that adds --keys, and --random with a default number of keys."""
    return combine(
        click.option("--keys", metavar="FILE", help="Sort the keys in this file; - is a pipe."),
        click.option(
            "--random",
            "count",
            type=key_count,
            metavar="N",
            default=count,
            show_default=True,
            help="Without --keys, sort N random keys.",
        ),
    )


device_option = click.option(
    "--device",
    type=click.Choice(["auto", *KINDS]),
    default="auto",
    show_default=True,
    help="What draws: the best device here, OpenGL without or with a display, or NumPy.",
)
support_option = click.option(
    "--support",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="SHARE",
    help="The smallest share of all items that is listed. Default: 0.1; less with --top.",
)
top_option = click.option(
    "--top", type=click.IntRange(min=1), metavar="N", help="List at most the N most frequent."
)
force_option = click.option("--force", is_flag=True, help="Replace an output that exists.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
