"""`shadersort frequent`: what comes often in a stream of any length, in little memory."""

import math
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from shadersort.cli.failures import InputFile
from shadersort.cli.flow import opened_flow
from shadersort.cli.options import (
    epsilon_option,
    json_option,
    sorter_option,
    stream_options,
    support_option,
)
from shadersort.cli.report import print_json, print_note, print_table, table
from shadersort.errors import EmptySummary
from shadersort.keys.text import parsed
from shadersort.streams import FrequencySummary, LastFrequencies, SlidingFrequencies, Sorter

__all__ = ["frequent", "usual_support"]

EXAMPLES = """\b
seq 1000 | awk '{print $1 % 7}' | shadersort frequent --dtype int64
shadersort frequent clicks.npy --epsilon 1e-4 --support 0.001 --json
shadersort frequent clicks.npy --last 1000000 --item 17 --item 42
"""


@click.command(epilog=EXAMPLES, short_help="What comes often in a stream, in little memory.")
@click.argument("src", type=InputFile(), default="-", metavar="[FILE]")
@epsilon_option
@support_option
@click.option(
    "--item",
    "asked",
    multiple=True,
    metavar="X",
    help="Tell how often X comes, too. May be given more than once.",
)
@click.option("--last", type=click.IntRange(min=1), help="Only of the last so many values.")
@stream_options
@sorter_option
@json_option
def frequent(
    src: Path,
    epsilon: float,
    support: float | None,
    asked: tuple[str, ...],
    last: int | None,
    form: str | None,
    dtype: np.dtype[Any] | None,
    offset: int,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Tell the numbers that come often in FILE, or in the standard input, however long it is.

    No number that makes up more than a share of SUPPORT is missing, and none is told that makes up
    less than SUPPORT − EPSILON. No count is too large, or too small by more than EPSILON times the
    number of values. NaNs are counted, and left out.
    """
    summary: FrequencySummary | SlidingFrequencies
    if last:
        summary = SlidingFrequencies(epsilon, last, shortest=last, sorter=sorter)
    else:
        summary = FrequencySummary(epsilon, sorter=sorter)
    with opened_flow(src, "counting", form=form, dtype=dtype, offset=offset) as numbers:
        summary.update(numbers)
    if not summary.n:
        raise EmptySummary("the input has no number in it, and so none that comes often")
    answers = summary.last(last) if isinstance(summary, SlidingFrequencies) and last else summary
    report = _report(summary, answers, usual_support(support, epsilon), asked)
    if as_json:
        print_json(report)
    else:
        _print(report)


def usual_support(support: float | None, epsilon: float) -> float:
    """Return the support that was asked for, or ten times epsilon.

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
    """Return what is told, as JSON knows it."""
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


def _items(words: tuple[str, ...], dtype: np.dtype[Any] | None) -> npt.NDArray[Any]:
    """Read the items that were asked for as numbers of the type of the stream."""
    try:
        return parsed([word.encode() for word in words], np.dtype(dtype))
    except (ValueError, OverflowError) as error:
        told = " or ".join(words)
        raise click.BadParameter(f"{told!r} is no {dtype}", param_hint="--item") from error


def _row(item: float, lower: int, upper: int) -> dict[str, Any]:
    known = item if math.isfinite(item) else str(item)  # JSON knows no infinities
    return {"item": known, "estimate": lower, "lower": lower, "upper": upper}


def _print(report: dict[str, Any]) -> None:
    seen = f"{report['n']:,} values of {report['dtype']}"
    if report["of_last"] is not None:
        seen = f"the last {report['of_last']:,} of {seen}"
    nans = f", and {report['nans']:,} NaNs left out" if report["nans"] else ""
    print_note(f"{seen}{nans}.")
    of = report["n"] if report["of_last"] is None else report["of_last"]
    for title, rows in (("", report["frequent"]), ("asked for", report["asked"])):
        if rows:
            shown = table(title, "item", "times", "at most", "share")
            for row in rows:
                counts = f"{row['estimate']:,}", f"{row['upper']:,}", f"{row['estimate'] / of:.2%}"
                shown.add_row(str(row["item"]), *counts)
            print_note("")
            print_table(shown)
    print_note(
        "",
        f"No number that comes more than {report['support']:g} of the time is missing. No count "
        f"is too small by more than {report['count_error']:,}, and none is too large. "
        f"{report['entries']:,} entries were held.",
    )
