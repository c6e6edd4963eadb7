"""Lossy counting: the items that come often enough, and how often, by Manku and Motwani 2002.

The stream is cut into buckets of w = ⌈1/ε⌉ values. An item that is held has a count f, and a number
Δ: how often the item may have come before it was held. After b buckets:

- Items with f + Δ ≤ b are dropped. So an item that is not held has come at most b times.
- A new item gets Δ = b, the number of buckets before its window: it may have come that often and
  been dropped. So a count is never too large, and it is too small by at most Δ ≤ b ≤ εN.

A window may be several buckets long. All of this still holds, and fewer items are dropped. Consider
the items that were first held in the i-th window from the end, of k buckets each: every one of them
has come more than ik times since. So at most w(1 + 1/2 + … + 1/B) = w(1 + ln B) items are held
after B windows.

The number of values that are not counted is known: all values seen minus all counts. No item has
lost more than that.

`lossy_counting_as_printed.py` is what Govindaraju, Raghuvanshi and Manocha 2005 print instead.

The kernels are `modern/kernels/lossy_*.cu`, launched by `modern/streams/lossy_counting.py`.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.frequencies.estimates import Estimates
from shadersort.streams.frequencies.item_counts import ItemCounts, looked_up, positions_of
from shadersort.streams.summary import Arrays, Timed

BUCKETS = 4
"""The least number of buckets in a window."""
SMALLEST_WINDOW = 1024
"""The least number of values in a window: long windows are merged less often."""


@dataclass(frozen=True, slots=True, eq=False)
class LossyCounts:
    """Items with their counts; a value that is replaced, never changed.

    Attributes
    ----------
    bucket
        How many values a bucket has.
    buckets
        How many buckets have been counted.
    items
        The items that are held: different values in order.
    counts
        f: how often each has come since it is held.
    missed
        Δ: how often each may have come before, at most.
    """

    bucket: int
    buckets: int
    items: Keys
    counts: Integers
    missed: Integers

    @classmethod
    def empty(cls, bucket: int, dtype: np.dtype[Any]) -> "LossyCounts":
        """Return the counts of no value."""
        none = np.empty(0, np.int64)
        return cls(bucket, 0, np.empty(0, dtype), none, none)

    @property
    def error(self) -> int:
        """The most by which a count may be too small: the number of buckets, or less."""
        return min(self.buckets, self.bucket * self.buckets - int(self.counts.sum()))

    def with_window(
        self, items: Keys, counts: Integers, buckets: int, timed: Timed
    ) -> "LossyCounts":
        """Return the counts with a window added: its items in order, its counts and its buckets."""
        with timed("merge"):
            at, here = positions_of(items, self.items)
            known = self.counts + looked_up(self.items, items, counts)
            new = counts > buckets  # others would be dropped at once
            new[at[here]] = False
        with timed("compress"):
            keep = known + self.missed > self.buckets + buckets
            before = np.full(np.count_nonzero(new), self.buckets)
            found = np.concatenate([self.items[keep], items[new]])
            order = np.argsort(found, kind="stable")
            return LossyCounts(
                self.bucket,
                self.buckets + buckets,
                found[order],
                np.concatenate([known[keep], counts[new]])[order],
                np.concatenate([self.missed[keep], before])[order],
            )

    def with_windows(self, found: ItemCounts, buckets: int, timed: Timed) -> "LossyCounts":
        """Return the counts with windows added one after the other, each of some buckets."""
        held = self
        for items, counts in found.by_window():
            held = held.with_window(items, counts, buckets, timed)
        return held

    def with_equal_windows(self, items: Keys, windows: int, buckets: int) -> "LossyCounts":
        """Return the counts with windows added, each of some buckets and of one value.

        `items` has this value, or nothing on a level on which it has no prefix. It is what adding
        the windows one after the other gives: no other item comes, so what is dropped after any of
        them would be dropped after the last one.

        Examples
        --------
        >>> held = LossyCounts(4, 1, np.array([3, 9]), np.array([2, 4]), np.array([0, 0]))
        >>> held = held.with_equal_windows(np.array([5]), 2, buckets=1)
        >>> held.items, held.counts, held.missed
        (array([5, 9]), array([8, 4]), array([1, 0]))
        """
        found = np.union1d(self.items, items)
        counts, missed = self.of(found)
        counts[np.searchsorted(found, items)] += windows * buckets * self.bucket
        total = self.buckets + windows * buckets
        keep = counts + missed > total
        return LossyCounts(self.bucket, total, found[keep], counts[keep], missed[keep])

    def merged(self, other: "LossyCounts", timed: Timed) -> "LossyCounts":
        """Return the counts of two streams together; the result may hold all items of both."""
        with timed("merge"):
            items = np.union1d(self.items, other.items)
            (f, missed), (g, missed_there) = self.of(items), other.of(items)
        with timed("compress"):
            counts, missed, buckets = f + g, missed + missed_there, self.buckets + other.buckets
            keep = counts + missed > buckets
            return LossyCounts(self.bucket, buckets, items[keep], counts[keep], missed[keep])

    def of(self, values: Keys) -> tuple[Integers, Integers]:
        """Return how often values were counted, and how often they may have been missed."""
        missed = looked_up(values, self.items, self.missed, self.buckets)
        return looked_up(values, self.items, self.counts), missed

    def known(self, waiting: Keys, counts: Integers) -> Estimates:
        """Return the estimates of a stream, given its waiting items in order and their counts."""
        items = np.union1d(self.items, waiting)
        lower, missed = self.of(items)
        lower = lower + looked_up(items, waiting, counts)
        return Estimates(items, lower, lower + np.minimum(missed, self.error), self.error)

    def arrays(self) -> dict[str, Keys]:
        """Return the items and their numbers as flat arrays by name."""
        return {"items": self.items, "counts": self.counts, "missed": self.missed}

    def restored(self, arrays: Arrays, buckets: int, window: int) -> "LossyCounts":
        """Return the counts that gave arrays after some buckets, in windows of `window` buckets."""
        items, counts, missed = (arrays[name] for name in ("items", "counts", "missed"))
        if not len(items) == len(counts) == len(missed) or items.dtype != self.items.dtype:
            raise CorruptSummary("the items are of another type, or not as many as their counts")
        if counts.dtype != np.int64 or missed.dtype != np.int64:
            raise CorruptSummary("the counts are no integers of 64 bits")
        right = (
            np.all(items[:-1] < items[1:])
            and not (items != items).any()
            and np.all((counts > 0) & (missed >= 0) & (missed <= buckets))
            and np.all(missed % window == 0)
            and np.all(counts <= self.bucket * buckets)
            and np.all(counts + missed > buckets)
            and counts.sum(dtype=np.float64) <= self.bucket * buckets
        )
        if not right:
            raise CorruptSummary("the counts contradict each other, or the length of the stream")
        return LossyCounts(self.bucket, buckets, items, counts, missed)


def buckets_of_windows(epsilon: float, summaries: int = 1) -> tuple[int, int]:
    """Return the values in a bucket and the buckets in a window that several summaries share.

    Examples
    --------
    >>> buckets_of_windows(0.1), buckets_of_windows(0.0001)
    ((10, 103), (10000, 4))
    """
    bucket = ceil(1 / Fraction(epsilon))
    return bucket, max(BUCKETS, -(-SMALLEST_WINDOW * summaries // bucket))
