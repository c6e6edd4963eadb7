"""Digits: how the radix methods walk down the codes of keys, from the first bit that differs.

All keys share the leading bits that the smallest and the largest key share. The walk skips these
bits: its first digit begins with the first bit in which two keys differ.
"""

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.codes import code, decode
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives import Extent
from shadersort.selection.search import Search
from shadersort.selection.selection import Selection

LARGEST = 16
"""Bits in the largest digit, which has 65,536 counters."""


def width_of(selection: Selection, width: int | None) -> int:
    """Return the width of a digit: the device's default for None; or raise `BadOption`."""
    if width is None:
        return selection.keys.tuning.digit
    if not 1 <= width <= LARGEST:
        raise BadOption(f"a digit has 1 to {LARGEST} bits, not {width}")
    return width


def digit(search: Search, width: int, name: str = "digit") -> None:
    """Narrow the bracket by the first digit in which two of its codes may differ.

    After the last digit one code is left. It is the answer, and its counts prove it.
    """
    first, last = code(search.low), code(search.high)
    differ = (first ^ last).bit_length()
    step = min(width, differ)
    shift = differ - step
    histogram = search.keys.digit_histogram(shift, step, first, last)
    ends = np.cumsum(histogram)
    found = int(np.searchsorted(ends, search.k - search.before, side="right"))
    count = int(histogram[found])
    below = search.before + int(ends[found]) - count
    first = (first >> differ << step | found) << shift
    search.keep_codes(first, first + (1 << shift) - 1, below, count, name)


def _shared(extent: Extent) -> tuple[int, int, int]:
    """Return the number of bits that differ, the common prefix, and the number of keys below it."""
    low, high = code(extent.low), code(extent.high)
    shift = (low ^ high).bit_length()
    prefix, infinity = low >> shift, extent.low.dtype.type
    beyond = extent.minus_infinite and code(infinity("-inf")) >> shift < prefix
    return shift, prefix, extent.minus_infinite if beyond else 0


class Groups:
    """Ranks that walk down the digits together: ranks with the same prefix form a group."""

    def __init__(self, selection: Selection, ks: Integers) -> None:
        self.selection, self._ks = selection, ks
        self.keys = selection.keys  # all keys, or a copy of the keys with these prefixes
        self.shift, prefix, below = _shared(selection.extent)  # shift: bits not known yet
        self.prefixes = np.array([prefix], np.uint64)  # of each group, ascending
        self.counts = np.array([selection.n])  # how many keys have each prefix
        self._group = np.zeros(ks.size, np.int64)
        self._rank = ks - below

    @property
    def candidates(self) -> int:
        """Keys in all groups."""
        return int(self.counts.sum())

    def descend(self, width: int) -> None:
        """Count the next digit of all groups in one read, and divide the groups by it."""
        step = min(width, self.shift)
        self.shift -= step
        table = self.keys.digit_histograms(self.shift, step, self.prefixes.tolist())
        ends = np.cumsum(table, axis=1)
        digit = np.sum(ends[self._group] <= self._rank[:, np.newaxis], axis=1)
        inside = table[self._group, digit]
        self._rank = self._rank - ends[self._group, digit] + inside
        codes = self.prefixes[self._group] << np.uint64(step) | digit.astype(np.uint64)
        self.prefixes, first, self._group = np.unique(codes, return_index=True, return_inverse=True)
        self.counts = inside[first]
        self.selection.record("digit", candidates=self.candidates)

    def shrink(self) -> None:
        """Continue with a copy of the keys of all groups."""
        prefixes = self.prefixes.tolist()
        self.keys = self.keys.with_prefixes(prefixes, self.shift, count=self.candidates)
        self.selection.record("compact")

    def answers(self) -> Keys:
        """Return the answers; sort the keys if some bits are not known yet."""
        if self.shift:
            starts = np.cumsum(self.counts) - self.counts
            return self.selection.finish(self.keys, self._ks, starts[self._group] + self._rank)
        dtype = self.selection.keys.dtype  # all bits are known: the prefixes are codes
        found = decode(self.prefixes.astype(f"u{dtype.itemsize}"), dtype)[self._group]
        self.selection.known.learn(found, self._ks - self._rank, self.counts[self._group])
        return found
