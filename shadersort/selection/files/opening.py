"""What a path or an object is: which source has its keys."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, ForeignFile
from shadersort.keys.reading.opening import check_content
from shadersort.keys.reading.request import Request
from shadersort.keys.reading.signatures import START, compression_of, form_of_input
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.chunks import Chunks, makes_chunks
from shadersort.selection.files.in_memory import MappedArray
from shadersort.selection.files.parquet import ParquetColumn
from shadersort.selection.files.plain import PlainFile
from shadersort.selection.files.source import Source

IN_ROUNDS = ("npy", "raw", "parquet")
"""The forms of files whose pieces can be read from any place."""


def source_of(
    given: Any,
    budget: Budget,
    *,
    column: str | int | None = None,
    dtype: npt.DTypeLike | None = None,
    offset: int = 0,
) -> Source:
    """Return the source of some keys: a path, an array, or what makes chunks.

    Raises
    ------
    ForeignFile, TruncatedFile, UnsupportedKeys, UnknownColumn
        There are no such keys; the message says what is there.
    NotRereadable
        The keys can be read only once.
    BadOption
        An option says nothing about this source.
    """
    asked = None if dtype is None else np.dtype(dtype)
    if isinstance(given, str | os.PathLike):
        return _of_path(Path(given), budget, column, asked, offset)
    for name, option in (("column", column), ("dtype", dtype), ("offset", offset or None)):
        if option is not None:
            raise BadOption(f"{name}= is for files, and the keys are in a {type(given).__name__}")
    if isinstance(given, np.ndarray):
        return MappedArray(given, budget)
    return Chunks(makes_chunks(given), budget)


def _of_path(
    path: Path,
    budget: Budget,
    column: str | int | None,
    dtype: np.dtype[Any] | None,
    offset: int,
) -> Source:
    form = form_of_file(path, dtype)
    if offset and form != "raw":
        raise BadOption(f"offset= is for raw files, and {path} is {form}")
    if form == "parquet":
        return ParquetColumn(path, budget, column=column)
    field = None if column is None else str(column)
    return PlainFile(path, budget, form=form, dtype=dtype, column=field, offset=offset)


def form_of_file(path: Path, dtype: np.dtype[Any] | None) -> str:
    """Return the form of a file; raise ForeignFile if its pieces cannot be read from any place."""
    if path.exists() and not path.is_file():
        raise ForeignFile(f"{path} is no regular file: its keys cannot be read several times")
    with path.open("rb") as file:
        start = file.read(START)
    request = Request(dtype=dtype)
    if compression := compression_of(start):
        raise ForeignFile(
            f"{path} is compressed by {compression}, and can be read only from its beginning: "
            "decompress it first"
        )
    form = form_of_input(path, start, request)
    check_content(str(path), form, start, request)
    if form not in IN_ROUNDS:
        raise ForeignFile(
            f"{path} is {form}, which is read only from its beginning: store the numbers as .npy "
            "or Parquet"
        )
    return form
