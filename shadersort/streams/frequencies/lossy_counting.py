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

`LossyCounts.with_window` is the whole algorithm. **Many windows at once** need no step for each.
Let an item come c times in a window of k buckets. Its slack is f + Δ − b, or 0 if it is not held.
After every window

    slack = max(0, slack + c − k)

because an item is dropped when its slack is not positive, and a new one is held if c > k. Such a
sequence has a closed form. Let P be the sum of c − k up to each window, P = 0 before the first. An
item without slack at the beginning is held after the last window if the last P is above the least
P, and it has been held since the last window whose P is the least: f and Δ follow. An item that is
held at the beginning has the same end, unless its slack and the least P together are positive: then
it was never dropped. So three numbers are needed of each item: the last P, the least P, and where
the least one is last. Candidates are the items that are held, and those with more than k in some
window: no other item can be new.

`lossy_counting_as_printed.py` is what Govindaraju, Raghuvanshi and Manocha 2005 print instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.frequencies.estimates import Estimates
from shadersort.streams.frequencies.item_counts import look_up, unique_keys
from shadersort.streams.frequencies.sorted_windows import SortedWindows, Walks
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.summary import Arrays, Timed

FEW = 4  # fewer windows are counted one by one: that takes fewer calls


@dataclass(frozen=True, slots=True, eq=False)
class LossyCounts:
    """Items with their counts; a value that is replaced, never changed."""

    bucket: int  # w: how many values a bucket has
    buckets: int  # b: how many buckets have been counted
    items: Keys  # the items that are held: different values in order
    counts: Integers  # f: how often each has come since it is held
    missed: Integers  # Δ: how often each may have come before, at most

    @classmethod
    def empty(cls, bucket: int, dtype: np.dtype[Any]) -> Self:
        """Return the counts of no value."""
        none = np.empty(0, np.int64)
        return cls(bucket, 0, np.empty(0, dtype), none, none)

    @property
    def error(self) -> int:
        """The most by which a count may be too small: the number of buckets, or less."""
        return min(self.buckets, self.bucket * self.buckets - int(self.counts.sum()))

    def look_up(self, values: Keys) -> tuple[Integers, Integers]:
        """Return how often values were counted, and how often they may have been missed."""
        missed = look_up(values, self.items, self.missed, self.buckets)
        return look_up(values, self.items, self.counts), missed

    def with_window(self, items: Keys, counts: Integers, buckets: int, timed: Timed) -> Self:
        """Return the counts with a window added: its items in order, its counts and its buckets."""
        with timed("merge"):
            new = items[self.are_held(counts, self.buckets, self.buckets + buckets)]
            found = unique_keys(np.concatenate([self.items, new]))
            f, missed = self.look_up(found)
            f += look_up(found, items, counts)
        with timed("compress"):
            return self.drop_rare(found, f, missed, self.buckets + buckets)

    def are_held(self, counts: Integers, missed: Integers | int, buckets: int) -> Mask:
        """Return which items come often enough to be held after some buckets."""
        return np.asarray(counts + missed > buckets)

    def drop_rare(self, items: Keys, counts: Integers, missed: Integers, buckets: int) -> Self:
        """Return the counts after some buckets, of the items that come often enough."""
        held = self.are_held(counts, missed, buckets)
        return type(self)(self.bucket, buckets, items[held], counts[held], missed[held])

    def add_walks(self, items: Keys, walks: Walks, windows: int, buckets: int) -> Self:
        """Return the counts after some windows, given all candidates in order and their walks."""
        f, missed = self.look_up(items)
        stays = f + missed - self.buckets + walks.least > 0
        since = walks.end - walks.least + (windows - walks.last) * buckets
        f = np.where(stays, f + walks.end + windows * buckets, since)
        missed = np.where(stays, missed, self.buckets + walks.last * buckets)
        return self.drop_rare(items, f, missed, self.buckets + windows * buckets)

    def merge(self, other: "LossyCounts", timed: Timed) -> Self:
        """Return the counts of two streams together; the result may hold all items of both."""
        with timed("merge"):
            items = unique_keys(np.concatenate([self.items, other.items]))
            (f, missed), (g, missed_there) = self.look_up(items), other.look_up(items)
        with timed("compress"):
            buckets = self.buckets + other.buckets
            return self.drop_rare(items, f + g, missed + missed_there, buckets)

    def estimates(self, waiting: Keys, counts: Integers) -> Estimates:
        """Return the estimates of a stream, given its waiting items in order and their counts."""
        items = unique_keys(np.concatenate([self.items, waiting]))
        lower, missed = self.look_up(items)
        lower = lower + look_up(items, waiting, counts)
        return Estimates(items, lower, lower + np.minimum(missed, self.error), self.error)

    def arrays(self) -> dict[str, Keys]:
        """Return the items and their numbers as flat arrays by name."""
        return {"items": self.items, "counts": self.counts, "missed": self.missed}

    def restore(self, arrays: Arrays, buckets: int, window: int) -> Self:
        """Return the counts that gave arrays after some buckets, in windows of `window` buckets."""
        every: dict[str, Any] = {"missed": np.full(len(arrays["items"]), buckets)}
        found = replace(self, buckets=buckets, **(every | dict(arrays)))
        items, counts, missed, most = found.items, found.counts, found.missed, self.bucket * buckets
        if not (
            len(items) == len(counts) == len(missed)
            and items.dtype == self.items.dtype
            and counts.dtype == missed.dtype == np.int64
            and np.all(items[:-1] < items[1:])
            and np.all(items == items)
            and np.all((counts > 0) & (counts <= most) & self.are_held(counts, missed, buckets))
            and np.all((missed >= 0) & (missed <= buckets) & (missed % window == 0))
            and counts.sum(dtype=np.float64) <= most
        ):
            raise CorruptSummary("the counts contradict each other, or the length of the stream")
        return found


def levels_with_windows(
    levels: Sequence[LossyCounts],
    windows: SortedWindows,
    hierarchy: Hierarchy,
    buckets: int,
    timed: Timed,
) -> Sequence[LossyCounts]:
    """Return the counts of each level of a hierarchy with windows of some buckets added."""
    if len(windows) >= FEW:
        with timed("merge"):
            found = windows.walks([held.items for held in levels], hierarchy, buckets)
        if found:
            with timed("compress"):
                walks, count = zip(levels, found, strict=True), len(windows)
                return [held.add_walks(*each, count, buckets) for held, each in walks]
    for window in windows.item_counts().by_window():
        with timed("merge"):
            pairs = zip(levels, list(hierarchy.by_level(*window)), strict=True)
        levels = [held.with_window(*each, buckets, timed) for held, each in pairs]
    return levels
