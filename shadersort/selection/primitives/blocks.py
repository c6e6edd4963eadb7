"""The primitives in NumPy, for the pieces of files: the same answers, in blocks that caches hold.

`NumPyPrimitives` says what each call means. Here the calls that read all keys of a file are written
for speed: a disk reads a key in a few nanoseconds, so counting must not take longer.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers, Key, Keys, Mask
from shadersort.selection.primitives.between_blocks import Between
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.numpy import NumPyPrimitives
from shadersort.selection.primitives.values import Counts

BLOCK = 1 << 16
"""Keys of a block."""

TOGETHER = 8
"""Blocks whose buckets are counted together: there may be as many counters as keys in a block."""

COMPARED = 255
"""Up to this many edges, each key is compared with all of them, which takes less time than a search
whose branches no processor predicts."""

RANGES = 8
"""Up to this many runs of neighbouring buckets are copied as ranges of keys."""


class BlockPrimitives(NumPyPrimitives):
    """Primitives over a NumPy array that is read block by block.

    Examples
    --------
    >>> buckets = Buckets(np.float32([0, 1, 10]), per_interval=2, open=True)
    >>> BlockPrimitives(np.float32([0, 0.5, 1, 5.4, 11, np.nan])).bucket_histogram(buckets)
    array([1, 1, 2, 2])
    """

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket."""
        if not buckets.open:
            return self._sum("bucket_histogram", buckets)
        return self.histogram_and_nans(buckets)[0]

    def histogram_and_nans(self, buckets: Buckets) -> tuple[Integers, int]:
        """Count the keys in each bucket, and the NaNs."""
        if not buckets.open:
            return super().histogram_and_nans(buckets)
        self.traffic.add(self.size)
        found, projection = np.zeros(buckets.count, np.int64), Projection(buckets)
        places = np.empty(max(min(self.size, TOGETHER * BLOCK), 1), np.int64)
        for first in range(0, self.size, places.size):
            here = self.keys[first : first + places.size]
            for start in range(0, here.size, BLOCK):
                block = here[start : start + BLOCK]
                projection.of(block, places[start : start + block.size])
            found += np.bincount(places[: here.size], minlength=buckets.count)
        return found, projection.nans

    def parted(self, low: Key, high: Key) -> tuple[Counts, Counts, NumPyPrimitives]:
        """Count at two pivots, and copy the keys between."""
        at_low, at_high, inside, _ = self.parted_and_nans(low, high)
        return at_low, at_high, inside

    def parted_and_nans(self, low: Key, high: Key) -> tuple[Counts, Counts, NumPyPrimitives, int]:
        """Do as `parted` does, and count the NaNs."""
        if high != high:
            found: Any = NumPyPrimitives(self.keys, self.traffic).parted_and_nans(low, high)
            at_low, at_high, inside, nans = found
            return at_low, at_high, BlockPrimitives(inside.keys, self.traffic), nans
        between = Between(low, high)
        between.take(self.keys)
        kept = BlockPrimitives(between.inside(), self.traffic)
        self.traffic.add(self.size, kept.size)
        return *between.counts(), kept, between.nans

    def of_buckets(
        self, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
    ) -> NumPyPrimitives:
        """Copy the keys of some buckets."""
        if not buckets.open:
            return super().of_buckets(buckets, chosen, count=count)
        runs = _runs(np.asarray(chosen, np.int64))
        if len(runs) <= RANGES:
            return self._copied(self._in_runs(buckets, runs), count)
        wanted, projection = np.zeros(buckets.count, np.bool_), Projection(buckets)
        wanted[np.asarray(chosen)] = True
        masks = [wanted[projection.of(block)] for block in self._blocks()]
        return self._copied(np.concatenate(masks or [np.zeros(0, np.bool_)]), count)

    def _in_runs(self, buckets: Buckets, runs: list[tuple[int, int]]) -> Mask:
        """Return which keys are in some runs of buckets, each from one bucket to another."""
        chosen = np.zeros(self.size, np.bool_)
        for first, last in runs:
            inside = np.ones(self.size, np.bool_)
            if first > 0:
                inside &= ~(self.keys < buckets.bounds(first)[0])
            if last < buckets.count - 1:
                inside &= self.keys <= buckets.bounds(last)[1]
            chosen |= inside
        return chosen

    def count_numbers(self) -> int:
        """Return how many keys are not NaN."""
        if self.dtype.kind != "f":
            return self.size
        return sum(int(np.count_nonzero(block == block)) for block in self._blocks())

    def digit_histogram(self, shift: int, width: int, first: int, last: int) -> Integers:
        """Count the digits of the codes from one to another."""
        step = max(BLOCK, TOGETHER << width)  # adding up counters takes less time than counting
        return self._sum("digit_histogram", shift, width, first, last, step=step)

    def digit_histograms(self, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
        """Count the digits of the keys under several prefixes."""
        return self._sum("digit_histograms", shift, width, prefixes)

    def _sum(self, call: str, *args: Any, step: int | None = None) -> Integers:
        """Add up what blocks answer; no keys are one block, too."""
        self.traffic.add(self.size)
        blocks = list(self._blocks(step)) or [self.keys]
        first, *others = (NumPyPrimitives(block) for block in blocks)
        found: Integers = getattr(first, call)(*args)
        for each in others:
            found += getattr(each, call)(*args)
        return found

    def _blocks(self, step: int | None = None) -> Iterator[Keys]:
        step = step or BLOCK
        for start in range(0, self.size, step):
            yield self.keys[start : start + step]


class Projection:
    """Open buckets, and what finds the bucket of each key as `Buckets.of` does, in few passes.

    Each pass writes into memory that is used again: new memory would have to be cleared first.

    Examples
    --------
    >>> Projection(Buckets(np.int64([0, 10]), 5, open=True)).of(np.int64([-7, 3, 9, 12]))
    array([0, 1, 4, 4])
    """

    def __init__(self, buckets: Buckets) -> None:
        self._buckets, self._edges = buckets, buckets.edges
        self._last = buckets.arithmetic(buckets.per_interval - 1)
        self._unsigned = f"u{buckets.edges.itemsize}"
        ends: Any = buckets.of(buckets.edges[-1:])
        self._ends_early = ends[0] < buckets.count - 1  # of an interval too narrow to be cut
        self._memory: dict[str, Keys] = {}
        self.nans = 0  # so far

    def of(self, keys: Keys, out: Keys | None = None) -> npt.NDArray[np.int64]:
        """Return the bucket of each key; NaNs are in the last one."""
        found = np.empty(keys.size, np.int64) if out is None else out
        inside = np.clip(
            keys, self._edges[0], self._edges[-1], out=self._room("inside", keys.size, keys.dtype)
        )
        nans = self._nans(keys)
        if nans is not None:
            inside[nans] = self._edges[0]  # of which no integer could be made
        interval = self._interval(inside)
        places = self._offset(inside, interval)
        places *= self._buckets.slopes[interval]
        np.minimum(places, self._last, out=places)
        np.copyto(found, places, casting="unsafe")
        if interval is not ONLY:
            interval *= self._buckets.per_interval
            found += interval
        if self._ends_early:
            found[keys > self._edges[-1]] = self._buckets.count - 1
        if nans is not None:
            found[nans] = self._buckets.count - 1
        return found

    def _room(self, name: str, size: int, dtype: Any) -> Keys:
        """Return memory for some numbers, the same for the same name."""
        held = self._memory.get(name)
        if held is None or held.size < size:
            held = self._memory[name] = np.empty(size, dtype)
        return held[:size]

    def _nans(self, keys: Keys) -> Mask | None:
        """Return which keys are NaN; None if none is."""
        if keys.dtype.kind != "f" or not np.isnan(keys.max(initial=-np.inf)):
            return None
        nans = np.not_equal(keys, keys, out=self._room("nans", keys.size, np.bool_))
        self.nans += int(np.count_nonzero(nans))
        return nans

    def _offset(self, keys: Keys, interval: Any) -> Keys:
        """Return the distance of each key from the edge before it, as `buckets.distance` does."""
        edges = self._buckets.scaled
        places = self._room("places", keys.size, self._buckets.arithmetic)
        if keys.dtype.kind != "f":
            exact = keys.view(self._unsigned)
            exact -= edges.view(self._unsigned)[interval]
            np.copyto(places, exact, casting="unsafe")
            return places
        np.copyto(places, keys)
        if self._buckets.scale != 1:
            places *= self._buckets.arithmetic(self._buckets.scale)
        places -= edges[interval]
        return places

    def _interval(self, keys: Keys) -> Any:
        """Return the interval of each key; `ONLY` if there is one."""
        inner = self._edges[1:-1]
        if not inner.size:
            return ONLY
        if inner.size > COMPARED:
            return np.searchsorted(inner, keys, side="right")
        found, above = (self._room(name, keys.size, np.uint8) for name in ("counted", "above"))
        found[:] = 0
        for edge in inner:
            np.greater_equal(keys, edge, out=above.view(np.bool_))
            found += above
        interval = self._room("interval", keys.size, np.int64)
        np.copyto(interval, found)
        return interval


ONLY = 0
"""The number of the only interval."""


def _runs(chosen: Integers) -> list[tuple[int, int]]:
    """Return the first and the last bucket of each run of neighbours.

    Examples
    --------
    >>> _runs(np.array([3, 4, 9]))
    [(3, 4), (9, 9)]
    """
    chosen = np.unique(chosen)
    if not chosen.size:
        return []
    breaks = np.flatnonzero(np.diff(chosen) > 1)
    firsts, lasts = chosen[np.append(0, breaks + 1)], chosen[np.append(breaks, -1)]
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))
