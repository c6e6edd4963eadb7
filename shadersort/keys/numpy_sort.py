"""The order of keys: that of NumPy's stable sort.

NumPy's default sort may use AVX-512, and on CPUs without AVX-512 FP16 it then leaves some arrays
of float16 unsorted (NumPy 2.4.6; `docs/peers.md`). So no array of 16-bit keys is sorted by default.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from shadersort.keys.codes import from_ordinals, ordinals
from shadersort.keys.types import Keys

T = TypeVar("T", bound=np.generic)


def sort_keys(keys: npt.NDArray[T], axis: int = -1) -> npt.NDArray[T]:
    """Return a copy of an array, sorted along an axis.

    For keys of 16 bits the stable sort is a radix sort, and faster too.

    Examples
    --------
    >>> sort_keys(np.float16([1, -2, -1]))
    array([-2., -1.,  1.], dtype=float16)
    """
    return np.sort(keys, axis, kind="stable" if keys.itemsize == 2 else None)


def sort_rows(keys: Keys, sort: Callable[[Keys], Keys] = sort_keys) -> Keys:
    """Return an array in order along its last axis, bit for bit.

    Floats are sorted by their bits, as `np.sort` makes all NaNs alike: `sort` is given integers.

    Examples
    --------
    >>> sort_rows(np.float32([[1, np.nan, -0.0]]))
    array([[-0.,  1., nan]], dtype=float32)
    """
    numbers = ordinals(keys)
    found = from_ordinals(sort(numbers), keys.dtype, in_place=True)
    if keys.dtype.kind == "f" and found.size:
        for row in map(tuple, np.argwhere(np.isnan(found[..., 0]))):
            found[row] = move_nans_last(np, found[row])
    return found


def move_nans_last(xp: Any, found: Any) -> Any:
    """Move the NaNs at the front of an array of NumPy or CuPy, which have a sign, to the end."""
    if not found.size or not bool(xp.isnan(found[0])):
        return found
    signed = xp.count_nonzero(xp.isnan(found) & xp.signbit(found))
    return xp.roll(found, -int(signed))
