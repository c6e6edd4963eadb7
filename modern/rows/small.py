"""Rows of a small array on the host, without anything around them.

To lay out rows and to put their answers together can take longer than to find these.
"""

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from shadersort.keys.types import Keys
from shadersort.selection.driver import rank_of
from shadersort.selection.rows.chunks import CHUNK
from shadersort.selection.rows.means import mean_of
from shadersort.selection.rows.ordered import ranked

FEW = 1 << 12
"""Up to so many keys along any axis are left to NumPy's partition."""

LONG = 1 << 8
"""Rows of so many keys are divided one by one, not many at once by a network."""

TYPES = frozenset(map(np.dtype, "efdbhiqBHIQ"))
"""The types that NumPy's partition takes as they are."""


def is_few(x: Any, axis: Any, keepdims: bool = False, out: Any = None) -> bool:
    """Whether a call is about one axis of an array of few keys, and wants a new one without it.

    Examples
    --------
    >>> x = np.zeros((2, 3))
    >>> is_few(x, 1), is_few(x, None), is_few(x, 1, keepdims=True), is_few(x[0], 0)
    (True, False, False, False)
    """
    return _is_plain(x, axis, keepdims, out) and 0 < x.size <= FEW


def is_small(x: Any, axis: Any, keepdims: bool = False, out: Any = None) -> bool:
    """Do as `is_few` does, but also for more keys whose rows are long and lie in a row.

    Examples
    --------
    >>> x = np.zeros((200, 300))
    >>> is_small(x, 1), is_small(x, 0), is_small(x[:9], 0)
    (True, False, True)
    """
    if not _is_plain(x, axis, keepdims, out):
        return False
    if x.size <= FEW:
        return bool(x.size)
    in_a_row = axis in (-1, x.ndim - 1) and x.flags.c_contiguous
    return in_a_row and x.shape[-1] >= LONG and x.size <= CHUNK


def _is_plain(x: Any, axis: Any, keepdims: bool, out: Any) -> bool:
    if type(x) is not np.ndarray or not isinstance(axis, int) or keepdims or out is not None:
        return False
    return x.ndim > 1 and x.dtype in TYPES


def select(keys: Keys, k: Any, axis: int) -> Keys:
    """Return the keys of a rank along an axis of a small array.

    Examples
    --------
    >>> select(np.array([[30, 10, 20], [1, 3, 2]]), -1, 1)
    array([30,  3])
    """
    length = keys.shape[normalize_axis_index(axis, keys.ndim)]
    rank = rank_of(k, length)
    if keys.size <= FEW:
        return np.asarray(np.partition(keys, rank, axis).take(rank, axis))
    found = ranked(keys.reshape(-1, length), np.array([rank]), own=False)
    return found.reshape(keys.shape[:-1]).copy()  # which does not hold the rows


def median(keys: Keys, axis: int) -> Keys:
    """Return the medians along an axis of an array of few keys: NaN where a key is NaN.

    Examples
    --------
    >>> median(np.array([[30, 10, 20, 20], [1, 3, 2, 9]]), 1)
    array([20. ,  2.5])
    """
    at = normalize_axis_index(axis, keys.ndim)
    rows = keys.transpose(*range(at), *range(at + 1, keys.ndim), at)
    half = rows.shape[-1] // 2
    work = np.partition(rows, half)
    middle = work[None, ..., half]
    if rows.shape[-1] % 2 == 0:
        middle = np.array([work[..., :half].max(-1), middle[0]])
    found = mean_of(middle)
    if keys.dtype.kind == "f":
        last = work[..., half:].max(-1)
        found[last != last] = np.nan
    return found
