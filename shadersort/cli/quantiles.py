"""`shadersort quantiles`: quantiles of a stream of any length in little memory."""

from pathlib import Path

import click

from shadersort.cli.exact_quantiles import exact_quantiles
from shadersort.cli.inputs import GUESSED, Inputs, files_argument, input_options
from shadersort.cli.last_items import LastItems
from shadersort.cli.number_streams import summarised
from shadersort.cli.options import (
    NumberRange,
    epsilon_option,
    exact_number,
    json_option,
    last_option,
    sorter_option,
)
from shadersort.cli.quantile_report import print_report, report_of
from shadersort.cli.report import print_json
from shadersort.errors import EmptyInput
from shadersort.files.request import Request
from shadersort.streams import QuantileSummary, SlidingQuantiles, Sorter

USUAL = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
EXAMPLES = """\b
seq 1000000 | shadersort quantiles --epsilon 0.001
shadersort quantiles latencies.npy -q 0.5 -q 0.99 --json
shadersort quantiles 'logs/*.csv.gz' --column ms --skip-bad --rank 250
shadersort quantiles latencies.npy --exact -q 0.999
tail -f numbers.txt | head -1000000 | shadersort quantiles --last 10000
"""


@click.command(epilog=EXAMPLES, short_help="Quantiles of a stream in little memory.")
@files_argument
@epsilon_option
@click.option(
    "-q",
    "--quantile",
    "wanted",
    type=NumberRange(0, 1),
    multiple=True,
    default=USUAL,
    show_default=", ".join(f"{number:g}" for number in USUAL),
    help="A quantile, from 0 to 1. May be given more than once.",
)
@click.option(
    "--rank",
    "points",
    type=exact_number,
    multiple=True,
    metavar="X",
    help="Also report how many values are at most X. May be given more than once.",
)
@last_option
@click.option(
    "--exact",
    is_flag=True,
    help="Find exact quantiles of one .npy, raw or Parquet file, in one to three reads of it.",
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
    exact: bool,
    request: Request,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Report quantiles of the numbers in FILEs or in the standard input, however many there are.

    The rank of each reported value differs from the requested rank by at most EPSILON times the
    number of values, or with --last, of the values that the answer is about. NaNs are counted and
    left out.
    """
    inputs = Inputs(src, request)
    if exact:
        if points or last:
            raise click.UsageError("--exact finds quantiles of all numbers: no --rank, no --last")
        report = exact_quantiles(inputs, wanted)
    else:
        stream, reader = summarised(inputs, "summarising", lambda: _summary(epsilon, last, sorter))
        answers = stream.answers if isinstance(stream, LastItems) else stream
        if not answers.n:
            raise EmptyInput("the input has no number in it, so it has no quantiles")
        report = report_of(answers, wanted, points, last) | {"left_out": reader.left_out}
    report |= {"epsilon": epsilon, "exact": exact}
    if as_json:
        print_json(report)
    else:
        print_report(report)


def _summary(epsilon: float, last: int | None, sorter: Sorter) -> QuantileSummary | LastItems:
    """Return a summary of a stream, or of its last values."""
    if last is None:
        return QuantileSummary(epsilon, sorter=sorter)
    recent = SlidingQuantiles(epsilon, window=last, shortest=last, sorter=sorter)
    return LastItems(recent, QuantileSummary(epsilon, last, sorter=sorter))
