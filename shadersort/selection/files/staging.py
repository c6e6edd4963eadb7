"""One read for few ranks: pieces count at two keys of a sample, and their keys between are kept.

The keys between come to the host while all pieces are read, as long as the budget has room for
them. So a file is read once, beside the sample.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isqrt

import numpy as np

from shadersort.keys.accepted import selectable
from shadersort.keys.types import Key, Keys
from shadersort.selection.files.budget import FOR_PIECES, Budget
from shadersort.selection.primitives.between_blocks import Between
from shadersort.selection.primitives.values import Counts

WIDE = 4
"""At most, a bracket of a rank holds this many keys in each root of the keys in a sample."""

FEWEST, MOST = 1 << 10, 1 << 16
"""Runs of a sample."""

RUN = 64
"""At most so many neighbouring keys: reading them takes little longer than reading one."""

FOR_SAMPLE = 1 << 6
"""At most 1 in this many bytes of the budget is a sample; sorting takes as much again, and more."""

SPARSE = 16
"""At most 1 in this many keys is sampled."""

BRACKETS = 6
"""Comparing with so many pairs of keys takes as long as a histogram, but saves a read."""

DRAWN = 600
"""Reading and sorting a run takes as long as copying about this many keys of a bracket, because the
processor cannot foresee which they are."""


def samples_for(size: int, room: int) -> int:
    """Return how many runs to sample of a file, or 0 if there is no room for a bracket.

    A larger sample takes longer to read, and leaves fewer keys in the bracket.

    Examples
    --------
    >>> samples_for(1 << 32, 90_000_000), samples_for(1 << 28, 90_000_000), samples_for(1 << 32, 9)
    (65536, 8192, 0)
    """
    samples = FEWEST
    while samples < MOST and samples**3 < (size // DRAWN) ** 2 // 2:
        samples *= 2
    while samples < MOST and inside(size, samples) > room:
        samples *= 2
    return samples if inside(size, samples) <= room else 0


def run_for(samples: int, size: int, budget: Budget, itemsize: int) -> int:
    """Return how many neighbouring keys a run of a sample has: a power of two.

    Examples
    --------
    >>> budget = Budget.of("1GiB")
    >>> run_for(1 << 14, 1 << 30, budget, 4), run_for(1 << 10, 100_000, budget, 4)
    (64, 4)
    """
    room = min(size // SPARSE, budget.memory // FOR_SAMPLE // itemsize)
    return 1 << (max(min(RUN, room // samples), 1).bit_length() - 1)


def inside(size: int, samples: int) -> int:
    """Return about how many keys lie in the bracket of a rank, at most: if neighbours are alike."""
    return WIDE * size // isqrt(samples) + 1


@dataclass(eq=False, slots=True)
class Staging:
    """A call for pieces: counts at two pivots, and the keys between while there is room.

    Attributes
    ----------
    room
        How many keys may be kept of all pieces together.
    held
        How many there are so far.
    """

    room: int
    held: int = field(default=0, init=False)

    def of_piece(self, blocks: Iterable[Keys], pivots: Sequence[tuple[Key, Key]]) -> list["Staged"]:
        """Return what a piece has for pairs of pivots, numbers all; the piece comes in blocks."""
        each = [Between(*pair) for pair in pivots]
        for block in blocks:
            keys, _ = selectable(block)
            for between in each:
                between.take(keys)
        return [self._kept(between) for between in each]

    def _kept(self, between: Between) -> "Staged":
        inside = between.inside()
        self.held += inside.size  # a few more than there is room for do no harm
        kept = inside if self.held <= self.room else None
        return Staged(*between.counts(), inside.size, between.nans, kept)


@dataclass(frozen=True, slots=True)
class Staged:
    """What a piece has: counts at two pivots, how many keys lie between, the NaNs, and the keys."""

    at_low: Counts
    at_high: Counts
    size: int
    nans: int
    keys: Keys | None


def together(found: Sequence[Staged], dtype: np.dtype[np.generic]) -> Keys | None:
    """Return the keys of all pieces between; None if those of a piece were not kept."""
    kept = [each.keys for each in found if each.keys is not None]
    if len(kept) < len(found):
        return None
    return np.concatenate([np.empty(0, dtype), *kept])


def room_of(budget: Budget, itemsize: int, *, scattered: bool = True) -> int:
    """Return how many keys can be kept, beside the pieces: once as they come, and once together.

    Pieces of a source that is not `scattered` may need half of the budget.
    """
    rest = budget.memory - (budget.for_pieces if scattered else budget.memory // FOR_PIECES)
    return 3 * rest // 4 // (2 * itemsize)
