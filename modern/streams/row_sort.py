"""Sorting all rows of a matrix on a GPU at once, as stream summaries sort windows."""

from typing import Any

import cupy
import numpy as np

from modern.launching.waiting import Launcher, room
from modern.primitives.row_sort import rows_in_order

HALF = 32
"""Bits of a column."""


def sorted_rows(rows: Any) -> Any:
    """Return a CuPy matrix of any type of number with each row in the order of `np.sort`.

    No key may be a NaN. −0.0 and 0.0 come in any order.
    """
    return rows_in_order(widened(rows)).astype(rows.dtype, copy=False)


def order_of_rows(rows: Any) -> Any:
    """Return numbers of 64 bits whose lower halves are the columns that sort each row.

    Equal keys keep their order, as both zeros do. No key may be a NaN, and the kernels must know
    the type of the keys. A code of 64 bits is sorted by its lower half first.
    """
    launcher, rows = Launcher(np.dtype(rows.dtype)), cupy.ascontiguousarray(rows)
    kernel = launcher.kernel("rows_numbered")
    sizes, order = (np.uint64(rows.size), np.uint64(rows.shape[1])), np.uint64(0)
    for shift in range(0, 8 * rows.itemsize, HALF):
        numbers = room(rows.shape, np.uint64)
        given = rows, *sizes, np.uint32(shift), order, numbers
        launcher.run_threads(kernel, given, rows.size)
        order = rows_in_order(numbers, (HALF, HALF + min(HALF, 8 * rows.itemsize)))
    return order


def widened(keys: Any) -> Any:
    """Return keys of a type that kernels know: integers of 8 and 16 bits become 32 bits wide.

    Examples
    --------
    >>> import numpy as np
    >>> widened(np.int8([-3])).dtype, widened(np.float16([1])).dtype
    (dtype('int32'), dtype('float16'))
    """
    if keys.dtype.kind == "f" or keys.dtype.itemsize >= 4:
        return keys
    return keys.astype(f"{keys.dtype.kind}4")
