"""The ends of a type of key."""

from typing import Any

import numpy as np

from shadersort.keys.types import Key


def limits(dtype: np.dtype[Any]) -> tuple[Key, Key]:
    """Return the least and the largest number of a type; of floats they are infinite.

    Examples
    --------
    >>> limits(np.dtype(np.int8)), limits(np.dtype(np.float16))
    ((np.int8(-128), np.int8(127)), (np.float16(-inf), np.float16(inf)))
    """
    if dtype.kind == "f":
        return dtype.type(-np.inf), dtype.type(np.inf)
    ends = np.iinfo(dtype)
    return dtype.type(ends.min), dtype.type(ends.max)
