"""What the methods as printed share: keys of doubles, and a sort.

The papers know no infinite keys and no NaNs. The extent answers the ranks of these.
"""

from typing import Any

import numpy as np

from shadersort.keys.codes import code, key
from shadersort.keys.types import Key
from shadersort.selection.primitives import Primitives
from shadersort.selection.selection import Selection


def key_of(value: float, dtype: np.dtype[Any]) -> Key:
    """Return a double as a key, as a C cast does: the nearest float, or a truncated integer.

    Examples
    --------
    >>> key_of(2.9999, np.dtype(np.int32)), key_of(0.1, np.dtype(np.float32))
    (np.int32(2), np.float32(0.1))
    """
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return dtype.type(value)
    limits = np.iinfo(dtype)
    return dtype.type(min(max(int(value), int(limits.min)), int(limits.max)))


def key_up_to(value: float, dtype: np.dtype[Any]) -> Key:
    """Return the largest key that is not above a double; the first of all keys if there is none.

    Examples
    --------
    >>> key_up_to(-2.5, np.dtype(np.int8)), key_from(-2.5, np.dtype(np.int8))
    (np.int8(-3), np.int8(-2))
    """
    nearest = key_of(value, dtype)
    return key(max(code(nearest) - 1, 0), dtype) if float(nearest) > value else nearest


def key_from(value: float, dtype: np.dtype[Any]) -> Key:
    """Return the smallest key that is not below a double; the last of all if there is none."""
    nearest = key_of(value, dtype)
    last = (1 << 8 * dtype.itemsize) - 1
    return key(min(code(nearest) + 1, last), dtype) if float(nearest) < value else nearest


def sorted_key(selection: Selection, keys: Primitives, place: int) -> Key:
    """Sort some keys, and return the key at a place; nothing is learnt of its counts."""
    found: Key = keys.sort().take([place])[0]
    selection.record("sort")
    return found
