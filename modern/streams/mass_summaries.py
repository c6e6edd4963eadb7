"""Summaries with masses on a GPU, merged and compressed there: kernels/streams/mass_compress.cu.

The same as `shadersort/streams/correlated/mass_summaries.py`, byte for byte: sums are added in the
same order.
"""

from typing import Any, Self

import cupy
import numpy as np

from modern.streams.gk_summaries import GKSummariesOnGPU
from modern.streams.transfers import to_host
from modern.streams.windows import launch, on_device, order_of_rows, plain_zeros, widen
from shadersort.errors import NotFinite
from shadersort.keys.types import Keys
from shadersort.streams.correlated.mass_summaries import (
    MASSES,
    OVERFLOW,
    SUMMED,
    MassSummaries,
    Pairs,
    plain_nans,
)
from shadersort.streams.levels import Levels
from shadersort.streams.summary import Timed

THREADS = 256
"""Threads of a block for summaries, whose six sums take a warp each, and for windows, with two."""


class MassSummariesOnGPU(GKSummariesOnGPU):
    """Summaries whose `low` and `high` are the `lower` and `upper` of `MassSummaries`."""

    __slots__ = ()

    def merge_pairs(self) -> Self:
        """Merge the first and the second summary, the third and the fourth, …."""
        given = self._columns()
        found = _room(given[0].dtype, len(self) // 2, 2 * self.entries)
        arguments = *given, len(self), self.entries, 0, 0, *found
        launch("gk_merge", given[0], arguments, self.values.size, MASSES=1)
        kept = found[0].astype(self.values.dtype, copy=False)
        return type(self)(2 * self.size, kept, *found[1:])

    def compress(self, size: int, step: int, slots: int = 1) -> Self:
        """Return summaries of sets of `size` values with fewer entries."""
        found = _compress((*self._columns(), 0, 0), 2 * MASSES, size, step, slots)
        return type(self)(size, found[0].astype(self.values.dtype, copy=False), *found[1:])

    def _columns(self) -> tuple[Any, ...]:
        """Return the columns as kernels read them."""
        return widen(self.values), *map(cupy.ascontiguousarray, (self.low, self.high))

    def _on_host(self, values: Keys, low: Any, high: Any) -> MassSummaries:
        if np.isnan(high[0]).any():  # the last count, if masses overflow
            raise NotFinite(OVERFLOW)
        return MassSummaries(values, low, high)

    def _bounds_of(self, summaries: MassSummaries) -> tuple[Any, Any]:
        return summaries.lower, summaries.upper


def add_pairs(
    levels: Levels[Any], pairs: Pairs, step: int, slots: int, timed: Timed
) -> tuple[Levels[Any], Keys]:
    """Return levels of summaries with windows of pairs added, and the sums of all x."""
    x, y = on_device(pairs.x), on_device(pairs.y)
    with timed("sort"):
        stack = mass_summaries(x, y, step, slots)
    return levels.with_stack(0, stack, timed)[0], window_sums(x)


def mass_summaries(x: Any, y: Any, step: int, slots: int) -> MassSummariesOnGPU:
    """Return a summary of each window of pairs, compressed."""
    values = widen(x)
    found = _compress((values, 0, 0, order_of_rows(values), y), 2, x.shape[1], step, slots)
    kept = plain_zeros(found[0].astype(x.dtype, copy=False))
    return MassSummariesOnGPU(x.shape[1], kept, *found[1:])


def _compress(given: tuple[Any, ...], chains: int, size: int, step: int, slots: int) -> list[Any]:
    """Compress summaries of `size` values, or windows of pairs; entries have `chains` sums."""
    values, kept = given[0], (size - 1) // step + 2 + slots
    rows, entries = values.shape
    found = _room(values.dtype, rows, kept)
    sums = cupy.empty((chains, rows, entries), np.float64)
    columns = cupy.empty((rows, kept), np.uint32)
    arguments = *given, rows, entries, step, slots, kept, sums, columns, *found
    whole = int(chains < 2 * MASSES)
    launch("mass_compress", values, arguments, THREADS, rows=rows, WHOLE=whole, THREADS=THREADS)
    return found


def _room(dtype: Any, rows: int, entries: int) -> list[Any]:
    """Return uninitialised columns of summaries."""
    masses = (cupy.empty((MASSES, rows, entries), np.float64) for _ in range(2))
    return [cupy.empty((rows, entries), dtype), *masses]


def window_sums(windows: Any) -> Keys:
    """Return the sum of each window in float64, on the host."""
    keys = widen(on_device(windows))
    found = cupy.empty(len(keys), np.float64)
    launch("window_sums", keys, (keys, keys.shape[1], found), SUMMED, rows=len(keys), SUMMED=SUMMED)
    return plain_nans(to_host(found))
