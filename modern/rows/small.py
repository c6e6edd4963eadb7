"""Rows of a small array on the host, without anything around them.

To lay out rows and to put their answers together can take longer than to find these.
"""

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from shadersort.keys.types import Keys
from shadersort.selection.driver import rank_of
from shadersort.selection.rows.chunks import CHUNK
from shadersort.selection.rows.ordered import ranked

FEW = 1 << 12
"""Up to so many keys along any axis are left to NumPy's partition."""

LONG = 1 << 8
"""Rows of so many keys are divided one by one, not many at once by a network."""

TYPES = frozenset(map(np.dtype, ("f4", "f8", "i4", "i8", "u4", "u8")))
"""The types that NumPy's partition takes as they are, and fast."""


def is_small(x: Any, axis: Any, keepdims: bool, out: Any) -> bool:
    """Whether a call is about one axis of a small array, and wants a new one without that axis.

    Examples
    --------
    >>> x = np.zeros((20, 300))
    >>> is_small(x, 1, False, None), is_small(x, None, False, None), is_small(x[0], 0, True, None)
    (True, False, False)
    """
    if not isinstance(axis, int) or keepdims or out is not None or type(x) is not np.ndarray:
        return False
    if x.ndim < 2 or not 0 < x.size <= CHUNK or x.dtype not in TYPES:
        return False
    return x.size <= FEW or (_is_last(x, axis) and x.shape[-1] >= LONG and x.flags.c_contiguous)


def select(keys: Keys, k: Any, axis: int) -> Keys:
    """Return the keys of a rank along an axis.

    Examples
    --------
    >>> select(np.array([[30, 10, 20], [1, 3, 2]]), -1, 1)
    array([30,  3])
    """
    length = keys.shape[normalize_axis_index(axis, keys.ndim)]
    rank = rank_of(k, length)
    if keys.size <= FEW:
        return np.asarray(np.partition(keys, rank, axis).take(rank, axis))
    found = ranked(keys.reshape(-1, length).copy(), np.array([rank]))
    return found.reshape(keys.shape[:-1]).copy()  # which does not hold the rows


def _is_last(x: Keys, axis: int) -> bool:
    return axis in (-1, x.ndim - 1)
