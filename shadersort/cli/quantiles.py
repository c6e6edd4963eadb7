"""`shadersort quantiles`: quantiles of a stream of any length in little memory."""

import sys
import warnings
from typing import Any

import click
import numpy as np

from shadersort.cli.inputs import Inputs, files_argument, input_options, tell
from shadersort.cli.options import json_option
from shadersort.cli.report import describe_values, json_number, print_json, print_note, print_table
from shadersort.errors import EmptyInput
from shadersort.files.request import Request
from shadersort.files.source import as_numbers, check_flat, check_type
from shadersort.selection import quantile
from shadersort.selection.pieces.files import FileKeys
from shadersort.selection.pieces.primitives import Pieces
from shadersort.streams import QuantileSummary

USUAL = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
EXAMPLES = """\b
seq 1000000 | shadersort quantiles --epsilon 0.001
shadersort quantiles latencies.npy -q 0.5 -q 0.99 --json
shadersort quantiles 'logs/*.csv.gz' --column ms --skip-bad
shadersort quantiles latencies.npy --exact -q 0.999
"""


@click.command(epilog=EXAMPLES, short_help="Quantiles of a stream in little memory.")
@files_argument
@click.option(
    "--epsilon",
    type=float,
    default=0.01,
    show_default=True,
    help="The largest error allowed, as a share of the number of values.",
)
@click.option(
    "-q",
    "--quantile",
    "wanted",
    type=click.FloatRange(0, 1),
    multiple=True,
    default=USUAL,
    show_default=", ".join(f"{number:g}" for number in USUAL),
    help="A quantile, from 0 to 1. May be given more than once.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Find exact quantiles of one .npy, raw or Parquet file, in one to three reads of it.",
)
@input_options
@json_option
def quantiles(
    files: tuple[str, ...],
    epsilon: float,
    wanted: tuple[float, ...],
    exact: bool,
    as_json: bool,
    **request: Any,
) -> None:
    """Report quantiles of the numbers in FILEs or in the standard input, however many there are.

    The rank of each reported value differs from the requested rank by at most EPSILON times the
    number of values. NaNs are counted and left out.
    """
    inputs, q = Inputs(files, **request), np.array(wanted, np.float64)
    if exact:
        report, values = _select(inputs, q)
    else:
        summary, report = inputs.summarise(lambda: QuantileSummary(epsilon))
        report["rank_error"], values = summary.rank_error, summary.quantile(q)
    rows = [(q, json_number(value)) for q, value in zip(wanted, values.tolist(), strict=True)]
    if as_json:
        found = [{"q": q, "value": value} for q, value in rows]
        print_json(report | {"epsilon": epsilon, "exact": exact, "quantiles": found})
        return
    print_note(describe_values(report), "")
    print_table("", ("quantile", "value"), [(f"{q:g}", str(value)) for q, value in rows])
    error = f"No rank is off by more than {report['rank_error']:,}."
    held = f"{report['entries']:,} entries were held."
    print_note("", "All answers are exact." if exact else f"{error} {held}")


def _select(inputs: Inputs, q: Any) -> tuple[dict[str, Any], Any]:
    """Return what the keys of one file are, and their exact quantiles."""
    request, path = inputs.request, inputs.paths[0]
    if len(inputs.paths) != 1 or not path.is_file():
        raise click.UsageError("--exact reads one file several times: name one file, and no pipe")
    if request != Request(dtype=request.dtype, column=request.column):
        raise click.UsageError("--exact takes only --column and --dtype of the options of inputs")
    shown = sys.stderr.isatty()
    pieces = FileKeys(path, column=request.column, dtype=request.dtype, progress=shown)
    source: Any = pieces.source
    check_flat(source.shape, source.name)
    check_type(source.dtype, source.name, as_numbers)
    keys = Pieces(pieces)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # if there is no number, an error says so
        values = quantile(keys, q, nan=True, method="inverted_cdf")
    n = keys.count_numbers() if keys.size else 0
    tell(f"{source.name} was read {pieces.reads} time{'s' if pieces.reads > 1 else ''}")
    if not n:
        raise EmptyInput("the file has no number in it, so it has no quantiles")
    report = {"n": n, "nans": keys.size - n, "dtype": str(source.dtype)}
    report |= {"entries": 0, "left_out": 0, "rank_error": 0}
    return report, values + 0  # -0.0 becomes 0.0
