"""Summaries with masses on a GPU, merged and compressed there: kernels/mass_*.cu, window_sums.cu.

The same as `shadersort/streams/correlated_masses.py`, byte for byte: sums are added in the same
order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np

from modern.launching.waiting import Launcher
from modern.primitives.cupy import CuPyPrimitives
from modern.streams.greenwald_khanna import plain_zeros
from modern.streams.row_sort import order_of_rows, widened
from modern.streams.staging import to_host
from shadersort.errors import NotFinite
from shadersort.streams.correlated_masses import (
    INFINITE,
    MASSES,
    OVERFLOW,
    SUMMED,
    Masses,
    MassSummaries,
    plain_nans,
)
from shadersort.streams.greenwald_khanna import Place
from shadersort.streams.pairs import Pairs

THREADS = 256
CHAINS = 2 * MASSES
"""Sums of each entry."""


@dataclass(frozen=True, slots=True, eq=False)
class MassSummariesOnGPU:
    """Summaries with masses of several sets, one a row, in CuPy arrays; see `MassSummaries`.

    A summary whose masses overflow has a NaN as its last count.
    """

    values: Any
    lower: Any
    upper: Any

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: slice) -> Self:
        parts = (self.values[rows], self.lower[:, rows], self.upper[:, rows])
        return type(self)(*map(cupy.ascontiguousarray, parts))

    @property
    def entries(self) -> int:
        """How many entries each summary has."""
        return int(self.values.shape[1])

    def preceded_by(self, other: Any) -> Self:
        """Return the summaries of another followed by these; the other may be on the host."""
        columns = (other.values, self.values), (other.lower, self.lower), (other.upper, self.upper)
        joined = (
            cupy.concatenate([cupy.asarray(each) for each in both], axis=-2) for both in columns
        )
        return type(self)(*joined)

    def merged_in_pairs(self) -> Self:
        """Merge the first and the second summary, the third and the fourth, …."""
        values = widened(self.values)
        found = _room(values.dtype, len(self) // 2, 2 * self.entries)
        launcher = Launcher(np.dtype(values.dtype))
        sizes = np.uint64(len(self)), np.uint64(self.entries)
        given = values, self.lower, self.upper, *sizes, *found
        if len(self):
            launcher.run_threads(launcher.kernel("mass_merged_pairs"), given, values.size)
        return self._of(found)

    def compressed(self, size: int, step: int, slots: int) -> Self:
        """Return summaries of sets of `size` values with fewer entries."""
        given = widened(self.values), self.lower, self.upper, np.uint64(0), np.uint64(0)
        return self._of(_compressed(given, CHAINS, (size - 1) // step + 2 + slots, step, slots))

    def _of(self, found: list[Any]) -> Self:
        values, lower, upper = found
        return type(self)(values.astype(self.values.dtype, copy=False), lower, upper)

    def on_host(self, stacks: Mapping[Place, Any]) -> Mapping[Place, Any]:
        """Return stacks by their places, with all stacks of this class brought to the host.

        Raises NotFinite if the masses of one overflow.
        """
        return {place: _on_host(each) for place, each in stacks.items()}


def _on_host(stack: Any) -> Any:
    if not isinstance(stack, MassSummariesOnGPU):
        return stack
    found = MassSummaries(*(to_host(each) for each in (stack.values, stack.lower, stack.upper)))
    if np.isnan(found.upper[0]).any():
        raise NotFinite(OVERFLOW)
    return found


def mass_summaries(x: Any, y: Any, step: int, slots: int) -> MassSummariesOnGPU:
    """Return a summary of each window of pairs, compressed."""
    values, none = widened(x), np.uint64(0)
    given = values, none, none, order_of_rows(values), y
    found = _compressed(given, 2, (x.shape[1] - 1) // step + 2 + slots, step, slots)
    return MassSummariesOnGPU(plain_zeros(found[0].astype(x.dtype, copy=False)), *found[1:])


def _compressed(given: tuple[Any, ...], chains: int, kept: int, step: int, slots: int) -> list[Any]:
    """Run the kernel on summaries, or on windows of pairs; return the columns of `kept` entries."""
    values = given[0]
    rows, entries = values.shape
    launcher, found = Launcher(np.dtype(values.dtype)), _room(values.dtype, rows, kept)
    sums = cupy.empty((chains, rows, entries), np.float64)
    columns = cupy.empty((rows, kept), np.uint32)
    kernel = launcher.kernel("mass_compressed", WHOLE=int(chains < CHAINS), THREADS=THREADS)
    sizes = (np.uint64(each) for each in (rows, entries, step, slots, kept))
    if rows:
        arguments = *given, *sizes, sums, columns, *found
        launcher.run_blocks(kernel, arguments, rows, threads=THREADS)
    return found


def _room(dtype: Any, rows: int, entries: int) -> list[Any]:
    """Return uninitialised columns of summaries."""
    masses = (cupy.empty((MASSES, rows, entries), np.float64) for _ in range(2))
    return [cupy.empty((rows, entries), dtype), *masses]


def window_sums(windows: Any) -> Masses:
    """Return the sum of each window in float64, on the host."""
    keys = widened(windows)
    launcher, found = Launcher(np.dtype(keys.dtype)), cupy.empty(len(keys), np.float64)
    kernel = launcher.kernel("window_sums", SUMMED=SUMMED)
    given = keys, np.uint64(keys.shape[1]), found
    launcher.run_blocks(kernel, given, len(keys), threads=SUMMED)
    return plain_nans(to_host(found))


def whole_pairs(x: Any, y: Any) -> tuple[Pairs, int]:
    """Return the pairs without a NaN and the number of the others; the same arrays if none."""
    of_y = CuPyPrimitives(y).extent()
    if of_y.minus_infinite or of_y.plus_infinite:
        raise NotFinite(INFINITE)
    nans = CuPyPrimitives(x).extent().nans if x.dtype.kind == "f" else 0
    if not (nans or of_y.nans):
        return Pairs(x, y), 0
    present = (x == x) & (y == y)
    pairs = Pairs(x[present], y[present])
    return pairs, len(x) - len(pairs)
