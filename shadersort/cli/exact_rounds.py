"""Exact quantiles of files that are larger than memory: read in rounds, without a summary."""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from shadersort.cli.inputs import Inputs, tell
from shadersort.cli.report import json_number
from shadersort.errors import ShadersortError
from shadersort.keys.accepted import is_number
from shadersort.selection import nanquantile
from shadersort.selection.files import FileKeys
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.opening import form_of_file
from shadersort.selection.files.primitives import FilePrimitives
from shadersort.streams.values import plain_zeros

Report = dict[str, Any]

TIMES = {1: "once", 2: "twice"}


def in_rounds(inputs: Inputs, memory: int | str) -> FilePrimitives | None:
    """Return the primitives over one file whose pieces are read from any place.

    Returns None for other inputs: text, compressed files, several files, missing values. Those, and
    files that are damaged, are read as every command reads its inputs.
    """
    Budget.of(memory)  # raises an error, whether or not it is needed
    request = inputs.request
    if len(inputs.paths) != 1 or request.by is not None or not inputs.paths[0].is_file():
        return None
    path: Path = inputs.paths[0]
    try:
        if request.form not in (None, form_of_file(path, request.dtype)):
            return None
        keys = FileKeys(
            path,
            column=request.column,
            dtype=request.dtype,
            offset=request.offset,
            memory=memory,
            progress=sys.stderr.isatty(),
        )
    except (ShadersortError, OSError):
        return None
    source = keys.source
    plain = source.flat and is_number(source.dtype) and not getattr(source, "has_nulls", False)
    return keys.primitives() if plain and keys.size else None


def report_in_rounds(keys: FilePrimitives, wanted: tuple[float, ...]) -> Report | None:
    """Return the report of exact quantiles, or None if there are only NaNs."""
    shares = np.array(wanted, np.float64)
    once = keys.are_read_once(shares)
    again = ", and once more if it has NaNs" if once and keys.dtype.kind == "f" else ""
    reads = 1 if once else keys.planned_reads
    tell(f"{keys.source.where} is read {told_reads(reads)}{again}")
    n = 0 if once else keys.count_numbers()
    if once or n:
        values = nanquantile(keys, shares, method="inverted_cdf")
        n = keys.count_numbers()  # the NaNs are counted now
    if not n:
        return None
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


def told_reads(reads: float) -> str:
    """Return a number of reads in words.

    Examples
    --------
    >>> told_reads(2), told_reads(2.25)
    ('twice', '2.25 times')
    """
    return TIMES.get(int(reads), "") if reads in TIMES else f"{reads:.3g} times"
