"""`shadersort heavy`: frequent networks, or other frequent prefixes, of a stream."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.accuracy import SUPPORTS_OF_EPSILON, accuracy_options
from shadersort.cli.frequent import SMALLEST, is_given
from shadersort.cli.inputs import Inputs, files_argument, input_options
from shadersort.cli.number_streams import summarised
from shadersort.cli.options import json_option, sorter_option
from shadersort.cli.report import print_json, print_note, print_table, table
from shadersort.errors import EmptyInput
from shadersort.files.request import Request
from shadersort.files.words import NumberWords, Parser, Words
from shadersort.keys.types import Keys, Mask
from shadersort.streams import HierarchicalHeavyHitters, Sorter
from shadersort.streams.hierarchies.prefixes import (
    HIERARCHIES,
    MAPPED,
    PACKED,
    parse_address,
)

EXAMPLES = """\b
shadersort heavy access.log.gz --column 1 --support 0.02
shadersort heavy access.log.gz --column 1 --hierarchy ip --top 20
shadersort heavy numbers.txt --hierarchy bits --digits 24
shadersort heavy packets.npy --step 4 --json
"""
SUPPORT_OF_TOP = 10
"""With `--top N` alone, prefixes are heavy from this part of the share 1/N."""
COLUMNS = ("estimate", "upper", "unexplained", "unexplained_upper")
"""The columns of the table for people."""

IPV4_NUMBERS = np.dtype(np.uint32)

Report = dict[str, Any]


@dataclass(frozen=True)
class AddressWords:
    """Reads words as IPv4 addresses, numbers of 32 bits; or as both versions, if `PACKED`."""

    dtype: np.dtype[Any] = IPV4_NUMBERS

    def __call__(self, words: Words) -> tuple[Keys, Mask]:
        """Return a number or the bytes for each word, and which words are no addresses."""
        start = b"" if self.dtype == PACKED else MAPPED
        found = [parse_address(word.decode("utf-8", "replace")) or b"" for word in words.texts]
        bad = np.array([not (each and each.startswith(start)) for each in found], np.bool_)
        size = self.dtype.itemsize
        packed = b"".join(each[-size:] or bytes(size) for each in found)
        return np.frombuffer(packed, self.dtype.newbyteorder(">")).astype(self.dtype), bad

    def why(self, word: bytes) -> str:
        """Say why a word is no address."""
        of_ipv4 = "no IPv4 address; for IPv6 pass hierarchy='ip'"
        return (
            (of_ipv4 if self.dtype != PACKED else "no IPv4 or IPv6 address") if word else "missing"
        )


@click.command(epilog=EXAMPLES, short_help="Frequent networks or other prefixes of a stream.")
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
    type=click.Choice(list(HIERARCHIES)),
    default="ipv4",
    show_default=True,
    help="What items are. ipv4: addresses; ip: IPv4 and IPv6 addresses; bits: unsigned integers by "
    "their leading bits.",
)
@click.option("--digits", type=int, help="The number of bits of an integer. Default: 64.")
@click.option(
    "--step",
    type=int,
    help="The number of bits by which prefixes differ in length. Default: 8, and 16 for IPv6.",
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
    request: Request,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Report the heavy prefixes in FILEs or in the standard input.

    A prefix is heavy if its items have a share of SUPPORT, without those of longer heavy prefixes.
    Every heavy prefix is reported, and no prefix with a share below SUPPORT − EPSILON; an EPSILON
    of more than half of SUPPORT is taken for that half. A line of a text is one item, unless
    --column chooses a column. IPv4 addresses may also be numbers: in binary files, and with
    --dtype.
    """
    if top and not any(map(partial(is_given, ctx), ("epsilon", "support"))):
        support = max(1 / (SUPPORT_OF_TOP * top), SMALLEST * SUPPORTS_OF_EPSILON)
        epsilon = support / SUPPORTS_OF_EPSILON
    made = HierarchicalHeavyHitters(
        min(epsilon, support / 2), hierarchy, digits=digits, step=step, sorter=sorter
    )
    parser = _parser(made) if request.dtype is None else None
    summary, reader = summarised(Inputs(src, request), "counting", lambda: made, parser)
    if not summary.n:
        raise EmptyInput("the input has nothing in it, so it has no heavy prefixes")
    report = _report(summary, support, top) | {"left_out": reader.left_out}
    (print_json if as_json else _print_report)(report)


def _parser(summary: HierarchicalHeavyHitters) -> Parser:
    """Return what reads the words of texts as items."""
    named = {"ipv4": AddressWords(), "ip": AddressWords(PACKED)}
    return named.get(summary.hierarchy.name) or NumberWords(summary.hierarchy.dtype)


def _report(summary: HierarchicalHeavyHitters, support: float, top: int | None) -> Report:
    """Return the report for JSON of the heavy prefixes, or of the `top` least explained ones."""
    found = summary.heavy_prefixes(support)
    order = slice(None) if top is None else np.argsort(-found["unexplained"], kind="stable")[:top]
    shown = found[order]
    names = [name for name in found.dtype.names or () if name != "prefix"]
    return {
        "n": summary.n,
        "epsilon": summary.epsilon,
        "support": support,
        "entries": len(summary),
        "heavy": [
            {"prefix": summary.spelt(row)} | {name: int(row[name]) for name in names}
            for row in shown
        ],
        "not_listed": len(found) - len(shown),
    }


def _print_report(report: Report) -> None:
    """Print a report for people."""
    shown = table("", "prefix", "times", "at most", "unexplained", "at most", left=1)
    for row in report["heavy"]:
        shown.add_row(row["prefix"], *(f"{row[name]:,}" for name in COLUMNS))
    print_note(f"{report['n']:,} items.", "")
    if report["heavy"]:
        print_table(shown)
        print_note("")
    share, count = f"{report['support']:g}", len(report["heavy"])
    if report["not_listed"]:
        what = (
            f"{report['not_listed'] + count:,} prefixes have a share of about {share} or more, "
            f"without their longer heavy prefixes; the {count:,} largest of these are listed."
        )
    else:
        what = f"Every prefix with a share above {share}, without longer heavy ones, is listed."
    print_note(f"{what} {report['entries']:,} entries were held.")
