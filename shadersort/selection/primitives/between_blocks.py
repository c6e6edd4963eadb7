"""Counts at two pivots, and a copy of the keys between, in blocks and as few passes as NumPy can.

A block is compared twice: with the lower pivot and with the upper one. Keys that are neither below
the one nor above the other are few as a rule. Those of them that equal a pivot, and the NaNs, are
taken out in the end. Where they are many, they are taken out at once.
"""

import numpy as np

from shadersort.keys.types import Key, Keys, Mask
from shadersort.selection.primitives.values import Counts

BLOCK = 1 << 21
"""Bytes of a block that is used again and again, so that a cache shared by all cores holds it.

Smaller ones fit into the cache of a core, but threads would wait for each other: each NumPy call
ends with taking the lock of the interpreter, and has to be long beside that.
"""

MANY = 8
"""1 in this many keys of a block are many."""


WORD = 8
"""Places of a mask that are looked at together."""


def chosen(keys: Keys, mask: Mask) -> Keys:
    """Return the keys where a mask is true, which are few as a rule.

    Of eight neighbours most often none is chosen. So these are left out first, which takes half
    the time: NumPy looks at each place, and the processor cannot foresee which are true.

    Examples
    --------
    >>> chosen(np.arange(20), np.arange(20) % 9 == 0)
    array([ 0,  9, 18])
    """
    whole = keys.size // WORD * WORD
    words = mask[:whole].view(np.uint64)
    (some,) = (words != 0).nonzero()
    near = keys[:whole].reshape(-1, WORD).take(some, axis=0).reshape(-1)
    found = near.compress(words.take(some).view(np.bool_))
    return found if whole == keys.size else np.concatenate([found, keys[whole:][mask[whole:]]])


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

    def __init__(self, low: Key, high: Key) -> None:
        self._low, self._high = low, high
        self._size = self._below = self._within = self._at_low = self._at_high = 0
        self._few: list[Keys] = []  # from one pivot to the other, and NaNs
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
        below, rest = self._room(block.size)
        np.less(block, self._low, out=below)
        np.greater(block, self._high, out=rest)
        np.equal(below, rest, out=rest)  # neither: a NaN is neither, too
        self._below += int(np.count_nonzero(below))
        found = chosen(block, rest)
        if MANY * found.size > block.size:
            self._take_strictly(found)
        elif found.size:
            self._few.append(found)

    def _take_strictly(self, rest: Keys) -> None:
        """Count the NaNs and those keys that equal a pivot; keep the others."""
        within = rest[rest == rest] if rest.dtype.kind == "f" else rest
        self.nans += rest.size - within.size
        self._within += within.size
        at_low, at_high = within == self._low, within == self._high
        self._at_low += int(np.count_nonzero(at_low))
        self._at_high += int(np.count_nonzero(at_high))
        self._between.append(within[~(at_low | at_high)])

    def _room(self, size: int) -> tuple[Mask, Mask]:
        """Return memory for two masks; new memory would have to be cleared for each block."""
        if self._masks.shape[1] < size:
            self._masks = np.empty((2, -(-size // WORD) * WORD), np.bool_)
        return self._masks[0, :size], self._masks[1, :size]

    def inside(self) -> Keys:
        """Return the keys between; all keys are taken by then, and `nans` is known after it."""
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
