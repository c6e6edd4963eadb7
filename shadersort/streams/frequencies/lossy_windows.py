"""Lossy counting of many windows at once, without one step for each window.

Let an item come c times in a window of k buckets. Its slack is f + Δ less the number of all buckets
so far (f and Δ: see `lossy_counting.py`); 0 if it is not held. After every window

    slack = max(0, slack + c − k)

because an item is dropped when its slack is not positive, and an item that is not held gets a count
only if c > k, with Δ equal to the buckets before the window. Such a sequence has a closed form. Let
P be the sums of c − k up to each window, P = 0 before the first one. An item without slack at the
beginning is held after the last window if the last P is above the least P, and it has been held
since the last window whose P is the least: f and Δ follow. An item that is held at the beginning
has the same end, unless its slack and the least P together are positive: then it was never dropped.

So only three numbers are needed of each item: the last P, the least P, and the place of the least
one. An item that was not held comes more than k times in some window: such items, and those that
are held, are all candidates.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers, Keys
from shadersort.streams.frequencies.item_counts import counted_rows
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.summary import Timed

PIECE = 1 << 17
"""Values that are searched at once: they fit a cache."""
FEW = 4
"""Fewer windows are counted one by one: that takes fewer calls."""
SUFFIX = 8
"""The most windows of the shortest suffix."""
SHORTER = 4
"""A suffix is so many times as long as the one before it."""
SHARE = 3
"""With more candidates than this part of a window's values, windows are counted one by one."""

Counts = Sequence[LossyCounts]
Mapped = Callable[[Callable[[Keys], Any], Sequence[Keys]], Iterable[Any]]
"""Calls a function with every part of some rows, maybe in threads."""


@dataclass(frozen=True, slots=True, eq=False)
class Walks:
    """How P goes over some windows, for each of some items; all int64.

    Attributes
    ----------
    end
        P after the last window.
    least
        The least P, that before the first window included.
    last
        The number of windows up to the last least P.
    """

    end: Integers
    least: Integers
    last: Integers

    @classmethod
    def walk(cls, counts: Integers, buckets: int) -> "Walks":
        """Return the walks of items, given their counts: a row for each window of some buckets.

        Examples
        --------
        >>> walks = Walks.walk(np.array([[9, 1], [1, 3], [4, 3]]), 3)
        >>> walks.end, walks.least, walks.last
        (array([ 5, -2]), array([ 0, -2]), array([0, 3]))
        """
        sums = np.cumsum(counts - np.int64(buckets), axis=0)
        least = np.minimum(sums.min(axis=0), 0)
        from_end = np.argmax(sums[::-1] == least, axis=0)
        last = np.where(sums.min(axis=0) <= 0, len(sums) - from_end, 0)
        return cls(sums[-1], least, last)

    def __getitem__(self, items: slice) -> "Walks":
        return Walks(self.end[items], self.least[items], self.last[items])


def after_windows(
    held: LossyCounts, items: Keys, walks: Walks, windows: int, buckets: int
) -> LossyCounts:
    """Return the counts after some windows of equal length, given all candidates in order."""
    f, missed = held.of(items)
    stays = f + missed - held.buckets + walks.least > 0
    since = walks.end - walks.least + (windows - walks.last) * buckets
    f = np.where(stays, f + walks.end + windows * buckets, since)
    missed = np.where(stays, missed, held.buckets + walks.last * buckets)
    total = held.buckets + windows * buckets
    kept = f + missed > total
    return LossyCounts(held.bucket, total, items[kept], f[kept], missed[kept])


def prefix_counts(
    held: Counts, ordered: Keys, hierarchy: Hierarchy, buckets: int, timed: Timed, mapped: Mapped
) -> Counts:
    """Return the counts of all levels of a hierarchy with windows added, whose rows are in order.

    `held` has the counts of each level before.
    """
    if len(ordered) < FEW:
        return _one_by_one(held, ordered, hierarchy, buckets, timed)
    parts = _parts(ordered)
    with timed("merge"):
        found = mapped(lambda rows: often(rows, buckets, hierarchy), parts)
        items = candidates(held, zip(*found, strict=True))
    if SHARE * sum(map(len, items)) > ordered.shape[1]:
        return _one_by_one(held, ordered, hierarchy, buckets, timed)
    with timed("merge"):
        spans = spans_of(items, hierarchy)
        counts = np.concatenate(list(mapped(lambda rows: span_counts(rows, *spans), parts)))
        walks = Walks.walk(counts, buckets)
    with timed("compress"):
        return after_prefixes(held, items, walks, len(ordered), buckets)


