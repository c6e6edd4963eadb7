"""Keys larger than memory, in files or made in chunks: pieces that every round reads anew.

Several threads read and count, and no more pieces are in memory than they have: while one thread
counts, another one reads.
"""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.drawing.progress import Advance, progress_in_bytes
from shadersort.errors import BadOption, InputChanged, UnsupportedKeys
from shadersort.files.source import Indexed
from shadersort.files.sources import Chunks, open_source
from shadersort.keys.types import Integers, Keys
from shadersort.selection.pieces.asking import (
    ROOM,
    PieceHolder,
    Question,
    Sums,
    ask_array,
    in_threads,
    join_as_they_come,
    sum_bits,
)
from shadersort.selection.pieces.primitives import Pieces
from shadersort.sorting.external.schedule import SMALLEST, cores, parsed_size

MEMORY = "1GiB"
"""The budget, by default."""

MOST_THREADS = 16
"""More threads read no faster than a disk."""

PIECE = 4 << 20
"""Bytes: larger pieces are not read faster, and the caches of processors hold smaller ones."""

PER_BYTE = 3
"""Bytes for each byte of a piece: as it is stored, as keys, and for what is computed of it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Memory, in bytes: half of it for pieces, the other half for keys that come together.

    Examples
    --------
    >>> Budget.of("32MiB", threads=2).piece, Budget.of("32MiB", threads=2).few(8)
    (2796202, 349525)
    """

    memory: int
    threads: int
    largest: int = PIECE
    most: int = ROOM

    @classmethod
    def of(cls, memory: int | str, threads: int | None = None) -> "Budget":
        """Return the budget of a size such as "1GiB"; raise BadOption if it is too small.

        There is a thread more than cores, so that one can wait for the disk.
        """
        size = parsed_size(memory)
        if size < SMALLEST:
            raise BadOption(f"memory of {size:,} bytes is too little: {SMALLEST:,} is the least")
        return cls(size, min(cores() + 1, MOST_THREADS) if threads is None else threads)

    @property
    def piece(self) -> int:
        """Bytes of a piece, where the source does not say how it is divided."""
        return min(self.memory // 2 // self.threads // PER_BYTE, self.largest)

    def few(self, itemsize: int) -> int:
        """Return how many keys may be collected: of one piece, of all pieces, and sorted."""
        return min(self.most, self.memory // 12 // itemsize)

    def room(self, itemsize: int) -> int:
        """Return how many keys between pivots may be kept, about."""
        return self.memory // 6 // itemsize

    def threads_for(self, piece: int, what: str, advice: str = "") -> int:
        """Return how many threads can have a piece of this many bytes each.

        Raises BadOption if there is no room for one; `what` names the piece.
        """
        each = 2 * PER_BYTE * max(piece, 1)
        if each > self.memory:
            raise BadOption(
                f"memory of {self.memory:,} bytes is too little: {what} has {piece:,} bytes, and "
                f"reading it takes {each:,}; pass memory={each} or more{advice}"
            )
        return min(self.threads, self.memory // each)


class FilePieces(PieceHolder):
    """The pieces of a source: every round sees the same keys, or raises `InputChanged`.

    Attributes
    ----------
    reads
        How many times all keys were read so far.
    """

    name = "files"
    reads = 0

    def __init__(self, source: Indexed | Chunks, budget: Budget, progress: bool = False) -> None:
        self.source, self._progress, self.dtype = source, progress, source.dtype
        self.sums, self._threads = Sums(source.name), budget.threads
        self.few, self.room = budget.few(self.dtype.itemsize), budget.room(self.dtype.itemsize)
        self.scattered = isinstance(source, Indexed) and source.scattered
        if isinstance(source, Chunks):
            self.sizes = [self._room_for(each, i, budget) for i, each in enumerate(source.arrays())]
            self.reads = 1
            return
        self._starts = source.starts(max(budget.piece // source.stored.itemsize, 1))
        self.sizes = np.diff(self._starts).tolist()
        if source.largest_piece:
            what = f"the largest row group of {source.name}"
            advice = ", or write the file with smaller row groups"
            self._threads = budget.threads_for(source.largest_piece, what, advice)

    def _room_for(self, chunk: Keys, place: int, budget: Budget) -> int:
        """Return the size of a chunk for which there is room."""
        what = f"chunk {place}"
        threads = budget.threads_for(chunk.nbytes, what, ", or make smaller chunks")
        self._threads = min(self._threads, threads)
        return chunk.size

    def ask(self, question: Question) -> Any:
        """Read all pieces, and ask each of them."""
        title = f"{question.title} {self.source.name}"
        total = sum(self.sizes) * self.dtype.itemsize
        with progress_in_bytes(title, total, shown=self._progress) as advance:
            tasks = (
                partial(self._answer, place, read, question, advance)
                for place, read in enumerate(self._readers())
            )
            found = join_as_they_come(in_threads(tasks, self._threads), question)
        self.source.check()
        self.rounds, self.reads = self.rounds + 1, self.reads + 1
        return found

    def take(self, places: Integers) -> Keys:
        """Return the keys at ascending places."""
        assert isinstance(self.source, Indexed)
        self.rounds += 1
        return self.source.take(places)

    def _answer(
        self, place: int, read: Callable[[], Keys], question: Question, advance: Advance
    ) -> Any:
        keys = read()
        if keys.size != self.sizes[place]:
            raise InputChanged(
                f"{self.source.name} was changed while it was read: piece {place} had "
                f"{self.sizes[place]:,} keys, and has {keys.size:,}"
            )
        self.sums.check({place: sum_bits(keys)})
        found = ask_array(keys, place, question)
        advance(keys.nbytes)
        return found

    def _readers(self) -> Iterator[Callable[[], Keys]]:
        """Yield what reads each piece; chunks are made in the caller's thread."""
        if isinstance(self.source, Indexed):
            for first, last in pairwise(self._starts):
                yield partial(self.source.read, first, last)
            return
        count, place = len(self.sizes), -1
        known = f"there were {count:,} chunks at first"
        try:
            for place, chunk in enumerate(self.source.arrays()):
                if place == count:
                    raise InputChanged(f"{known}, and more than {count:,} when made again")
                yield partial(np.asarray, chunk)
        except UnsupportedKeys as error:
            raise InputChanged(f"the chunks have changed: {error}") from error
        if place + 1 < count:
            raise InputChanged(f"{known}, and {place + 1:,} when they were made again")


class FileKeys:
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
        self.budget = Budget.of(memory)
        found: Any = open_source(source, column=column, dtype=dtype, offset=offset)
        self.source: Indexed | Chunks = found
        self._pieces = FilePieces(self.source, self.budget, progress)
        self.size = sum(self._pieces.sizes)

    def pieces(self) -> FilePieces:
        """Return the pieces of these keys, which have to stay the same from now on."""
        found = copy(self._pieces)
        found.sums = Sums(self.source.name)
        return found

    def primitives(self) -> Pieces:
        """Return the primitives over these keys."""
        return Pieces(self.pieces())
