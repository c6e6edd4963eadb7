"""What sorters of host arrays share: everything but the sort itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from shadersort.errors import NotFinite
from shadersort.keys.types import Integers, Keys
from shadersort.streams.correlated.mass_summaries import (
    INFINITE,
    Masses,
    MassSummaries,
    window_sums,
)
from shadersort.streams.correlated.pairs import Pairs
from shadersort.streams.cuts import cuts
from shadersort.streams.frequencies.item_counts import ItemCounts, counted_rows
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.frequencies.lossy_windows import Counts, prefix_counts
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.gk_summaries import GKStack, GKSummaries
from shadersort.streams.quantiles.sorted_batch import Batch, SortedBatch
from shadersort.streams.sliding.tallies import Tallies
from shadersort.streams.sorters.row_order import order_of_rows
from shadersort.streams.summary import Timed
from shadersort.streams.values import as_values, plain_zeros

R = TypeVar("R")

PIECE = 1 << 16
"""Pairs that are summarised at once: the masses of each take 48 bytes."""
GROUP, LEAST_GROUP = 1 << 19, 16
"""About so many pairs are merged by one thread, to one bucket; and at least so many windows."""


class HostSorter:
    """Base of sorters of arrays on the host; a subclass implements `sort`."""

    name = "host"
    batch = 1 << 20

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return what sorts keys of a type; a subclass may say more."""
        return f"{self.name}, {dtype}"

    def accepted(self, values: Any, dtype: np.dtype[Any] | None) -> Keys:
        """Return values as a flat NumPy array of numbers."""
        return as_values(values, dtype)

    def staged(self, keys: Keys, first: int, window: int) -> Iterator[Keys]:
        """Yield parts of the keys, which need no copy."""
        for start, stop in cuts(len(keys), first, window, self.batch):
            yield keys[start:stop]

    def together(self, waiting: Keys, numbers: Any) -> Any:
        """Return None: keys that wait are few, and others would have to be copied."""
        return None

    def without_nans(self, keys: Keys) -> tuple[Keys, int]:
        """Return keys without their NaNs and the number of NaNs; the same array if none."""
        if keys.dtype.kind != "f":
            return keys, 0
        is_nan = np.isnan(keys)
        count = int(np.count_nonzero(is_nan))
        return (keys[~is_nan], count) if count else (keys, 0)

    def on_host(self, keys: Keys) -> Keys:
        """Return the keys as they are."""
        return keys

    def set_aside(self, keys: Keys, one_zero: bool) -> Keys:
        """Return a copy of keys, which stays when they are overwritten."""
        mine = self.on_host(keys)
        return plain_zeros(mine) if one_zero and mine.dtype.kind == "f" else mine.copy()

    def sort(self, windows: Keys) -> Keys:
        """Return windows with each row in order."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it sorts")

    def samples(self, windows: Keys, ranks: Integers) -> Keys:
        """Return the keys at some ranks of each window."""
        return np.take(self.sort(windows), ranks, axis=1)

    def in_order(
        self, keys: Keys, bounds: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[Batch, int]]:
        """Yield each part of the keys in order, without its NaNs, and their number."""
        for start, stop in bounds:
            yield self._ordered(keys[start:stop])

    def _ordered(self, keys: Keys) -> tuple[SortedBatch, int]:
        numbers, nans = self.without_nans(keys)
        ordered = self.sort(numbers.reshape(1, -1))[0] if len(numbers) else numbers
        return SortedBatch(ordered), nans

    def gk_summaries(self, windows: Keys, ranks: Integers) -> GKStack:
        """Return a Greenwald-Khanna summary of each window; −0.0 becomes 0.0."""
        samples = plain_zeros(self.samples(windows, ranks))
        return GKSummaries.of_samples(samples, ranks, windows.shape[1])

    def item_counts(self, windows: Keys, above: int | Integers = 0) -> ItemCounts:
        """Return how often each key comes in each window; only keys that come more than `above`.

        `above` may be a number for each window.
        """
        return counted_rows(self.sort(windows), above)

    def tallies(self, windows: Keys, above: Integers, first: int, timed: Timed) -> Tallies:
        """Return how often keys come in windows as blocks numbered from `first`."""
        with timed("sort"):
            found = self.item_counts(windows, above)
        with timed("merge"):
            return Tallies.tally(found, first)

    def lossy_counts(
        self, held: LossyCounts, windows: Keys, buckets: int, timed: Timed
    ) -> LossyCounts:
        """Return lossy counts with windows added in their order."""
        with timed("sort"):
            found = self.item_counts(windows)
        return held.with_windows(found, buckets, timed)

    def prefix_counts(
        self, held: Counts, windows: Keys, hierarchy: Hierarchy, buckets: int, timed: Timed
    ) -> Counts:
        """Return the lossy counts of all levels of a hierarchy with windows added."""
        with timed("sort"):
            ordered = self.sort(windows)
        return prefix_counts(held, ordered, hierarchy, buckets, timed, self.mapped)

    def mapped(self, function: Callable[[Any], R], parts: Sequence[Any]) -> Iterable[R]:
        """Return what a function returns for each part; a subclass may use threads."""
        return map(function, parts)

    def side_by_side(self, x: Keys, y: Keys) -> tuple[Keys, Keys]:
        """Return two accepted arrays as they are: both are on the host."""
        return x, y

    def whole_pairs(self, x: Keys, y: Keys) -> tuple[Pairs, int]:
        """Return the pairs without a NaN and the number of the others; the same arrays if none."""
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(y.sum()) and np.isfinite(x.sum()):  # then each of them is finite
                return Pairs(x, y), 0
        if np.isinf(y).any():
            raise NotFinite(INFINITE)
        absent = np.isnan(x) | np.isnan(y)
        missing = int(np.count_nonzero(absent))
        return (Pairs(x, y)[~absent] if missing else Pairs(x, y)), missing

    def with_pairs(
        self, levels: Levels[Any], pairs: Pairs, step: int, slots: int, timed: Timed
    ) -> Levels[Any]:
        """Return levels with windows of pairs added; what a group becomes is merged in a thread."""
        top = max(LEAST_GROUP, GROUP // pairs.x.shape[1]).bit_length() - 1
        size, empty = 1 << top, replace(levels, buckets={})
        first = -sum(1 << level for level in levels.buckets) % size
        last = first + max(0, len(pairs) - first) // size * size

        def bucket(group: Pairs) -> Any:
            stack = self.mass_summaries(group, step, slots, map)
            return empty.with_stack(0, stack, lambda operation: nullcontext())[0].buckets[top]

        def added(levels: Levels[Any], few: Pairs) -> Levels[Any]:
            with timed("sort"):
                stack = self.mass_summaries(few, step, slots, self.mapped) if len(few) else ()
            return levels.with_stack(0, stack, timed)[0]

        levels = added(levels, pairs[:first])
        if first < last:
            with timed("sort"):
                parts = [pairs[start : start + size] for start in range(first, last, size)]
                *others, end = self.mapped(bucket, parts)
            levels, _ = levels.with_stack(top, end.preceded_by(*others), timed)
        return added(levels, pairs[last:])

    def mass_summaries(
        self, pairs: Pairs, step: int, slots: int, mapped: Callable[..., Iterable[Any]]
    ) -> MassSummaries:
        """Return a summary with masses of each window of pairs; parts are mapped, maybe in threads.

        The arrays of a part fit a cache.
        """

        def summarised(part: Pairs) -> MassSummaries:
            places = self.order(part.x) + np.arange(0, part.x.size, part.x.shape[1])[:, None]
            x, y = (each.ravel().take(places) for each in (part.x, part.y))
            return MassSummaries.of_windows(plain_zeros(x), y, step, slots)

        rows = max(1, PIECE // pairs.x.shape[1])
        parts = [pairs[first : first + rows] for first in range(0, len(pairs), rows)]
        *others, end = mapped(summarised, parts)
        found: MassSummaries = end.preceded_by(*others)
        return found

    def window_sums(self, windows: Keys) -> Masses:
        """Return the sum of each window in float64."""
        return window_sums(windows)

    def order(self, windows: Keys) -> Integers:
        """Return the indices that sort each row; equal keys keep their order."""
        return order_of_rows(windows)
