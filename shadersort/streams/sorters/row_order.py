"""The order of rows: the columns that sort each row, found by sorting integers of 64 bits.

A key's code and its place together are one integer, and `np.sort` sorts integers several times as
fast as `np.argsort` finds their order. A code of 64 bits is sorted by its lower half first, and
then by the upper half: equal halves keep the order before.
"""

from typing import Any

import numpy as np

from shadersort.keys.codes import encode
from shadersort.keys.types import Integers, Keys

FEW = 1 << 11
"""Fewer keys are ordered by one call: it is slow, but the others are many."""
HALF = 32
"""Bits of a place, and the bits of a code that are sorted at once."""


def order_of_rows(rows: Keys) -> Integers:
    """Return the indices that sort each row; equal keys keep their order, as both zeros do.

    A row has fewer than 2³² keys.

    Examples
    --------
    >>> order_of_rows(np.array([[3.0, -1.0, 3.0, -0.0, 0.0]]))
    array([[1, 3, 4, 0, 2]])
    """
    if rows.size < FEW:
        return np.argsort(rows, axis=1, kind="stable")
    codes, places = encode(rows), np.arange(rows.shape[1], dtype=np.uint64)
    order: Any = None
    for shift in range(0, 8 * codes.itemsize, HALF):
        halves = (codes >> codes.dtype.type(shift)).astype(np.uint64) << np.uint64(HALF)
        if order is not None:
            halves = np.take_along_axis(halves, order, 1)
        halves |= places
        halves.sort(axis=1)
        step = (halves & np.uint64((1 << HALF) - 1)).view(np.int64)
        order = step if order is None else np.take_along_axis(order, step, 1)
    found: Integers = order
    return found
