"""Which source has the keys of a path, of an array, or of what makes chunks."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, ForeignFile, NotRereadable, UnsupportedKeys
from shadersort.files.arrays import (
    ArrayFile,
    CheckType,
    check_flat,
    check_selectable,
    check_sortable,
    check_type,
)
from shadersort.files.outputs import form_of
from shadersort.files.request import START, Request, check_content, compression_of, form_of_input
from shadersort.files.source import ArrayKeys, Indexed, Source
from shadersort.files.tables import ParquetColumn
from shadersort.keys.accepted import accepted, as_rows_of_keys
from shadersort.keys.types import Keys

Make = Callable[[], Iterable[Any]]
"""Makes all chunks anew."""

INDEXED = ("npy", "raw", "parquet")
"""The forms of files that are read from any place."""


def open_source(
    given: Any,
    *,
    column: str | int | None = None,
    dtype: npt.DTypeLike | None = None,
    offset: int = 0,
    check: CheckType = check_selectable,
) -> Source:
    """Return the source of some keys: a path, an array, or what makes chunks of arrays.

    Parameters
    ----------
    given
        The path of a `.npy`, raw or Parquet file; an array, perhaps an `np.memmap`; a function that
        returns an iterator of arrays; or a list or an iterator of arrays.
    column, dtype, offset
        As `Request` has them.
    check
        Raises an error for types of keys that the caller does not take.

    Raises
    ------
    ForeignFile, TruncatedFile, UnsupportedKeys, UnknownColumn, MissingPackage
        There are no such keys, or a package is missing; the message says what is there.
    BadOption
        An option says nothing about this source.

    Examples
    --------
    >>> source = open_source(lambda: iter([np.arange(3), np.arange(2)]))
    >>> list(source.chunks(2)), source.dtype, source.size
    ([array([0, 1]), array([2]), array([0, 1])], dtype('int64'), None)
    """
    if isinstance(given, str | os.PathLike):
        return open_file(Path(given), Request(column=column, offset=offset), dtype, check)
    for name, option in (("column", column), ("dtype", dtype), ("offset", offset or None)):
        if option is not None:
            raise BadOption(f"{name}= is for files, and the keys are in a {type(given).__name__}")
    if isinstance(given, np.ndarray):
        check(given.dtype, "the array")
        return ArrayKeys(given)
    return Chunks(given, check)


def open_file(
    path: Path, request: Request, dtype: npt.DTypeLike | None, check: CheckType
) -> Indexed:
    """Return the keys of a file that is read from any place, or raise ForeignFile."""
    form = form_of_file(path, dtype)
    if request.offset and form != "raw":
        raise BadOption(f"offset= is for raw files, and {path} is {form}")
    if form == "parquet":
        return ParquetColumn(path, request.column, check)
    field = None if request.column is None else str(request.column)
    return ArrayFile(path, form, dtype=dtype, column=field, offset=request.offset, check=check)


def open_sortable(src: Any, dtype: npt.DTypeLike | None) -> Indexed:
    """Return the keys of a flat array, of a `.npy` file, or of any other file, which is raw."""
    source: Indexed
    if isinstance(src, str | os.PathLike):
        path = Path(src)
        check_regular(path)
        source = ArrayFile(path, form_of(path), dtype=dtype, check=check_sortable)
    else:
        array = src if isinstance(src, np.ndarray) else np.asarray(src)
        check_flat(array.shape, "the array")
        check_type(accepted(array[:0]).dtype, dtype, "the array")
        source = ArrayKeys(array)
    check_flat(source.shape, source.name)
    return source


def check_regular(path: Path) -> None:
    """Raise ForeignFile for a pipe or a device, which cannot be read several times."""
    if path.exists() and not path.is_file():
        raise ForeignFile(f"{path} is no regular file: its keys cannot be read several times")


def form_of_file(path: Path, dtype: npt.DTypeLike | None = None) -> str:
    """Return the form of a file; raise ForeignFile if it cannot be read from any place."""
    check_regular(path)
    with path.open("rb") as file:
        start = file.read(START)
    if compression := compression_of(start):
        raise ForeignFile(
            f"{path} is compressed by {compression}, and can be read only from its beginning: "
            "decompress it first"
        )
    request = Request(dtype=None if dtype is None else np.dtype(dtype))
    form = form_of_input(path, start, request)
    check_content(str(path), form, start, request)
    if form not in INDEXED:
        raise ForeignFile(
            f"{path} is {form}, which is read only from its beginning: store the numbers as .npy "
            "or Parquet"
        )
    return form


class Chunks(Source):
    """Arrays, one after the other, of any shapes and of one type: made anew for each reading.

    The first array is made to see their type. The chunks of an iterator can be read only once.
    """

    name = "the sequence of chunks"

    def __init__(self, given: Any, check: CheckType = check_selectable) -> None:
        self.again, self._check, self._kind = not isinstance(given, Iterator), check, type(given)
        if not callable(given) and not isinstance(given, Iterable):
            raise UnsupportedKeys(
                f"{self._kind.__name__} has no keys: pass a path, an array, or what makes chunks"
            )
        self._make = cast(Make, given if callable(given) else lambda: given)
        made = iter(self._made())
        first = list(islice(made, 1))
        self.stored = self._array(first[0], 0).dtype if first else np.dtype(np.float64)
        self._empty = not first
        self._begun: Iterable[Any] | None = chain(first, made)

    def chunks(self, limit: int) -> Iterator[Keys]:
        """Yield all keys as flat arrays of at most `limit`, in their order."""
        for array in self.arrays():
            for first in range(0, len(array), limit):
                yield array[first : first + limit]

    def arrays(self) -> Iterator[Keys]:
        """Yield the arrays as they are made, each flat and in native byte order."""
        made, self._begun = self._begun, None
        if made is None and not self.again:
            raise NotRereadable(ONCE.format(self._kind.__name__))
        place = -1
        for place, chunk in enumerate(self._made() if made is None else made):
            array = self._array(chunk, place)
            if array.dtype != self.dtype:
                raise UnsupportedKeys(
                    f"chunk 0 has keys of {self.dtype}, and chunk {place} of {array.dtype}: use "
                    "one type"
                )
            yield array
        if place < 0 and not self._empty:
            raise NotRereadable(ONCE.format("what the function returns"))

    def _made(self) -> Iterable[Any]:
        made = self._make()
        if isinstance(made, np.ndarray) or not hasattr(made, "__iter__"):
            raise UnsupportedKeys(
                "chunks are made by a function that returns an iterator of arrays, not "
                f"{type(made).__name__}"
            )
        return made

    def _array(self, chunk: Any, place: int) -> Keys:
        array = as_rows_of_keys(chunk)
        self._check(array.dtype, f"chunk {place}")
        return array.reshape(-1)


ONCE = (
    "{} can be read only once, and the keys are read several times: pass a function that returns a "
    "fresh iterator each time, or store the keys with np.save"
)
