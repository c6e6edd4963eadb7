"""`shadersort frequent`: frequent numbers of a stream of any length in little memory."""

from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.inputs import GUESSED, Inputs, files_argument, input_options
from shadersort.cli.number_streams import summarised
from shadersort.cli.options import (
    epsilon_option,
    json_option,
    last_option,
    sorter_option,
    support_option,
)
from shadersort.cli.report import (
    json_number,
    print_json,
    print_note,
    print_table,
    table,
    values_seen,
)
from shadersort.errors import EmptySummary
from shadersort.keys.reading.request import Request
from shadersort.keys.text import parsed_items
from shadersort.keys.types import Keys
from shadersort.streams import FrequencySummary, LastFrequencies, SlidingFrequencies, Sorter

EXAMPLES = """\b
seq 1000 | awk '{print $1 % 7}' | shadersort frequent
shadersort frequent access.log.gz --column 9
shadersort frequent clicks.npy --epsilon 1e-4 --support 0.001 --json
shadersort frequent clicks.npy --last 1000000 --item 17 --item 42
"""


@click.command(epilog=EXAMPLES, short_help="Frequent numbers of a stream in little memory.")
@files_argument
@epsilon_option
@support_option
@click.option(
    "--item",
    "asked",
    multiple=True,
    metavar="X",
    help="Also report how often X occurs. May be given more than once.",
)
@last_option
@input_options(GUESSED)
@sorter_option
@json_option
def frequent(
    src: tuple[Path, ...],
    epsilon: float,
    support: float | None,
    asked: tuple[str, ...],
    last: int | None,
    request: Request,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Report frequent numbers in FILEs or in the standard input, however many there are.

    Every number with a share above SUPPORT is reported, and no number with a share below
    SUPPORT − EPSILON. Counts are never too large, and too small by at most EPSILON times the number
    of values. NaNs are counted and left out.
    """

    def make() -> FrequencySummary | SlidingFrequencies:
        if last:
            return SlidingFrequencies(epsilon, last, shortest=last, sorter=sorter)
        return FrequencySummary(epsilon, sorter=sorter)

    summary, reader = summarised(Inputs(src, request), "counting", make)
    if not summary.n:
        raise EmptySummary("the input has no number in it, so it has no frequent numbers")
    answers = summary.last(last) if isinstance(summary, SlidingFrequencies) and last else summary
    report = _report(summary, answers, usual_support(support, epsilon), asked)
    report["left_out"] = reader.left_out
    if as_json:
        print_json(report)
    else:
        _print(report)


def usual_support(support: float | None, epsilon: float) -> float:
    """Return the given support, or ten times epsilon where it is None.

    Examples
    --------
    >>> usual_support(None, 0.01), usual_support(None, 0.2), usual_support(0.03, 0.01)
    (0.1, 1.0, 0.03)
    """
    return min(1.0, 10 * epsilon) if support is None else support


def _report(
    summary: FrequencySummary | SlidingFrequencies,
    answers: Any,
    support: float,
    asked: tuple[str, ...],
) -> dict[str, Any]:
    """Return the report for JSON."""
    found = answers.frequent_items(support)
    items = _items(asked, summary.dtype)
    lower, upper = answers.bounds(items)
    return {
        "n": summary.n,
        "of_last": answers.n if isinstance(answers, LastFrequencies) else None,
        "nans": summary.nans,
        "epsilon": summary.epsilon,
        "support": support,
        "count_error": answers.count_error,
        "entries": len(summary),
        "dtype": str(summary.dtype),
        "frequent": [_row(*each) for each in found[["item", "lower", "upper"]].tolist()],
        "asked": [
            _row(*each) for each in zip(items.tolist(), lower.tolist(), upper.tolist(), strict=True)
        ],
    }


def _items(words: tuple[str, ...], dtype: np.dtype[Any] | None) -> Keys:
    """Return the requested items as numbers of the type of the stream."""
    try:
        return parsed_items([word.encode() for word in words], np.dtype(dtype))
    except (ValueError, OverflowError) as error:
        items = " or ".join(words)
        raise click.BadParameter(f"{items!r} is no {dtype}", param_hint="--item") from error


def _row(item: float, lower: int, upper: int) -> dict[str, Any]:
    return {"item": json_number(item), "estimate": lower, "lower": lower, "upper": upper}


def _print(report: dict[str, Any]) -> None:
    print_note(values_seen(report))
    of = report["n"] if report["of_last"] is None else report["of_last"]
    for title, rows in (("", report["frequent"]), ("requested", report["asked"])):
        if rows:
            shown = table(title, "item", "times", "at most", "share")
            for row in rows:
                counts = f"{row['estimate']:,}", f"{row['upper']:,}", f"{row['estimate'] / of:.2%}"
                shown.add_row(str(row["item"]), *counts)
            print_note("")
            print_table(shown)
    print_note(
        "",
        f"Every number with a share above {report['support']:g} is listed. Counts are too small "
        f"by at most {report['count_error']:,}, and never too large. "
        f"{report['entries']:,} entries were held.",
    )
