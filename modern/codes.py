"""Codes of arrays of NumPy or CuPy: what CuPy's own arithmetic must not compare as floats.

CuPy compiles its functions so that denormals count as zero. Unsigned integers are compared exactly.
"""

from typing import Any

import numpy as np

__all__ = ["codes", "magnitudes"]


def codes(xp: Any, keys: Any) -> Any:
    """Return unsigned integers in the order of the keys, as `shadersort.primitives.codes` defines.

    Examples
    --------
    >>> codes(np, np.int8([-128, 0]))
    array([  0, 128], dtype=uint8)
    """
    bits = keys.view(f"u{keys.dtype.itemsize}")
    if keys.dtype.kind == "u":
        return bits
    sign = bits.dtype.type(1 << (8 * keys.dtype.itemsize - 1))
    if keys.dtype.kind == "i":
        return bits ^ sign
    one = bits.dtype.type(1)
    found = xp.where((bits & sign) != 0, ~bits + one, bits | sign)
    infinite = np.array(np.inf, keys.dtype).view(bits.dtype)[()]
    return xp.where((bits & (sign - one)) > infinite, ~(bits ^ bits), found)


def magnitudes(keys: Any) -> Any:
    """Return |x|: floats by their bits, and signed integers as unsigned ones, which hold the least.

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
