"""Lossy counting of prefixes on a GPU, all levels in one pass: kernels/prefix_*.cu.

The same as `shadersort/streams/lossy_windows.py`, byte for byte. Items are sorted without their
windows, and a prefix that is held later is frequent at the end of the stream: the sorted items of
the last windows, of four times as many, and so on, show all of them. How often each of these few
comes in each window is then found in the sorted windows. Only the candidates and their walks are
copied.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.waiting import Launcher
from modern.primitives.row_sort import rows_in_order
from modern.streams.staging import to_host
from shadersort.keys.types import Keys
from shadersort.streams.lossy_windows import (
    Counts,
    Walks,
    after_prefixes,
    candidates,
    spans_of,
    suffixes,
)
from shadersort.streams.prefixes import Hierarchy
from shadersort.streams.summary import Timed

EACH = 32
"""Windows that a thread walks over."""


def prefix_counts(
    held: Counts, windows: Any, hierarchy: Hierarchy, buckets: int, timed: Timed
) -> Counts:
    """Return the counts of all levels of a hierarchy with windows added."""
    keys = cupy.ascontiguousarray(windows)
    with timed("sort"):
        found = often_at_the_end(keys, hierarchy, buckets)
        ordered = rows_in_order(keys)
    with timed("merge"):
        items = candidates(held, found)
        walks = walks_of(ordered, *spans_of(items, hierarchy), buckets)
    with timed("compress"):
        return after_prefixes(held, items, walks, len(keys), buckets)


def often_at_the_end(windows: Any, hierarchy: Hierarchy, buckets: int) -> list[list[Keys]]:
    """Return for each level, in parts, the prefixes that may be held after the windows."""
    launcher, levels = Launcher(np.dtype(windows.dtype)), len(hierarchy.lengths)
    divisors = launcher.given(_divisors(hierarchy, windows.dtype))
    kernel = launcher.kernel("prefix_often")
    parts = list(suffixes(len(windows), buckets))
    sizes = [count * windows.shape[1] for count, _ in parts]
    rooms = [size // (above + 1) + 1 for size, (_, above) in zip(sizes, parts, strict=True)]
    found = cupy.empty(levels * sum(rooms), windows.dtype)
    totals, end = cupy.zeros((len(parts), levels), np.uint32), 0
    for size, room, (_, above), total in zip(sizes, rooms, parts, totals, strict=True):
        ordered = cupy.sort(windows.reshape(-1)[-size:])
        given = ordered, *map(np.uint64, (size, size, above)), divisors, np.uint32(levels)
        launcher.run_threads(kernel, (*given, np.uint64(room), found[end:], total), size)
        end += levels * room
    return _by_level(to_host(found), to_host(totals), rooms)


def _by_level(found: Keys, totals: Keys, rooms: list[int]) -> list[list[Keys]]:
    """Return what was found for each level, in parts that lie one after the other."""
    by_level: list[list[Keys]] = [[] for _ in totals[0]]
    start = 0
    for counts, room in zip(totals.tolist(), rooms, strict=True):
        for parts, count in zip(by_level, counts, strict=True):
            parts.append(found[start : start + count])
            start += room
    return by_level


def _divisors(hierarchy: Hierarchy, dtype: np.dtype[Any]) -> Keys:
    """Return what an item is divided by on each level; 0 if all items have one prefix."""
    most = np.iinfo(dtype).max
    divisors = map(hierarchy.divisor, range(len(hierarchy.lengths)))
    return np.array([each if each <= most else 0 for each in divisors], dtype)


def walks_of(ordered: Any, first: Keys, last: Keys, buckets: int) -> Walks:
    """Return the walks of spans of items over rows, which are in order."""
    launcher, (rows, length), count = Launcher(np.dtype(ordered.dtype)), ordered.shape, len(first)
    groups = -(-rows // EACH)
    parts, found = (cupy.empty((3, each, count), np.int64) for each in (groups, 1))
    spans = cupy.asarray(np.stack([first, last]))
    sizes = np.uint64(count), np.uint64(EACH), np.uint64(buckets)
    given = ordered, np.uint64(rows), np.uint32(length), spans[0], spans[1], *sizes, parts
    launcher.run_threads(launcher.kernel("prefix_walks"), given, groups * count)
    joined = parts, np.uint64(groups), np.uint64(count), found
    launcher.run_threads(launcher.kernel("prefix_walks_joined"), joined, count)
    return Walks(*to_host(found).reshape(3, count))
