"""Keys larger than memory, in files or made in chunks: pieces that every round reads anew.

Several threads read and count, and no more pieces are in memory than they have: while one thread
counts, another one reads. Half of the budget is for pieces, the other half for keys that come
together.
"""

from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from itertools import pairwise, zip_longest
from operator import add
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.drawing.progress import Advance, progress_in_bytes
from shadersort.errors import BadOption, InputChanged, UnsupportedKeys
from shadersort.files.source import Indexed
from shadersort.files.sources import Chunks, open_source
from shadersort.keys.types import Keys
from shadersort.selection.pieces.asking import PieceHolder, Question, in_threads, sum_bits
from shadersort.selection.pieces.primitives import Pieces
from shadersort.sorting.external.schedule import SMALLEST, cores, parsed_size

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

    Parameters
    ----------
    source
        The path of a `.npy`, raw or Parquet file; an `np.memmap`; or chunks: a function that
        returns a fresh iterator of arrays each time, or a list of arrays. Arrays of several
        dimensions are seen as one, in the order of memory.
    column
        The column of a Parquet file, by its name or its number from 1; the field of a structured
        array. None stands for the only one.
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
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "readings.npy")
    ...     np.save(path, np.arange(101.0).reshape(1, 101))
    ...     median(FileKeys(path, memory="64MiB").primitives())
    np.float64(50.0)
    """

    ndim = 1
    name = "files"
    piece = PIECE  # bytes of a piece, where the source does not say how it is divided
    reads = 0  # how many times all keys were read so far
    rereads = True  # whether keys may be others when they are read again

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
        self.sums, self.changed = {}, f"{found.name} was changed while it was read: piece"
        self.dtype, self._progress = found.dtype, progress
        self.take = found.take if getattr(found, "scattered", False) else None
        self.few = size // 2 // PER_BYTE // self.dtype.itemsize
        # one more than cores, so that one can wait for the disk
        self._memory, self._threads = size, min(cores() + 1, MOST_THREADS)
        if isinstance(found, Chunks):
            self.sizes, self.reads = [], 1
            for place, chunk in enumerate(found.arrays()):
                self._make_room(chunk.nbytes, f"chunk {place}", "make smaller chunks")
                self.sizes.append(chunk.size)
            self.starts = np.cumsum([0, *self.sizes])
        else:
            piece = min(size // 2 // self._threads // PER_BYTE, self.piece)
            self.starts = np.array(found.starts(max(piece // found.stored.itemsize, 1)))
            self.sizes = np.diff(self.starts).tolist()
            what = f"the largest row group of {found.name}"
            self._make_room(found.largest_piece, what, "write the file with smaller row groups")
        self.size = sum(self.sizes)

    def pieces(self) -> "FileKeys":
        """Return the pieces of these keys, which have to stay the same from now on."""
        found = copy(self)
        found.sums = {}
        return found

    def primitives(self) -> Pieces:
        """Return the primitives over these keys."""
        return Pieces(self.pieces())

    def _make_room(self, piece: int, what: str, advice: str) -> None:
        """Let no more threads read than can have a piece of so many bytes; raise BadOption if 0."""
        each = 2 * PER_BYTE * max(piece, 1)
        if each > self._memory:
            raise BadOption(
                f"memory of {self._memory:,} bytes is too little: {what} has {piece:,} bytes, and "
                f"reading it takes {each:,}; pass memory={each} or more, or {advice}"
            )
        self._threads = min(self._threads, self._memory // each)

    def ask(self, question: Question) -> Any:
        """Read all pieces, and ask each of them."""
        title, total = f"reading {self.source.name}", self.size * self.dtype.itemsize
        with progress_in_bytes(title, total, shown=self._progress) as advance:
            tasks = (
                partial(self._answer, place, read, question, advance)
                for place, read in enumerate(self._readers())
            )
            found = question.join_all(in_threads(tasks, min(self._threads, len(self.sizes))))
        self.source.check()
        self.rounds, self.reads = self.rounds + 1, self.reads + 1
        return found

    def _answer(
        self, place: int, read: Callable[[], Keys], question: Question, advance: Advance
    ) -> Any:
        keys = read()
        if keys.size != self.sizes[place]:
            sizes = f"had {self.sizes[place]:,} keys, and has {keys.size:,}"
            raise InputChanged(f"{self.changed} {place} {sizes}")
        if self.rereads:
            self.check(place, sum_bits(keys))
        found = question.ask_array(keys, partial(add, self.starts[place]))
        advance(keys.nbytes)
        return found

    def _readers(self) -> Iterator[Callable[[], Keys]]:
        """Yield what reads each piece; chunks are made in the caller's thread."""
        if isinstance(self.source, Indexed):
            for first, last in pairwise(self.starts.tolist()):
                yield partial(self.source.read, first, last)
            return
        try:
            for size, chunk in zip_longest(self.sizes, self.source.arrays()):
                if size is None or chunk is None:
                    more = "more" if size is None else "fewer"
                    known = f"there were {len(self.sizes):,} chunks at first"
                    raise InputChanged(f"{known}, and {more} when they were made again")
                yield partial(np.asarray, chunk)
        except UnsupportedKeys as error:
            raise InputChanged(f"the chunks have changed: {error}") from error
