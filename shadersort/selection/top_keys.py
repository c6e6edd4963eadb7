"""The keys at the top of an order: the keys before a pivot, and the first of its equals by place.

An order is given by codes, unsigned integers whose smallest values come first. So one comparison
serves the largest keys, the smallest keys, and the keys of largest magnitude. Denormals are
compared exactly, −0.0 equals 0.0, and all NaNs are equal.
"""

import operator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt

from shadersort.errors import BadOption, BadRank
from shadersort.keys.codes import code, encode
from shadersort.keys.types import Key, Mask
from shadersort.selection.driver import selected
from shadersort.selection.primitives import Counts
from shadersort.selection.primitives.one_read import BITS, WIDE, Range, aimed

LARGEST, SMALLEST, MAGNITUDE = range(3)
"""Orders: the largest keys first, the smallest first, or the largest magnitudes first."""

SLACK = 16
"""Keys of a sample that may be staged beside those needed; and 1 in so many of these."""


@dataclass(frozen=True)
class TopKeys:
    """Which keys are at the top."""

    by: int  # the order
    pivot: int  # the code of the last key at the top
    end: int  # keys with that code are at the top only at places before this one
    count: int  # how many keys are at the top

    def has(self, codes: npt.NDArray[Any], start: int) -> Mask:
        """Return which keys are at the top, given the codes of the keys from place `start` on.

        Examples
        --------
        >>> import numpy as np
        >>> TopKeys(LARGEST, pivot=5, end=3, count=2).has(np.uint8([5, 4, 5, 6]), 2)
        array([ True,  True, False, False])
        """
        pivot = codes.dtype.type(self.pivot)
        found: Mask = codes < pivot
        first = max(self.end - start, 0)
        found[:first] |= codes[:first] == pivot
        return found


class Places(Protocol):
    """Keys that know where equal keys are."""

    size: int

    def nth_equal(self, by: int, pivot: int, nth: int) -> int:
        """Return the place of the nth key, from zero, among the keys that have a code."""


def top_keys(keys: Places, by: int, last: Key, counts: Counts, count: int) -> TopKeys:
    """Return which `count` keys are at the top, given the last of them.

    `counts` are the counts of all keys at the last key; for the order of magnitudes, those of the
    magnitudes. One more read finds the first of its equals, if only some of them are at the top.
    """
    most = (1 << 8 * last.dtype.itemsize) - 1
    pivot = code(last) if by == SMALLEST else most - code(last)
    left = count - (counts.below if by == SMALLEST else counts.above)
    if left in (0, counts.equal):
        return TopKeys(by, pivot, keys.size if left else 0, count)
    return TopKeys(by, pivot, keys.nth_equal(by, pivot, left - 1) + 1, count)


def selected_first(keys: Any, by: int, count: int) -> tuple[Any, Any]:
    """Return the `count` largest or smallest keys in order, and their places, by a selection.

    One more read finds the places of the keys before the selected one, and another one the first
    of its equals, if only some of them are at the top.
    """
    last, counts = selected(keys, keys.size - count if by == LARGEST else count - 1)
    places = keys.top_places(top_keys(keys, by, last, counts, count))
    found: tuple[Any, Any] = keys.in_order(places, by)
    return found


def rank_behind(rank: int, size: int, sampled: int, wide: float) -> int:
    """Return the rank in a sample that is `wide` standard errors behind a rank of all keys.

    A rank outside the sample gives the sample's size.

    Examples
    --------
    >>> rank_behind(999, 10**8, 10**6, 4.5), rank_behind(10**8 - 1, 10**8, 10**6, 4.5)
    (44, 1000000)
    """
    return aimed(rank, size, sampled, wide, 1)


def bound_of(sample: npt.NDArray[Any], count: int, size: int, wide: float = WIDE) -> int | None:
    """Return the code up to which keys are staged, given the codes of a sample; None for no bound.

    Examples
    --------
    >>> import numpy as np
    >>> bound_of(np.arange(0, 60_000, 10, dtype=np.uint16), 10, 60_000)
    255
    """
    target = rank_behind(count - 1, size, sample.size, wide)
    if target == sample.size:
        return None
    end = Range(0, (1 << 8 * sample.dtype.itemsize) - 1, sample.size)
    while not end.is_one and end.here > SLACK + target // SLACK:
        end.narrow(sample, target, BITS)
    return end.last


def count_of(k: Any, n: int) -> int:
    """Return k as a number of keys, from 0 to n.

    Examples
    --------
    >>> count_of(4, 3)
    Traceback (most recent call last):
    ...
    shadersort.errors.BadOption: of 3 keys 0 to 3 can be taken, not 4
    """
    try:
        count = operator.index(k)
    except TypeError as error:
        raise BadRank(f"k is an integer, the number of keys, not {k!r}") from error
    if not 0 <= count <= n:
        raise BadOption(f"of {n} keys 0 to {n} can be taken, not {count}")
    return count


def magnitudes(keys: Any) -> Any:
    """Return |x|: floats by their bits; signed integers as unsigned ones, so that |min| fits.

    Takes an array of NumPy or CuPy; unsigned integers are returned as they are.

    Examples
    --------
    >>> import numpy as np
    >>> magnitudes(np.int8([-128, 5]))
    array([128,   5], dtype=uint8)
    """
    if keys.dtype.kind == "u":
        return keys
    unsigned = f"u{keys.dtype.itemsize}"
    if keys.dtype.kind == "i":
        return abs(keys).view(unsigned)
    bits = keys.view(unsigned)
    return (bits & bits.dtype.type((1 << (8 * keys.dtype.itemsize - 1)) - 1)).view(keys.dtype)


def order_codes(keys: npt.NDArray[Any], by: int) -> npt.NDArray[Any]:
    """Return the codes of keys in an order.

    Examples
    --------
    >>> import numpy as np
    >>> order_codes(np.uint8([0, 3, 255]), LARGEST)
    array([255, 252,   0], dtype=uint8)
    >>> order_codes(np.int8([-128, 3, -1]), MAGNITUDE)
    array([127, 252, 254], dtype=uint8)
    """
    codes = encode(magnitudes(keys) if by == MAGNITUDE else keys)
    return codes if by == SMALLEST else ~codes
