"""Lossy counting of prefixes on a GPU, all levels at once: kernels/streams/prefix_walks.cu.

The same as `shadersort/streams/frequencies/lossy_windows.py`, byte for byte. Items are sorted
without their windows, and a prefix that is held later is frequent at the end of the stream: the
sorted items of the last windows, of four times as many, and so on, show all of them. How often each
of these few comes in each window is then found in the sorted windows. Only the candidates and their
walks are copied.
"""

from typing import Any

import cupy
import numpy as np

from modern.streams.transfers import copy_together, join, to_host
from modern.streams.windows import launch, on_device, rows_in_order
from shadersort.keys.types import Keys
from shadersort.streams.frequencies.lossy_windows import (
    Counts,
    Walks,
    after_prefixes,
    candidates,
    spans_of,
    suffixes,
)
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.summary import Timed

EACH = 32
"""Windows that a thread walks over."""


def prefix_counts(
    held: Counts, windows: Any, hierarchy: Hierarchy, buckets: int, timed: Timed
) -> Counts:
    """Return the counts of all levels of a hierarchy with windows added."""
    keys = on_device(windows)
    with timed("sort"):
        found = often_at_the_end(keys, hierarchy, buckets)
        ordered = rows_in_order(keys)
    with timed("merge"):
        items = candidates(held, found)
        walks = walks_of(ordered, *spans_of(items, hierarchy), buckets)
    with timed("compress"):
        return after_prefixes(held, items, walks, len(keys), buckets)


def often_at_the_end(windows: Any, hierarchy: Hierarchy, buckets: int) -> list[tuple[Keys, ...]]:
    """Return for each level, in parts, the prefixes that may be held after the windows."""
    dtype, levels, parts = windows.dtype, len(hierarchy.lengths), []
    divisors = [hierarchy.divisor(level) for level in range(levels)]
    divisors = [each if each <= np.iinfo(dtype).max else 0 for each in divisors]  # 0: one prefix
    there = cupy.asarray(np.array(divisors, dtype))
    for count, above in suffixes(len(windows), buckets):
        ordered = cupy.sort(windows[-count:].reshape(-1))
        room = ordered.size // (above + 1) + 1
        found, totals = cupy.empty((levels, room), dtype), cupy.zeros(levels, np.uint32)
        given = ordered, ordered.size, above, there, np.uint32(levels), room, found, totals
        launch("frequent_prefixes", ordered, given, ordered.size)
        parts.append((found, totals))
    counts = to_host(join([totals for _, totals in parts])).reshape(-1, levels)
    ends = zip((found for found, _ in parts), counts.tolist(), strict=True)
    prefixes = [row[:end] for found, each in ends for row, end in zip(found, each, strict=True)]
    arrays = copy_together(prefixes, lambda flat: to_host(join(flat)))
    return [tuple(arrays[level::levels]) for level in range(levels)]


def walks_of(ordered: Any, first: Keys, last: Keys, buckets: int) -> Walks:
    """Return the walks of spans of items over rows, which are in order.

    Each group of rows is walked over for itself; the walks of all groups are then joined.
    """
    (rows, length), count = ordered.shape, len(first)
    groups = -(-rows // EACH)
    parts, spans = cupy.empty((3, groups, count), np.int64), cupy.asarray(np.stack([first, last]))
    given = ordered, rows, np.uint32(length), spans[0], spans[1], count, EACH, buckets, parts
    launch("prefix_walks", ordered, given, groups * count)
    ends, leasts, places = parts
    sums = cupy.cumsum(ends, axis=0)
    leasts += sums - ends
    least = leasts.min(axis=0)
    group = groups - 1 - cupy.argmax(leasts[::-1] == least, axis=0)
    last_least = cupy.where(least <= 0, places[group, cupy.arange(count)], 0)
    found = cupy.stack([sums[-1], cupy.minimum(least, 0), last_least])
    return Walks(*to_host(found))
