"""`shadersort frequent`: frequent numbers or words of a stream of any length in little memory."""

from pathlib import Path
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from shadersort.cli.accuracy import accuracy_options
from shadersort.cli.frequent_report import print_report, rows
from shadersort.cli.inputs import Inputs, files_argument, input_options
from shadersort.cli.item_streams import ItemCounter, ItemSummary, answers_of, counted
from shadersort.cli.listed_items import Choice, bounds_of
from shadersort.cli.options import json_option, last_option, sorter_option
from shadersort.cli.report import WORDS, print_json
from shadersort.keys.reading.request import Request
from shadersort.keys.text import parsed_items
from shadersort.streams import Sorter, WordFrequencies

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
    left out.
    """
    given = [name for name in ("epsilon", "support") if is_given(ctx, name)]
    if words and request.dtype is not None:
        raise click.UsageError("--words counts words, and --dtype numbers: pass one of them")
    choice = Choice(None if top and "support" not in given else support, top)
    if not given and top:
        epsilon = max(SMALLEST, 1 / (SHARE_OF_TOP * top))
    if choice.support is not None:
        epsilon = min(epsilon, choice.support / 2)
    summary, reader = counted(
        Inputs(src, request), lambda: ItemCounter(epsilon, last, sorter), words=words or None
    )
    report = _report(summary, choice, _items(asked, summary))
    report["of_last"] = min(last, summary.n) if last else None
    report["left_out"] = reader.left_out
    if as_json:
        print_json(report)
    else:
        print_report(report)


def is_given(ctx: click.Context, name: str) -> bool:
    """Whether a user has given an option."""
    return ctx.get_parameter_source(name) not in (None, ParameterSource.DEFAULT)


def _items(words: tuple[str, ...], summary: ItemSummary) -> list[Any]:
    """Return the requested items: words, or numbers of the type of the stream."""
    if isinstance(summary, WordFrequencies):
        return list(words)
    dtype = np.dtype(summary.dtype)
    try:
        return list(parsed_items([word.encode() for word in words], dtype).tolist())
    except (ValueError, OverflowError) as error:
        items = " or ".join(words)
        raise click.BadParameter(f"{items!r} is no {dtype}", param_hint="--item") from error


def _report(summary: ItemSummary, choice: Choice, asked: list[Any]) -> dict[str, Any]:
    """Return the report for JSON."""
    answers = answers_of(summary)
    listed, rest = choice.candidates(answers)
    shown, error = listed[: choice.top], answers.count_error
    rest = listed[len(shown) :] + rest
    others = None if choice.support is not None else max([error, *(each.upper for each in rest)])
    return {
        "n": summary.n,
        "nans": summary.nans,
        "epsilon": summary.epsilon,
        "support": choice.support,
        "count_error": error,
        "entries": len(summary),
        "dtype": WORDS if isinstance(summary, WordFrequencies) else str(summary.dtype),
        "frequent": rows(shown),
        "not_listed": None if choice.support is None else len(rest),
        "others_at_most": others,
        "asked": rows(bounds_of(answers, asked)),
    }
