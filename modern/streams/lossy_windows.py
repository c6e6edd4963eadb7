"""Windows in order on a GPU, and what lossy counting asks of them: kernels/streams/prefix_walks.cu.

The same answers as in `shadersort/streams/frequencies/sorted_windows.py`, byte for byte. Codes are
sorted in place of keys. What is held later is frequent at the end of the stream: in the last
windows, in four times as many, and so on. Only these few candidates and their walks are copied.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np

from modern.streams.transfers import copy_together, explain_lack_of_memory, join, to_host
from modern.streams.windows import codes_of, find_runs, launch, on_device, rows_in_order, widen
from shadersort.keys.codes import decode, encode
from shadersort.keys.types import Keys
from shadersort.streams.frequencies.item_counts import ItemCounts, unique_keys
from shadersort.streams.frequencies.sorted_windows import SortedWindows, Walks
from shadersort.streams.hierarchies.prefixes import Hierarchy

EACH = 32
"""Windows that a thread walks over."""
SUFFIX, SHORTER = 8, 4
"""The most windows of the shortest suffix; a suffix divided by the one before it."""


@dataclass(frozen=True, slots=True, eq=False)
class SortedWindowsOnGPU(SortedWindows):
    """Windows of codes in order on a GPU; questions and answers are in keys."""

    dtype: np.dtype[Any]  # the type of the keys

    @explain_lack_of_memory()
    def item_counts(self) -> ItemCounts:
        """Return how often each item comes in each window."""
        begins, counts, rows = find_runs(self.rows, np.zeros(len(self), np.int64))
        items, counts, rows = map(to_host, (self.rows.reshape(-1)[begins], counts, rows))
        ends = rows.searchsorted(np.arange(len(self)), "right")
        return ItemCounts(self._keys_of(items), counts, ends)

    @explain_lack_of_memory()
    def candidates(self, held: Sequence[Keys], hierarchy: Hierarchy, buckets: int) -> list[Keys]:
        """Return the items of each level that may be held after these windows, in order."""
        levels, codes, parts = len(held), self.rows.dtype, []
        spans = [hierarchy.span(level, np.zeros(1, codes)) for level in range(levels)]
        divisors = np.array([last[0] for _, last in spans], codes) + codes.type(1)
        there = cupy.asarray(divisors)  # 0: all items have one prefix
        for count, above in suffixes(len(self), buckets):
            ordered = cupy.sort(self.rows[-count:].reshape(-1))
            room = ordered.size // (above + 1) + 1
            found, totals = cupy.empty((levels, room), codes), cupy.zeros(levels, np.uint32)
            given = ordered, ordered.size, above, there, np.uint32(levels), room, found, totals
            launch("frequent_prefixes", ordered, given, ordered.size)
            parts.append((found, totals))
        counts = to_host(join([totals for _, totals in parts])).reshape(-1, levels)
        ends = zip((found for found, _ in parts), counts.tolist(), strict=True)
        prefixes = [row[:end] for found, each in ends for row, end in zip(found, each, strict=True)]
        arrays = copy_together(prefixes, lambda flat: to_host(join(flat)))
        new = (self._keys_of(np.concatenate(arrays[level::levels])) for level in range(levels))
        return [unique_keys(np.concatenate(each)) for each in zip(held, new, strict=True)]

    @explain_lack_of_memory()
    def span_walks(self, first: Keys, last: Keys, buckets: int) -> Walks:
        """Return the walks of all items from `first` to `last` together, for each pair of these.

        Each group of rows is walked over for itself; the walks of all groups are then joined.
        """
        (rows, length), count = self.rows.shape, len(first)
        groups = -(-rows // EACH)
        parts = cupy.empty((3, groups, count), np.int64)
        spans = cupy.asarray(np.stack([self._codes_of(first), self._codes_of(last)]))
        given = self.rows, rows, np.uint32(length), *spans, count, EACH, buckets, parts
        launch("prefix_walks", self.rows, given, groups * count)
        ends, leasts, places = parts
        sums = cupy.cumsum(ends, axis=0)
        leasts += sums - ends
        least = leasts.min(axis=0)
        group = groups - 1 - cupy.argmax(leasts[::-1] == least, axis=0)
        last_least = cupy.where(least <= 0, places[group, cupy.arange(count)], 0)
        return Walks(*to_host(cupy.stack([sums[-1], cupy.minimum(least, 0), last_least])))

    def _codes_of(self, keys: Keys) -> Keys:
        return encode(widen(keys)).astype(self.rows.dtype)

    def _keys_of(self, codes: Keys) -> Keys:
        wide = widen(np.empty(0, self.dtype)).dtype
        return decode(codes.astype(f"u{wide.itemsize}"), wide).astype(self.dtype)


def sorted_windows(windows: Any) -> SortedWindowsOnGPU:
    """Return windows in order; codes of 16 bits become 32 bits wide."""
    codes = codes_of(widen(on_device(windows)))
    codes = codes.astype(np.uint32) if codes.itemsize < 4 else codes
    return SortedWindowsOnGPU(rows_in_order(codes), map, np.dtype(windows.dtype))


def suffixes(windows: int, buckets: int) -> Iterator[tuple[int, int]]:
    """Yield numbers of last windows, and how often a candidate comes in one of these suffixes.

    An item that was not held, and is held after all windows, comes more than K·buckets times in the
    last K windows, for some K. So it comes more often than is yielded here in the first suffix, or
    in the shortest one that has K windows: these have a quarter of its K·buckets at least. So there
    are few candidates, and all suffixes together have about 4/3 of the windows.

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
