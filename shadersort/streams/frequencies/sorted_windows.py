"""Windows in order on the host, and what lossy counting asks of them (`lossy_counting.py`).

Windows on a GPU answer the same questions there: `modern/streams/lossy_windows.py`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.streams.frequencies.item_counts import ItemCounts, count_rows, unique_keys
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.values import plain_zeros

PIECE = 1 << 17  # values that are searched at once: they fit a cache
SHARE = 3  # with more candidates than this part of a window, windows are counted one by one

MapParts = Callable[[Callable[[Keys], Any], Sequence[Keys]], Iterable[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Walks:
    """How P, the sum of c − k, goes over some windows for each of some items; all int64."""

    end: Integers  # P after the last window
    least: Integers  # the least P, 0 before the first window included
    last: Integers  # the number of windows up to the last least P

    @classmethod
    def walk(cls, counts: Integers, buckets: int) -> Self:
        """Return the walks of items, given their counts: a row for each window of some buckets."""
        sums = np.cumsum(counts - np.int64(buckets), axis=0)
        least = np.minimum(sums.min(axis=0), 0)
        from_end = np.argmax(sums[::-1] == least, axis=0)
        last = np.where(sums.min(axis=0) <= 0, len(sums) - from_end, 0)
        return cls(sums[-1], least, last)

    def __getitem__(self, items: slice) -> "Walks":
        return Walks(self.end[items], self.least[items], self.last[items])


@dataclass(frozen=True, slots=True, eq=False)
class SortedWindows:
    """Windows in order, and how often items come in them."""

    rows: Keys  # each is a window in order
    map_parts: MapParts  # calls a function with every part of some rows, maybe in threads

    def __len__(self) -> int:
        return len(self.rows)

    def item_counts(self) -> ItemCounts:
        """Return how often each item comes in each window."""
        return count_rows(self.rows)

    def walks(
        self, held: Sequence[Keys], hierarchy: Hierarchy, buckets: int
    ) -> list[tuple[Keys, Walks]]:
        """Return for each level the items that may be held after these windows, and their walks.

        Nothing, if they are many: then it takes less time to count the windows one by one.
        """
        if not (items := self.candidates(held, hierarchy, buckets)):
            return []
        spans = [hierarchy.span(level, each) for level, each in enumerate(items)]
        first, last = (np.concatenate(each) for each in zip(*spans, strict=True))
        walks = self.span_walks(first, last, buckets)
        ends = np.cumsum([0, *map(len, items)]).tolist()
        return [(each, walks[a:b]) for each, (a, b) in zip(items, pairwise(ends), strict=True)]

    def candidates(self, held: Sequence[Keys], hierarchy: Hierarchy, buckets: int) -> list[Keys]:
        """Return the items of each level that may be held after these windows, in order.

        These are the items that are held before, and those that come more than `buckets` times in
        some window. Nothing, if they are many.
        """
        found = self.map_parts(
            lambda rows: frequent_prefixes(rows, buckets, hierarchy), self._parts()
        )
        levels = zip(held, *found, strict=True)
        items = [plain_zeros(unique_keys(np.concatenate(each))) for each in levels]
        return items if SHARE * sum(map(len, items)) <= self.rows.shape[1] else []

    def span_walks(self, first: Keys, last: Keys, buckets: int) -> Walks:
        """Return the walks of all items from `first` to `last` together, for each pair of these."""
        found = self.map_parts(lambda rows: span_counts(rows, first, last), self._parts())
        return Walks.walk(np.concatenate(list(found)), buckets)

    def _parts(self) -> list[Keys]:
        step = max(1, PIECE // self.rows.shape[1])
        return [self.rows[begin : begin + step] for begin in range(0, len(self), step)]


def frequent_prefixes(ordered: Keys, above: int, hierarchy: Hierarchy) -> list[Keys]:
    """Return the prefixes on each level that come more than `above` times in some row."""
    found = []
    for level in range(len(hierarchy.lengths)):
        prefixes = hierarchy.at(level, ordered)
        here = prefixes[:, : max(0, prefixes.shape[1] - above)]
        many = here == prefixes[:, above:]
        many[:, 1:] &= here[:, 1:] != here[:, :-1]
        found.append(here[many])
    return found


def span_counts(ordered: Keys, first: Keys, last: Keys) -> Integers:
    """Return how many items of each row lie from each `first` to each `last`; rows are in order."""
    found = np.empty((len(ordered), len(first)), np.int64)
    for row, counts in zip(ordered, found, strict=True):
        counts[:] = row.searchsorted(last, "right")
        counts -= row.searchsorted(first)
    return found
