"""Orders in which keys come first, and what their calls take: how many keys, and codes.

An order is given by codes, unsigned integers whose smallest values come first. Denormals are
compared exactly, −0.0 equals 0.0, and all NaNs are equal.
"""

import operator
from typing import Any

import numpy.typing as npt

from shadersort.errors import BadOption, BadRank
from shadersort.keys.codes import encode

LARGEST, SMALLEST, MAGNITUDE = range(3)
"""Orders: the largest keys first, the smallest first, or the largest magnitudes first."""


def count_of(k: Any, n: int) -> int:
    """Return k as a number of keys, from 0 to n; raise BadRank or BadOption if it is none."""
    try:
        count = operator.index(k)
    except TypeError as error:
        raise BadRank(f"k is an integer, the number of keys, not {k!r}") from error
    if not 0 <= count <= n:
        raise BadOption(f"of {n} keys 0 to {n} can be taken, not {count}")
    return count


def magnitudes(keys: Any) -> Any:
    """Return |x| of an array: signed integers as unsigned ones, so that |min| fits.

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
