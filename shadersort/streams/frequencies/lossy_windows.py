"""What `modern/streams/lossy_prefixes.py` imports until it has sorted windows of its own."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.frequencies.item_counts import different
from shadersort.streams.frequencies.lossy_counting import LossyCounts, levels_with_windows
from shadersort.streams.frequencies.sorted_windows import Mapped, SortedWindows, Walks
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.summary import Timed

Counts = Sequence[LossyCounts]

SUFFIX = 8
"""The most windows of the shortest suffix."""
SHORTER = 4
"""A suffix is so many times as long as the one before it."""


def prefix_counts(
    held: Counts, ordered: Keys, hierarchy: Hierarchy, buckets: int, timed: Timed, mapped: Mapped
) -> Counts:
    """Return the counts of all levels with windows added, whose rows are in order."""
    return levels_with_windows(held, SortedWindows(ordered, mapped), hierarchy, buckets, timed)


def candidates(held: Counts, found: Iterable[Sequence[Keys]]) -> list[Keys]:
    """Return the items of each level that may be held later, in order; some were found."""
    pairs = zip(held, found, strict=True)
    return [different(np.concatenate([level.items, *each])) for level, each in pairs]


def after_prefixes(
    held: Counts, items: Sequence[Keys], walks: Walks, windows: int, buckets: int
) -> Counts:
    """Return the counts of all levels, given the candidates of each and the walks of all."""
    ends = np.cumsum([0, *map(len, items)]).tolist()
    return tuple(
        level.after_walks(each, walks[first:last], windows, buckets)
        for level, each, first, last in zip(held, items, ends[:-1], ends[1:], strict=True)
    )


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
