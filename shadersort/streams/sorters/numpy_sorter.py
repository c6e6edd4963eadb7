"""`NumPySorter`: sorting windows by NumPy, in threads."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from shadersort.keys.codes import ordinals
from shadersort.keys.types import Integers, Keys
from shadersort.sorting.threads import cores, open_pool
from shadersort.streams.frequencies.item_counts import count_rows
from shadersort.streams.quantiles.greenwald_khanna import SortedBatch
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.values import plain_zeros

R = TypeVar("R")

WORTH_A_THREAD, WORTH_A_LOOK = 1 << 17, 1 << 10
"""Keys that take much longer to sort than a thread to start, and than a look at some of them."""
SOME, APART = 1 << 6, 1 << 4
"""Keys that must rise or fall before all are looked at; before them, four keys so far apart."""


@dataclass(frozen=True)
class NumPySorter(Sorter):
    """Sorts rows by `np.sort`: the default, and the reference.

    Examples
    --------
    >>> NumPySorter().order(np.array([[3.0, -1.0, 3.0, -0.0, 0.0]]))
    array([[1, 3, 4, 0, 2]])
    """

    threads: int | None = None  # how many may sort at once; None takes one for each core
    batch: int = 1 << 22  # how many keys a summary passes at once
    name = "numpy"

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return how keys are sorted: "NumPy, 2 threads, float16"."""
        threads = self.threads or cores()
        return f"NumPy, {threads} thread{'s' if threads > 1 else ''}, {dtype}"

    def sort(self, windows: Keys) -> Keys:
        """Return windows with each row in order; many keys are sorted in threads."""
        threads = min(self.threads or cores(), windows.size // WORTH_A_THREAD, len(windows))
        if threads < 2:
            return sorted_rows(windows)
        found = np.empty_like(windows)
        parts = zip(*(np.array_split(each, threads) for each in (found, windows)), strict=True)
        self.map_parts(lambda part: np.copyto(part[0], sorted_rows(part[1])), [*parts])
        return found

    def sort_parts(
        self, keys: Keys, bounds: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[SortedBatch, int]]:
        """Yield each part in order, without its NaNs; threads sort the next parts meanwhile."""
        parts = [keys[start:stop] for start, stop in bounds]
        threads = min(len(keys) // WORTH_A_THREAD, len(parts))
        if threads < 2 or (threads := min(self.threads or cores(), threads)) < 2:
            yield from map(self._sort_part, parts)
            return
        with open_pool(threads) as pool:
            coming = [pool.submit(self._sort_part, part) for part in parts[:threads]]
            for part in [*parts[threads:], *[None] * threads]:
                found = coming.pop(0).result()
                if part is not None:
                    coming.append(pool.submit(self._sort_part, part))
                yield found

    def _sort_part(self, keys: Keys) -> tuple[SortedBatch, int]:
        """Return a part in order, maybe as it is if it has many keys and only rises or falls."""
        numbers, nans = self.drop_nans(keys)
        if len(numbers) >= WORTH_A_LOOK:
            a, b, c, d = numbers[: 3 * APART + 1 : APART].tolist()
            if a <= b <= c <= d or a >= b >= c >= d:
                way = numbers if numbers[0] <= numbers[-1] else numbers[::-1]
                if not any((some[1:] < some[:-1]).any() for some in (way[:SOME], way)):
                    return SortedBatch(np.ascontiguousarray(way), len(way)), nans
        return SortedBatch(sorted_rows(numbers.reshape(1, -1))[0], len(numbers)), nans

    def map_parts(self, function: Callable[[Any], R], parts: Sequence[Any]) -> Iterable[R]:
        """Return what a function returns for each part, computed in threads."""
        threads = min(self.threads or cores(), len(parts))
        if threads < 2:
            return list(map(function, parts))
        with open_pool(threads) as pool:
            return list(pool.map(function, parts))


def sorted_rows(windows: Keys) -> Keys:
    """Return the keys of each row in order; no key may be a NaN."""
    if windows.dtype == np.float16:  # np.sort is slow, and NumPy 2.4 sorts many of them wrongly
        order = np.argsort(ordinals(windows), axis=1, kind="stable")
        return np.take_along_axis(windows, order, axis=1)
    return np.sort(windows, axis=1, kind=None if windows.itemsize > 2 else "stable")


def item_counts(keys: Keys) -> tuple[Keys, Integers]:
    """Return the different keys in order, 0.0 for −0.0, and how often each comes."""
    found = count_rows(NumPySorter().sort(keys.reshape(1, -1)))
    return plain_zeros(found.items), found.counts
