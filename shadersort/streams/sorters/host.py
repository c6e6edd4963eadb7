"""Sorters on the host: by NumPy, and by drawing. `sorter.py` says what a sorter is."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from shadersort.drawing.devices import Device
from shadersort.keys.types import Keys
from shadersort.sorting.records import argsort
from shadersort.sorting.sort import sort_windows
from shadersort.streams.cuts import cuts
from shadersort.streams.exponential_histogram import Timed
from shadersort.streams.greenwald_khanna import RankedSets, ranked_samples
from shadersort.streams.sorters.protocol import Histograms, Ranks, Sorter
from shadersort.streams.sorters.row_radix_sort import sorted_rows
from shadersort.streams.values import as_values, plain_zeros

if TYPE_CHECKING:
    from shadersort.streams.lossy_counting import LossyCounts

__all__ = ["Histograms", "HostSorter", "NumPySorter", "Sorter", "TextureSorter"]

WORTH_A_THREAD = 1 << 17
"""Keys that take much longer to sort than a thread to start."""


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class HostSorter:
    """A sorter of arrays on the host; what derives from it says how it sorts."""

    name = "host"
    batch = 1 << 20

    def accepted(self, values: Any, dtype: np.dtype[Any] | None) -> Keys:
        """Return values as a flat NumPy array of numbers."""
        return as_values(values, dtype)

    def staged(self, keys: Keys, first: int, window: int) -> Iterator[Keys]:
        """Yield parts of the keys: here they are where they are sorted."""
        for start, stop in cuts(len(keys), first, window, self.batch):
            yield keys[start:stop]

    def without_nans(self, keys: Keys) -> tuple[Keys, int]:
        """Return keys without their NaNs, and how many there were; the same array if none."""
        if keys.dtype.kind != "f":
            return keys, 0
        is_nan = np.isnan(keys)
        count = int(np.count_nonzero(is_nan))
        return (keys[~is_nan], count) if count else (keys, 0)

    def on_host(self, keys: Keys) -> Keys:
        """Return the keys: here they are on the host."""
        return keys

    def sort(self, windows: Keys) -> Keys:
        """Return windows with each row in order."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it sorts")

    def samples(self, windows: Keys, ranks: Ranks) -> Keys:
        """Return the keys at some ranks of each window.

        Examples
        --------
        >>> NumPySorter().samples(np.array([[3, 1, 2], [9, 7, 8]]), np.array([0, 2]))
        array([[1, 3],
               [7, 9]])
        """
        return np.take(self.sort(windows), ranks, axis=1)

    def ranked(self, windows: Keys, ranks: Ranks) -> RankedSets:
        """Return the keys at some ranks of each window as ranked values, 0.0 for −0.0."""
        return ranked_samples(plain_zeros(self.samples(windows, ranks)), ranks, windows.shape[1])

    def histograms(self, windows: Keys, above: int = 0) -> Histograms:
        """Return how often each key comes in each window, but for those of up to `above` times.

        Examples
        --------
        >>> found = NumPySorter().histograms(np.array([[5, 1, 5], [5, 5, 5]]))
        >>> found.items, found.counts, found.ends
        (array([1, 5, 5]), array([1, 2, 3]), array([2, 3]))
        >>> NumPySorter().histograms(np.array([[5, 1, 5], [5, 5, 5]]), above=2).ends
        array([0, 1])
        """
        ordered = self.sort(windows)
        first = np.ones(ordered.shape, np.bool_)
        np.not_equal(ordered[:, 1:], ordered[:, :-1], out=first[:, 1:])
        begins = np.flatnonzero(first)
        counts = np.diff(begins, append=first.size)
        if above:
            often = counts > above
            begins, counts = begins[often], counts[often]
        rows = np.arange(1, len(ordered) + 1)
        ends = np.searchsorted(begins, rows * ordered.shape[1])
        return Histograms(ordered.ravel()[begins], counts, ends)

    def lossy(
        self, held: "LossyCounts", windows: Keys, buckets: int, timed: Timed
    ) -> "LossyCounts":
        """Return lossy counts with those of windows, one after the other."""
        with timed("sort"):
            found = self.histograms(windows)
        return held.with_windows(found, buckets, timed)

    def order(self, windows: Keys) -> Ranks:
        """Return the order in which each row is sorted; equal keys stay in theirs.

        Examples
        --------
        >>> NumPySorter().order(np.array([[3, 1, 3, 1]]))
        array([[1, 3, 0, 2]])
        """
        return np.argsort(windows, axis=1, kind="stable")


@dataclass(frozen=True)
class NumPySorter(HostSorter):
    """`np.sort`, or what is faster, along the rows: the default, and the reference for all others.

    Parameters
    ----------
    threads
        How many sort at once, if there are keys enough; None takes one for each core.
    batch
        How many keys are given to it at once.

    Examples
    --------
    >>> NumPySorter().sort(np.array([[3, 1, 2], [9, 7, 8]]))
    array([[1, 2, 3],
           [7, 8, 9]])
    """

    threads: int | None = None
    batch: int = 1 << 22
    name = "numpy"

    def sort(self, windows: Keys) -> Keys:
        """Return windows with each row in order."""
        return self._rows(windows, None)

    def samples(self, windows: Keys, ranks: Ranks) -> Keys:
        """Return the keys at some ranks of each window."""
        return self._rows(windows, ranks)

    def _rows(self, windows: Keys, ranks: Ranks | None) -> Keys:
        """Sort the rows, in threads if that is worth it; return all of their keys, or those."""
        threads = min(self.threads or cores(), windows.size // WORTH_A_THREAD, len(windows))
        if threads < 2:
            return sorted_rows(windows, ranks)
        kept = windows.shape[1] if ranks is None else len(ranks)
        found = np.empty((len(windows), kept), windows.dtype)

        def sort_part(part: slice) -> None:
            found[part] = sorted_rows(windows[part], ranks)

        ends = [len(windows) * i // threads for i in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(sort_part, [slice(a, b) for a, b in pairwise(ends)]))
        return found


@dataclass(frozen=True)
class TextureSorter(HostSorter):
    """Sorting by drawing, the way of 2005: four windows to a texel, and many in a texture.

    Keys are float16, float32, int32 or uint32.

    Parameters
    ----------
    network, method, device
        As for `shadersort.sort_windows`.
    batch
        How many keys are given to it at once.

    Examples
    --------
    >>> TextureSorter(device="software").sort(np.float32([[3, 1, 2], [9, 7, 8]]))
    array([[1., 2., 3.],
           [7., 8., 9.]], dtype=float32)
    """

    network: str = "pbsn"
    method: str = "auto"
    device: Device | str | None = None
    batch: int = 1 << 22
    name = "textures"

    def sort(self, windows: Keys) -> Keys:
        """Return windows with each row in order."""
        return sort_windows(windows, network=self.network, method=self.method, device=self.device)

    def order(self, windows: Keys) -> Ranks:
        """Return the order in which each row is sorted; equal keys stay in theirs."""
        method = "auto" if self.method == "blend" else self.method  # blending moves no indices
        rows = [
            argsort(window, network=self.network, method=method, device=self.device)
            for window in windows
        ]
        return np.stack(rows)
