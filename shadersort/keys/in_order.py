"""The order of keys: that of NumPy's stable sort.

NumPy's default sort may use AVX-512, and on CPUs without AVX-512 FP16 it then leaves some arrays
of float16 unsorted (NumPy 2.4.6; `docs/peers.md`). So no array of 16-bit keys is sorted by default.
"""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=np.generic)


def in_order(keys: npt.NDArray[T], axis: int = -1) -> npt.NDArray[T]:
    """Return a copy of an array, sorted along an axis.

    For keys of 16 bits the stable sort is a radix sort, and faster too.

    Examples
    --------
    >>> in_order(np.float16([1, -2, -1]))
    array([-2., -1.,  1.], dtype=float16)
    """
    return np.sort(keys, axis, kind="stable" if keys.itemsize == 2 else None)
