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
    """Return a double as a key, as a C cast does: the nearest float, or a truncated integer."""
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return dtype.type(value)
    limits = np.iinfo(dtype)
    return dtype.type(min(max(int(value), int(limits.min)), int(limits.max)))


def key_beside(value: float, dtype: np.dtype[Any], side: int) -> Key:
    """Return the largest key up to a double (side −1), or the smallest key from it on (side 1).

    If there is none, it is the first or the last of all keys.
    """
    nearest = key_of(value, dtype)
    if float(nearest) == value or (float(nearest) > value) == (side > 0):
        return nearest
    return key(min(max(code(nearest) + side, 0), (1 << 8 * dtype.itemsize) - 1), dtype)


def sorted_key(selection: Selection, keys: Primitives, place: int) -> Key:
    """Sort some keys, and return the key at a place; nothing is learnt of its counts."""
    found: Key = keys.sort().take([place])[0]
    selection.record("sort")
    return found
