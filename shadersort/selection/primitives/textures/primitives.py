"""The primitives on a device that draws: each call is a program of passes that asks.

A card of 2005 draws a texel at a given place, and cannot gather the texels that passed a test. But
the keys of an interval have consecutive ranks among all keys. So a copy of an interval is the
interval itself: from how many of all keys are below a pivot follows how many inside it are. Nothing
is drawn for a copy, and a call on it reads all keys.

A histogram is one occlusion query for each inner edge of its digits or buckets. The numbers are
remembered, because edges come again as the ends of copies.
"""

import sys
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Self

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices.base import Device
from shadersort.errors import UnsupportedKeys
from shadersort.keys.codes import code, decode, key
from shadersort.keys.inputs import as_selectable
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives import NumPyPrimitives, Primitives, sampling
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.textures.drawn_keys import DrawnKeys
from shadersort.selection.primitives.values import (
    Counts,
    Extent,
    Objective,
    Ranked,
    Ranks,
    Tuning,
    check_count,
)

MANY = 32
"""More ranks than this are found by a sort: of 2**20 keys it costs a card of 2005 as much as 750
counts, by the model, and a rank takes some 20."""


class TexturePrimitives(Primitives):
    """Primitives over float32 or float16 keys in a texture. Close them, or use `with`.

    They are the keys of some intervals of codes: of one with every code at first, and of others in
    copies, which share the texture.

    Examples
    --------
    >>> from shadersort import open_device
    >>> with open_device("software") as device:
    ...     with TexturePrimitives(np.float32([3, 1, np.nan, 2, 2]), device) as keys:
    ...         keys.counts(np.float32(2)), keys.between(np.float32(1), None).size
    (Counts(below=1, equal=2, above=2), 4)
    """

    name = "textures"
    # an edge of a digit or a bucket is a query
    tuning = Tuning(copies=False, few=16, digit=2, buckets=16, samples=256, counters=64)
    _whole = True  # whether all keys are here

    def __init__(self, keys: npt.ArrayLike, device: Device) -> None:
        array, cast = as_selectable(keys)
        if cast is not None or array.dtype not in (np.float16, np.float32):
            raise UnsupportedKeys(
                f"keys of {cast.dtype if cast else array.dtype} are not selected from on "
                "textures, which hold floats of at most 32 bits: use modern.select, or convert "
                "them to float32 if rounding is acceptable"
            )
        self._drawn = drawn = DrawnKeys(array, device)
        self.dtype, self.traffic = drawn.dtype, drawn.traffic
        self._take(np.array([drawn.first]), np.array([drawn.last]))

    def _take(self, first: Integers, last: Integers) -> None:
        """Take the keys of some intervals, ascending, from code to code."""
        self._first, self._last = first, last
        self._intervals = [*zip(first.tolist(), last.tolist(), strict=True)]
        self._start = self._drawn.ranks(first)  # the rank among all keys of the first one of each
        self._sizes = self._drawn.ranks(last + 1) - self._start
        self.size = int(self._sizes.sum())

    def close(self) -> None:
        """Release the texture, also that of all copies. Closing twice does nothing."""
        self._drawn.texture.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def supports(self, call: str) -> bool:
        """Whether there is a call; `count_values` would be a query for every value."""
        return call != "count_values" and super().supports(call)

    def extent(self) -> Extent:
        """Reduce to smallest, largest and sum, and count the infinities."""
        if self._whole:
            return self._drawn.extent()
        kind, most = self.dtype.type, np.finfo(self.dtype).max
        others = [self.counts(kind(each)).equal for each in (-np.inf, np.inf, np.nan)]
        finite = self.size - sum(others)
        if not finite:
            return Extent(kind(0), kind(0), 0.0, 0, *others)
        low, high = self.at_or_above(-most), self.at_or_below(most)
        below, above = self._distances(kind(0), None, None)
        return Extent(low, high, above - below, finite, *others)

    def below(self, pivot: Key) -> int:
        """Count the keys below a pivot by one occlusion query."""
        return int(self._inside(np.array(self._drawn.below(pivot))))

    def counts(self, pivot: Key) -> Counts:
        """Count by two occlusion queries: the keys below a pivot, and the keys equal to it."""
        found = self._drawn.counts(pivot)
        below, upto = self._inside(np.array([found.below, found.below + found.equal])).tolist()
        return Counts.complete(below, upto - below, self.size)

    def _inside(self, ranks: Integers) -> Integers:
        """Return how many keys here are among the first keys of all, given how many these are."""
        inside = np.clip(ranks[..., np.newaxis] - self._start, 0, self._sizes)
        return np.asarray(inside.sum(axis=-1))

    def _ranks(self, codes: Integers) -> Integers:
        """Return how many keys here have a smaller code than each of some."""
        return self._inside(self._drawn.ranks(codes))

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count by occlusion queries, and reduce to the sums of distances."""
        return Objective(self.counts(pivot), *self._distances(pivot, low, high))

    def _distances(self, pivot: Key, low: Key | None, high: Key | None) -> tuple[float, float]:
        """Return the sums of distances below and above a pivot, by a reduction an interval."""
        drawn, sums = self._drawn, np.zeros(2)
        least = drawn.first if low is None else code(low)
        most = drawn.infinity if high is None else code(high)
        for first, last in self._intervals:
            ends = max(least, first - 1), min(most, last + 1, drawn.infinity)
            if ends[0] + 1 < ends[1]:
                sums += drawn.distances(pivot, *(key(end, self.dtype) for end in ends))
        return float(sums[0]), float(sums[1])

    def at_or_above(self, pivot: Key) -> Key | None:
        """Reduce to the smallest key that is not below a pivot."""
        for first, last in self._intervals:
            if last >= code(pivot):
                found = self._drawn.nearest(key(max(first, code(pivot)), self.dtype), 1)
                if found is None or code(found) <= last:
                    return found
        return None

    def at_or_below(self, pivot: Key) -> Key | None:
        """Reduce to the largest key that is not above a pivot."""
        most = min(code(pivot), self._drawn.infinity)
        for first, last in self._intervals[::-1] if pivot == pivot else ():
            if first <= most:
                found = self._drawn.nearest(key(min(last, most), self.dtype), -1)
                if found is None or code(found) >= first:
                    return found
        return None

    def between(
        self, low: Key | None, high: Key | None, *, closed: bool = False, count: int | None = None
    ) -> "TexturePrimitives":
        """Return the interval between two keys."""
        first = 0 if low is None else code(low) + (not closed)
        last = self._drawn.last if high is None else code(high) - (not closed)
        return self._part(np.array([first]), np.array([last]), count)

    def digit_histograms(self, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
        """Count below the inner edges of all digits."""
        edges = np.array(prefixes, np.int64)[:, np.newaxis] << (shift + width)
        return np.diff(self._ranks(edges + (np.arange((1 << width) + 1) << shift)), axis=1)

    def with_prefixes(
        self, prefixes: Sequence[int], shift: int, *, count: int | None = None
    ) -> "TexturePrimitives":
        """Return the intervals of some prefixes."""
        first = np.array(prefixes, np.int64) << shift
        return self._part(first, first + (1 << shift) - 1, count)

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count below the inner edges of all buckets."""
        return np.diff(self._ranks(self._edges(buckets)))

    def of_buckets(
        self, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
    ) -> "TexturePrimitives":
        """Return the intervals of some buckets."""
        edges, some = self._edges(buckets), np.asarray(chosen, np.int64)
        return self._part(edges[some], edges[some + 1] - 1, count)

    def _edges(self, buckets: Buckets) -> Integers:
        """Return the first code of each bucket, and the end of the last one."""
        edges = np.array([buckets.first_code(each) for each in range(buckets.count + 1)], np.int64)
        if buckets.open:
            edges[[0, -1]] = 0, self._drawn.last + 1
        return edges

    def _part(self, first: Integers, last: Integers, count: int | None) -> "TexturePrimitives":
        """Return the keys here of some intervals of codes, ascending."""
        first = np.maximum(first[:, np.newaxis], self._first).ravel()
        last = np.minimum(last[:, np.newaxis], self._last).ravel()
        part = copy(self)
        part._take(first[first <= last], last[first <= last])
        part._whole, part.tuning = False, replace(self.tuning, few=sys.maxsize)  # by look_up_ranks
        check_count(part.size, count)
        return part

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places; of a copy, the keys that follow random codes."""
        if self._whole:
            return self._drawn.keys_at(sampling.places(self.size, count, seed))
        first, last, infinity = self._first[0], self._last[-1], self.dtype.type(np.inf)
        codes, found = first + sampling.places(int(last + 1 - first), count, seed), []
        for each in self._keys_of(codes):
            above = self.at_or_above(each)
            if above is None:  # NaN, or the last number
                above = self.at_or_below(infinity) if self.count_numbers() == self.size else np.nan
            found.append(above)
        return np.array(found, self.dtype)

    def sort(self) -> NumPyPrimitives:
        """Sort all keys by a network on the device; a copy takes its ranks."""
        ordered, ends = self._drawn.sort(), self._start + self._sizes
        ranks = zip(self._start.tolist(), ends.tolist(), strict=True)
        parts = [ordered[start:end] for start, end in ranks]
        return NumPyPrimitives(np.concatenate([ordered[:0], *parts]), self.traffic)

    def look_up_ranks(self, ranks: Ranks) -> Ranked:
        """Sort all keys, and look up some ranks; in a copy, find a few by bisection of codes."""
        if self._whole or len(ranks) > MANY:
            return super().look_up_ranks(ranks)
        ks, ends = np.asarray(ranks, np.int64), np.cumsum(self._sizes)
        which = np.searchsorted(ends, ks, side="right")
        among_all = ks - ends[which] + self._sizes[which] + self._start[which]
        first, last = self._first[which], self._last[which]
        while (first < last).any():
            middle = (first + last + 1) // 2
            upper = self._drawn.ranks(middle) <= among_all
            first, last = np.where(upper, middle, first), np.where(upper, last, middle - 1)
        below, upto = self._ranks(first), self._ranks(first + 1)
        return Ranked(self._keys_of(first), below, upto - below)

    def _keys_of(self, codes: Integers) -> Keys:
        return decode(codes.astype(f"u{self.dtype.itemsize}"), self.dtype)
