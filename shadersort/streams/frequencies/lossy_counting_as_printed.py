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
from typing import Self

import numpy as np

from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.frequencies.item_counts import add_up, look_up, run_starts
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.frequencies.sorted_windows import SortedWindows
from shadersort.streams.summary import Timed
from shadersort.streams.values import plain_zeros


@dataclass(frozen=True, slots=True, eq=False)
class PrintedCounts(LossyCounts):
    """Items with their counts; every item may have been missed once in each window: Δ = b."""

    def are_held(self, counts: Integers, missed: Integers | int, buckets: int) -> Mask:
        """Return which items come often enough to be held: all but those that have come once."""
        return np.asarray(counts > 1)

    def drop_rare(self, items: Keys, counts: Integers, missed: Integers, buckets: int) -> Self:
        """Return the counts after some windows, of the items that come often enough."""
        return LossyCounts.drop_rare(self, items, counts, np.full_like(counts, buckets), buckets)

    def with_windows(self, windows: SortedWindows, buckets: int, timed: Timed) -> Self:
        """Return the counts with windows added one after the other, each of some buckets.

        All windows are added at once: an item that was not held before is counted from the first
        window on in which it comes twice, and what came before was deleted.
        """
        with timed("merge"):
            found = windows.item_counts()
            items = plain_zeros(found.items)
            order = np.argsort(items, kind="stable")
            items, counts = items[order], found.counts[order]
            held = look_up(items, self.items, self.counts) > 0
            items, counts = add_up((items,), zero_deleted((items,), counts, held))
        return self.with_window(items, counts, len(windows) * buckets, timed)

    def arrays(self) -> dict[str, Keys]:
        """Return the items and their counts as flat arrays by name."""
        return {"items": self.items, "counts": self.counts}


def zero_deleted(keys: tuple[Keys, ...], counts: Integers, held: Mask) -> Integers:
    """Return the counts of items in windows, with 0 for those that were deleted at once.

    Equal keys lie side by side, in the order of their windows; a key may have several columns. An
    item is kept from the first window on in which it is held already, or comes twice.
    """
    begins = np.maximum.accumulate(np.where(run_starts(*keys), np.arange(len(counts)), 0))
    kept = held | (counts > 1)
    since = np.cumsum(kept)
    return np.where(since > since[begins] - kept[begins], counts, 0)