def candidates(held: Counts, found: Iterable[Sequence[Keys]]) -> list[Keys]:
    """Return the items of each level that may be held later, in order; some were found."""
    pairs = zip(held, found, strict=True)
    return [different(np.concatenate([level.items, *each])) for level, each in pairs]


def different(keys: Keys) -> Keys:
    """Return keys in order, each once; `np.unique` looks up keys in a table, which takes longer.

    Examples
    --------
    >>> different(np.array([3, 1, 3]))
    array([1, 3])
    """
    ordered = np.sort(keys)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(keys) else ordered


def after_prefixes(
    held: Counts, items: Sequence[Keys], walks: Walks, windows: int, buckets: int
) -> Counts:
    """Return the counts of all levels, given the candidates of each and the walks of all."""
    ends = np.cumsum([0, *map(len, items)]).tolist()
    return tuple(
        after_windows(level, each, walks[first:last], windows, buckets)
        for level, each, first, last in zip(held, items, ends[:-1], ends[1:], strict=True)
    )


def often(ordered: Keys, above: int, hierarchy: Hierarchy) -> list[Keys]:
    """Return the prefixes on each level that come more than `above` times in some row.

    Rows are in order. A prefix may be returned once for each row.

    Examples
    --------
    >>> from shadersort.streams.hierarchies.prefixes import Hierarchy
    >>> often(np.array([[8, 9, 20, 20], [9, 10, 11, 40]]), 1, Hierarchy("bits", 6, 3))
    [array([20]), array([1, 2, 1]), array([0, 0])]
    """
    found = []
    for level in range(len(hierarchy.lengths)):
        prefixes = hierarchy.at(level, ordered)
        here = prefixes[:, : max(0, prefixes.shape[1] - above)]
        many = here == prefixes[:, above:]
        many[:, 1:] &= here[:, 1:] != here[:, :-1]
        found.append(here[many])
    return found


def suffixes(windows: int, buckets: int) -> Iterator[tuple[int, int]]:
    """Yield numbers of last windows, and how often a candidate comes in one of these suffixes.

    An item that was not held, and is held after all windows, comes more than K·buckets times in the
    last K windows, for some K. So it comes more often than is yielded here in the first suffix, or
    in the shortest one that has K windows: these have a quarter of its K·buckets at least. So there
    are few candidates, whatever the stream is; and all suffixes together have about 4/3 of the
    windows.

    Examples
    --------
    >>> list(suffixes(40, 5))
    [(3, 5), (10, 15), (40, 50)]
    """
    sizes, above = [windows], buckets
    while sizes[-1] > SUFFIX:
        sizes.append(-(-sizes[-1] // SHORTER))
    for size in reversed(sizes):
        yield size, above
        above = buckets * size


def spans_of(items: Sequence[Keys], hierarchy: Hierarchy) -> tuple[Keys, Keys]:
    """Return the first and the last item with each of the prefixes of all levels."""
    spans = [hierarchy.span(level, each) for level, each in enumerate(items)]
    first, last = (np.concatenate(each) for each in zip(*spans, strict=True))
    return first, last


def span_counts(ordered: Keys, first: Keys, last: Keys) -> npt.NDArray[np.int64]:
    """Return how many items of each row lie from each `first` to each `last`; rows are in order.

    Examples
    --------
    >>> span_counts(np.array([[1, 3, 3, 7]]), np.array([3, 8]), np.array([7, 9]))
    array([[3, 0]])
    """
    found = np.empty((len(ordered), len(first)), np.int64)
    for row, counts in zip(ordered, found, strict=True):
        counts[:] = row.searchsorted(last, "right")
        counts -= row.searchsorted(first)
    return found


def _parts(ordered: Keys) -> list[Keys]:
    step = max(1, PIECE // ordered.shape[1])
    return [ordered[first : first + step] for first in range(0, len(ordered), step)]


def _one_by_one(
    held: Counts, ordered: Keys, hierarchy: Hierarchy, buckets: int, timed: Timed
) -> Counts:
    """Add one window after the other: the same result, faster if most candidates are dropped."""
    for items, counts in counted_rows(ordered).by_window():
        levels = []
        for level, each in enumerate(held):
            if level:
                with timed("merge"):
                    items, counts = hierarchy.raised(level - 1, items, counts)
            levels.append(each.with_window(items, counts, buckets, timed))
        held = tuple(levels)
    return held
