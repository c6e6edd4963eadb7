"""Counts at two pivots, and a copy of the keys between, in blocks and as few passes as NumPy can.

A block of which few keys lie between is compared twice: with the lower pivot and with the upper
one. Keys that equal a pivot are then among the few, and are taken out in the end. Where many lie
between, or equal a pivot, more comparisons keep those that equal a pivot out of the copy at once,
however many they are.
"""

import numpy as np

from shadersort.keys.types import Key, Keys, Mask
from shadersort.selection.primitives.values import Counts

BLOCK = 1 << 19
"""Bytes of a block that is used again and again, so that a cache holds it with two masks."""

MANY = 8
"""1 in this many keys of a block are many."""


class Between:
    """Takes keys; counts at two pivots that are numbers, and keeps the keys between.

    Examples
    --------
    >>> between = Between(np.float32(1), np.float32(5))
    >>> for some in ([0, 1, 4], [2, 5, np.nan]):
    ...     between.take(np.float32(some))
    >>> between.inside(), between.nans
    (array([4., 2.], dtype=float32), 1)
    >>> between.counts()
    (Counts(below=1, equal=1, above=4), Counts(below=4, equal=1, above=1))
    """

    def __init__(self, low: Key, high: Key, *, count_nans: bool = True) -> None:
        self._low, self._high = low, high
        self._count_nans = count_nans and low.dtype.kind == "f"
        self._size = self._below = self._within = self._at_low = self._at_high = 0
        self._few: list[Keys] = []  # from one pivot to the other
        self._between: list[Keys] = []
        self._masks = np.empty((2, 0), np.bool_)
        self.nans = 0

    def take(self, keys: Keys) -> None:
        """Count keys, and copy those between."""
        step = BLOCK // keys.itemsize
        for start in range(0, keys.size, step):
            self._take(keys[start : start + step])
        self._size += keys.size

    def _take(self, block: Keys) -> None:
        below, within = self._room(block.size)
        np.less(block, self._low, out=below)
        np.less_equal(block, self._high, out=within)
        np.greater(within, below, out=within)
        self._below += int(np.count_nonzero(below))
        (places,) = within.nonzero()
        self._within += places.size
        if MANY * places.size > block.size:
            self._take_strictly(block[places])
        elif places.size:
            self._few.append(block[places])
        if self._count_nans and (most := block.max()) != most:
            self.nans += int(np.count_nonzero(block != block))

    def _take_strictly(self, within: Keys) -> None:
        """Count those keys that equal a pivot, and keep the others."""
        at_low, at_high = within == self._low, within == self._high
        self._at_low += int(np.count_nonzero(at_low))
        self._at_high += int(np.count_nonzero(at_high))
        self._between.append(within[~(at_low | at_high)])

    def _room(self, size: int) -> tuple[Mask, Mask]:
        """Return memory for two masks; new memory would have to be cleared for each block."""
        if self._masks.shape[1] < size:
            self._masks = np.empty((2, size), np.bool_)
        return self._masks[0, :size], self._masks[1, :size]

    def inside(self) -> Keys:
        """Return the keys between; all keys are taken by then."""
        if self._few:
            self._take_strictly(np.concatenate(self._few))
            self._few.clear()
        return np.concatenate([np.empty(0, self._low.dtype), *self._between])

    def counts(self) -> tuple[Counts, Counts]:
        """Return the counts at both pivots, after `inside`."""
        at_low = Counts.of(self._below, self._at_low, self._size)
        if not self._low < self._high:
            return at_low, at_low
        below_high = self._below + self._within - self._at_high
        return at_low, Counts.of(below_high, self._at_high, self._size)
