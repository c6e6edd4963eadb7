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
from shadersort.keys.types import Integers, Keys
from shadersort.streams.item_counts import positions_of
from shadersort.streams.lossy_counting import LossyCounts
from shadersort.streams.summary import Arrays, Timed


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

    def with_window(
        self, items: Keys, counts: Integers, buckets: int, timed: Timed
    ) -> "PrintedCounts":
        """Return the counts with a window added: its items in order, its counts and its buckets.

        Examples
        --------
        >>> from contextlib import nullcontext
        >>> held = PrintedCounts.empty(4, np.dtype(np.int64))
        >>> held = held.with_window(np.array([5, 7, 9]), np.array([1, 2, 1]), 1, nullcontext)
        >>> held = held.with_window(np.array([5, 7]), np.array([3, 1]), 1, nullcontext)
        >>> held.items, held.counts
        (array([5, 7]), array([3, 3]))
        """
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
