"""The primitives in NumPy: the reference for every other implementation."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.codes import encode, key
from shadersort.keys.inputs import as_selectable
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Integers, Key, Keys, Mask
from shadersort.selection.primitives import sampling
from shadersort.selection.primitives.buckets import Buckets, Doubles, distance
from shadersort.selection.primitives.one_read import (
    OneRead,
    number_codes,
    one_read,
    sample_places,
)
from shadersort.selection.primitives.printed import Tangent, V, as_doubles
from shadersort.selection.primitives.protocol import Primitives
from shadersort.selection.primitives.quickselect_serial import quickselect_serial
from shadersort.selection.primitives.values import (
    Counts,
    Extent,
    Objective,
    Ranked,
    Ranks,
    Traffic,
    Tuning,
    check_count,
)

SEVERAL = 256
"""Up to this many pivots: one comparison of all keys each."""

FEW, KEYS_A_THREAD = 1 << 14, 256
"""`one_read` stages up to `FEW` keys without a sample, and samples a load per `KEYS_A_THREAD`."""


class NumPyPrimitives(Primitives):
    """Primitives over a NumPy array of numbers or booleans, which is not changed.

    Examples
    --------
    >>> keys = NumPyPrimitives(np.float32([3, 1, np.nan, 2, 2]))
    >>> keys.counts(np.float32(2))
    Counts(below=1, equal=2, above=2)
    >>> keys.between(np.float32(1), None).sort().take([0, -1])
    array([ 2., nan], dtype=float32)
    >>> keys.traffic
    Traffic(passes=3, read=20, written=12)
    """

    name = "NumPy"
    tuning = Tuning(copies=True)

    def __init__(self, keys: npt.ArrayLike, traffic: Traffic | None = None) -> None:
        array, self.key_cast = as_selectable(keys)
        self.keys = np.ascontiguousarray(array)
        self.dtype = self.keys.dtype
        self.size = self.keys.size
        self.traffic = Traffic() if traffic is None else traffic

    def extent(self) -> Extent:
        """Return smallest, largest, sum and kinds of the keys."""
        self.traffic.add(self.size)
        finite, kinds = self.keys, [0, 0, 0]
        if self.dtype.kind == "f":
            others = np.isneginf(finite), np.isposinf(finite), np.isnan(finite)
            kinds = [int(np.count_nonzero(kind)) for kind in others]
            finite = finite[~np.logical_or.reduce(others)]
        some = finite if finite.size else np.zeros(1, self.dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            total = float(finite.sum(dtype=np.float64))
        return Extent(some.min(), some.max(), total, finite.size, *kinds)

    def counts(self, pivot: Key) -> Counts:
        """Count the keys below, equal to and above a pivot."""
        self.traffic.add(self.size)
        return self._counts(pivot)

    def counts_at(self, pivots: Keys) -> Integers:
        """Count at several pivots; with many pivots, in the sorted keys."""
        self.traffic.add(self.size)
        if len(pivots) > SEVERAL:
            return np.array(Ranked.look_up(sort_keys(self.keys), pivots)[1:])
        return np.array([self._counts(pivot)[:2] for pivot in pivots], np.int64).reshape(-1, 2).T

    def _counts(self, pivot: Key) -> Counts:
        below, equal = np.count_nonzero(self._below(pivot)), np.count_nonzero(self._equal(pivot))
        return Counts.complete(int(below), int(equal), self.size)

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count at a pivot, and sum the distances to it within a window."""
        return self._objective(pivot, low, high, distance)

    def log_objective(
        self, pivot: Key, low: Key | None, high: Key | None, origin: Key
    ) -> Objective:
        """Count at a pivot, and sum distances of log(1 + x − origin)."""

        def log_distance(upper: Any, lower: Any) -> Doubles:
            return np.asarray(np.log1p(distance(upper, origin)) - np.log1p(distance(lower, origin)))

        return self._objective(pivot, low, high, log_distance)

    def _objective(
        self, pivot: Key, low: Key | None, high: Key | None, length: Callable[..., Doubles]
    ) -> Objective:
        self.traffic.add(self.size)
        window = self._inside(low, high) & np.isfinite(self.keys)
        below, above = (self.keys[window & at(pivot)] for at in (self._below, self._above))
        with np.errstate(over="ignore", invalid="ignore"):
            sums = float(length(pivot, below).sum()), float(length(above, pivot).sum())
        return Objective(self._counts(pivot), *sums)

    def at_or_above(self, pivot: Key) -> Key | None:
        """Return the smallest number that is not below a pivot."""
        self.traffic.add(self.size)
        found = self.keys[self.keys >= pivot]
        return found.min() if found.size else None

    def at_or_below(self, pivot: Key) -> Key | None:
        """Return the largest key that is not above a pivot."""
        self.traffic.add(self.size)
        found = self.keys[self.keys <= pivot]
        return found.max() if found.size else None

    def between(
        self, low: Key | None, high: Key | None, *, closed: bool = False, count: int | None = None
    ) -> "NumPyPrimitives":
        """Copy the keys between two."""
        chosen = self._inside(low, high)
        for end in (low, high) if closed else ():
            if end is not None:
                chosen |= self._equal(end)
        return self._copy(chosen, count)

    def digit_histograms(self, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
        """Count the digits of the keys under several prefixes."""
        self.traffic.add(self.size)
        codes = encode(self.keys)
        rows = _places(_shift_right(codes, shift + width), prefixes)
        inside = rows >= 0
        if not inside.all():
            codes, rows = codes[inside], rows[inside]
        digits = _shift_right(codes, shift) & codes.dtype.type((1 << width) - 1)
        places = digits.astype(np.int64)
        if len(prefixes) > 1:
            places |= rows << width
        return np.bincount(places, minlength=len(prefixes) << width).reshape(-1, 1 << width)

    def with_prefixes(
        self, prefixes: Sequence[int], shift: int, *, count: int | None = None
    ) -> "NumPyPrimitives":
        """Copy the keys whose codes begin with one of some prefixes."""
        return self._copy(_places(_shift_right(encode(self.keys), shift), prefixes) >= 0, count)

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket."""
        self.traffic.add(self.size)
        found = buckets.assign(self.keys)
        return np.bincount(found if buckets.open else found[found >= 0], minlength=buckets.count)

    def of_buckets(
        self, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
    ) -> "NumPyPrimitives":
        """Copy the keys of some buckets."""
        wanted = np.zeros(buckets.count + 1, np.bool_)
        wanted[np.asarray(chosen, np.int64)] = True
        return self._copy(wanted[buckets.assign(self.keys)], count)  # the last place: in no bucket

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places."""
        self.traffic.read += count
        return np.asarray(self.keys[sampling.places(self.size, count, seed)])

    def sort(self) -> "NumPyPrimitives":
        """Return the keys in order; the traffic is that of a merge sort, log2 n moves a key."""
        moves = self.size * max(self.size - 1, 0).bit_length()
        self.traffic.add(moves, moves)
        return NumPyPrimitives(sort_keys(self.keys), self.traffic)

    def look_up_ranks(self, ranks: Ranks) -> Ranked:
        """Sort, and look up some ranks."""
        ordered = self.sort()
        return Ranked.look_up(ordered.keys, ordered.take(ranks))

    def take(self, indices: Ranks) -> Keys:
        """Return the keys at some places."""
        self.traffic.read += len(indices)
        return np.asarray(self.keys[np.asarray(indices, np.int64)])

    def one_read(self, rank: int) -> OneRead:
        """Return the code of a rank, by a sample, a bracket and one read."""
        codes = encode(self.keys)
        threads = codes.size // KEYS_A_THREAD if codes.size > FEW else 0
        places = sample_places(codes.size, self.dtype.itemsize, threads)
        found = one_read(codes, rank, number_codes(self.dtype), places)
        self.traffic.add(found.sampled + found.readings * codes.size, found.inside)
        return found

    def quickselect_serial(self, k: int, seed: int) -> Key:
        """Return the k-th key by quickselect, in Python."""
        code, read, written = quickselect_serial(encode(self.keys).tolist(), k, seed)
        self.traffic.add(read, written)
        return key(code, self.dtype)

    def printed_vector(self, kind: type[V]) -> V:
        """Return a vector that a method as printed writes."""
        return kind(self)

    def tangent(self, t: float) -> Tangent:
        """Sum and count at a place."""
        self.traffic.add(self.size)
        values = as_doubles(self.keys)
        lower, finite = values <= t, np.isfinite(values)
        with np.errstate(over="ignore"):
            below = float((t - values[lower & finite]).sum())
            above = float((values[~lower & finite] - t).sum())
        return Tangent(below, above, int(np.count_nonzero(lower)))

    def _below(self, pivot: Any) -> Mask:
        """Return which keys are below a pivot; every number is below NaN."""
        return np.asarray(self.keys == self.keys if pivot != pivot else self.keys < pivot)

    def _equal(self, pivot: Any) -> Mask:
        return np.asarray(self.keys != self.keys if pivot != pivot else self.keys == pivot)

    def _above(self, pivot: Any) -> Mask:
        return ~(self._below(pivot) | self._equal(pivot))

    def _inside(self, low: Key | None, high: Key | None) -> Mask:
        """Return which keys lie strictly between two keys."""
        inside = np.ones(self.size, np.bool_) if low is None else self._above(low)
        return inside if high is None else inside & self._below(high)

    def _copy(self, chosen: Mask, count: int | None) -> "NumPyPrimitives":
        """Copy the chosen keys, in one pass."""
        kept = self.keys.compress(chosen)
        check_count(kept.size, count)
        self.traffic.add(self.size, kept.size)
        return NumPyPrimitives(kept, self.traffic)


def _shift_right(codes: npt.NDArray[Any], shift: int) -> npt.NDArray[Any]:
    """Shift codes right; a shift by all their bits gives 0."""
    return codes * 0 if shift >= 8 * codes.itemsize else codes >> codes.dtype.type(shift)


def _places(values: npt.NDArray[Any], ascending: Sequence[int]) -> Integers:
    """Return the place of each value in an ascending table, or −1 if it is not there."""
    table = np.array(ascending, values.dtype)
    if table.size < 2:
        return (values == table[0]).astype(np.int64) - 1 if table.size else np.full(values.size, -1)
    places = np.minimum(np.searchsorted(table, values), table.size - 1)
    return np.where(table[places] == values, places, -1)
