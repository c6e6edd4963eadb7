"""Greenwald and Khanna's summaries on a GPU, merged and compressed there: kernels/streams/gk_*.cu.

The same as `shadersort/streams/quantiles/gk_summaries.py`, byte for byte.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np

from modern.streams.transfers import copy_together, join, to_host
from modern.streams.windows import launch, on_device, plain_zeros, sort_windows, widen
from shadersort.keys.types import Integers
from shadersort.streams.quantiles.gk_summaries import GKStack, GKSummaries, Place, rank_type

KEPT = 8
"""Arrays of ranks on the device, for each thread."""

_local = threading.local()


@dataclass(frozen=True, slots=True, eq=False)
class GKSummariesOnGPU:
    """Greenwald-Khanna summaries of several sets of `size` values, one a row, in CuPy arrays.

    This class has the ranks, not their increments: the kernels place an entry by a search, which
    also finds by how much its ranks grow in a union. `smallest` has the smallest rank of each
    entry, and `before` the largest less 1; all summaries may share one row of both.
    """

    values: Any
    smallest: Any
    before: Any
    size: int

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: slice) -> Self:
        smallest, before = self._ranks
        if len(smallest) > 1:
            smallest, before = smallest[rows], before[rows]
        return type(self)(self.values[rows], smallest, before, self.size)

    @property
    def entries(self) -> int:
        """How many entries each summary has."""
        return int(self.values.shape[1])

    @property
    def _ranks(self) -> tuple[Any, Any]:
        return self.smallest, self.before

    def preceded_by(self, *others: Any) -> Self:
        """Return the summaries of others followed by these; others may be on the host."""
        stacks = [_to_device(each) if isinstance(each, GKSummaries) else each for each in others]
        stacks.append(self)
        smallest, before = self._ranks
        if len(smallest) > 1 or any(each.smallest is not smallest for each in stacks):
            wide = ([cupy.broadcast_to(r, s.values.shape) for r in s._ranks] for s in stacks)
            smallest, before = map(join, zip(*wide, strict=True))
        return type(self)(join([each.values for each in stacks]), smallest, before, self.size)

    def on_host(self, stacks: Mapping[Place, GKStack]) -> Mapping[Place, GKStack]:
        """Return stacks by their places, those of this class on the host, by one copy for all."""
        here = {place: each for place, each in stacks.items() if isinstance(each, GKSummariesOnGPU)}
        if not here:
            return stacks
        there = [part for each in here.values() for part in (each.values, *each._ranks)]
        found = copy_together(there, lambda flat: to_host(join(flat)))
        columns = zip(here.items(), found[::3], found[1::3], found[2::3], strict=True)
        return {
            **stacks,
            **{place: _of_ranks(v, s, b, each.size) for (place, each), v, s, b in columns},
        }

    def merged_in_pairs(self) -> Self:
        """Merge the first and the second summary, the third and the fourth, …."""
        size, shape = 2 * self.size, (len(self) // 2, 2 * self.entries)
        return self._run("gk_merge", rank_type(size), shape, size, self.size, MASSES=0)

    def compressed(self, size: int, step: int) -> Self:
        """Return summaries of sets of `size` values with one entry for every `step` ranks."""
        kept = (size - 1) // step + 2
        return self._run("gk_compress", self.smallest.dtype, (len(self), kept), size, step, kept)

    def _run(
        self, name: str, ranks: Any, shape: tuple[int, int], size: int, *sizes: int, **macros: int
    ) -> Self:
        """Run a kernel; return the summaries of sets of `size` values that it makes."""
        values, stride = widen(self.values), self.entries if len(self.smallest) > 1 else 0
        given = (each.astype(ranks, copy=False) for each in self._ranks)
        found, smallest, before = (cupy.empty(shape, kind) for kind in (values.dtype, ranks, ranks))
        sizes = len(self), self.entries, stride, *sizes
        arguments = values, *given, *sizes, found, smallest, before
        launch(name, values, arguments, found.size, RANK_BYTES=ranks.itemsize, **macros)
        return type(self)(found.astype(self.values.dtype, copy=False), smallest, before, size)


def gk_summaries(windows: Any, ranks: Integers) -> GKSummariesOnGPU:
    """Return a summary of each window: its keys at some ranks, 0.0 for −0.0."""
    places, smallest, before = ranks_on_device(ranks, windows.shape[1])
    values = plain_zeros(sort_windows(on_device(windows)).take(places, axis=1))
    return GKSummariesOnGPU(values, smallest, before, windows.shape[1])


def ranks_on_device(ranks: Any, size: int) -> tuple[Any, ...]:
    """Return ranks, counted from 0, on the GPU, and the bounds of ranks in windows of a size.

    A summary asks for the same ranks again and again, and a small copy may have to wait for large
    copies in progress. So the last arrays are cached: one set for each CUDA stream, because another
    stream neither waits for the copy nor knows when the arrays are freed.
    """
    kept: dict[Any, Any] = _local.__dict__.setdefault("ranks", {})
    key = id(ranks), size, cupy.cuda.runtime.getDevice(), cupy.cuda.get_current_stream().ptr
    if key not in kept or kept[key][0] is not ranks:
        typed = ranks.astype(rank_type(size))[None]
        kept[key] = ranks, *map(cupy.asarray, (ranks, typed + 1, typed))
    found: tuple[Any, ...] = kept[key]
    while len(kept) > KEPT:
        kept.pop(next(iter(kept)))
    return found[1:]


def _to_device(summaries: GKSummaries) -> GKSummariesOnGPU:
    """Return summaries of the host on the GPU, by one copy."""
    size = summaries.size
    ranks = (each.astype(rank_type(size)) for each in (summaries.smallest, summaries.before))
    arrays = [summaries.values, *ranks]
    copies = copy_together(arrays, lambda flat: cupy.asarray(np.concatenate(flat)))
    values, smallest, before = copies
    return GKSummariesOnGPU(values, smallest, before, size)


def _of_ranks(values: Any, smallest: Any, before: Any, size: int) -> GKSummaries:
    """Return summaries on the host, which may share one row of ranks."""
    found = GKSummaries.of_ranks(values, smallest, before, size)
    weights = (np.broadcast_to(each, values.shape) for each in (found.lower, found.upper))
    return GKSummaries(values, *weights)
