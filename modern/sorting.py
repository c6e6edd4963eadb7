"""Sorting whole arrays: what selection is measured against."""

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from modern.arrays import OnDevice, served
from modern.primitives.ordering import host_ordered, ordered
from shadersort.keys.types import Keys


@overload
def sort(x: npt.ArrayLike) -> Keys: ...


@overload
def sort(x: OnDevice) -> Any: ...


def sort(x: npt.ArrayLike | OnDevice) -> Any:
    """Return the keys in ascending order, as `np.sort` does: NaNs last.

    The result is a permutation of the keys, bit for bit: no payload of a NaN and no sign of a zero
    is lost. The order among equal keys, for example zeros of both signs, is not defined.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, integers, booleans, or `ml_dtypes.bfloat16`;
        on the host also datetime64 and timedelta64, NaT last. It is not changed. An array on a
        GPU stays there, and the result is a CuPy array on the same device.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        These keys cannot be sorted.

    Examples
    --------
    >>> sort([30, 10, 20])
    array([10, 20, 30])
    >>> sort(np.float32([2, np.nan, -np.inf, 1]))
    array([-inf,   1.,   2.,  nan], dtype=float32)
    """
    with served(x) as (xp, keys):
        return keys.own(host_ordered(keys.keys) if xp is np else ordered(keys.keys))
