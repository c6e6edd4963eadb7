"""Lossy counting as Govindaraju, Raghuvanshi and Manocha 2005 print it: section 5.1.

Each window has ⌈1/ε⌉ values. Its histogram is merged into the summary: an item that is held is
counted further, any other item is inserted. Then the items with a frequency of one are deleted.

The guarantee holds: each window deletes at most one occurrence of an item, so after b windows a
count is too small by at most b ≤ εN.

The printed space bound, O(log(εN)/ε), does not hold. An item that comes twice in one window is
never deleted, so a stream of pairs keeps half of its values (`docs/errata.md`). Manku and Motwani
2002 delete an item of count f once f + Δ ≤ b: `lossy_counting.py`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.frequencies.item_counts import ItemCounts, added_up, positions_of
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.summary import Arrays, Timed
from shadersort.streams.values import plain_zeros


@dataclass(frozen=True, slots=True, eq=False)
class PrintedCounts(LossyCounts):
    """Items with their counts, and no Δ: every item may have been missed once in each window."""

    @classmethod
    def empty(cls, bucket: int, dtype: np.dtype[Any]) -> "PrintedCounts":
        """Return the counts of no value."""
        return cls._of(bucket, 0, np.empty(0, dtype), np.empty(0, np.int64))

    @classmethod
    def _of(cls, bucket: int, buckets: int, items: Keys, counts: Integers) -> "PrintedCounts":
        return cls(bucket, buckets, items, counts, np.full(len(items), buckets))

    def with_equal_windows(self, items: Keys, windows: int, buckets: int) -> "PrintedCounts":
        """Return the counts with windows of one value added: it is not deleted in any of them."""
        found = np.union1d(self.items, items)
        counts, _ = self.of(found)
        counts[np.searchsorted(found, items)] += windows * buckets * self.bucket
        return self._of(self.bucket, self.buckets + windows * buckets, found, counts)

    def with_windows(self, found: ItemCounts, buckets: int, timed: Timed) -> "PrintedCounts":
        """Return the counts with windows added one after the other, each of some buckets.

        All windows are added at once: an item that was not held before is counted from the first
        window on in which it comes twice, and what came before was deleted.

        Examples
        --------
        >>> from contextlib import nullcontext
        >>> from shadersort.streams.frequencies.item_counts import counted_rows
        >>> windows = counted_rows(np.array([[5, 7, 7, 9], [5, 5, 5, 7]]))
        >>> held = PrintedCounts.empty(4, np.dtype(np.int64))
        >>> held = held.with_windows(windows, 1, nullcontext)
        >>> held.items, held.counts
        (array([5, 7]), array([3, 3]))
        """
        with timed("merge"):
            items = plain_zeros(found.items)
            order = np.argsort(items, kind="stable")
            items, counts = items[order], found.counts[order]
            _, held = positions_of(self.items, items)
            items, counts = added_up((items,), deleted_before((items,), counts, held))
        return self.with_window(items, counts, len(found.ends) * buckets, timed)

    def with_window(
        self, items: Keys, counts: Integers, buckets: int, timed: Timed
    ) -> "PrintedCounts":
        """Return the counts with a window added: its items in order, its counts and its buckets."""
        with timed("merge"):
            at, here = positions_of(self.items, items)
            updated = self.counts.copy()
            updated[at[here]] += counts[here]
        with timed("compress"):
            new = ~here & (counts > 1)  # others would be deleted at once; whatever is held stays
            places = self.items.searchsorted(items[new])
            found = np.insert(self.items, places, items[new])
            together = np.insert(updated, places, counts[new])
            return self._of(self.bucket, self.buckets + buckets, found, together)

    def merged(self, other: LossyCounts, timed: Timed) -> "PrintedCounts":
        """Return the counts of two streams together: the printed merge, of another summary."""
        return self.with_window(other.items, other.counts, other.buckets, timed)

    def arrays(self) -> dict[str, Keys]:
        """Return the items and their counts as flat arrays by name."""
        return {"items": self.items, "counts": self.counts}

    def restored(self, arrays: Arrays, buckets: int, window: int = 1) -> "PrintedCounts":
        """Return the counts that gave arrays after some windows, or raise CorruptSummary."""
        items, counts = arrays["items"], arrays["counts"]
        if counts.dtype != np.int64 or len(items) != len(counts) or items.dtype != self.items.dtype:
            raise CorruptSummary("the items are of another type, or not as many as their counts")
        right = (
            np.all(items[:-1] < items[1:])
            and not np.isnan(items).any()
            and np.all((counts > 1) & (counts <= self.bucket * buckets))
            and counts.sum(dtype=np.float64) <= self.bucket * buckets
        )
        if not right:
            raise CorruptSummary("the counts contradict each other, or the length of the stream")
        return self._of(self.bucket, buckets, items, counts)


def deleted_before(keys: tuple[Keys, ...], counts: Integers, held: Mask) -> Integers:
    """Return the counts of items in windows, with 0 for those that were deleted at once.

    Equal keys lie side by side, in the order of their windows; a key may have several columns. An
    item is kept from the first window on in which it is held already, or comes twice.

    Examples
    --------
    >>> items, counts = np.array([5, 5, 5, 7]), np.array([1, 2, 1, 1])
    >>> deleted_before((items,), counts, np.zeros(4, np.bool_))
    array([0, 2, 1, 0])
    """
    first = np.ones(len(counts), np.bool_)
    if len(counts):
        first[1:] = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    begins = np.maximum.accumulate(np.where(first, np.arange(len(counts)), 0))
    kept = held | (counts > 1)
    since = np.cumsum(kept)
    return np.where(since > since[begins] - kept[begins], counts, 0)
