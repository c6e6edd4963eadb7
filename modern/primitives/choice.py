"""Which keys are chosen: those before a pivot in some order, and the first of its equals, by place.

An order is one of codes, unsigned integers that ascend from what is wanted first. So there is one
comparison for the largest keys, the smallest, and those of largest magnitude. Denormals are
compared exactly, −0.0 equals 0.0, and all NaNs are equal.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from shadersort.keys.codes import code, encode
from shadersort.keys.types import Key
from shadersort.selection.primitives import Counts

__all__ = ["LARGEST", "MAGNITUDE", "SMALLEST", "Choice", "choice_of", "magnitudes", "orders"]

LARGEST, SMALLEST, MAGNITUDE = range(3)
"""Orders: the largest keys first, the smallest, or those of largest magnitude."""


@dataclass(frozen=True)
class Choice:
    """Chosen keys.

    Attributes
    ----------
    by
        The order.
    pivot
        The last code in this order of which keys are chosen.
    end
        Its keys are chosen at the places before this one.
    count
        How many keys are chosen.
    """

    by: int
    pivot: int
    end: int
    count: int

    def has(self, codes: npt.NDArray[Any], start: int) -> npt.NDArray[np.bool_]:
        """Return which keys are chosen, given their codes from some place on.

        Examples
        --------
        >>> Choice(LARGEST, pivot=5, end=3, count=2).has(np.uint8([5, 4, 5, 6]), 2)
        array([ True,  True, False, False])
        """
        pivot = codes.dtype.type(self.pivot)
        chosen: npt.NDArray[np.bool_] = codes < pivot
        first = max(self.end - start, 0)
        chosen[:first] |= codes[:first] == pivot
        return chosen


class Places(Protocol):
    """Keys that tell where equal ones are."""

    size: int

    def place_of_equal(self, by: int, pivot: int, nth: int) -> int:
        """Return the place of the nth key, from zero, that has a code."""


def choice_of(keys: Places, by: int, last: Key, counts: Counts, count: int) -> Choice:
    """Choose so many keys: those beyond the `last`, and the first of its equals.

    `counts` are those of all keys at the last, in the order of magnitudes if that is the order. One
    more read finds out which of the equals come first, if only some of them are wanted.
    """
    most = (1 << 8 * last.dtype.itemsize) - 1
    pivot = code(last) if by == SMALLEST else most - code(last)
    left = count - (counts.below if by == SMALLEST else counts.above)
    if left in (0, counts.equal):
        return Choice(by, pivot, keys.size if left else 0, count)
    return Choice(by, pivot, keys.place_of_equal(by, pivot, left - 1) + 1, count)


def magnitudes(keys: Any) -> Any:
    """Return |x|: floats by their bits, and signed integers as unsigned ones, which hold the least.

    An array of NumPy or CuPy. Unsigned integers are returned as they are.

    Examples
    --------
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


def orders(keys: npt.NDArray[Any], by: int) -> npt.NDArray[Any]:
    """Return the codes of keys in an order.

    Examples
    --------
    >>> orders(np.uint8([0, 3, 255]), LARGEST)
    array([255, 252,   0], dtype=uint8)
    >>> orders(np.int8([-128, 3, -1]), MAGNITUDE)
    array([127, 252, 254], dtype=uint8)
    """
    codes = encode(magnitudes(keys) if by == MAGNITUDE else keys)
    return codes if by == SMALLEST else ~codes
