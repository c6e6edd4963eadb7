"""Radix selection: count the digits of the codes, keep the keys with the digit of the rank.

The two methods of Alabi et al. 2012, section 2.2, for any number of ranks: one read counts under
the prefixes of all ranks. The number of bits in a key bounds their worst case: the paper's answer
to the adversaries of `bucket`. The walk skips the leading bits that all keys share.

`radix` copies the keys that have the prefixes. `radix-inplace` never copies: the paper overwrites
keys that are no candidates with the smallest or the largest code; here the prefixes exclude them,
so the keys are only read, once for each digit.
"""

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.codes import code, decode
from shadersort.keys.types import Integers, Keys
from shadersort.selection.method import Method
from shadersort.selection.primitives.values import Extent
from shadersort.selection.selection import Selection

LARGEST = 16
"""Bits in the largest digit, which has 65,536 counters."""


def radix(selection: Selection, *, width: int | None = None, few: int | None = None) -> Keys:
    """Walk down digits of `width` bits, and copy the keys that have the digits of the ranks.

    After one digit at least, up to `few` candidates are sorted. None is the device's default; the
    paper's digits have 4 bits.
    """
    return _walk(selection, width, selection.keys.tuning.few if few is None else few)


def radix_inplace(selection: Selection, *, width: int | None = None) -> Keys:
    """Walk down digits of `width` bits until all bits are known; None for the device's default."""
    return _walk(selection, width, None)


def _walk(selection: Selection, width: int | None, few: int | None) -> Keys:
    """Walk down the digits; copy the keys under the prefixes unless `few` is None."""
    width = selection.keys.tuning.digit if width is None else width
    if not 1 <= width <= LARGEST:
        raise BadOption(f"a digit has 1 to {LARGEST} bits, not {width}")
    answers, finite = selection.specials()
    ks = selection.ranks[finite]
    if ks.size:
        groups, enough = _Groups(selection, ks), 0
        while groups.shift and groups.candidates > enough:
            groups.descend(width)
            if few is not None and groups.candidates < groups.keys.size:
                groups.shrink()
            enough = few or 0
        answers[finite] = groups.answers()
    return answers


class _Groups:
    """Ranks that walk down the digits together: ranks with the same prefix form a group."""

    def __init__(self, selection: Selection, ks: Integers) -> None:
        self.selection, self._ks = selection, ks
        self.keys = selection.keys  # all keys, or a copy of the keys with these prefixes
        self.shift, prefix, below = shared_bits(selection.extent)  # shift: bits not known yet
        self.prefixes = np.array([prefix], np.uint64)  # of each group, ascending
        # how many keys have each prefix; infinities have none that all bits of finite keys share
        self.counts = np.array([selection.n if self.shift else selection.extent.finite])
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
        self.selection.learn(found, self._ks - self._rank, self.counts[self._group])
        return found


def shared_bits(extent: Extent) -> tuple[int, int, int]:
    """Return the number of bits that differ, the common prefix, and the number of keys below it."""
    low, high = code(extent.low), code(extent.high)
    shift = (low ^ high).bit_length()
    prefix, infinity = low >> shift, extent.low.dtype.type
    beyond = extent.minus_infinite and code(infinity("-inf")) >> shift < prefix
    return shift, prefix, extent.minus_infinite if beyond else 0


NEEDS = ("extent", "digit_histograms")
METHOD = Method("radix", many=radix, needs=(*NEEDS, "with_prefixes", "sort"))
METHOD_INPLACE = Method("radix-inplace", many=radix_inplace, needs=NEEDS)
