"""Sorts arrays, NaNs last: by CuPy on a GPU, by NumPy on the host."""

from typing import Any

import numpy as np

from shadersort.keys.types import Keys

__all__ = ["host_ordered", "ordered"]


def ordered(keys: Any) -> Any:
    """Return a CuPy array in order; CuPy alone puts NaNs with a sign first."""
    import cupy

    found = cupy.sort(keys)
    return _nans_last(cupy, found) if keys.dtype.kind == "f" else found


def host_ordered(keys: Keys) -> Keys:
    """Return a NumPy array in order; floats are sorted by their bits, which keeps all bits of NaNs.

    All bits of negative numbers and the sign bit of others are inverted: the resulting unsigned
    integers have the order of the numbers.
    """
    if keys.dtype.kind != "f":
        return np.sort(keys)
    sign = np.array(1 << (8 * keys.itemsize - 1), f"u{keys.itemsize}")[()]
    bits = keys.view(sign.dtype)
    codes = np.where(bits & sign, ~bits, bits | sign)
    codes.sort(kind="stable" if keys.itemsize == 2 else None)
    found: Keys = np.where(codes & sign, codes ^ sign, ~codes).view(keys.dtype)
    sorted_keys: Keys = _nans_last(np, found)
    return sorted_keys


def _nans_last(xp: Any, found: Any) -> Any:
    """Move the NaNs at the front, which have a sign, to the end."""
    if not found.size or not bool(xp.isnan(found[0])):
        return found
    signed = xp.count_nonzero(xp.isnan(found) & xp.signbit(found))
    return xp.roll(found, -int(signed))
