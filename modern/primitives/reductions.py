"""Reductions on a GPU: one kernel over all keys, a few numbers back."""

import struct
from typing import Any

import numpy as np

from modern.primitives.gpu_keys import GPUKeys
from shadersort.keys.codes import code, encode
from shadersort.keys.types import Key, Keys
from shadersort.selection.primitives import Counts, Extent, Objective

__all__ = ["Reductions"]

EXTENT = struct.Struct("=QQdQQQ")
OBJECTIVE = struct.Struct("=QQdd")
NEAREST = struct.Struct("=QQQQ")

PIVOTS = 2048
"""So many are counted at in one read: as much shared memory as any GPU has."""


class Reductions(GPUKeys):
    """The primitives that reduce all keys to a few numbers."""

    def extent(self) -> Extent:
        """Return smallest, largest, sum and kinds of the keys."""
        self.traffic.add(self.size)
        kernel = self._launcher.kernel("extent")
        low, high, total, minus, plus, nans = self._launcher.reduced(kernel, self._all, EXTENT)
        finite = self.size - minus - plus - nans
        zero = self.dtype.type(0)
        ends = (self._key(low), self._key(high)) if finite else (zero, zero)
        return Extent(*ends, total, finite, minus, plus, nans)

    def counts(self, pivot: Key) -> Counts:
        """Count the keys below, equal to and above a pivot."""
        zero = self._raw(0)
        return self._objective(pivot, (zero, zero, zero), SUMS=0, LOGS=0).counts

    def counts_at(self, pivots: Keys) -> list[Counts]:
        """Count at several pivots: one read for every few thousand."""
        lots = [pivots[i : i + PIVOTS] for i in range(0, len(pivots), PIVOTS)]
        return [counts for lot in lots for counts in self._counts_at(np.asarray(lot, self.dtype))]

    def _counts_at(self, pivots: Keys) -> list[Counts]:
        self.traffic.add(self.size)
        codes, places = np.unique(encode(pivots), return_inverse=True)
        bins = self._launcher.totals(
            self._launcher.kernel("counts_at"),
            (*self._all, self._launcher.given(codes), np.uint32(len(codes))),
            2 * len(codes) + 1,
            shared=8 * len(codes) + 4 * (2 * len(codes) + 2),
        )
        below, equal = np.cumsum(bins)[0::2].tolist(), bins[1::2].tolist()
        return [
            Counts(below[place], equal[place], self.size - below[place] - equal[place])
            for place in places.ravel().tolist()
        ]

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count at a pivot, and sum the distances to it within a window."""
        window = (*self._closed(low, high), self._raw(0))
        return self._objective(pivot, window, SUMS=1, LOGS=0)

    def log_objective(
        self, pivot: Key, low: Key | None, high: Key | None, origin: Key
    ) -> Objective:
        """Do as `objective` does, with distances of log(1 + x − origin)."""
        window = (*self._closed(low, high), self._bits(origin))
        return self._objective(pivot, window, SUMS=1, LOGS=1)

    def _closed(self, low: Key | None, high: Key | None) -> tuple[Any, Any]:
        """Return the bits of the first and the last finite key strictly between two."""
        least, most = self._ends
        first = least if low is None else max(least, code(low) + 1)
        last = most if high is None else min(most, code(high) - 1)
        return self._bits(self._key(first)), self._bits(self._key(last))

    def _objective(self, pivot: Key, window: tuple[Any, ...], **macros: int) -> Objective:
        self.traffic.add(self.size)
        nan = pivot != pivot
        bits = self._bits(np.inf if nan else pivot)
        kernel = self._launcher.kernel("objective", **macros)
        arguments = (*self._all, bits, *window)
        below, equal, *sums = self._launcher.reduced(kernel, arguments, OBJECTIVE)
        if nan:  # all numbers are below, infinity too
            below, equal = below + equal, self.size - below - equal
        return Objective(Counts(below, equal, self.size - below - equal), *sums)

    def at_or_above(self, pivot: Key) -> Key | None:
        """Return the smallest number that is not below a pivot."""
        above, _ = self._nearest(pivot)
        return above

    def at_or_below(self, pivot: Key) -> Key | None:
        """Return the largest key that is not above a pivot."""
        _, below = self._nearest(pivot)
        return below

    def _nearest(self, pivot: Key) -> tuple[Key | None, Key | None]:
        self.traffic.add(self.size)
        kernel = self._launcher.kernel("nearest")
        above, below, any_above, any_below = self._launcher.reduced(
            kernel, (*self._all, self._raw(code(pivot))), NEAREST
        )
        return (
            self._key(above) if any_above else None,
            self._key(below) if any_below else None,
        )
