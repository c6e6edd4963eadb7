"""Keys of 16 bits as integers of 32 bits in the same order, which NumPy finds several times faster.

NumPy divides and sorts keys of 32 bits by AVX2 or AVX-512. For integers of 16 bits it needs a later
part of AVX-512 (VBMI2), and for half floats a later one still (FP16); other CPUs take one key at a
time. Half floats become their ordinals: NumPy compares them slowly, and in NumPy 2.4.6 the default
sort of them has a fault.
"""

import numpy as np

from shadersort.keys.codes import from_ordinals, nans, ordinals
from shadersort.keys.types import Keys

HALF = np.dtype(np.float16)
"""To compare types with a type takes less time than with its class."""

NAN = 0x7FFF
"""Stands for every NaN: an ordinal above that of infinity."""

WORTH = 1 << 12
"""With fewer keys, to widen them takes longer than it saves."""


def is_widened(rows: Keys) -> bool:
    """Whether it saves time to widen the keys of some rows.

    Examples
    --------
    >>> is_widened(np.zeros((10, 1000), np.int16)), is_widened(np.zeros((10, 1000), np.int32))
    (True, False)
    """
    return rows.itemsize == 2 and rows.size >= WORTH


def widened(rows: Keys) -> Keys:
    """Return integers of 32 bits in the order of keys of 16 bits; all NaNs are the largest.

    Examples
    --------
    >>> widened(np.float16([np.nan, 0, -1])).argsort()
    array([2, 1, 0])
    """
    if rows.dtype != HALF:
        return rows.astype(np.int32)
    wide = ordinals(rows).astype(np.int32)
    wide[nans(rows)] = NAN
    return wide


def narrowed(found: Keys, dtype: np.dtype[np.generic]) -> Keys:
    """Return the keys of 16 bits that some integers of 32 bits stand for.

    Examples
    --------
    >>> narrowed(widened(np.float16([-0.0, np.nan])), np.dtype(np.float16))
    array([-0., nan], dtype=float16)
    """
    return from_ordinals(found.astype(np.int16), HALF) if dtype == HALF else found.astype(dtype)
