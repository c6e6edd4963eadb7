"""Keys larger than memory, in files or made in chunks: pieces that every round reads anew.

Several threads read and count, and no more pieces are in memory than they have: while one thread
counts, another one reads. Half of the budget is for pieces, the other half for keys that come
together.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from functools import partial
from itertools import pairwise, zip_longest
from operator import add
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.drawing.progress import progress_in_bytes
from shadersort.errors import BadOption, InputChanged, UnsupportedKeys
from shadersort.files.source import Indexed
from shadersort.files.sources import Chunks, open_source
from shadersort.keys.types import Keys
from shadersort.selection.pieces.asking import PieceHolder, Question, Summed
from shadersort.sorting.external.schedule import SMALLEST, parsed_size
from shadersort.sorting.threads import cores, open_pool

MEMORY = "1GiB"
"""The budget, by default."""

MOST_THREADS = 16
"""More threads read no faster than a disk."""

PIECE = 4 << 20
"""Bytes: larger pieces are not read faster, and the caches of processors hold smaller ones."""

PER_BYTE = 3
"""Bytes for each byte of a piece: as it is stored, as keys, and for what is computed of it. And for
each byte of keys that come together: as they are kept, in one array, and in order."""


class FileKeys(PieceHolder):
    """Keys in a file, or made in chunks, that are read anew whenever they are asked for.

    They have to stay the same as long as this object is used.

    Parameters
    ----------
    source
        The path of a `.npy`, raw or Parquet file; an `np.memmap`; or chunks: a function that
        returns a fresh iterator of arrays each time, or a list of arrays. Arrays of several
        dimensions are seen as one, in the order of memory.
    column
        The column of a Parquet file, or the field of a structured array, by its name or its number
        from 1. None stands for the only one.
    dtype
        The type of the keys in a raw file.
    offset
        Bytes to skip at the beginning of a raw file.
    memory
        How many bytes may be used beside the interpreter: a number, or as in "1GiB".
    progress
        Whether to show a bar for each round of reading.

    Raises
    ------
    BadOption
        The budget is too small or no size, or an option does not fit the file.
    ForeignFile, TruncatedFile, UnsupportedKeys, UnknownColumn, MissingPackage
        There are no such keys, or a package is missing.
    NotRereadable
        The source is an iterator, which can be read only once.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from shadersort.selection import median
    >>> from shadersort.selection.pieces.primitives import Pieces
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "readings.npy")
    ...     np.save(path, np.arange(101.0).reshape(1, 101))
    ...     median(Pieces(FileKeys(path, memory="64MiB")))
    np.float64(50.0)
    """

    ndim = 1
    name = "files"
    piece = PIECE  # bytes of a piece, where the source does not say how it is divided

    def __init__(
        self,
        source: Any,
        *,
        column: str | int | None = None,
        dtype: npt.DTypeLike | None = None,
        offset: int = 0,
        memory: int | str = MEMORY,
        progress: bool = False,
    ) -> None:
        if (size := parsed_size(memory)) < SMALLEST:
            raise BadOption(f"memory of {size:,} bytes is too little: {SMALLEST:,} is the least")
        found: Any = open_source(source, column=column, dtype=dtype, offset=offset)
        self.source: Indexed | Chunks = found
        self.changed = f"{found.name} was changed while it was read"
        self.dtype, self._progress = found.dtype, progress
        self.take = found.take if getattr(found, "scattered", False) else None
        self.few = size // 2 // PER_BYTE // self.dtype.itemsize
        threads = min(cores() + 1, MOST_THREADS)  # one more, so that one can wait for the disk
        if isinstance(found, Chunks):
            self.sizes, self.reads = [each.size for each in found.arrays()], 1
            largest = max(self.sizes, default=0) * self.dtype.itemsize
            what, advice = "the largest chunk", "make smaller chunks"
        else:
            piece = min(size // 2 // threads // PER_BYTE, self.piece)
            starts = found.starts(max(piece // found.stored.itemsize, 1))
            self.sizes, largest = np.diff(starts).tolist(), found.largest_piece
            what, advice = "the largest row group", "write the file with smaller row groups"
        self.size, each = sum(self.sizes), 2 * PER_BYTE * max(largest, 1)
        if each > size:
            raise BadOption(
                f"memory of {size:,} bytes is too little: {what} of {found.name} has {largest:,} "
                f"bytes, and reading it takes {each:,}; pass memory={each} or more, or {advice}"
            )
        self._threads = max(min(threads, size // each, len(self.sizes)), 1)

    def ask(self, question: Question) -> Any:
        """Read all pieces, and ask each of them."""
        title, total = f"reading {self.source.name}", self.size * self.dtype.itemsize
        with progress_in_bytes(title, total, shown=self._progress) as advance:

            def answer(start: int, read: Callable[[], Keys]) -> Summed:
                keys = read()
                found = question.ask_array(keys, partial(add, start))
                advance(keys.nbytes)
                return found

            found = question.join_all(in_threads(answer, self._pieces(), self._threads))
        self.source.check()
        return self.check(found)

    def _pieces(self) -> Iterator[tuple[int, Callable[[], Keys]]]:
        """Yield where each piece begins, and what reads it; chunks are made in this thread."""
        ends = pairwise(np.cumsum([0, *self.sizes]).tolist())
        if isinstance(self.source, Indexed):
            yield from ((first, partial(self.source.read, first, last)) for first, last in ends)
            return
        try:
            for pair, chunk in zip_longest(ends, self.source.arrays()):
                if pair is None or chunk is None or chunk.size != pair[1] - pair[0]:
                    raise InputChanged(f"{self.changed}: its chunks are not as long as at first")
                yield pair[0], partial(np.asarray, chunk)
        except UnsupportedKeys as error:
            raise InputChanged(f"{self.changed}: {error}") from error


def in_threads(do: Callable[..., Any], tasks: Iterable[Any], threads: int) -> Iterator[Any]:
    """Yield what a function returns for tasks, in order; no more are begun than threads."""
    waiting: deque[Future[Any]] = deque()
    with open_pool(threads) as pool:
        for task in tasks:
            if len(waiting) == threads:
                yield waiting.popleft().result()
            waiting.append(pool.submit(do, *task))
        yield from (each.result() for each in waiting)
