"""Lossy counting: the items that come often enough, and how often, by Manku and Motwani 2002.

The stream is cut into buckets of w values, w = ⌈1/ε⌉. An item that is held has a count f, and a
number Δ that says how often it may have come before it was held. Once b buckets are over

- items with f + Δ ≤ b are let go: so an item that is not held has come at most b times;
- an item that comes anew gets Δ = b, the b of before its window. So Δ ≤ b, and a count is never too
  large, and too small by at most Δ ≤ b ≤ εN.

A window may be several buckets; all of this holds, and less is let go. Of the items that came to be
held in the i-th window from the end, of k buckets each, every one has come more than ik times since
then. So there are at most w(1 + 1/2 + … + 1/B) of all these after B windows: w(1 + ln B).

What is lost can be told: all values seen, but for those that are counted. No item has lost more.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.estimates import Counts, located, looked_up
from shadersort.streams.exponential_histogram import Timed
from shadersort.streams.sorters.host import Histograms
from shadersort.streams.summary import Arrays
from shadersort.streams.values import plain_zeros

__all__ = ["LossyCounts", "buckets_of_windows", "histograms_of"]


BUCKETS = 4
"""A window has at least so many buckets,"""
SMALLEST_WINDOW = 1024
"""and at least so many values: the more, the less often there is something to merge."""


@dataclass(frozen=True, slots=True, eq=False)
class LossyCounts:
    """Items with their counts; it is never changed, only replaced.

    Attributes
    ----------
    bucket
        How many values a bucket has.
    buckets
        How many buckets are over.
    items
        The items that are held, in order, each once.
    counts
        How often each has come since it is held.
    missed
        How often each may have come before, at most.
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
        """By how much a count may be too small, at most: as many buckets as are over, or less."""
        return min(self.buckets, self.bucket * self.buckets - int(self.counts.sum()))

    def with_window(
        self, items: Keys, counts: Integers, buckets: int, timed: Timed
    ) -> "LossyCounts":
        """Return the counts with those of a window, some buckets long, whose items are in order."""
        with timed("merge"):
            at, here = located(items, self.items)
            known = self.counts + np.where(here, counts[at], 0)
            new = counts > buckets  # others would be let go at once
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

    def with_windows(self, found: Histograms, buckets: int, timed: Timed) -> "LossyCounts":
        """Return the counts with those of windows, each some buckets long, one after the other."""
        held = self
        for items, counts in histograms_of(found):
            held = held.with_window(items, counts, buckets, timed)
        return held

    def merged(self, other: "LossyCounts", timed: Timed) -> "LossyCounts":
        """Return the counts of two streams together; it may hold every item of both."""
        with timed("merge"):
            items = np.union1d(self.items, other.items)
            (f, missed), (g, missed_there) = self.of(items), other.of(items)
        with timed("compress"):
            counts, missed, buckets = f + g, missed + missed_there, self.buckets + other.buckets
            keep = counts + missed > buckets
            return LossyCounts(self.bucket, buckets, items[keep], counts[keep], missed[keep])

    def of(self, values: Keys) -> tuple[Integers, Integers]:
        """Return how often values have been counted, and how often they may have been missed."""
        missed = looked_up(values, self.items, self.missed, self.buckets)
        return looked_up(values, self.items, self.counts), missed

    def known(self, waiting: Keys, counts: Integers) -> Counts:
        """Return what is known of all values, given those that wait for their window, in order."""
        items = np.union1d(self.items, waiting)
        lower, missed = self.of(items)
        lower = lower + looked_up(items, waiting, counts)
        return Counts(items, lower, lower + np.minimum(missed, self.error), self.error)

    def arrays(self) -> dict[str, Keys]:
        """Return what is held as flat arrays by name."""
        return {"items": self.items, "counts": self.counts, "missed": self.missed}

    def restored(self, arrays: Arrays, buckets: int, window: int) -> "LossyCounts":
        """Return the counts that gave such arrays, after some buckets, in windows of `window`."""
        items, counts, missed = (arrays[name] for name in ("items", "counts", "missed"))
        if not len(items) == len(counts) == len(missed) or items.dtype != self.items.dtype:
            raise CorruptSummary("the items are of another type, or not as many as their counts")
        if counts.dtype != np.int64 or missed.dtype != np.int64:
            raise CorruptSummary("the counts are no integers of 64 bits")
        right = (
            np.all(items[:-1] < items[1:])
            and not np.isnan(items).any()
            and np.all((counts > 0) & (missed >= 0) & (missed <= buckets))
            and np.all(missed % window == 0)
            and np.all(counts <= self.bucket * buckets)
            and np.all(counts + missed > buckets)
            and counts.sum(dtype=np.float64) <= self.bucket * buckets
        )
        if not right:
            raise CorruptSummary("the counts contradict each other, or the length of the stream")
        return LossyCounts(self.bucket, buckets, items, counts, missed)


def histograms_of(found: Histograms) -> list[tuple[Keys, Integers]]:
    """Return the items and counts of each window; 0.0 stands for −0.0."""
    ends = found.ends[:-1]
    items = np.split(plain_zeros(found.items), ends)
    return list(zip(items, np.split(found.counts, ends), strict=True))


def buckets_of_windows(epsilon: float, summaries: int = 1) -> tuple[int, int]:
    """Return how many values a bucket has, and how many buckets a window for some summaries.

    Examples
    --------
    >>> buckets_of_windows(0.1), buckets_of_windows(0.0001)
    ((10, 103), (10000, 4))
    """
    bucket = ceil(1 / Fraction(epsilon))
    return bucket, max(BUCKETS, -(-SMALLEST_WINDOW * summaries // bucket))
