"""Radix selection: count the digits of the codes, keep the keys with the digit of the rank.

The two methods of Alabi et al. 2012, section 2.2. The number of bits in a key bounds their worst
case, however the keys are distributed: the paper's answer to the adversaries of `bucket`. All keys
share the leading bits that the smallest and the largest key share; the walk skips these, and begins
with the first bit in which two keys differ.

`radix` copies the candidates when they are much fewer than the keys. `radix-inplace` never copies:
the paper overwrites keys that are no candidates with the smallest or the largest code; here the
prefix excludes them, so the keys are only read, once for each digit.
"""

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.codes import code, decode
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.methods.searches.search import NEEDS, Search
from shadersort.selection.primitives import Extent
from shadersort.selection.selection import Selection

LARGEST = 16
"""Bits in the largest digit, which has 65,536 counters."""

COPIED = 4
"""Candidates are copied once they are at most 1 in this many keys."""


def radix(selection: Selection, *, width: int | None = None, few: int | None = None) -> Key:
    """Walk down the digits, and copy the keys that have the digit of the rank.

    Parameters
    ----------
    width
        Bits in a digit; None for the device's default. The paper has 4.
    few
        The walk ends, after one digit at least, when this many candidates are left or fewer; None
        for the device's default.
    """
    return walk(Search(selection), width, few)


def walk(search: Search, width: int | None = None, few: int | None = None) -> Key:
    """Walk down the digits from the present bracket of a search."""
    width, enough = _width(search.selection, width), 0
    while search.nearest() is None:
        if search.candidates <= enough:
            return search.compacted()
        divide(search, width)
        enough = search.selection.keys.tuning.few if few is None else few
        if COPIED * search.candidates <= search.keys.size:
            search.shrink()
    return search.answer


def radix_many(selection: Selection, *, width: int | None = None, few: int | None = None) -> Keys:
    """Walk down the digits of all ranks together: one read counts under all their prefixes."""
    few = selection.keys.tuning.few if few is None else few
    return _together(selection, width, few)


def radix_inplace(selection: Selection, *, width: int | None = None) -> Key:
    """Walk down the digits until all bits are known, or the answer is the first or last candidate.

    Parameters
    ----------
    width
        Bits in a digit; None for the device's default.
    """
    width = _width(selection, width)
    search = Search(selection)
    while search.nearest() is None:
        divide(search, width)
    return search.answer


def radix_inplace_many(selection: Selection, *, width: int | None = None) -> Keys:
    """Walk down all digits of all ranks together."""
    return _together(selection, width, None)


def _width(selection: Selection, width: int | None) -> int:
    """Return the width of a digit: the device's default for None; or raise `BadOption`."""
    if width is None:
        return selection.keys.tuning.digit
    if not 1 <= width <= LARGEST:
        raise BadOption(f"a digit has 1 to {LARGEST} bits, not {width}")
    return width


def divide(search: Search, width: int, name: str = "digit") -> None:
    """Narrow the bracket by the first digit in which two of its codes may differ.

    After the last digit one code is left. It is the answer, and its counts prove it.
    """
    first, last = search.first, search.last
    differ = (first ^ last).bit_length()
    step = min(width, differ)
    shift = differ - step
    histogram = search.keys.digit_histogram(shift, step, first, last)
    ends = np.cumsum(histogram)
    found = int(np.searchsorted(ends, search.k - search.before, side="right"))
    count = int(histogram[found])
    below = search.before + int(ends[found]) - count
    first = (first >> differ << step | found) << shift
    search.keep(below, count, name, (first, first + (1 << shift) - 1))


def _together(selection: Selection, width: int | None, few: int | None) -> Keys:
    """Walk down the digits of all ranks; copy the keys under the prefixes unless `few` is None."""
    width = _width(selection, width)
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
        self.selection.learn(found, self._ks - self._rank, self.counts[self._group])
        return found


def _shared(extent: Extent) -> tuple[int, int, int]:
    """Return the number of bits that differ, the common prefix, and the number of keys below it."""
    low, high = code(extent.low), code(extent.high)
    shift = (low ^ high).bit_length()
    prefix, infinity = low >> shift, extent.low.dtype.type
    beyond = extent.minus_infinite and code(infinity("-inf")) >> shift < prefix
    return shift, prefix, extent.minus_infinite if beyond else 0


METHOD = Method(
    "radix",
    radix,
    needs=("digit_histogram", "between", "sort", "take", *NEEDS),
    finite=True,
    many=radix_many,
    needs_many=("extent", "digit_histograms", "with_prefixes", "sort", "take"),
)
METHOD_INPLACE = Method(
    "radix-inplace",
    radix_inplace,
    needs=("digit_histogram", *NEEDS),
    finite=True,
    many=radix_inplace_many,
    needs_many=("extent", "digit_histograms"),
)
