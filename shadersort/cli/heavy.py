"""`shadersort heavy`: frequent networks, or other frequent prefixes, of a stream."""

from pathlib import Path
from typing import Any

import click

from shadersort.cli.accuracy import accuracy_options
from shadersort.cli.inputs import Inputs, files_argument, input_options
from shadersort.cli.number_streams import summarised
from shadersort.cli.options import json_option, sorter_option
from shadersort.cli.report import print_json, print_note, print_table, table
from shadersort.errors import EmptySummary
from shadersort.keys.reading.number_words import NumberWords, Parser
from shadersort.keys.reading.request import Request
from shadersort.streams import HierarchicalHeavyHitters, Sorter
from shadersort.streams.address_words import AddressWords
from shadersort.streams.prefixes import HIERARCHIES

EXAMPLES = """\b
shadersort heavy access.log.gz --column 1 --epsilon 0.001 --support 0.02
shadersort heavy numbers.txt --hierarchy decimal --digits 6
shadersort heavy packets.npy --step 4 --json
"""


@click.command(
    epilog=EXAMPLES, short_help="Frequent networks, or other frequent prefixes, of a stream."
)
@files_argument
@accuracy_options
@click.option(
    "--hierarchy",
    type=click.Choice(list(HIERARCHIES)),
    default="ipv4",
    show_default=True,
    help="IPv4 addresses and their networks, or numbers and their leading digits.",
)
@click.option("--digits", type=int, help="The number of bits or decimal digits of an item.")
@click.option("--step", type=int, help="The number of digits by which prefixes differ in length.")
@input_options("that of the hierarchy")
@sorter_option
@json_option
def heavy(
    src: tuple[Path, ...],
    epsilon: float,
    support: float,
    hierarchy: str,
    digits: int | None,
    step: int | None,
    request: Request,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Report the heavy prefixes in FILEs or in the standard input.

    An IPv4 text has one address a line; with --dtype, and in other forms, addresses are numbers. A
    prefix is heavy if its items have a share of SUPPORT, without those of longer heavy prefixes.
    Every heavy prefix is reported, and no prefix with a share below SUPPORT − EPSILON.
    """

    def make() -> HierarchicalHeavyHitters:
        return HierarchicalHeavyHitters(epsilon, hierarchy, digits=digits, step=step, sorter=sorter)

    parser: Parser | None = None
    if request.dtype is None:
        addresses = hierarchy == "ipv4"
        parser = AddressWords() if addresses else NumberWords(make().hierarchy.dtype)
    summary, reader = summarised(Inputs(src, request), "counting", make, parser)
    if not summary.n:
        raise EmptySummary("the input has nothing in it, so it has no heavy prefixes")
    report = _report(summary, support) | {"left_out": reader.left_out}
    if as_json:
        print_json(report)
    else:
        _print(report)


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
