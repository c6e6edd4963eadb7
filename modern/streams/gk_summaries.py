"""Greenwald and Khanna's summaries on a GPU, merged and compressed there: kernels/streams/gk_*.cu.

The same as `shadersort/streams/quantiles/gk_summaries.py`, byte for byte.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

import cupy
import numpy as np

from modern.streams.transfers import copy_together, join, to_host
from modern.streams.windows import launch, plain_zeros, sort_windows, widen
from shadersort.keys.types import Integers, Keys
from shadersort.streams.quantiles.gk_summaries import GKSummaries, Place, rank_type

COLUMNS = "values", "low", "high"


@dataclass(frozen=True, slots=True, eq=False)
class GKSummariesOnGPU:
    """Greenwald-Khanna summaries of several sets of `size` values, one a row, in CuPy arrays.

    This class has the ranks, not their increments: the kernels place an entry by a search, which
    also finds by how much its ranks grow in a union.
    """

    size: int
    values: Any
    low: Any  # the smallest rank of each entry; it may repeat one row without a copy
    high: Any  # the largest rank less 1

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: slice) -> Self:
        low, high = self.low[..., rows, :], self.high[..., rows, :]
        return replace(self, values=self.values[rows], low=low, high=high)

    @property
    def entries(self) -> int:
        """How many entries each summary has."""
        return int(self.values.shape[1])

    def prepend(self, *others: Any) -> Self:
        """Return the summaries of others followed by these; others may be on the host."""
        stacks = [self._copy(each) if isinstance(each, GKSummaries) else each for each in others]
        columns = ([getattr(each, name) for each in (*stacks, self)] for name in COLUMNS)
        return type(self)(self.size, *map(join, columns))

    def _copy(self, summaries: Any) -> Self:
        """Return summaries of the host on the GPU, by one copy."""
        columns = summaries.values, *self._bounds_of(summaries)
        there = copy_together(columns, lambda flat: cupy.asarray(np.concatenate(flat)))
        return type(self)(self.size, *there)

    def to_host(self, stacks: Mapping[Place, Any]) -> Mapping[Place, Any]:
        """Return stacks by their places, those of this class on the host, by one copy for all."""
        here = {place: each for place, each in stacks.items() if isinstance(each, type(self))}
        arrays = [getattr(each, name) for each in here.values() for name in COLUMNS]
        found = iter(copy_together(arrays, lambda flat: to_host(join(flat))) if arrays else ())
        moved = {
            place: each._on_host(*(next(found) for _ in COLUMNS)) for place, each in here.items()
        }
        return {**stacks, **moved}

    def _bounds_of(self, summaries: Any) -> tuple[Any, Any]:
        """Return `low` and `high` of summaries of the host, in arrays of NumPy."""
        ranks = rank_type(self.size)
        return summaries.smallest.astype(ranks), summaries.before.astype(ranks)

    def _on_host(self, values: Keys, low: Any, high: Any) -> GKSummaries:
        """Return these summaries on the host, given their columns there."""
        return GKSummaries.of_ranks(values, low, high, self.size)

    def merge_pairs(self) -> Self:
        """Merge the first and the second summary, the third and the fourth, …."""
        size, shape = 2 * self.size, (len(self) // 2, 2 * self.entries)
        return self._run("gk_merge", rank_type(size), shape, size, self.size, MASSES=0)

    def compress(self, size: int, step: int) -> Self:
        """Return summaries of sets of `size` values with one entry for every `step` ranks."""
        kept = (size - 1) // step + 2
        return self._run("gk_compress", self.low.dtype, (len(self), kept), size, step, kept)

    def _run(
        self, name: str, ranks: Any, shape: tuple[int, int], size: int, *sizes: int, **macros: int
    ) -> Self:
        """Run a kernel; return the summaries of sets of `size` values that it makes."""
        values = widen(self.values)
        low, high = (each.astype(ranks, copy=False) for each in (self.low, self.high))
        stride = low.strides[0] // low.itemsize  # 0 if all summaries share a row
        found = [cupy.empty(shape, kind) for kind in (values.dtype, ranks, ranks)]
        arguments = values, low, high, len(self), self.entries, stride, *sizes, *found
        launch(name, values, arguments, found[0].size, RANK_BYTES=ranks.itemsize, **macros)
        return type(self)(size, found[0].astype(self.values.dtype, copy=False), *found[1:])


def gk_summaries(windows: Any, ranks: Integers) -> GKSummariesOnGPU:
    """Return a summary of each window: its keys at some ranks, 0.0 for −0.0."""
    places, *bounds = ranks_on_device(ranks, windows.shape[1])
    values = sort_windows(windows).take(places, axis=1).astype(windows.dtype, copy=False)
    low, high = (cupy.broadcast_to(each, values.shape) for each in bounds)
    return GKSummariesOnGPU(windows.shape[1], plain_zeros(values), low, high)


def ranks_on_device(ranks: Integers, size: int) -> tuple[Any, ...]:
    """Return ranks, counted from 0, on the GPU, and the bounds of ranks in windows of a size."""
    stream = cupy.cuda.runtime.getDevice(), cupy.cuda.get_current_stream().ptr
    return _copied_ranks(np.asarray(ranks, np.int64).tobytes(), size, stream)


@lru_cache(maxsize=16)
def _copied_ranks(ranks: bytes, size: int, stream: tuple[int, int]) -> tuple[Any, ...]:
    """Return the same, for a stream: another one does not know when they are copied or freed.

    A summary often asks for the same ranks, and their copy would wait for large ones in progress.
    """
    places = np.frombuffer(ranks, np.int64)
    typed = places.astype(rank_type(size))[None]
    return tuple(map(cupy.asarray, (places, typed + 1, typed)))
