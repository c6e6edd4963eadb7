"""Sorting whole arrays: what selection is measured against, and at times what is wanted."""

from typing import Any

import numpy as np
import numpy.typing as npt

from modern.arrays import served
from shadersort.primitives import Keys

__all__ = ["host_ordered", "ordered", "sort"]


def sort(x: npt.ArrayLike) -> Any:
    """Return the keys in ascending order, as `np.sort` does: NaNs last.

    The result is a permutation of the keys, bit for bit: no payload of a NaN and no sign of a zero
    is lost. In which order equal keys come, zeros of both signs say, is not defined.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, or integers. It is not changed. An array on a
        GPU stays there, and the result is a CuPy array on the same device.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        There is nothing that can be sorted.

    Examples
    --------
    >>> sort([30, 10, 20])
    array([10, 20, 30])
    >>> sort(np.float32([2, np.nan, -np.inf, 1]))
    array([-inf,   1.,   2.,  nan], dtype=float32)
    """
    with served(x) as (xp, keys):
        return host_ordered(keys.keys) if xp is np else ordered(keys.keys)


def ordered(keys: Any) -> Any:
    """Return a CuPy array in order: CuPy sorts by bits, so NaNs with a sign would come first."""
    import cupy

    found = cupy.sort(keys)
    return _nans_last(cupy, found) if keys.dtype.kind == "f" else found


def host_ordered(keys: Keys) -> Keys:
    """Return a NumPy array in order; floats by their bits, as `np.sort` makes all NaNs alike.

    With all bits of negative numbers flipped, and the sign bit of others, unsigned integers are in
    the order of the numbers.
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
    """Move the NaNs that come first, which have a sign, to the end."""
    if not found.size or not bool(xp.isnan(found[0])):
        return found
    signed = xp.count_nonzero(xp.isnan(found) & xp.signbit(found))
    return xp.roll(found, -int(signed))
