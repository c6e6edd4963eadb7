"""`shadersort frequent`: frequent numbers or words of a stream of any length in little memory."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from click.core import ParameterSource
from rich.text import Text

from shadersort.cli.accuracy import accuracy_options
from shadersort.cli.inputs import Inputs, files_argument, input_options
from shadersort.cli.last_items import LastItems
from shadersort.cli.number_streams import summarised
from shadersort.cli.options import json_option, last_option, sorter_option
from shadersort.cli.report import (
    WORDS,
    json_number,
    print_json,
    print_note,
    print_table,
    table,
    values_seen,
)
from shadersort.errors import EmptyInput
from shadersort.files.reader import Reader
from shadersort.files.request import Request
from shadersort.files.words import NumberWords, Words
from shadersort.streams import FrequencySummary, SlidingFrequencies, Sorter

EXAMPLES = """\b
seq 1000 | awk '{print $1 % 7}' | shadersort frequent
shadersort frequent access.log.gz --column 7 --top 20
shadersort frequent clicks.npy --epsilon 1e-4 --support 0.001 --json
shadersort frequent clicks.npy --last 1000000 --item 17 --item 42
"""
SHARE_OF_TOP = 100
"""The error is at most this part of the share of the last of `--top` items, were they all equal."""
SMALLEST = 1e-5
"""The least error that --top chooses."""

Report = dict[str, Any]


@click.command(epilog=EXAMPLES, short_help="Frequent numbers or words of a stream.")
@files_argument
@accuracy_options
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help="List the N most frequent items at most. Without --support, list items of every share; "
    "EPSILON is then 1/(100 N) by default.",
)
@click.option(
    "--item",
    "asked",
    multiple=True,
    metavar="X",
    help="Also report how often X occurs. May be given more than once.",
)
@last_option
@click.option(
    "--words",
    is_flag=True,
    help="Count words, also if they are numbers. Default: if one of the first words is no number.",
)
@input_options("int64 or float64 if the first words are numbers,")
@sorter_option
@json_option
@click.pass_context
def frequent(
    ctx: click.Context,
    src: tuple[Path, ...],
    epsilon: float,
    support: float,
    top: int | None,
    asked: tuple[str, ...],
    last: int | None,
    words: bool,
    request: Request,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Report frequent numbers or words in FILEs or in the standard input, however many there are.

    Every item with a share above SUPPORT is reported, and no item with a share below
    SUPPORT − EPSILON. Counts are never too large, and too small by at most EPSILON times the number
    of items; an EPSILON of more than half of SUPPORT is taken for that half. NaNs are counted and
    left out. With --last, items are numbers.
    """
    given = [name for name in ("epsilon", "support") if is_given(ctx, name)]
    if words and (request.dtype is not None or last):
        raise click.UsageError("--words counts words; --dtype and --last are for numbers")
    share = None if top and "support" not in given else support
    if not given and top:
        epsilon = max(SMALLEST, 1 / (SHARE_OF_TOP * top))
    if share is not None:
        epsilon = min(epsilon, share / 2)

    def make() -> Any:
        every = FrequencySummary(epsilon, sorter=sorter)
        if not last:
            return every
        lengths: dict[str, Any] = {"window": last, "shortest": last, "sorter": sorter}
        return LastItems(SlidingFrequencies(epsilon, **lengths), every)

    def read(reader: Reader) -> Iterator[Any]:
        if not (words or last or request.dtype):
            reader.advice = "; pass --words to count words"
        return reader.items(words=words or (False if last else None))

    counts, reader = summarised(Inputs(src, request), "counting", make, read=read)
    summary = counts.answers if isinstance(counts, LastItems) else counts
    if not summary.n:
        raise EmptyInput("the input has no number and no word in it, so nothing is frequent")
    report = _report(summary, share, top, asked)
    report |= {"of_last": min(last, summary.n) if last else None, "left_out": reader.left_out}
    (print_json if as_json else _print_report)(report)


def is_given(ctx: click.Context, name: str) -> bool:
    """Whether a user has given an option."""
    return ctx.get_parameter_source(name) not in (None, ParameterSource.DEFAULT)


