"""`shadersort heavy`: frequent networks, or other frequent prefixes, of a stream."""

from functools import partial
from pathlib import Path

import click

from shadersort.cli.accuracy import SUPPORTS_OF_EPSILON, accuracy_options
from shadersort.cli.frequent import SMALLEST, is_given
from shadersort.cli.heavy_report import print_report, report_of
from shadersort.cli.inputs import Inputs, files_argument, input_options
from shadersort.cli.number_streams import summarised
from shadersort.cli.options import json_option, sorter_option
from shadersort.cli.report import print_json
from shadersort.errors import EmptySummary
from shadersort.keys.reading.number_words import NumberWords, Parser
from shadersort.keys.reading.request import Request
from shadersort.streams import HierarchicalHeavyHitters, Sorter
from shadersort.streams.address_words import AddressWords
from shadersort.streams.named_items import DEPTH, NAMES
from shadersort.streams.port_prefixes import Ports, PortWords
from shadersort.streams.prefixes import Hierarchy
from shadersort.streams.word_items import ItemParser

EXAMPLES = """\b
shadersort heavy access.log.gz --column 1 --support 0.02
shadersort heavy access.log.gz --column 1 --hierarchy ip --top 20
shadersort heavy access.log.gz --column 7 --hierarchy path --depth 3
shadersort heavy flows.csv --column source --hierarchy endpoint
shadersort heavy flows.csv --column port --hierarchy port
shadersort heavy numbers.txt --hierarchy decimal --digits 6
shadersort heavy packets.npy --step 4 --json
"""
SUPPORT_OF_TOP = 10
"""With `--top N` alone, prefixes are heavy from this part of the share 1/N."""


@click.command(
    epilog=EXAMPLES, short_help="Frequent networks, directories or other prefixes of a stream."
)
@files_argument
@accuracy_options
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help="List at most N prefixes: those with the most items that no longer heavy prefix explains. "
    f"Without --support and --epsilon, SUPPORT is then 1/({SUPPORT_OF_TOP} N).",
)
@click.option(
    "--hierarchy",
    type=click.Choice(NAMES),
    default="ipv4",
    show_default=True,
    help="What items are. ipv4: addresses; ip: IPv4 and IPv6 addresses; endpoint: addresses with a "
    "port, like 10.0.0.1:443 or [2001:db8::1]:443; port: ports and their IANA ranges; path: paths "
    "and URLs; bits, decimal: numbers by their leading digits.",
)
@click.option("--digits", type=int, help="The number of bits or decimal digits of an item.")
@click.option(
    "--step",
    type=int,
    help="The number of digits by which prefixes differ in length. Default: 8 bits, 16 bits of an "
    "IPv6 address, or 1 decimal digit.",
)
@click.option(
    "--depth",
    type=int,
    show_default=str(DEPTH),
    help="The most components of a path that prefixes have.",
)
@input_options("that of the hierarchy")
@sorter_option
@json_option
@click.pass_context
def heavy(
    ctx: click.Context,
    src: tuple[Path, ...],
    epsilon: float,
    support: float,
    top: int | None,
    hierarchy: str,
    digits: int | None,
    step: int | None,
    depth: int | None,
    request: Request,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Report the heavy prefixes in FILEs or in the standard input.

    A prefix is heavy if its items have a share of SUPPORT, without those of longer heavy prefixes.
    Every heavy prefix is reported, and no prefix with a share below SUPPORT − EPSILON; an EPSILON
    of more than half of SUPPORT is taken for that half. A line of a text is one item, unless
    --column chooses a column. Addresses may also be numbers: in binary files, and with --dtype.
    """
    if top and not any(map(partial(is_given, ctx), ("epsilon", "support"))):
        support = max(1 / (SUPPORT_OF_TOP * top), SMALLEST * SUPPORTS_OF_EPSILON)
        epsilon = support / SUPPORTS_OF_EPSILON
    made = HierarchicalHeavyHitters(
        min(epsilon, support / 2), hierarchy, digits=digits, step=step, depth=depth, sorter=sorter
    )
    parser = _parser(made) if request.dtype is None else None
    summary, reader = summarised(Inputs(src, request), "counting", lambda: made, parser)
    if not summary.n:
        raise EmptySummary("the input has nothing in it, so it has no heavy prefixes")
    found = summary.heavy_prefixes(support)
    report = report_of(summary, support, found, top)
    report["left_out"] = reader.left_out
    if as_json:
        print_json(report)
    else:
        print_report(report)


def _parser(summary: HierarchicalHeavyHitters) -> Parser:
    """Return what reads the words of texts as items."""
    shape = summary.hierarchy
    if not isinstance(shape, Hierarchy):
        return ItemParser(summary)
    if isinstance(shape, Ports):
        return PortWords()
    return AddressWords() if shape.name == "ipv4" else NumberWords(shape.dtype)
