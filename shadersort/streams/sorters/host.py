"""What sorters of host arrays share: everything but the sort itself."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.streams.cuts import cuts
from shadersort.streams.greenwald_khanna import GKStack, GKSummaries
from shadersort.streams.item_counts import ItemCounts, counted_rows
from shadersort.streams.lossy_counting import LossyCounts
from shadersort.streams.sorted_batch import Batch, SortedBatch
from shadersort.streams.summary import Timed
from shadersort.streams.values import as_values, plain_zeros


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

    def item_counts(self, windows: Keys, above: int = 0) -> ItemCounts:
        """Return how often each key comes in each window; only keys that come more than `above`."""
        return counted_rows(self.sort(windows), above)

    def lossy_counts(
        self, held: LossyCounts, windows: Keys, buckets: int, timed: Timed
    ) -> LossyCounts:
        """Return lossy counts with windows added in their order."""
        with timed("sort"):
            found = self.item_counts(windows)
        return held.with_windows(found, buckets, timed)

    def order(self, windows: Keys) -> Integers:
        """Return the indices that sort each row; equal keys keep their order."""
        return np.argsort(windows, axis=1, kind="stable")
