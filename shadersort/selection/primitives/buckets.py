"""Buckets: intervals between pivots, each cut into buckets of equal width by linear projection.

One interval gives the buckets of bucketSelect (Alabi et al. 2012); the pivots of a sample give
those of bucketMultiSelect (Blanchard et al. 2015). The projection is monotone even with rounding,
as sums, quotients and products of floats are. So a bucket holds exactly the keys between two codes,
which `bounds` finds on the host. A device must project in the same arithmetic: single precision for
keys of up to 32 bits, double precision for longer keys.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.codes import code, decode, encode, key
from shadersort.keys.types import Key, Keys, Mask

WAYS = 256
"""Codes that the search for a bound tries at once."""

FEW, MANY = 4, 1 << 14
"""The bounds of up to so many buckets are found, if there are at least so many keys."""

LARGEST = {kind: kind(np.finfo(kind).max / 2) for kind in (np.float32, np.float64)}
"""The largest slope."""

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[Any]

NARROW = {np.float32: 2.0**-60, np.float64: 2.0**-500}
"""Narrower ranges are multiplied by the inverse square of this, so that slopes do not overflow."""


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
    unsigned = f"u{upper.itemsize}"
    exact = upper.view(unsigned) - lower.view(
        unsigned
    )  # modulo 2**bits: exact, as upper is not below lower
    return np.asarray(exact.astype(arithmetic))


@dataclass(frozen=True, eq=False)
class Buckets:
    """Buckets of keys.

    Attributes
    ----------
    edges
        At least two finite keys, strictly ascending. Each edge but the last starts an interval; the
        last edge is the end of the last interval.
    per_interval
        Buckets in each interval.
    open
        Whether keys before the first edge are in the first bucket, and keys after the last edge and
        NaNs in the last bucket. Otherwise these keys are in no bucket.

    Examples
    --------
    >>> buckets = Buckets(np.float32([0, 1, 10]), per_interval=2)
    >>> buckets.of(np.float32([0, 0.5, 1, 5.4, 5.5, 10, 11, np.nan]))
    array([ 0,  1,  2,  2,  3,  3, -1, -1])
    >>> buckets.bounds(1)
    (np.float32(0.5), np.float32(0.99999994))
    """

    edges: Keys
    per_interval: int
    open: bool = False

    def __post_init__(self) -> None:
        if len(self.edges) < 2 or not (self.edges[:-1] < self.edges[1:]).all():
            raise ValueError(f"edges of buckets are two or more, strictly ascending: {self.edges}")
        if not (math.isfinite(self.edges[0]) and math.isfinite(self.edges[-1])):
            raise ValueError(f"edges of buckets are finite: {self.edges}")
        if self.per_interval < 1:
            raise ValueError(f"an interval has one bucket or more, not {self.per_interval}")

    @property
    def count(self) -> int:
        """Buckets in all intervals."""
        return (len(self.edges) - 1) * self.per_interval

    @cached_property
    def single(self) -> npt.NDArray[np.bool_]:
        """Which intervals have one code only; False for the first and the last interval."""
        single: npt.NDArray[np.bool_] = np.diff(encode(self.edges)) == 1
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
            widths = self._distance(self.edges[1:], self.edges[:-1], 1.0)
        buckets = self.arithmetic(self.per_interval)
        found: Floats = buckets / np.maximum(widths, buckets / LARGEST[self.arithmetic])
        return found

    def _distance(self, upper: Any, lower: Any, scale: float) -> Floats:
        return distance(upper, lower, scale, self.arithmetic)

    def of(self, keys: Keys) -> npt.NDArray[np.int64]:
        """Return the bucket of each key, or −1 for keys outside all buckets."""
        first, last = self.edges[0], self.edges[-1]
        inside = np.clip(keys, first, last)
        if keys.dtype.kind == "f":
            np.copyto(inside, last, where=inside != inside)
        found = self._project(inside)
        outside = ~((keys >= first) & (keys <= last))
        if not self.open:
            found[outside] = -1
        elif outside.any():  # before the first edge, or after the last one, or NaN
            found[outside] = np.where(keys[outside] < first, 0, self.count - 1)
        return found

    def hold(self, keys: Keys, chosen: Sequence[int]) -> Mask:
        """Return which keys are in some buckets: of few buckets by the bounds of each.

        Examples
        --------
        >>> Buckets(np.arange(3), per_interval=1).hold(np.array([2, 0, 1]), [1])
        array([ True, False,  True])
        """
        has_ends = self.open and not {0, self.count - 1}.isdisjoint(chosen)
        if len(chosen) > FEW or keys.size < MANY or has_ends:
            return np.isin(self.of(keys), chosen)
        found = np.zeros(keys.shape, np.bool_)
        for low, high in map(self.bounds, chosen):
            found |= (keys >= low) & (keys <= high)
        return found

    def _project(self, keys: Keys) -> npt.NDArray[np.int64]:
        """Return the buckets of keys that lie between the edges."""
        interval = self._interval(keys)
        offset = self._distance(keys, self.edges[interval], self.scale)
        place = np.floor(offset * self.slopes[interval])
        bucket = np.minimum(place, self.per_interval - 1).astype(np.int64)
        return np.asarray(interval * self.per_interval + bucket)

    def _interval(self, keys: Keys) -> Any:
        """Return the interval of each key between the edges, or 0 if there is only one."""
        last = len(self.edges) - 2
        if last == 0:
            return 0
        return np.minimum(np.searchsorted(self.edges, keys, side="right") - 1, last)

    def bounds(self, bucket: int) -> tuple[Key, Key]:
        """Return the first and last key that a bucket can hold; if it holds none, first > last."""
        dtype = self.edges.dtype
        return key(self._first(bucket), dtype), key(self._first(bucket + 1) - 1, dtype)

    def _first(self, bucket: int) -> int:
        """Return the smallest code in this bucket or a later one."""
        low, high = code(self.edges[0]), code(self.edges[-1]) + 1
        guess = min(max(self._guess(bucket) - WAYS // 2, low), high)
        tried = range(guess, min(guess + WAYS, high))  # the inverse is wrong by a few codes at most
        while low < high:
            keys = decode(np.array(tried, f"u{self.edges.itemsize}"), self.edges.dtype)
            passed = int(np.count_nonzero(self.of(keys) < bucket))
            if passed:
                low = tried[passed - 1] + 1
            if passed < len(tried):
                high = tried[passed]
            tried = range(low, high, -(-(high - low) // WAYS) or 1)
        return low

    def _guess(self, bucket: int) -> int:
        """Return approximately the smallest code in a bucket, by the inverse projection."""
        interval, place = divmod(bucket, self.per_interval)
        if interval >= len(self.slopes):
            return code(self.edges[-1]) + 1
        offset = place / float(self.slopes[interval]) / self.scale
        if self.edges.dtype.kind != "f":
            return code(self.edges[interval]) + int(offset)
        with np.errstate(over="ignore"):
            guess = self.edges.dtype.type(float(self.edges[interval]) + offset)
        return code(guess)
