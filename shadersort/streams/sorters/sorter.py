"""What a sorter is: it puts windows in order. A summary knows no other machine.

Summaries cut their stream into windows, and ask for batches in order, the keys at some ranks, or
how often keys come. All begin with a sort and return far less than they are given. A sorter whose
machine has its own memory can do all this there, and send only the answers to the host. Merging
those of millions of windows on the host would take longer than sorting on a GPU, so some answers
may stay there, to be merged and compressed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from shadersort.keys.codes import encode
from shadersort.keys.types import Integers, Keys
from shadersort.streams.correlated.mass_summaries import Masses, Pairs, add_pairs, window_sums
from shadersort.streams.frequencies.item_counts import count_rows
from shadersort.streams.frequencies.sorted_windows import SortedWindows
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.gk_summaries import GKStack, GKSummaries
from shadersort.streams.quantiles.greenwald_khanna import SortedBatch
from shadersort.streams.sliding.tallies import Tallies
from shadersort.streams.summary import Timed
from shadersort.streams.values import as_values, plain_zeros

R = TypeVar("R")

HALF = 32  # bits of a place, and the bits of a code that are sorted at once


class Sorter:
    """Base of all sorters: everything over `sort`, for arrays on the host.

    A new sorter derives from this class, implements `sort`, and overrides what its machine does
    better. It keeps these rules, so that a summary has the same bytes with every sorter:

    - `windows`, of shape (count, length), are not changed; each row is sorted by itself and holds
      no NaN. The order is that of `np.sort`; −0.0 and 0.0 may come in any order.
    - Answers are NumPy arrays on the host, of the type of the keys. Only batches, and what is
      merged, may be elsewhere; these bring themselves to the host.
    """

    name = "host"  # in reports
    batch = 1 << 20  # how many keys a summary passes at once
    remote = False  # whether answers may lie elsewhere: updates then bring them to the host

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return what sorts keys of a type, and how, as benchmarks name it."""
        return f"{self.name}, {dtype}"

    def accept(self, values: Any, dtype: np.dtype[Any] | None) -> Any:
        """Return values, maybe on a device, as a flat array of a type; None is their own."""
        return as_values(values, dtype)

    def stage_parts(self, keys: Any, first: int, window: int) -> Iterator[Any]:
        """Yield accepted keys in parts, cut as by `window_cuts`, maybe without the first part.

        A part may be overwritten once the next one is asked for.
        """
        for start, stop in window_cuts(len(keys), first, window, self.batch):
            yield keys[start:stop]

    def join_waiting(self, waiting: Keys, numbers: Any) -> Any:
        """Return keys or pairs that wait, followed by others; None if adding each is faster."""
        return None

    def drop_nans(self, keys: Any) -> tuple[Any, int]:
        """Return keys without NaNs and the number of NaNs; the same array if there is none."""
        if keys.dtype.kind != "f":
            return keys, 0
        is_nan = keys != keys
        return (keys[~is_nan], int(is_nan.sum())) if is_nan.any() else (keys, 0)

    def to_host(self, keys: Any) -> Keys:
        """Return keys as a NumPy array; the same one if they are on the host."""
        return np.asarray(keys)

    def copy_keys(self, keys: Any) -> Any:
        """Return a copy of keys where they are."""
        return keys.copy()

    def sort(self, windows: Any) -> Keys:
        """Return windows with each row in order."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it sorts")

    def order(self, windows: Any) -> Integers:
        """Return the indices that sort each row; equal keys keep their order, as both zeros do.

        A key's code and its place together are one integer of 64 bits: `np.sort` sorts these
        several times as fast as `np.argsort` finds their order. A code of 64 bits is sorted by its
        lower half first, and then by the upper half: equal halves keep the order before.
        """
        codes, places = encode(windows), np.arange(windows.shape[1], dtype=np.uint64)
        order: Any = None
        for shift in range(0, 8 * codes.itemsize, HALF):
            halves = (codes >> codes.dtype.type(shift)).astype(np.uint64) << np.uint64(HALF)
            if order is not None:
                halves = np.take_along_axis(halves, order, 1)
            halves |= places
            halves.sort(axis=1)
            step = (halves & np.uint64((1 << HALF) - 1)).view(np.int64)
            order = step if order is None else np.take_along_axis(order, step, 1)
        found: Integers = order
        return found

    def sort_parts(
        self, keys: Any, bounds: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[SortedBatch, int]]:
        """Yield each part of accepted keys in order, without its NaNs, and the number of NaNs."""
        for start, stop in bounds:
            numbers, nans = self.drop_nans(keys[start:stop])
            ordered = self.sort(numbers.reshape(1, -1))[0] if len(numbers) else numbers
            yield SortedBatch(ordered, len(ordered)), nans

    def gk_summaries(self, windows: Any, ranks: Integers) -> GKStack:
        """Return a Greenwald-Khanna summary of each window: keys at some ranks, 0.0 for −0.0."""
        samples = plain_zeros(self.sort(windows).take(ranks, axis=1))
        return GKSummaries.of_samples(samples, ranks, windows.shape[1])

    def tallies(self, windows: Any, above: Integers, first: int, timed: Timed) -> Any:
        """Return how often keys come in windows, blocks numbered from `first`: `Tallies`.

        Only keys that come more often than `above`, which has a number for each window.
        """
        with timed("sort"):
            found = count_rows(self.sort(windows), above)
        with timed("merge"):
            return Tallies.tally(found, first)

    def sorted_windows(self, windows: Any) -> SortedWindows:
        """Return windows in order, maybe on a device: what lossy counting asks of them."""
        return SortedWindows(self.sort(windows), self.map_parts)

    def map_parts(self, function: Callable[[Any], R], parts: Sequence[Any]) -> Iterable[R]:
        """Return what a function returns for each part; a subclass may use threads."""
        return map(function, parts)

    def bring_together(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return two accepted arrays in one place, so that both are staged in the same parts."""
        return x, y

    def drop_nan_pairs(self, x: Any, y: Any) -> tuple[Pairs, int]:
        """Return the pairs without a NaN and the number of the others; NotFinite if y has ±inf."""
        return Pairs(*self.bring_together(x, y)).drop_nans()

    def add_pairs(
        self, levels: Levels[Any], pairs: Pairs, step: int, slots: int, timed: Timed
    ) -> tuple[Levels[Any], Masses]:
        """Return levels of `MassSummaries` with windows of pairs added, and the sums of their x.

        Raises NotFinite if sums of y overflow, at once or when summaries come to the host.
        """
        added = add_pairs(levels, pairs, step, slots, timed, self.order, self.map_parts)
        return added, window_sums(pairs.x)


def window_cuts(
    count: int, first: int, window: int, most: int, least: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each part of `count` keys.

    The first part has the `first` keys that fill the window that was begun before. All others are
    of whole windows, at least one, except for the rest at the end, and have about `most` keys, at
    most a quarter more. With `least`, parts begin with about so many keys, grow, and shrink towards
    the end: if parts are copied while others are sorted, nothing is sorted during the first copy,
    and nothing is copied during the last sort.
    """
    if first and count:
        yield 0, min(first, count)
    large = max(1, most // window)
    small = large if least is None else max(1, min(least, most) // window)
    start, size = first, small
    while start < count:
        left = (count - start) // window
        here = min(size, max(small, left // 2), left)
        last = left == here and (count - start) - here * window <= most // 4
        stop = count if last or not left else start + here * window
        yield start, stop
        start, size = stop, min(2 * size, large)
