"""What the papers' methods as printed ask of a device beside the usual primitives, in NumPy.

The in-place radixSelect overwrites its vector, `WorkingCodes`. bucketSelect writes the bucket of
each key into a vector of n integers, `Assignment`; so does bucketMultiSelect, which also keeps the
counters of each block of threads, `BlockAssignment`. In `traffic` an integer of a vector, a code
and a flag each count as one key. A device overrides the methods of these classes.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from shadersort.keys.codes import encode
from shadersort.keys.types import Integers, Key, Keys, Mask
from shadersort.selection.primitives.buckets import Doubles
from shadersort.selection.primitives.values import check_count


class Tangent(NamedTuple):
    """What objective (2) of Beliakov 2011 and its slope are made of, at a place t."""

    below: float  # the sum of t − x over the finite keys x ≤ t
    above: float  # the sum of x − t over the other finite keys
    upto: int  # how many keys are at or below t, −∞ included


class WorkingCodes:
    """A copy of the codes of all keys that may be overwritten (Alabi et al. 2012, Alg. 2)."""

    def __init__(self, keys: Any) -> None:
        self.traffic, self.codes = keys.traffic, encode(keys.keys).copy()
        self.traffic.add(self.codes.size, self.codes.size)

    def digit_counts(self, shift: int, width: int) -> Integers:
        """Count the digits `(code >> shift) % 2**width`."""
        self.traffic.add(self.codes.size)
        return np.bincount(self._digits(shift, width).astype(np.int64), minlength=1 << width)

    def overwrite(self, shift: int, width: int, digit: int) -> None:
        """Write 0 over codes with a smaller digit, and all ones over codes with a larger digit."""
        digits = self._digits(shift, width)
        lower, higher = digits < digit, digits > digit
        self.codes[lower] = 0
        self.codes[higher] = np.iinfo(self.codes.dtype).max
        self.traffic.add(self.codes.size, int(np.count_nonzero(lower | higher)))

    def _digits(self, shift: int, width: int) -> Keys:
        kind = self.codes.dtype.type
        return np.asarray(self.codes >> kind(shift) & kind((1 << width) - 1))


class _BucketVector:
    """Keys, and the bucket of each."""

    def __init__(self, keys: Any) -> None:
        self._all, self.keys, self.traffic = keys, keys.keys, keys.traffic
        self.bucket = np.zeros(self.keys.size, np.int32)

    def _count(self, buckets: int) -> Integers:
        return np.bincount(self.bucket, minlength=buckets + 1)[:buckets]

    def _copy(self, places: Any, count: int) -> Any:
        """Return primitives over the keys at some places, by a read of `bucket` and these keys."""
        copy = self.keys[places]
        check_count(copy.size, count)
        self.traffic.add(self.keys.size + copy.size, copy.size)
        return type(self._all)(copy, self.traffic)


class Assignment(_BucketVector):
    """The vector `bucket` of n integers: the bucket of each key (Alabi et al. 2012, section 2.3).

    Keys outside all buckets have the number B, the dummy bucket. Projections are doubles, rounded
    towards zero.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> vector = Assignment(NumPyPrimitives([0.0, 1, 1.2, 9, np.inf]))
    >>> vector.assign(0, 9, slope=3 / 9, buckets=4).tolist(), vector.bucket.tolist()
    ([3, 0, 0, 1], [0, 0, 0, 3, 4])
    >>> vector.key(3)
    np.float64(9.0)
    """

    def assign(self, low: float, high: float, slope: float, buckets: int) -> Integers:
        """Assign the keys from low to high by `(x − low) · slope`; return the counters."""
        self.traffic.add(self.keys.size, self.keys.size)
        values = as_doubles(self.keys)
        inside = (values >= low) & (values <= high) & np.isfinite(self.keys)
        return self._project(inside, values[inside], low, slope, buckets)

    def reassign(self, chosen: int, low: float, slope: float, buckets: int) -> Integers:
        """Assign the keys of one bucket to B new buckets, and all others to none."""
        inside = self.bucket == chosen
        values = as_doubles(self.keys[inside])
        self.traffic.add(self.keys.size + values.size, self.keys.size)
        return self._project(inside, values, low, slope, buckets)

    def _project(
        self, inside: Mask, values: Doubles, low: float, slope: float, buckets: int
    ) -> Integers:
        place = np.trunc((values - low) * slope)
        self.bucket[:] = buckets
        self.bucket[inside] = np.where((place >= 0) & (place < buckets), place, buckets)
        return self._count(buckets)

    def copy_bucket(self, chosen: int, count: int) -> Any:
        """Copy the keys of a bucket to primitives; a global counter gives each its place."""
        return self._copy(self.bucket == chosen, count)

    def key(self, chosen: int) -> Key:
        """Return the only key of a bucket, by a read of the whole vector `bucket`."""
        (found,) = np.flatnonzero(self.bucket == chosen)
        self.traffic.add(self.keys.size + 1)
        return self.keys[found]


class BlockAssignment(_BucketVector):
    """An assignment with counters of each block of threads (Blanchard et al. 2015, section 2).

    Here all keys are one block.
    """

    def assign(self, pivots: Doubles, slopes: Doubles, buckets: int) -> Integers:
        """Assign each finite key by the slope of its interval of pivots; return the counters."""
        self.traffic.add(self.keys.size, self.keys.size)
        values, each = as_doubles(self.keys), buckets // slopes.size
        inside = np.isfinite(self.keys)
        values = values[inside]
        interval = np.searchsorted(pivots[1:-1], values, side="right")
        with np.errstate(invalid="ignore"):  # 0 · ∞ in an interval without width
            place = np.trunc((values - pivots[interval]) * slopes[interval])
        place = np.where(np.isnan(place), 0, np.minimum(place, each))
        self.bucket[:] = buckets
        self.bucket[inside] = np.minimum(interval * each + place, buckets - 1)
        return self._count(buckets)

    def reduce_to_segments(self, active: Sequence[int], count: int, in_shared: bool) -> Any:
        """Copy the keys of some ascending buckets to primitives, each bucket to its own part.

        The counters of each block give the places: from shared memory if `in_shared`.
        """
        places = np.flatnonzero(np.isin(self.bucket, active))
        return self._copy(places[np.argsort(self.bucket[places], kind="stable")], count)

    def reduce_by_flags(self, active: Sequence[int], count: int) -> Any:
        """Copy the keys of some ascending buckets to primitives, by a vector of n flags."""
        flags = np.isin(self.bucket, active)
        self.traffic.add(self.keys.size, self.keys.size)
        return self._copy(flags, count)


V = TypeVar("V", WorkingCodes, Assignment, BlockAssignment)


def as_doubles(keys: Keys) -> Doubles:
    """Return keys as doubles, which may round."""
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
        return keys.astype(np.float64)
