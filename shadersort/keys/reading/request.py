"""What a caller says about inputs: all that is not said is guessed, and the guess is told."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Request:
    """How inputs are read.

    Attributes
    ----------
    form
        The format, one of `FORMS_READ`; None finds it by the suffix or the first bytes.
    dtype
        The type of the numbers. It must be given for raw numbers; for the words of a text, None
        takes int64 or float64, by the first words.
    offset
        Bytes to skip at the beginning of raw numbers.
    column
        The name of a column, of an array in an `.npz` or of a member of JSON objects; or the number
        of a column, from 1.
    delimiter
        What separates the columns of a CSV; None is a comma, and a tab for TSV.
    header
        Whether the first row of a CSV holds titles; None finds out.
    encoding
        The encoding of a text; None is UTF-8, or what a byte order mark shows.
    compression
        "gzip", "bz2", "xz", "zstd" or "none"; None finds it by the first bytes.
    skip_bad
        Leave out words that are no number of the type, and count them.
    """

    form: str | None = None
    dtype: np.dtype[Any] | None = None
    offset: int = 0
    column: str | int | None = None
    delimiter: str | None = None
    header: bool | None = None
    encoding: str | None = None
    compression: str | None = None
    skip_bad: bool = False


FORMS_READ = ("npy", "npz", "raw", "text", "csv", "tsv", "jsonl", "parquet", "arrow")
"""The formats that are read."""
COMPRESSIONS_READ = ("none", "gzip", "bz2", "xz", "zstd")
"""The compressions that are read."""
