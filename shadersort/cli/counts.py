"""`shadersort frequent` and `heavy`: frequent items, and frequent networks or other prefixes."""

from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from shadersort.cli.inputs import Inputs, files_argument, input_options
from shadersort.cli.options import json_option, support_option, top_option
from shadersort.cli.report import describe_values, json_number, print_json, print_note, print_table
from shadersort.files.reader import Reader
from shadersort.files.words import NumberWords, Parser
from shadersort.streams import FrequencySummary, HierarchicalHeavyHitters
from shadersort.streams.hierarchies.prefixes import HIERARCHIES, PACKED, AddressWords

SUPPORT = 0.1  # the smallest share that is listed, if no option says another
PER_SUPPORT = 10  # how many times as large as the error bound the support is
SMALLEST = 1e-5  # the least error bound that --top chooses
FREQUENT_EXAMPLES = """\b
seq 1000 | awk '{print $1 % 7}' | shadersort frequent
shadersort frequent access.log.gz --column 7 --top 20
shadersort frequent clicks.npy --support 0.001 --json
"""
HEAVY_EXAMPLES = """\b
shadersort heavy access.log.gz --column 1 --support 0.02
shadersort heavy access.log.gz --column 1 --hierarchy ip --top 20
shadersort heavy numbers.npy --hierarchy bits --json
"""


@click.command(epilog=FREQUENT_EXAMPLES, short_help="Frequent numbers or words of a stream.")
@files_argument
@support_option
@top_option
@click.option(
    "--words",
    is_flag=True,
    help="Count words, also if they are numbers. Default: if one of the first words is no number.",
)
@input_options
@json_option
def frequent(
    files: tuple[str, ...],
    support: float | None,
    top: int | None,
    words: bool,
    as_json: bool,
    **request: Any,
) -> None:
    """Report frequent numbers or words in FILEs or in the standard input, however many there are.

    Every item with a share above SUPPORT is reported, and no item with a share below 0.9 SUPPORT.
    Counts are never too large, and too small by at most SUPPORT/10 of the number of items; with
    --top alone, items of any share are listed, and this error is 1/(100 N). NaNs are counted and
    left out.
    """
    inputs = Inputs(files, **request)
    if words and inputs.request.dtype is not None:
        raise click.UsageError("--words counts words; --dtype is for numbers")
    support = support or (None if top else SUPPORT)
    epsilon = support / PER_SUPPORT if support else max(SMALLEST, 0.01 / (top or 1))

    def read(reader: Reader) -> Iterator[Any]:
        if not words and inputs.request.dtype is None:
            reader.advice = "; pass --words to count words"
        return reader.items(words=words or None)

    summary, report = inputs.summarise(lambda: FrequencySummary(epsilon), read=read)
    if support:
        found = summary.frequent_items(support)[["item", "lower", "upper"]].tolist()
    else:
        found = sorted(summary, key=lambda each: -each.lower)
    listed, rest = found[:top], found[top:] if top else []
    others = max([summary.count_error, *(upper for _, _, upper in rest)])
    report |= {
        **{"epsilon": epsilon, "support": support, "count_error": summary.count_error},
        "frequent": [
            {"item": _item(item), "estimate": lower, "lower": lower, "upper": upper}
            for item, lower, upper in listed
        ],
        "not_listed": len(rest) if support else None,
        "others_at_most": None if support else others,
    }
    (print_json if as_json else _print_items)(report)


def _item(item: Any) -> Any:
    r"""Return an item for JSON; bytes of a word that are no UTF-8 become \xff."""
    if isinstance(item, str):
        return item.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return json_number(item)


def _print_items(report: dict[str, Any]) -> None:
    """Print the report of `frequent` for people."""
    names = "words" if report["dtype"] == "words" else "numbers"
    rows = [
        (
            *(_escape(row["item"]), f"{row['lower']:,}", f"{row['upper']:,}"),
            f"{row['lower'] / report['n']:.2%}",
        )
        for row in report["frequent"]
    ]
    print_note(describe_values(report), "")
    columns = ("item", "times", "at most", "share")
    print_table("", columns, rows, left=(0,) if names == "words" else ())
    what = f"Other {names} come at most {report['others_at_most'] or 0:,} times."
    if report["support"]:
        what = _describe_listing(names, report["support"], report["not_listed"])
    error = f"Counts are too small by at most {report['count_error']:,}, and never too large."
    print_note("", f"{what} {error} {report['entries']:,} entries were held.")


def _describe_listing(names: str, support: float, more: int) -> str:
    """Return a sentence on which items are listed, and how many more there are."""
    if more:
        return f"{more:,} more {names} have a share of about {support:g} or more."
    return f"All {names} with a share above {support:g} are listed."


def _escape(item: Any) -> str:
    """Return an item as text whose control characters are written as escapes."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in str(item)
    )


@click.command(epilog=HEAVY_EXAMPLES, short_help="Frequent networks or other prefixes of a stream.")
@files_argument
@support_option
@top_option
@click.option(
    "--hierarchy",
    type=click.Choice(list(HIERARCHIES)),
    default="ipv4",
    show_default=True,
    help="What items are. ipv4: addresses; ip: IPv4 and IPv6 addresses; bits: unsigned integers by "
    "their leading bits.",
)
@input_options
@json_option
def heavy(
    files: tuple[str, ...],
    support: float | None,
    top: int | None,
    hierarchy: str,
    as_json: bool,
    **request: Any,
) -> None:
    """Report the heavy prefixes in FILEs or in the standard input.

    A prefix is heavy if its items have a share of SUPPORT, without those of longer heavy prefixes.
    Every heavy prefix is reported, and no prefix with a share below 0.9 SUPPORT. With --top alone,
    SUPPORT is 1/(10 N). A line of a text is one item, unless --column chooses a column. IPv4
    addresses may also be numbers: in binary files, and with --dtype.
    """
    support = support or max(SUPPORT / (top or 1), PER_SUPPORT * SMALLEST)
    parsers: dict[str, Parser] = {
        "ipv4": AddressWords(),
        "ip": AddressWords(PACKED),
        "bits": NumberWords(np.dtype("u8")),
    }
    inputs = Inputs(files, **request)
    summary, report = inputs.summarise(
        lambda: HierarchicalHeavyHitters(support / PER_SUPPORT, hierarchy),
        parsers[hierarchy] if inputs.request.dtype is None else None,
    )
    found = summary.heavy_prefixes(support)
    listed = found[np.argsort(-found["unexplained"], kind="stable")[:top]] if top else found
    counts = [name for name in found.dtype.names if name != "prefix"]
    rows = [
        {"prefix": summary.spelt(row)} | {name: int(row[name]) for name in counts} for row in listed
    ]
    report |= {"epsilon": summary.epsilon, "support": support}
    report |= {"heavy": rows, "not_listed": len(found) - len(listed)}
    if as_json:
        print_json(report)
        return
    print_note(f"{summary.n:,} items.", "")
    columns = ("estimate", "upper", "unexplained", "unexplained_upper")
    shown = [(row["prefix"], *(f"{row[name]:,}" for name in columns)) for row in rows]
    print_table("", ("prefix", "times", "at most", "unexplained", "at most"), shown, left=(0,))
    what = _describe_listing("prefixes", support, report["not_listed"])
    print_note("", f"{what} {len(summary):,} entries were held.")
