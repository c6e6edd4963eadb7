"""`shadersort quantiles`: quantiles of a stream of any length in little memory."""

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
from shadersort.streams import QuantileSummary, SlidingQuantiles, Sorter

USUAL = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)

EXAMPLES = """\b
seq 1000000 | shadersort quantiles --epsilon 0.001
shadersort quantiles latencies.npy -q 0.5 -q 0.99 --json
shadersort quantiles 'logs/*.csv.gz' --column ms --skip-bad
tail -f numbers.txt | head -1000000 | shadersort quantiles --last 10000
"""


@click.command(epilog=EXAMPLES, short_help="Quantiles of a stream in little memory.")
@files_argument
@epsilon_option
@click.option(
    "-q",
    "--quantile",
    "wanted",
    type=click.FloatRange(0, 1),
    multiple=True,
    default=USUAL,
    show_default=True,
    help="A quantile, from 0 to 1. May be given more than once.",
)
@click.option(
    "--rank",
    "points",
    type=float,
    multiple=True,
    metavar="X",
    help="Also report how many values are at most X. May be given more than once.",
)
@last_option
@click.option(
    "--expected", type=click.IntRange(min=1), help="The number of values in the stream, if known."
)
@input_options(GUESSED)
@sorter_option
@json_option
def quantiles(
    src: tuple[Path, ...],
    epsilon: float,
    wanted: tuple[float, ...],
    points: tuple[float, ...],
    last: int | None,
    expected: int | None,
    request: Request,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Report quantiles of the numbers in FILEs or in the standard input, however many there are.

    The rank of each reported value differs from the requested rank by at most EPSILON times the
    number of values. NaNs are counted and left out.
    """
    if last and expected:
        raise click.UsageError(
            "--expected is the length of a whole stream, and --last asks about its end only"
        )

    def make() -> QuantileSummary | SlidingQuantiles:
        if last:
            return SlidingQuantiles(epsilon, last, sorter=sorter)
        return QuantileSummary(epsilon, expected, sorter=sorter)

    summary, reader = summarised(Inputs(src, request), "summarising", make)
    if not summary.n:
        raise EmptySummary("the input has no number in it, so it has no quantiles")
    report = _report(summary, wanted, points) | {"left_out": reader.left_out}
    if as_json:
        print_json(report)
    else:
        _print(report)


def _report(
    summary: QuantileSummary | SlidingQuantiles,
    wanted: tuple[float, ...],
    points: tuple[float, ...],
) -> dict[str, Any]:
    """Return the report for JSON."""
    values = summary.quantile(np.array(wanted, np.float64))
    low, high = summary.rank_bounds(np.array(points, np.float64))
    ranks = summary.rank(np.array(points, np.float64))
    return {
        "n": summary.n,
        "of_last": min(summary.n, summary.window)
        if isinstance(summary, SlidingQuantiles)
        else None,
        "nans": summary.nans,
        "epsilon": summary.epsilon,
        "rank_error": summary.rank_error,
        "entries": len(summary),
        "dtype": str(summary.dtype),
        "quantiles": [
            {"q": q, "value": json_number(value)}
            for q, value in zip(wanted, values.tolist(), strict=True)
        ],
        "ranks": [
            {"x": json_number(x), "at_most_x": rank, "low": least, "high": most}
            for x, rank, least, most in zip(
                points, ranks.tolist(), low.tolist(), high.tolist(), strict=True
            )
        ],
    }


def _print(report: dict[str, Any]) -> None:
    print_note(values_seen(report), "")
    shown = table("", "quantile", "value")
    for row in report["quantiles"]:
        shown.add_row(f"{row['q']:g}", str(row["value"]))
    print_table(shown)
    if report["ranks"]:
        print_note("")
        ranks = table("", "x", "values ≤ x", "at least", "at most")
        for row in report["ranks"]:
            counts = (f"{row[name]:,}" for name in ("at_most_x", "low", "high"))
            ranks.add_row(str(row["x"]), *counts)
        print_table(ranks)
    print_note(
        "",
        f"No rank is off by more than {report['rank_error']:,}. "
        f"{report['entries']:,} entries were held.",
    )
