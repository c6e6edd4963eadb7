"""How often items come in windows, on a GPU, and their blocks: kernels/streams/find_runs.cu."""

from dataclasses import dataclass, replace
from typing import Any, Self

import cupy
import numpy as np

from modern.streams.transfers import to_host
from modern.streams.windows import HALF, codes_of, find_runs, plain_zeros, sort_windows, widen
from shadersort.keys.types import Integers
from shadersort.streams.sliding.tallies import COLUMNS, Tallies
from shadersort.streams.summary import Timed

FEW = 1 << 15
"""Up to this many entries, NumPy merges them sooner than small kernels are launched for them."""


def count_runs(windows: Any, above: Integers) -> tuple[Any, Any, Any]:
    """Return the items of each window in order, 0.0 for −0.0, their counts, and their windows.

    Only items that come more often than `above`, which has a number for each window.
    """
    ordered = sort_windows(windows)
    begins, counts, rows = find_runs(ordered, above)
    return plain_zeros(ordered.reshape(-1)[begins].astype(windows.dtype)), counts, rows


@dataclass(frozen=True, slots=True, eq=False)
class TalliesOnGPU:
    """How often items come in consecutive blocks, in CuPy arrays; see `Tallies`."""

    blocks: tuple[int, int]
    numbers: Any
    items: Any
    counts: Any

    def __len__(self) -> int:
        return self.blocks[1] - self.blocks[0]

    def __getitem__(self, which: slice) -> Self:
        begin, end, _ = which.indices(len(self))
        blocks = self.blocks[0] + begin, self.blocks[0] + end
        if blocks == self.blocks:
            return self
        part = self._where((self.numbers >= blocks[0]) & (self.numbers < blocks[1]))
        return replace(part, blocks=blocks)

    def _where(self, which: Any) -> Self:
        places = cupy.flatnonzero(which)  # one wait for all columns
        columns = (getattr(self, name).take(places) for name in COLUMNS)
        return type(self)(self.blocks, *columns)

    def above(self, limits: Integers | int) -> "TalliesOnGPU | Tallies":
        """Return the blocks with the entries that come more often than the limit of their block."""
        if not isinstance(limits, int):
            limits = cupy.asarray(limits)[self.numbers - self.blocks[0]]
        return self._where(self.counts > limits).near()

    def near(self) -> "TalliesOnGPU | Tallies":
        """Return the same, on the host if there are few entries."""
        return self.to_host() if len(self.numbers) <= FEW else self

    def prepend(self, other: Any) -> Self:
        """Return the blocks of another followed by these; the other may be on the host."""
        pairs = ((cupy.asarray(getattr(other, name)), getattr(self, name)) for name in COLUMNS)
        columns = (cupy.concatenate(each) for each in pairs)
        return type(self)((other.blocks[0], self.blocks[1]), *columns)

    def merge_pairs(self) -> Self:
        """Return blocks twice as large: 0 and 1 become 0, 2 and 3 become 1."""
        blocks = self.blocks[0] >> 1, self.blocks[1] >> 1
        numbers = self.numbers >> 1
        if not len(numbers):
            return replace(self, blocks=blocks)
        codes = codes_of(widen(self.items))  # CuPy takes denormals of float32 for zeros
        if codes.itemsize > HALF // 8:
            codes = cupy.searchsorted(cupy.sort(codes), codes)  # their ranks, which are shorter
        pairs = (numbers - numbers[:1]) << HALF | codes.astype(np.int64)
        order = cupy.argsort(pairs)
        begins = find_runs(pairs[order].view(np.uint64))[0]
        sums = cupy.zeros(len(order) + 1, np.int64)
        sums[1:] = cupy.cumsum(self.counts[order])
        ends = cupy.full(len(begins), len(order), np.int64)
        ends[:-1], order = begins[1:], order[begins]
        return type(self)(blocks, numbers[order], self.items[order], sums[ends] - sums[begins])

    def to_host(self) -> Tallies:
        """Return these tallies on the host."""
        return Tallies(self.blocks, *(to_host(getattr(self, name)) for name in COLUMNS))


def tallies(windows: Any, above: Integers, first: int, timed: Timed) -> TalliesOnGPU | Tallies:
    """Return how often keys come in windows as blocks numbered from `first`."""
    with timed("sort"):
        items, counts, rows = count_runs(windows, above)
        blocks = first, first + len(windows)
        return TalliesOnGPU(blocks, rows + first, items, counts).near()
