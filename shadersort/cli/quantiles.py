"""`shadersort quantiles`: quantiles of a stream of any length in little memory."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from shadersort.cli.bars import BINS, check_plot
from shadersort.cli.exact_reads import check_rereadable
from shadersort.cli.inputs import GUESSED, Inputs, column_of, files_argument, input_options
from shadersort.cli.last_items import LastItems
from shadersort.cli.options import (
    NumberRange,
    epsilon_option,
    exact_number,
    force_option,
    json_option,
    last_option,
    sorter_option,
)
from shadersort.cli.quantile_jobs import Job
from shadersort.cli.quantile_report import Stream, Wanted, print_groups, print_stream
from shadersort.cli.report import print_json
from shadersort.keys.reading.request import Request
from shadersort.selection.files.file_keys import MEMORY
from shadersort.streams import QuantileSummary, SlidingQuantiles, Sorter

USUAL = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
OF_GROUPS = (0.0, 0.5, 0.95, 0.99, 1.0)
"""Quantiles of groups: a line of a terminal holds them."""
MOST_GROUPS = 2000


def _listed(numbers: tuple[float, ...]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)


EXAMPLES = """\b
seq 1000000 | shadersort quantiles --epsilon 0.001
shadersort quantiles latencies.npy -q 0.5 -q 0.99 --json
shadersort quantiles 'logs/*.csv.gz' --column ms --skip-bad
shadersort quantiles requests.csv --column ms --by host -q 0.5 -q 0.99
shadersort quantiles latencies.npy --exact -q 0.999 --rank 250
shadersort quantiles latencies.npy --histogram --plot latencies.svg
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
    show_default=f"{_listed(USUAL)}; with --by {_listed(OF_GROUPS)}",
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
    "--by",
    type=column_of,
    metavar="NAME|N",
    help="Report on each group of rows that have the same word in this column.",
)
@click.option(
    "--most-groups",
    type=click.IntRange(min=1),
    show_default=f"{MOST_GROUPS}",
    help="The most groups of --by. Each takes the memory of a summary.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Read the files again until all answers are exact; not for pipes. Quantiles of one .npy, "
    "raw or Parquet file are found in one to three reads, without a summary.",
)
@click.option(
    "--memory",
    show_default=MEMORY,
    help="Memory to work in, with --exact, for quantiles of one .npy, raw or Parquet file.",
)
@click.option("--histogram", is_flag=True, help="Also draw a histogram of equal widths.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="PICTURE",
    help="Also draw the histogram into this file: .svg, .png or .pdf.",
)
@click.option(
    "--bins",
    type=click.IntRange(1, 1000),
    show_default=f"{BINS}",
    help="The most bins of the histogram.",
)
@force_option
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
    by: str | int | None,
    most_groups: int | None,
    exact: bool,
    memory: str | None,
    histogram: bool,
    plot: Path | None,
    bins: int | None,
    force: bool,
    expected: int | None,
    request: Request,
    sorter: Sorter,
    as_json: bool,
) -> None:
    """Report quantiles of the numbers in FILEs or in the standard input, however many there are.

    The rank of each reported value differs from the requested rank by at most EPSILON times the
    number of values, or with --last and --by, of the values that the answer is about. NaNs are
    counted and left out.
    """
    drawn = histogram or plot is not None
    grouped = by is not None
    _refuse(
        {
            "--expected is the length of a whole stream: leave out --last": last and expected,
            "--expected is the length of a whole stream: leave out --by": grouped and expected,
            "a histogram is of one stream: leave out --by": grouped and drawn,
            "--most-groups is for groups: name their column, with --by": most_groups
            and not grouped,
            "--memory is for exact answers: pass --exact too": memory is not None and not exact,
            "--bins is for a histogram: pass --histogram or --plot too": bins and not drawn,
            "--force is for a picture: pass --plot too": force and plot is None,
        }
    )
    if plot is not None:
        check_plot(plot, overwrite=force)

    def make() -> Stream:
        if last:
            lengths = {"window": last, "shortest": last}
            recent = SlidingQuantiles.of_any_window(epsilon, **lengths, sorter=sorter)
            return LastItems(recent, QuantileSummary(epsilon, last, sorter=sorter))
        return QuantileSummary(epsilon, expected, sorter=sorter)

    inputs = Inputs(src, replace(request, by=by))
    if exact:
        check_rereadable(inputs)
    asked = wanted or (OF_GROUPS if grouped else USUAL)
    job = Job(inputs, epsilon, Wanted(asked, points, last), make, exact, memory or MEMORY)
    if grouped:
        report, bars = job.of_groups(most_groups or MOST_GROUPS), None
    else:
        report, bars = job.of_stream((bins or BINS) if drawn else 0)
    if bars is not None and plot is not None:
        bars.plot(plot, overwrite=force)
    if as_json:
        print_json(report)
        return
    (print_groups if grouped else print_stream)(report)
    if bars is not None and histogram:
        bars.show()


def _refuse(refused: Mapping[str, object]) -> None:
    """Raise UsageError with the first reason that holds."""
    for why, holds in refused.items():
        if holds:
            raise click.UsageError(why)
