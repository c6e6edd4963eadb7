"""What a budget of memory buys: how large pieces are, how many are in memory, what is collected."""

from dataclasses import dataclass

from shadersort.errors import BadOption
from shadersort.selection.primitives.parts import COLLECTED
from shadersort.sorting.external.schedule import SMALLEST, cores, parsed_size

MOST_THREADS = 16
"""More threads read no faster than a disk."""

LARGEST_PIECE = 8 << 20
"""Bytes: larger pieces are not read faster, and the caches of processors hold smaller ones."""

FOR_PIECES = 2
"""1 in this many bytes is for pieces; half of the rest is for candidates."""

PER_BYTE = 3
"""Bytes for each byte of a piece: as it is stored, as keys, and for what is computed of it."""

SORTED = 3
"""Bytes for each byte of a candidate: of one piece, of all pieces, and sorted."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Memory, in bytes, and what it is spent on.

    Attributes
    ----------
    memory
        All of it.
    threads
        How many pieces may be in memory.
    largest
        No piece has more bytes than this.
    most
        No more candidates than this come together.

    Examples
    --------
    >>> Budget.of("32MiB", threads=2).piece, Budget.of("32MiB", threads=2).collected(8)
    (2796202, 349525)
    """

    memory: int
    threads: int
    largest: int = LARGEST_PIECE
    most: int = COLLECTED

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
        each = self.memory // FOR_PIECES // self.threads // PER_BYTE
        return min(each, self.largest)

    @property
    def for_pieces(self) -> int:
        """Bytes that all threads need for their pieces, where the source does not say otherwise."""
        return self.threads * self.piece * PER_BYTE

    def collected(self, itemsize: int) -> int:
        """Return how many candidates may come together."""
        return min(self.most, self.memory // (2 * FOR_PIECES) // (SORTED * itemsize))

    def threads_for(self, piece: int, what: str, advice: str = "") -> int:
        """Return how many threads can have a piece of this many bytes each.

        Raises BadOption if there is no room for one; `what` names the piece.
        """
        each = FOR_PIECES * PER_BYTE * max(piece, 1)
        if each > self.memory:
            raise BadOption(
                f"memory of {self.memory:,} bytes is too little: {what} has {piece:,} bytes, and "
                f"reading it takes {each:,}; pass memory={each} or more{advice}"
            )
        return min(self.threads, self.memory // each)
