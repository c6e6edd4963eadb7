"""What summaries by lossy counting share: counts of items, maybe on each level of a hierarchy."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any, Self, SupportsFloat

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.frequencies.lossy_counting import LossyCounts, levels_with_windows
from shadersort.streams.frequencies.lossy_counting_as_printed import PrintedCounts
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.streams.summary import Arrays
from shadersort.streams.windowed import WindowedSummary

BUCKETS = 4  # the least number of buckets in a window
SMALLEST_WINDOW = 1024  # values for each level, at least: long windows are merged less often


class CountingSummary(WindowedSummary):
    """Counts the items of a stream by lossy counting; a window is sorted once for all levels."""

    _hierarchy: Hierarchy
    _array_name = "{}"  # what bytes call an array of a level

    def __init__(self, epsilon: SupportsFloat, hierarchy: Hierarchy, **options: Any) -> None:
        super().__init__(epsilon, **options)
        self._hierarchy = hierarchy
        self._bucket = ceil(1 / Fraction(self.epsilon))
        least = max(BUCKETS, -(-SMALLEST_WINDOW * len(hierarchy.lengths) // self._bucket))
        self._buckets = 1 if self.as_printed else least
        kind = PrintedCounts if self.as_printed else LossyCounts
        none = kind.empty(self._bucket, self._buffer.array.dtype)
        self._levels: Sequence[LossyCounts] = (none,) * len(hierarchy.lengths)

    @property
    def _window(self) -> int:
        return self._bucket * self._buckets

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        if self._dtype is None:
            none = np.empty(0, dtype)
            self._levels = tuple(replace(held, items=none) for held in self._levels)
        super()._adopt(dtype)

    def _new_answers(self) -> Any:
        """Return the estimates on each level."""
        waiting = self._hierarchy.by_level(*item_counts(self._waiting()))
        return [held.estimates(*each) for held, each in zip(self._levels, waiting, strict=True)]

    def _absorb(self, windows: Any) -> None:
        with self._timed("sort"):
            found = self.sorter.sorted_windows(windows)
        added, held = (self._buckets, self._timed), self._levels[0]
        if isinstance(held, PrintedCounts):
            self._levels = (held.with_windows(found, *added),)
        else:
            self._levels = levels_with_windows(self._levels, found, self._hierarchy, *added)

    def _absorb_equal(self, value: Keys, windows: int) -> None:
        found = self._hierarchy.by_level(value, np.array([windows * self._window]))
        self._levels = tuple(
            held.with_window(*each, windows * self._buckets, self._timed)
            for held, each in zip(self._levels, found, strict=True)
        )

    def _merge_state(self, other: Self) -> None:
        pairs = zip(self._levels, other._levels, strict=True)
        self._levels = tuple(mine.merge(theirs, self._timed) for mine, theirs in pairs)

    def _entries(self) -> int:
        return sum(len(held.items) for held in self._levels)

    def _arrays(self) -> dict[str, Keys]:
        found = super()._arrays()
        if found:
            for level, held in enumerate(self._levels):
                named = held.arrays().items()
                found |= {self._array_name.format(name, level): each for name, each in named}
        return found

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        full, rest = divmod(self._n - self._filled, self._window)
        if rest:
            raise CorruptSummary("more or fewer values wait than the length of the stream says")
        levels, buckets = list[LossyCounts](), full * self._buckets
        for level, held in enumerate(self._levels if self._dtype else ()):
            named = {name: arrays[self._array_name.format(name, level)] for name in held.arrays()}
            levels.append(held.restore(named, buckets, self._buckets))
        self._levels = levels or self._levels
