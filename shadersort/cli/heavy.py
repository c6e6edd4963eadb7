"""`shadersort heavy`: frequent networks, or other frequent prefixes, of a stream."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.failures import InputFile
from shadersort.cli.frequent import usual_support
from shadersort.cli.number_streams import number_stream
from shadersort.cli.options import (
    epsilon_option,
    item_options,
    json_option,
    sorter_option,
    support_option,
)
from shadersort.cli.report import print_json, print_note, print_table, table
from shadersort.errors import EmptySummary, UnsupportedKeys
from shadersort.keys.text import Lines, parsed_lines
from shadersort.keys.types import Keys
from shadersort.streams import HierarchicalHeavyHitters, Sorter, ipv4_numbers
from shadersort.streams.prefixes import HIERARCHIES

EXAMPLES = """\b
cut -d' ' -f1 access.log | shadersort heavy --epsilon 0.001 --support 0.02
shadersort heavy numbers.txt --hierarchy decimal --digits 6
shadersort heavy packets.npy --step 4 --json
"""


@click.command(
    epilog=EXAMPLES, short_help="Frequent networks, or other frequent prefixes, of a stream."
)
@click.argument("src", type=InputFile(), default="-", metavar="[FILE]")
@epsilon_option
@support_option
@click.option(
    "--hierarchy",
    type=click.Choice(list(HIERARCHIES)),
    default="ipv4",
    show_default=True,
    help="IPv4 addresses and their networks, or numbers and their leading digits.",
)
@click.option("--digits", type=int, help="The number of bits or decimal digits of an item.")
@click.option("--step", type=int, help="The number of digits by which prefixes differ in length.")
@item_options
@sorter_option
@json_option
def heavy(
    src: Path,
    epsilon: float,
    support: float | None,
    hierarchy: str,
    digits: int | None,
    step: int | None,
    form: str | None,
    dtype: np.dtype[Any] | None,
    offset: int,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Report the heavy prefixes in FILE or in the standard input.

    An IPv4 text has one address a line; with --dtype, and in other forms, addresses are numbers. A
    prefix is heavy if its items have a share of SUPPORT, without those of longer heavy prefixes.
    Every heavy prefix is reported, and no prefix with a share below SUPPORT − EPSILON.
    """
    summary = HierarchicalHeavyHitters(epsilon, hierarchy, digits=digits, step=step, sorter=sorter)

    def text(lines: Lines, name: str) -> Iterator[Keys]:
        addresses = _addresses if hierarchy == "ipv4" and dtype is None else None
        kind = summary.hierarchy.dtype if dtype is None else dtype
        return parsed_lines(lines, name, kind, addresses)

    flow = number_stream(src, "counting", form=form, dtype=dtype, offset=offset, text=text)
    with flow as items:
        summary.update(items)
    if not summary.n:
        raise EmptySummary("the input has nothing in it, so it has no heavy prefixes")
    report = _report(summary, usual_support(support, epsilon))
    if as_json:
        print_json(report)
    else:
        _print(report)


def _addresses(words: Sequence[bytes], dtype: np.dtype[Any]) -> Keys:
    """Return the numbers of addresses."""
    try:
        return ipv4_numbers(word.decode("ascii", "replace") for word in words)
    except UnsupportedKeys:
        raise ValueError("no IPv4 address") from None


def _report(summary: HierarchicalHeavyHitters, support: float) -> dict[str, Any]:
    """Return the report for JSON."""
    found = summary.heavy_prefixes(support)
    names = [name for name in found.dtype.names or () if name != "prefix"]
    return {
        "n": summary.n,
        "epsilon": summary.epsilon,
        "support": support,
        "entries": len(summary),
        "heavy": [
            {"prefix": summary.spelt(row)} | {name: int(row[name]) for name in names}
            for row in found
        ],
    }


def _print(report: dict[str, Any]) -> None:
    shown = table("", "prefix", "times", "at most", "unexplained", "at most", left=1)
    for row in report["heavy"]:
        names = ("estimate", "upper", "unexplained", "unexplained_upper")
        shown.add_row(row["prefix"], *(f"{row[name]:,}" for name in names))
    print_note(f"{report['n']:,} items.", "")
    if report["heavy"]:
        print_table(shown)
        print_note("")
    print_note(
        f"Every prefix with a share above {report['support']:g}, without its longer heavy "
        f"prefixes, is listed. {report['entries']:,} entries were held."
    )
