"""CUDA kernels, one idea a file, and how a file becomes a kernel for one type of key.

The folders say what kernels are for: `one_read` (selection of one array), `papers` (the methods of
the papers), `rows`, `streams`; `shared` is included by kernels of several folders. A file is known
by its name, which is unique. The sources include only each other. NVRTC compiles a kernel at its
first use.
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["DTYPES", "KERNELS", "options", "source"]

FOLDERS = "shared", "one_read", "papers", "rows", "streams"

KERNELS = {
    "extent": ("extent",),
    "objective": ("objective", "log_objective", "counts"),
    "counts_at": ("counts_at",),
    "nearest": ("at_or_above", "at_or_below"),
    "between": ("between", "parted"),
    "digit_histogram": ("digit_histograms", "WorkingCodes.digit_counts"),
    "with_prefixes": ("with_prefixes",),
    "bucket_histogram": ("bucket_histogram",),
    "of_buckets": ("of_buckets",),
    "one_read": ("one_read",),
    "cells": ("ranked",),
    "top_k": ("HostRows.first",),
    "threshold": ("HostRows.threshold",),
    "threshold_end": ("HostRows.threshold",),
    "order_codes": ("working_codes",),
    "quickselect_serial": ("quickselect_serial",),
    "beliakov_objective": ("tangent",),
    "alabi_overwrite_digits": ("WorkingCodes.overwrite",),
    "alabi_assign_buckets": ("Assignment.assign", "Assignment.reassign"),
    "alabi_copy_elements": ("Assignment.copy_bucket", "Assignment.key"),
    "blanchard_assign_buckets": ("BlockAssignment.assign",),
    "blanchard_reduce_to_segments": ("BlockAssignment.reduce_to_segments",),
    "row_sort_count": ("NumPySorter.sort",),
    "row_sort_scan": ("NumPySorter.sort",),
    "row_sort_move": ("NumPySorter.sort",),
    "row_sort_block": ("NumPySorter.sort",),
    "rows_by_lanes": ("HostRows.ranks", "HostRows.middle", "HostRows.first"),
    "rows_by_team": ("HostRows.ranks", "HostRows.middle", "HostRows.count_non_nan"),
    "firsts_by_team": ("HostRows.first",),
    "firsts_by_digits": ("HostRows.first",),
    "row_ends": ("HostRows.ranks", "HostRows.first", "HostRows.places"),
    "firsts_written": ("HostRows.first", "HostRows.threshold"),
    "quantiles": ("HostRows.quantiles",),
    "rows_turned": ("np.transpose",),
    "host_values": ("np.array",),
    "gk_merge": ("GKSummaries.merged_in_pairs", "MassSummaries.merged_in_pairs"),
    "gk_compress": ("GKSummaries.compressed",),
    "mass_compress": ("MassSummaries.compressed",),
    "lossy_counting": ("LossyCounts.with_windows",),
    "number_keys": ("NumPySorter.order",),
    "find_runs": ("NumPySorter.item_counts",),
    "measure_runs": ("NumPySorter.item_counts",),
    "window_sums": ("NumPySorter.window_sums",),
    "frequent_prefixes": ("lossy_windows.often",),
    "prefix_walks": ("Walks.of",),
}
"""Every kernel, which is the function of its name in the file of its name; and its NumPy twins: the
calls of `NumPyPrimitives`, of a class of `shadersort` or of NumPy with which it must agree."""

UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}
VALUES = {
    "float16": "float",
    "float32": "float",
    "float64": "double",
    "int8": "int",
    "int16": "int",
    "int32": "int",
    "int64": "long long",
    "uint8": "unsigned int",
    "uint16": "unsigned int",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
}
"""The type in CUDA that a key is computed with, by its NumPy type."""

DTYPES = tuple(np.dtype(name) for name in VALUES)
"""The types of key that the kernels know."""

BFLOAT16: dict[str, str | int] = {
    **{"RAW": UNSIGNED[2], "KEY_BYTES": 2, "VALUE": "float", "FLOATING": 7, "SIGNED": 1}
}
"""The macros of bfloat16, which NumPy alone does not know."""


@cache
def source(name: str) -> str:
    """Return the source of a file, with each include replaced by that file.

    Examples
    --------
    >>> "extern" in source("extent.cu")
    True
    """
    return "\n".join(_lines(name, set()))


@cache
def _files() -> dict[str, Traversable]:
    """Return every file of the folders by its name."""
    folders = (files("modern.kernels") / folder for folder in FOLDERS)
    return {file.name: file for folder in folders for file in folder.iterdir()}


def _lines(name: str, included: set[str]) -> Iterator[str]:
    """Yield the lines of a file; an include is replaced by the lines of that file, once."""
    included.add(name)
    for line in _files()[name].read_text(encoding="utf-8").splitlines():
        if not line.startswith("#include "):
            yield line
        elif (other := line.split('"')[1]) not in included:
            yield from _lines(other, included)


def options(dtype: npt.DTypeLike, **macros: int) -> tuple[str, ...]:
    """Return the compiler options for one type of key, or for "bfloat16".

    Examples
    --------
    >>> options("int32", SUMS=1)[2:]
    ('-DKEY_BYTES=4', '-DVALUE=int', '-DFLOATING=0', '-DSIGNED=1', '-DSUMS=1')
    """
    known = BFLOAT16 if dtype == "bfloat16" else _known(np.dtype(dtype))
    return ("--std=c++17", *(f"-D{name}={value}" for name, value in (known | macros).items()))


def _known(key: np.dtype[Any]) -> dict[str, str | int]:
    """Return the macros that describe a type of key."""
    return {
        "RAW": UNSIGNED[key.itemsize],
        "KEY_BYTES": key.itemsize,
        "VALUE": VALUES[key.name],
        "FLOATING": np.finfo(key).nmant if key.kind == "f" else 0,
        "SIGNED": int(key.kind != "u"),
    }
