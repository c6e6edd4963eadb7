"""`NumPySorter`: sorting windows by NumPy, in threads."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from shadersort.keys.codes import ordinals
from shadersort.keys.types import Integers, Keys
from shadersort.sorting.external.schedule import cores
from shadersort.streams.quantiles.sorted_batch import Batch, SortedBatch
from shadersort.streams.sorters.host import HostSorter
from shadersort.streams.values import plain_zeros

R = TypeVar("R")

WORTH_A_THREAD = 1 << 17
"""Keys for which sorting takes much longer than starting a thread."""
WORTH_A_LOOK = 1 << 10
"""Keys for which sorting takes much longer than a look at some of them."""
SOME, APART = 1 << 6, 1 << 4
"""Keys that are looked at first: only if these rise or fall, all are looked at. Before them, four
keys are looked at, so far apart."""


@dataclass(frozen=True)
class NumPySorter(HostSorter):
    """Sorts rows by `np.sort`: the default, and the reference.

    Parameters
    ----------
    threads
        How many threads sort at once if there are enough keys; None takes one for each core.
    batch
        How many keys a summary passes at once.

    Examples
    --------
    >>> NumPySorter().sort(np.array([[3, 1, 2], [9, 7, 8]]))
    array([[1, 2, 3],
           [7, 8, 9]])
    >>> NumPySorter().samples(np.array([[3, 1, 2], [9, 7, 8]]), np.array([0, 2]))
    array([[1, 3],
           [7, 9]])
    >>> NumPySorter().order(np.array([[3, 1, 3, 1]]))
    array([[1, 3, 0, 2]])
    """

    threads: int | None = None
    batch: int = 1 << 22
    name = "numpy"

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return the number of threads and the type of the keys.

        Examples
        --------
        >>> NumPySorter(threads=1).label(np.dtype(np.float16))
        'NumPy, 1 thread, float16'
        """
        threads = self.threads or cores()
        return f"NumPy, {threads} thread{'s' if threads > 1 else ''}, {dtype}"

    def sort(self, windows: Keys) -> Keys:
        """Return windows with each row in order."""
        return self._rows(windows, None)

    def samples(self, windows: Keys, ranks: Integers) -> Keys:
        """Return the keys at some ranks of each window."""
        return self._rows(windows, ranks)

    def in_order(
        self, keys: Keys, bounds: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[Batch, int]]:
        """Yield each part in order, without its NaNs; threads sort the next parts meanwhile."""
        parts = [keys[start:stop] for start, stop in bounds]
        threads = min(len(keys) // WORTH_A_THREAD, len(parts))
        if threads < 2 or (threads := min(self.threads or cores(), threads)) < 2:
            yield from map(self._ordered, parts)
            return
        with ThreadPoolExecutor(threads) as pool:
            coming = [pool.submit(self._ordered, part) for part in parts[:threads]]
            for part in [*parts[threads:], *[None] * threads]:
                found = coming.pop(0).result()
                if part is not None:
                    coming.append(pool.submit(self._ordered, part))
                yield found

    def _ordered(self, keys: Keys) -> tuple[SortedBatch, int]:
        numbers, nans = self.without_nans(keys)
        already = _already_in_order(numbers)
        if already is not None:
            return SortedBatch(already), nans
        return SortedBatch(sorted_rows(numbers.reshape(1, -1))[0]), nans

    def _rows(self, windows: Keys, ranks: Integers | None) -> Keys:
        """Return all keys of each row in order, or those at some ranks; many keys use threads."""
        threads = min(self.threads or cores(), windows.size // WORTH_A_THREAD, len(windows))
        if threads < 2:
            return sorted_rows(windows, ranks)
        kept = windows.shape[1] if ranks is None else len(ranks)
        found = np.empty((len(windows), kept), windows.dtype)

        def sort_part(part: slice) -> None:
            found[part] = sorted_rows(windows[part], ranks)

        ends = [len(windows) * i // threads for i in range(threads + 1)]
        self.mapped(sort_part, [slice(a, b) for a, b in pairwise(ends)])
        return found

    def mapped(self, function: Callable[[Any], R], parts: Sequence[Any]) -> Iterable[R]:
        """Return what a function returns for each part, computed in threads."""
        threads = min(self.threads or cores(), len(parts))
        _keep_freed_pages()
        if threads < 2:
            return list(map(function, parts))
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(function, parts))


def sorted_rows(windows: Keys, ranks: Integers | None = None) -> Keys:
    """Return the keys of each row in order, or the keys at some ranks; no key may be a NaN.

    Examples
    --------
    >>> sorted_rows(np.float16([[0.5, -2, -0.0, -np.inf, 0.0]]))
    array([[-inf, -2. , -0. ,  0. ,  0.5]], dtype=float16)
    """
    if windows.dtype == np.float16:  # np.sort is slow, and NumPy 2.4 sorts many of them wrongly
        order = np.argsort(ordinals(windows), axis=1, kind="stable")
        return np.take_along_axis(windows, order if ranks is None else order[:, ranks], axis=1)
    ordered = np.sort(windows, axis=1, kind=None if windows.itemsize > 2 else "stable")
    return ordered if ranks is None else np.take(ordered, ranks, axis=1)


def _already_in_order(keys: Keys) -> Keys | None:
    """Return keys in order, maybe as they are, if they are many and only rise or only fall."""
    if len(keys) < WORTH_A_LOOK:
        return None
    a, b, c, d = keys[: 3 * APART + 1 : APART].tolist()
    if not (a <= b <= c <= d or a >= b >= c >= d):
        return None
    way = keys if keys[0] <= keys[-1] else keys[::-1]
    return np.ascontiguousarray(way) if _rise(way[:SOME]) and _rise(way) else None


def _rise(keys: Keys) -> bool:
    return not (keys[1:] < keys[:-1]).any()


@cache
def _keep_freed_pages() -> None:
    """Let the C library keep memory that is freed, for the next arrays of a few megabytes.

    Otherwise the system hands out fresh pages for each array of each part, which can take longer
    than the computation. The C library of Linux keeps arrays up to the size of the largest that was
    freed so far, but not above 32 MiB (see `man mallopt`); nothing is written into this one.
    """
    if sys.platform == "linux":
        np.empty((1 << 25) - (1 << 12), np.uint8)


def item_counts(keys: Keys) -> tuple[Keys, Integers]:
    """Return the different keys in order, 0.0 for −0.0, and how often each comes.

    Examples
    --------
    >>> item_counts(np.array([5, 1, 5]))
    (array([1, 5]), array([1, 2]))
    """
    found = NumPySorter().item_counts(keys.reshape(1, -1))
    return plain_zeros(found.items), found.counts
