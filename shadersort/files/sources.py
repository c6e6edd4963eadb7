"""Open the source of keys in a file, in an array or in chunks."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, ForeignFile, NotRereadable, UnsupportedKeys
from shadersort.files.arrays import ArrayFile
from shadersort.files.request import COMPRESSED, START, Request, match_start
from shadersort.files.source import Accept, ArrayKeys, Source, check_type
from shadersort.files.tables import ParquetColumn
from shadersort.keys.inputs import as_rows_of_keys
from shadersort.keys.types import Keys


def open_source(
    given: Any,
    *,
    column: str | int | None = None,
    dtype: npt.DTypeLike | None = None,
    offset: int = 0,
    form: str | None = None,
    accept: Accept = as_rows_of_keys,
) -> Source:
    """Return the source of some keys: `Indexed` for a path or an array, else `Chunks`.

    Files are `.npy`, raw or Parquet; chunks are arrays, which a function makes anew each time it is
    called, or those of a list or an iterator. The options are those of `Request`; `accept` raises
    UnsupportedKeys for keys that the caller does not take.

    Examples
    --------
    >>> source = open_source(lambda: iter([np.arange(3), np.arange(2)]))
    >>> list(source.arrays()), source.dtype
    ([array([0, 1, 2]), array([0, 1])], dtype('int64'))
    """
    if not isinstance(given, str | os.PathLike):
        is_array = isinstance(given, np.ndarray)
        of_file = {"column": column, "offset": offset or None, "dtype": None if is_array else dtype}
        if said := [name for name, option in of_file.items() if option is not None]:
            where = f"the keys are in a {type(given).__name__}"
            raise BadOption(f"{said[0]}= is for files, and {where}")
        if not is_array:
            return Chunks(given)
        accept(np.atleast_1d(given)[:0])
        check_type(given.dtype, "the array", accept, dtype)
        return ArrayKeys(given)
    path = Path(given)
    if path.exists() and not path.is_file():
        raise ForeignFile(f"{path} is no regular file: its keys cannot be read several times")
    request = Request(form, None if dtype is None else np.dtype(dtype), offset)
    form = form or form_of_file(path, request)
    if form == "parquet":
        return ParquetColumn(path, column)
    return ArrayFile(path, replace(request, form=form, column=column), accept)


def form_of_file(path: Path, request: Request) -> str:
    """Return the form of a file; raise ForeignFile if it cannot be read from any place."""
    with path.open("rb") as file:
        start = file.read(START)
    if compression := match_start(COMPRESSED, start):
        where = "can be read only from its beginning: decompress it first"
        raise ForeignFile(f"{path} is compressed by {compression}, and {where}")
    form = request.find_form(str(path), start)
    if form not in ("npy", "raw", "parquet"):
        where = "only from its beginning: store the numbers as .npy or Parquet"
        raise ForeignFile(f"{path} is {form}, which is read {where}")
    return form


class Chunks(Source):
    """Arrays of one type, made anew for each reading; those of an iterator are read only once."""

    name = "the sequence of chunks"

    def __init__(self, given: Any) -> None:
        self._given = given
        chunks = self._make_chunks()
        first = list(islice(chunks, 1))
        self._empty, self.stored = not first, as_rows_of_keys(first[0] if first else []).dtype
        self._begun: Iterator[Any] | None = chain(first, chunks)

    def arrays(self) -> Iterator[Keys]:
        """Yield the arrays as they are made, each flat and in native byte order."""
        begun, self._begun, place = self._begun, None, -1
        if begun is None and isinstance(self._given, Iterator):
            raise NotRereadable(ONCE.format(type(self._given).__name__))
        for place, chunk in enumerate(begun or self._make_chunks()):
            array = as_rows_of_keys(chunk)
            if array.dtype != self.dtype:
                what = f"and chunk {place} of {array.dtype}: use one type"
                raise UnsupportedKeys(f"chunk 0 has keys of {self.dtype}, {what}")
            yield array.reshape(-1)
        if place < 0 and not self._empty:
            raise NotRereadable(ONCE.format("what the function returns"))

    def _make_chunks(self) -> Iterator[Any]:
        chunks = self._given() if callable(self._given) else self._given
        if isinstance(chunks, np.ndarray) or not isinstance(chunks, Iterable):
            what = f"an iterator of arrays, not {type(chunks).__name__}"
            raise UnsupportedKeys(f"pass a path, an array, or a function that returns {what}")
        return iter(chunks)


ONCE = """{} can be read only once, and the keys are read several times: pass a function that \
returns a fresh iterator each time, or store the keys with np.save"""
