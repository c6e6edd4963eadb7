"""Buckets: intervals between pivots, each cut into buckets of equal width by linear projection.

One interval gives the buckets of bucketSelect (Alabi et al. 2012); the pivots of a sample give
those of bucketMultiSelect (Blanchard et al. 2015), with about equal numbers of keys. A key that is
frequent in the sample gets an interval of its own. The projection is monotone even with rounding.
So a bucket holds exactly the keys between two codes, which `bounds` finds on the host. A device
must project in the same arithmetic: single precision for keys of up to 32 bits, else double.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.codes import code, decode, encode, key
from shadersort.keys.types import Integers, Key, Keys, Mask

WAYS = 256
"""Codes that the search for a bound tries at once."""

LARGEST = {kind: kind(np.finfo(kind).max / 2) for kind in (np.float32, np.float64)}
"""The largest slope."""

NARROW = {np.float32: 2.0**-60, np.float64: 2.0**-500}
"""Narrower ranges are multiplied by the inverse square of this, so that slopes do not overflow."""

BLOCK = 1 << 16
"""Keys that are projected together."""

INTERVALS = 16
"""Intervals between the order statistics of a sample."""

SAMPLES = 1 << 10
"""Keys in a sample, as in the paper."""

EVEN = 4
"""Intervals count as even if the narrowest is at least the mean width divided by this."""

FREQUENT = 256
"""A key gets an interval of its own if it is 1 in this many of a sample, and at least 3."""

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[Any]


def distance(upper: Any, lower: Any, scale: float = 1.0, arithmetic: Any = np.float64) -> Floats:
    """Return upper − lower in double precision, of keys with upper at or above lower.

    Integers are subtracted exactly first. Floats are scaled first, which keeps the difference of
    two very large floats finite.
    """
    upper, lower = np.asarray(upper), np.asarray(lower)
    if upper.dtype.kind == "f":
        scale = arithmetic(scale)
        with np.errstate(over="ignore"):
            return np.asarray(upper.astype(arithmetic) * scale - lower.astype(arithmetic) * scale)
    unsigned = f"u{upper.itemsize}"  # modulo 2**bits: exact, as upper is not below lower
    return np.asarray((upper.view(unsigned) - lower.view(unsigned)).astype(arithmetic))


@dataclass(frozen=True, eq=False)
class Buckets:
    """Buckets of keys.

    `edges` are two or more finite keys, strictly ascending. Each but the last starts an interval of
    `per_interval` buckets; the last one ends the last interval. Open buckets also hold the keys
    before the first edge, in the first bucket, and those after the last edge and NaNs, in the last.

    Examples
    --------
    >>> buckets = Buckets(np.float32([0, 1, 10]), per_interval=2)
    >>> buckets.assign(np.float32([0, 0.5, 1, 5.4, 5.5, 10, 11, np.nan]))
    array([ 0,  1,  2,  2,  3,  3, -1, -1])
    >>> buckets.bounds(1)
    (np.float32(0.5), np.float32(0.99999994))
    """

    edges: Keys
    per_interval: int
    open: bool = False

    @property
    def count(self) -> int:
        """Buckets in all intervals."""
        return (len(self.edges) - 1) * self.per_interval

    @cached_property
    def single(self) -> Mask:
        """Which intervals have one code only; False for the first and the last interval."""
        single: Mask = np.diff(encode(self.edges)) == 1
        single[0] = single[-1] = False
        return single

    @property
    def arithmetic(self) -> Any:
        """The type that keys are projected in."""
        return np.float32 if self.edges.itemsize <= 4 else np.float64

    @cached_property
    def scale(self) -> float:
        """The power of two that scales floats, so that neither distances nor slopes overflow."""
        width = float(self.edges[-1]) - float(self.edges[0])
        if width > 2 * float(LARGEST[self.arithmetic]):
            return 1 / 4
        narrow: float = NARROW[self.arithmetic]
        return narrow**-2 if width < narrow else 1.0

    @cached_property
    def scaled(self) -> Keys:
        """The edges, scaled as keys are: floats are multiplied by the scale."""
        if self.edges.dtype.kind != "f":
            return self.edges
        edges = self.edges.astype(self.arithmetic, copy=False)
        return edges if self.scale == 1 else edges * self.arithmetic(self.scale)

    @cached_property
    def slopes(self) -> Floats:
        """Buckets for each scaled unit, by interval; very narrow intervals are not cut further."""
        if self.edges.dtype.kind == "f":
            widths = self.scaled[1:] - self.scaled[:-1]
        else:
            widths = distance(self.edges[1:], self.edges[:-1], 1.0, self.arithmetic)
        buckets = self.arithmetic(self.per_interval)
        slopes: Floats = buckets / np.maximum(widths, buckets / LARGEST[self.arithmetic])
        return slopes

    def assign(self, keys: Keys) -> Integers:
        """Return the bucket of each key, or −1 for keys outside all buckets."""
        buckets = np.empty(keys.size, np.int64)
        with np.errstate(invalid="ignore"):
            for start in range(0, keys.size, BLOCK):  # of which a cache holds all temporary arrays
                self._project(keys[start : start + BLOCK], buckets[start : start + BLOCK])
        return buckets

    def _project(self, keys: Keys, buckets: Integers) -> None:
        """Write the bucket of each key."""
        first, last = self.edges[0], self.edges[-1]
        inside = np.clip(keys, first, last)
        if keys.dtype.kind == "f":
            np.copyto(inside, last, where=inside != inside)
        several = len(self.edges) > 2
        where = np.searchsorted(self.edges[1:-1], inside, "right") if several else np.int64(0)
        if keys.dtype.kind == "f":
            offset = inside.astype(self.arithmetic, copy=False)
            if self.scale != 1:
                offset = offset * self.arithmetic(self.scale)
            offset -= self.scaled.take(where)
        else:
            offset = distance(inside, self.edges.take(where), 1.0, self.arithmetic)
        offset *= self.slopes.take(where)
        np.minimum(offset, self.arithmetic(self.per_interval - 1), out=buckets, casting="unsafe")
        if several:
            buckets += where * self.per_interval
        beyond = ~(keys <= last)  # also NaNs
        if not self.open:
            buckets[beyond | (keys < first)] = -1
        elif beyond.any():
            buckets[beyond] = self.count - 1

    def bounds(self, bucket: int) -> tuple[Key, Key]:
        """Return the first and last key that a bucket can hold; if it holds none, first > last."""
        dtype = self.edges.dtype
        return key(self.first_code(bucket), dtype), key(self.first_code(bucket + 1) - 1, dtype)

    def first_code(self, bucket: int) -> int:
        """Return the smallest code in this bucket or a later one."""
        low, high = code(self.edges[0]), code(self.edges[-1]) + 1
        while low < high:
            tried = range(low, high, -(-(high - low) // WAYS))
            keys = decode(np.array(tried, f"u{self.edges.itemsize}"), self.edges.dtype)
            passed = int(np.count_nonzero(self.assign(keys) < bucket))
            if passed < len(tried):
                high = tried[passed]
            low = tried[passed - 1] + 1 if passed else low
        return low


def dense_buckets(sample: Keys, intervals: int, buckets: int) -> Buckets | None:
    """Return open buckets with about equal numbers of keys, given a sorted sample.

    Returns None if the sample does not have two finite keys.

    Examples
    --------
    >>> dense_buckets(np.arange(1024.0), 16, 100).count
    100
    >>> dense_buckets(np.full(1024, 7), 16, 100).edges
    array([6, 7, 8])
    """
    sample = sample[np.isfinite(sample)]
    if sample.size < 2:
        return None
    middle = sample[_places(sample.size, intervals)]
    codes, counts = np.unique(encode(sample), return_counts=True)
    often = codes[counts >= max(sample.size // FREQUENT, 3)]
    if not often.size and _is_even(middle):
        return Buckets(_outer_edges(sample), buckets, open=True)
    most = np.iinfo(often.dtype).max  # the first and the last interval lie beyond the sample
    ends = max(code(sample[0]) - 1, 0), min(code(sample[-1]) + 1, most)
    following = often + often.dtype.type(1)
    codes = np.concatenate([encode(middle), often, following, np.array(ends, often.dtype)])
    edges = decode(np.unique(codes), sample.dtype)
    edges = edges[np.isfinite(edges)]
    if edges.size < 2:
        return None
    return Buckets(edges, max(buckets // (edges.size - 1), 1), open=True)


@cache
def _places(samples: int, intervals: int) -> list[int]:
    """Return the places of the pivots in a sorted sample; the paper has 22 + 70 j of 1,024."""
    step = 70 / 1024 * samples * 16 / intervals
    first = (samples - 1 - step * (intervals - 2)) / 2
    return [int(min(max(first + step * j + 0.5, 0), samples - 1)) for j in range(intervals - 1)]


def _is_even(edges: Keys) -> bool:
    """Whether no interval is much narrower than the others: then a single one is as good."""
    widths = np.diff(edges.astype(np.float64) / 2)  # so that none is beyond the largest float
    return bool(widths.size > 2 and widths.sum() > 0 and EVEN * widths.min() >= widths.mean())


def _outer_edges(sample: Keys) -> Keys:
    """Return two keys beyond which few keys are likely: by as much as 1/128 of the sample spans."""
    dtype, tail = sample.dtype, sample.size // 128
    limits: Any = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    kind: Any = float if dtype.kind == "f" else int
    low = max(2 * kind(sample[0]) - kind(sample[tail]), kind(limits.min))
    high = min(2 * kind(sample[-1]) - kind(sample[-1 - tail]), kind(limits.max))
    ends = np.array([low, high], dtype)
    ends[0], ends[1] = min(ends[0], sample[0]), max(ends[1], sample[-1])
    return ends
