"""Counts at two pivots, and a copy of the keys between, in blocks and as few passes as NumPy can.

A block of which few keys lie between is compared twice: with the lower pivot and with the upper
one. Keys that equal a pivot are then among the few. Where many lie between, or equal a pivot, two
more comparisons keep those that equal a pivot out of the copy, however many they are.
"""

import numpy as np

from shadersort.keys.types import Key, Keys, Mask
from shadersort.selection.primitives.values import Counts

MANY = 8
"""1 in this many keys of a block are many."""


class Between:
    """Takes blocks of keys; counts at two pivots that are numbers, and keeps the keys between.

    Examples
    --------
    >>> between = Between(np.float32(1), np.float32(5))
    >>> for block in ([0, 1, 4], [2, 5, np.nan]):
    ...     between.take(np.float32(block))
    >>> between.counts()
    (Counts(below=1, equal=1, above=4), Counts(below=4, equal=1, above=1))
    >>> between.inside(), between.nans
    (array([4., 2.], dtype=float32), 1)
    """

    def __init__(self, low: Key, high: Key) -> None:
        self._low, self._high = low, high
        self._size = self._below = self._upto = self._at_low = self._at_high = 0
        self._kept: list[Keys] = []
        self._masks = np.empty((2, 0), np.bool_)
        self.nans = 0

    def take(self, block: Keys) -> None:
        """Count the keys of a block, and copy those between."""
        below, chosen = self._room(block.size)
        np.less(block, self._low, out=below)
        np.less_equal(block, self._high, out=chosen)
        under, upto = int(np.count_nonzero(below)), int(np.count_nonzero(chosen))
        self._size += block.size
        self._below += under
        self._upto += upto
        if MANY * (upto - under) > block.size:
            self._take_strictly(block, below, chosen)
        elif upto > under:
            np.greater(chosen, below, out=chosen)
            self._keep(block[np.flatnonzero(chosen)])
        if block.dtype.kind == "f" and np.isnan(block.max(initial=-np.inf)):
            self.nans += int(np.count_nonzero(block != block))

    def _take_strictly(self, block: Keys, above: Mask, chosen: Mask) -> None:
        self._at_low += int(np.count_nonzero(block == self._low))
        if self._low < self._high:
            self._at_high += int(np.count_nonzero(block == self._high))
            np.greater(block, self._low, out=above)
            np.less(block, self._high, out=chosen)
            np.logical_and(above, chosen, out=chosen)
            self._kept.append(block[chosen])

    def _keep(self, few: Keys) -> None:
        """Keep the keys between, of few keys from one pivot to the other."""
        at_low, at_high = few == self._low, few == self._high
        self._at_low += int(np.count_nonzero(at_low))
        if self._low < self._high:
            self._at_high += int(np.count_nonzero(at_high))
            self._kept.append(few[~(at_low | at_high)])

    def _room(self, size: int) -> tuple[Mask, Mask]:
        """Return memory for two masks; new memory would have to be cleared for each block."""
        if self._masks.shape[1] < size:
            self._masks = np.empty((2, size), np.bool_)
        return self._masks[0, :size], self._masks[1, :size]

    def counts(self) -> tuple[Counts, Counts]:
        """Return the counts at both pivots."""
        at_low = Counts.of(self._below, self._at_low, self._size)
        if not self._low < self._high:
            return at_low, at_low
        below_high = self._upto - self._at_high
        return at_low, Counts.of(below_high, self._at_high, self._size)

    def inside(self) -> Keys:
        """Return the keys between."""
        none = np.empty(0, self._low.dtype)
        return np.concatenate(self._kept) if self._kept else none
