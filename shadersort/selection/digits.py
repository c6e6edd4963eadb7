"""Digits: how both radix methods walk down the codes of keys, from the first bit that differs.

All keys share the leading bits that the smallest and the largest share. The walk jumps over them:
its first digit begins where two keys differ.
"""

from collections.abc import Iterator

import numpy as np

from shadersort.errors import BadOption
from shadersort.primitives import Extent, Keys, Primitives
from shadersort.primitives.codes import code, decode
from shadersort.selection.run import Run
from shadersort.selection.search import Search

__all__ = ["LARGEST", "WIDTH", "Groups", "checked", "walk"]

WIDTH = 4
"""Bits in a digit: the paper's."""

LARGEST = 16
"""Bits in the largest digit, which has 65,536 counters."""


def checked(width: int) -> int:
    """Return a digit's width, or raise `BadOption`."""
    if not 1 <= width <= LARGEST:
        raise BadOption(f"a digit has 1 to {LARGEST} bits, not {width}")
    return width


def walk(search: Search, width: int) -> Iterator[tuple[int, int, int]]:
    """Narrow the bracket by one digit after the other; yield prefix, shift and keys under it."""
    shift, prefix, below = _shared(search.run.extent)
    while shift:
        step = min(width, shift)
        shift -= step
        histogram = search.keys.digit_histogram(shift, step, prefix)
        ends = np.cumsum(histogram)
        digit = int(np.searchsorted(ends, search.k - below, side="right"))
        below += int(ends[digit] - histogram[digit])
        prefix = prefix << step | digit
        first, count = prefix << shift, int(histogram[digit])
        search.keep_codes(first, first + (1 << shift) - 1, below, count, "digit")
        yield prefix, shift, count


def _shared(extent: Extent) -> tuple[int, int, int]:
    """Return how many bits finite keys do not share, the prefix they do, and the keys below it."""
    low, high = code(extent.low), code(extent.high)
    shift = (low ^ high).bit_length()
    prefix, infinity = low >> shift, extent.low.dtype.type
    beyond = extent.minus_infinite and code(infinity("-inf")) >> shift < prefix
    return shift, prefix, extent.minus_infinite if beyond else 0


class Groups:
    """Ranks that walk down the digits together: a group for each prefix that one of them has.

    Attributes
    ----------
    keys
        All keys, or a copy of those with the prefixes.
    prefixes
        Of the groups, ascending.
    counts
        Keys with each prefix; at first those of any.
    shift
        Bits that no digit has told yet.
    """

    def __init__(self, run: Run, ks: Keys) -> None:
        self.run, self.keys = run, run.keys
        self.shift, prefix, below = _shared(run.extent)
        self.prefixes = np.array([prefix], np.uint64)
        self.counts = np.array([run.n])
        self._group = np.zeros(ks.size, np.int64)
        self._rank = ks - below

    @property
    def candidates(self) -> int:
        """Keys in all groups."""
        return int(self.counts.sum())

    def descend(self, width: int) -> None:
        """Count the next digit of all groups in one read, and divide them by it."""
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
        self.run.record("digit", candidates=self.candidates)

    def move(self, copy: Primitives) -> None:
        """Go on with a copy of the keys in all groups."""
        self.keys = copy
        self.run.record("compact")

    def places(self) -> list[int]:
        """Return where the answers are among the sorted keys of all groups."""
        starts = np.cumsum(self.counts) - self.counts
        found: list[int] = (starts[self._group] + self._rank).tolist()
        return found

    def answers(self) -> Keys:
        """Return the answers after the last digit: the prefixes are their codes."""
        dtype = self.run.keys.dtype
        return decode(self.prefixes.astype(f"u{dtype.itemsize}"), dtype)[self._group]
