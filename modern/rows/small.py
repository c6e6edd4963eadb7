"""Rows of a small array on the host: NumPy's partition, without anything around it.

To lay out rows and to choose a way to their keys takes several times as long as such a partition.
"""

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from shadersort.keys.types import Keys
from shadersort.selection.driver import rank_of

SMALL = 1 << 12
"""Arrays of up to so many keys are small."""

TYPES = frozenset(map(np.dtype, ("f4", "f8", "i4", "i8", "u4", "u8")))
"""The types that NumPy's partition takes as they are, and fast."""


def is_small(x: Any, axis: Any, keepdims: bool, out: Any) -> bool:
    """Whether a call is about one axis of a small array, and wants a new one without that axis.

    Examples
    --------
    >>> x = np.zeros((2, 3))
    >>> is_small(x, 1, False, None), is_small(x, None, False, None), is_small(x[0], 0, True, None)
    (True, False, False)
    """
    if not isinstance(axis, int) or keepdims or out is not None or type(x) is not np.ndarray:
        return False
    return 0 < x.size <= SMALL and x.ndim > 1 and x.dtype in TYPES


def select(keys: Keys, k: Any, axis: int) -> Keys:
    """Return the keys of a rank along an axis.

    Examples
    --------
    >>> select(np.array([[30, 10, 20], [1, 3, 2]]), -1, 1)
    array([30,  3])
    """
    axis = normalize_axis_index(axis, keys.ndim)
    rank = rank_of(k, keys.shape[axis])
    return np.asarray(np.partition(keys, rank, axis).take(rank, axis))