def _report(summary: Any, support: float | None, top: int | None, asked: tuple[str, ...]) -> Report:
    """Return the report for JSON: the items above a support, or the most frequent ones."""
    answers = summary.last(summary.window) if hasattr(summary, "last") else summary
    is_text = summary.dtype == np.dtype(str)
    if support is None:
        held = [item for item, _ in answers.most_common()]
        bounds = answers.bounds(held if is_text else np.array(held, summary.dtype))
        found = list(zip(held, *(each.tolist() for each in bounds), strict=True))
    else:
        found = answers.frequent_items(support)[["item", "lower", "upper"]].tolist()
    shown, rest = found[:top], found[top:] if top else []
    items = _items(asked, summary.dtype)
    bounds = answers.bounds(items) if asked else ((), ())
    return {
        "n": summary.n,
        "nans": summary.nans,
        "epsilon": summary.epsilon,
        "support": support,
        "count_error": answers.count_error,
        "entries": len(summary),
        "dtype": WORDS if is_text else str(summary.dtype),
        "frequent": _rows(shown),
        "not_listed": None if support is None else len(rest),
        "others_at_most": None
        if support is not None
        else max([answers.count_error, *(upper for _, _, upper in rest)]),
        "asked": _rows(list(zip(items, *bounds, strict=True))),
    }


def _items(words: tuple[str, ...], dtype: np.dtype[Any]) -> list[Any]:
    """Return the requested items: words, or numbers of the type of the stream."""
    if dtype == np.dtype(str):
        return list(words)
    read = NumberWords(dtype)
    found, bad = read(Words([word.encode() for word in words], ()))
    if bad.any():
        word = words[int(np.argmax(bad))]
        why = read.why(word.encode())
        raise click.BadParameter(f"{word!r} is {why}", param_hint="--item")
    items: list[Any] = found.tolist()
    return items


def _rows(found: Sequence[tuple[Any, int, int]]) -> list[Report]:
    r"""Return items and their counts for JSON; bytes of a word that are no UTF-8 become \xff."""
    return [
        {
            "item": item.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            if isinstance(item, str)
            else json_number(item),
            "estimate": int(lower),
            "lower": int(lower),
            "upper": int(upper),
        }
        for item, lower, upper in found
    ]


def _print_report(report: Report) -> None:
    """Print a report for people."""
    print_note(values_seen(report))
    of = report["n"] if report["of_last"] is None else report["of_last"]
    for title, listed in (("", report["frequent"]), ("requested", report["asked"])):
        if not listed:
            continue
        left = int(report["dtype"] == WORDS)
        shown = table(title, "item", "times", "at most", "share", left=left)
        for row in listed:
            counts = f"{row['estimate']:,}", f"{row['upper']:,}", f"{row['estimate'] / of:.2%}"
            shown.add_row(Text(printable(str(row["item"]))), *counts)
        print_note("")
        print_table(shown)
    print_note(
        "",
        f"{_what_is_listed(report)} Counts are too small by at most {report['count_error']:,}, and "
        f"never too large. {report['entries']:,} entries were held.",
    )


def printable(text: str) -> str:
    r"""Return a text whose control characters are written as escapes.

    Examples
    --------
    >>> printable("caf\u00e9"), printable("a\tb\x1b[31m")
    ('café', 'a\\tb\\x1b[31m')
    """
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def _what_is_listed(report: Report) -> str:
    """Return a sentence on which items are listed."""
    name = "word" if report["dtype"] == WORDS else "number"
    count, others = len(report["frequent"]), report["others_at_most"]
    if report["support"] is None:
        most = f"{count:,} most frequent {name}s are" if count > 1 else f"most frequent {name} is"
        rest = f"no other comes more than {others:,} times" if others else "there is no other"
        return f"The {most} listed; {rest}."
    if report["not_listed"]:
        return (
            f"{report['not_listed'] + count:,} {name}s have a share of about {report['support']:g} "
            f"or more; the {count:,} most frequent of them are listed."
        )
    return f"Every {name} with a share above {report['support']:g} is listed."
