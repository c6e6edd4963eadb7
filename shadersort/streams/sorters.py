"""Sorters: what puts windows in order. A stream summary knows no other machine.

A summary cuts its stream into windows of equal length, and asks its sorter for one of two things:
the keys at some ranks of every window (`samples`), or how often each key comes in every window
(`histograms`). Both begin with a sort, and both give back far less than they are given. So a sorter
whose machine has a memory of its own may do both there: only the answers come to the host. Pairs,
whose second halves have to follow, need the `order` of the first ones.

Where millions of windows are sorted in a second, merging what they show on the host would take far
longer. So two more answers may stay where the windows are: the samples as `ranked` values, which
merge and compress themselves there, and what is left of lossy counts after some windows (`lossy`).

`HostSorter` has all of this written once, over `sort` alone. A new sorter derives from it, says how
it sorts, and replaces what its machine can do better.

What every sorter has to keep, so that every summary is the same, byte for byte, on all of them:

- `windows` has the shape (count, length), and each row is sorted by itself. No key is a NaN: the
  summary has taken them out by `without_nans`. The windows are not changed.
- The order is that of `np.sort`. Whether −0.0 or 0.0 comes first does not matter: summaries hold
  0.0 for both.
- Answers are NumPy arrays on the host, of the type of the keys; but for `ranked`, whose values may
  be elsewhere, and say how they come to the host.
"""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from shadersort.devices import Device
from shadersort.records import argsort
from shadersort.sorting import sort_windows
from shadersort.streams.exponential import Timed
from shadersort.streams.radix import sorted_rows
from shadersort.streams.ranked import Ranked, ranked_samples
from shadersort.streams.values import as_values, plain_zeros

if TYPE_CHECKING:
    from shadersort.streams.lossy import LossyCounts

__all__ = ["Histograms", "HostSorter", "NumPySorter", "Sorter", "TextureSorter"]

Keys = npt.NDArray[Any]
Ranks = npt.NDArray[np.int64]

WORTH_A_THREAD = 1 << 17
"""Keys that take much longer to sort than a thread to start."""


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True, eq=False)
class Histograms:
    """How often each key comes in each of some windows.

    Attributes
    ----------
    items
        The different keys of the first window in order, then those of the second, and so on.
    counts
        How often each comes in its window; int64.
    ends
        Where in `items` each window ends, one number a window.
    """

    items: Keys
    counts: Ranks
    ends: Ranks


class Sorter(Protocol):
    """What a summary needs of a machine that sorts."""

    @property
    def name(self) -> str:
        """What it is called in reports."""

    @property
    def batch(self) -> int:
        """How many keys it should be given at once, about.

        A sorter that overlaps its transfers with its sorts asks for many, and cuts them up itself.
        """

    def accepted(self, values: Any, dtype: np.dtype[Any] | None) -> Any:
        """Return values as a flat array of numbers, where they are if this sorter can use them.

        They have the type `dtype`; None takes them in their own. Raises UnsupportedKeys or
        KeysNotFlat for what is no flat array of numbers. `values.as_values` does it on the host.
        """

    def staged(self, keys: Any, bounds: Iterable[tuple[int, int]]) -> Iterator[Any]:
        """Yield parts of accepted keys, each from one place up to another, where they are sorted.

        A sorter that copies them may copy one part while the one before it is sorted; a part need
        not stay as it is once the next is asked for.
        """

    def without_nans(self, keys: Any) -> tuple[Any, int]:
        """Return keys without their NaNs, in the same order, and how many NaNs there were."""

    def on_host(self, keys: Any) -> Keys:
        """Return some keys as a NumPy array: those that fill no window, and have to wait."""

    def sort(self, windows: Any) -> Any:
        """Return windows, an array of shape (count, length), with each row in order."""

    def samples(self, windows: Any, ranks: Ranks) -> Keys:
        """Return the keys at some ranks, counted from zero, of each window: one row a window."""

    def ranked(self, windows: Any, ranks: Ranks) -> Ranked:
        """Return the keys at some ranks of each window as ranked values, 0.0 for −0.0."""

    def histograms(self, windows: Any) -> Histograms:
        """Return how often each key comes in each window."""

    def lossy(self, held: "LossyCounts", windows: Any, buckets: int, timed: Timed) -> "LossyCounts":
        """Return lossy counts with those of windows, each so many buckets long, in their order."""

    def order(self, windows: Any) -> Ranks:
        """Return the order in which each row is sorted; equal keys stay in theirs."""


class HostSorter:
    """A sorter of arrays on the host; what derives from it says how it sorts."""

    name = "host"
    batch = 1 << 20

    def accepted(self, values: Any, dtype: np.dtype[Any] | None) -> Keys:
        """Return values as a flat NumPy array of numbers."""
        return as_values(values, dtype)

    def staged(self, keys: Keys, bounds: Iterable[tuple[int, int]]) -> Iterator[Keys]:
        """Yield parts of the keys: here they are where they are sorted."""
        for start, stop in bounds:
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

    def ranked(self, windows: Keys, ranks: Ranks) -> Ranked:
        """Return the keys at some ranks of each window as ranked values, 0.0 for −0.0."""
        return ranked_samples(plain_zeros(self.samples(windows, ranks)), ranks, windows.shape[1])

    def histograms(self, windows: Keys) -> Histograms:
        """Return how often each key comes in each window.

        Examples
        --------
        >>> found = NumPySorter().histograms(np.array([[5, 1, 5], [5, 5, 5]]))
        >>> found.items, found.counts, found.ends
        (array([1, 5, 5]), array([1, 2, 3]), array([2, 3]))
        """
        ordered = self.sort(windows)
        first = np.ones(ordered.shape, np.bool_)
        np.not_equal(ordered[:, 1:], ordered[:, :-1], out=first[:, 1:])
        begins = np.flatnonzero(first)
        counts = np.diff(begins, append=first.size)
        return Histograms(ordered.ravel()[begins], counts, np.cumsum(first.sum(axis=1)))

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
