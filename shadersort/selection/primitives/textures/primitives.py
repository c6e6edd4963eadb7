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
        drawn = DrawnKeys(array, device)
        self._set(drawn, np.array([drawn.first]), np.array([drawn.last]), np.array([drawn.size]))

    def _set(self, drawn: DrawnKeys, first: Integers, last: Integers, end: Integers) -> None:
        """Take intervals, ascending, from code to code; how many keys are up to the end of each."""
        self._drawn, self._first, self._last = drawn, first, last
        self._start = drawn.ranks(first)  # the rank of the first key of each, among all keys
        self._sizes = end - self._start
        self.dtype, self.traffic, self.size = drawn.dtype, drawn.traffic, int(self._sizes.sum())

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
        assert low is not None
        total = finite * float(low) + self._distances(low, None, None)[1]
        return Extent(low, high, total, finite, *others)

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
        """Return how many keys here have smaller codes; codes beyond all intervals are not asked."""
        ends = self._first[:1], self._last[-1:] + 1
        return self._inside(self._drawn.ranks(np.clip(codes, *ends) if self.size else codes * 0))

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count by occlusion queries, and reduce to the sums of distances."""
        return Objective(self.counts(pivot), *self._distances(pivot, low, high))

    def _distances(self, pivot: Key, low: Key | None, high: Key | None) -> tuple[float, float]:
        """Return the sums of distances below and above a pivot, by a reduction an interval."""
        drawn, sums = self._drawn, np.zeros(2)
        least = drawn.first if low is None else code(low)
        most = drawn.infinity if high is None else code(high)
        for first, last in zip(self._first.tolist(), self._last.tolist(), strict=True):
            under, over = max(least, first - 1), min(most, last + 1)
            if over - under > 1:
                ends = key(under, self.dtype), key(min(over, drawn.infinity), self.dtype)
                sums += drawn.distances(pivot, *ends)
        return float(sums[0]), float(sums[1])

    def at_or_above(self, pivot: Key) -> Key | None:
        """Reduce to the smallest key that is not below a pivot."""
        for first, last in zip(self._first.tolist(), self._last.tolist(), strict=True):
            if last >= code(pivot):
                found = self._drawn.nearest(key(max(first, code(pivot)), self.dtype), 1)
                if found is None or code(found) <= last:
                    return found
        return None

    def at_or_below(self, pivot: Key) -> Key | None:
        """Reduce to the largest key that is not above a pivot."""
        drawn, most = self._drawn, code(pivot)
        ends = zip(self._first[::-1].tolist(), self._last[::-1].tolist(), strict=True)
        for first, last in ends if most < drawn.last else ():
            if first <= most:
                found = drawn.nearest(key(min(last, most, drawn.infinity), self.dtype), -1)
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
        return np.diff(self._ranks(self._edges(buckets, range(buckets.count + 1))))

    def of_buckets(
        self, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
    ) -> "TexturePrimitives":
        """Return the intervals of some buckets."""
        following = [bucket + 1 for bucket in chosen]
        first, end = self._edges(buckets, chosen), self._edges(buckets, following)
        return self._part(first, end - 1, count)

    def _edges(self, buckets: Buckets, some: Sequence[int]) -> Integers:
        """Return the first codes of some buckets; an open one reaches to the end of all codes."""
        ends = {0: 0, buckets.count: self._drawn.last + 1} if buckets.open else {}
        codes = [ends[each] if each in ends else buckets.first_code(each) for each in some]
        return np.array(codes, np.int64)

    def _part(self, first: Integers, last: Integers, count: int | None) -> "TexturePrimitives":
        """Return the keys here of some intervals of codes, ascending."""
        first = np.maximum(first[:, np.newaxis], self._first).ravel()
        last = np.minimum(last[:, np.newaxis], self._last).ravel()
        first, last = first[first <= last], last[first <= last]
        part, drawn = TexturePrimitives.__new__(TexturePrimitives), self._drawn
        end = drawn.ranks(last + 1)
        some = end > drawn.ranks(first)
        part._set(drawn, first[some], last[some], end[some])
        part._whole = False
        part.tuning = Tuning(copies=False, few=sys.maxsize, digit=2)  # see `look_up_ranks`
        check_count(part.size, count)
        return part

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places; of a copy, the keys that follow random codes."""
        if self._whole:
            return self._drawn.keys_at(sampling.places(self.size, count, seed))
        ends = np.cumsum(self._last + 1 - self._first)
        places = sampling.places(int(ends[-1]), count, seed)
        which = np.searchsorted(ends, places, side="right")
        codes = places - ends[which] + self._last[which] + 1
        return np.array([self._following(each) for each in codes.tolist()], self.dtype)

    def _following(self, place: int) -> Key:
        """Return the first key with this code or a larger one; if there is none, the last key."""
        found = self.at_or_above(key(place, self.dtype))
        if found is None and self.counts(self.dtype.type(np.nan)).equal:
            return self.dtype.type(np.nan)
        return self.at_or_below(self.dtype.type(np.inf)) if found is None else found

    def sort(self) -> NumPyPrimitives:
        """Sort all keys by a network on the device; a copy takes its ranks."""
        ordered = self._drawn.sort()
        if not self._whole:
            ranges = zip(self._start.tolist(), self._sizes.tolist(), strict=True)
            parts = [ordered[start : start + size] for start, size in ranges]
            ordered = np.concatenate([ordered[:0], *parts])
        return NumPyPrimitives(ordered, self.traffic)

    def look_up_ranks(self, ranks: Ranks) -> Ranked:
        """Sort all keys, and look up some ranks; in a copy, find their codes by bisection."""
        if self._whole:
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
        return Ranked(decode(first.astype(f"u{self.dtype.itemsize}"), self.dtype), below, upto - below)
