"""`shadersort quantiles --exact`: quantiles of one file, selected in a few reads of it."""

import sys
import warnings
from typing import Any

import click
import numpy as np

from shadersort.cli.inputs import Inputs, tell
from shadersort.cli.report import json_number
from shadersort.errors import EmptyInput, UnsupportedKeys
from shadersort.files.request import Request
from shadersort.files.sources import form_of_file
from shadersort.keys.inputs import is_number
from shadersort.selection import quantile
from shadersort.selection.pieces.files import FileKeys
from shadersort.selection.pieces.primitives import Pieces
from shadersort.streams.values import plain_zeros


def exact_quantiles(inputs: Inputs, wanted: tuple[float, ...]) -> dict[str, Any]:
    """Return the report of exact quantiles of one file; no summary is made.

    Raises UsageError unless there is one .npy, raw or Parquet file, EmptyInput if it holds no
    number, and what `FileKeys` raises.
    """
    pieces = _pieces(inputs)
    keys = Pieces(pieces)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # if there is no number, an error says so
        values = quantile(keys, np.array(wanted, np.float64), nan=True, method="inverted_cdf")
    n = keys.count_numbers()
    tell(f"{pieces.source.name} was read {_times(pieces.reads)}")
    if not n:
        raise EmptyInput("the input has no number in it, so it has no quantiles")
    return {
        "n": n,
        "of_last": None,
        "nans": keys.size - n,
        "rank_error": 0,
        "entries": 0,
        "collected": keys.traffic.written,
        "quantiles": [
            {"q": q, "value": json_number(value)}
            for q, value in zip(wanted, plain_zeros(values).tolist(), strict=True)
        ],
        "ranks": [],
        "dtype": str(keys.own_dtype),
        "left_out": 0,
    }


def _pieces(inputs: Inputs) -> FileKeys:
    """Return the pieces of the numbers of the only file."""
    request, path = inputs.request, inputs.paths[0]
    if len(inputs.paths) != 1 or not path.is_file():
        raise click.UsageError("--exact reads one file several times: name one file, and no pipe")
    if request.form not in (None, form := form_of_file(path, Request(dtype=request.dtype))):
        raise click.UsageError(f"--exact reads {path} as {form}, not as {request.form}")
    if request.skip_bad:
        raise click.UsageError("--exact leaves nothing out: drop --skip-bad")
    keys = FileKeys(
        path,
        column=request.column,
        dtype=request.dtype,
        offset=request.offset,
        progress=sys.stderr.isatty(),
    )
    source: Any = keys.source
    is_flat = len(source.shape) == 1 and is_number(source.dtype)
    if not is_flat or getattr(source, "has_nulls", False):
        raise UnsupportedKeys(
            f"{source.name} is no flat column of numbers without gaps, as --exact needs it"
        )
    if not keys.size:
        raise EmptyInput("the input has no number in it, so it has no quantiles")
    return keys


def _times(reads: int) -> str:
    """Return a number of reads in words."""
    return ("", "once", "twice")[reads] if reads < 3 else f"{reads} times"
