"""Sorting whole arrays: what selection is measured against."""

from typing import Any

from modern.opening import open_rows


def sort(x: Any, *, axis: int | None = -1, out: Any = None) -> Any:
    """Return the keys in ascending order, as `np.sort` does: NaNs last.

    The result is a permutation of the keys, bit for bit: no payload of a NaN and no sign of a zero
    is lost. The order among equal keys, for example zeros of both signs, is not defined.

    On a GPU, long rows need two copies of the keys beside the result, and columns two more.

    Parameters
    ----------
    x
        As for `select`.
    axis
        Along which axis each row is sorted: the last one, as in NumPy; None for the flat array.
    out
        Where the result goes: an array of its shape and type. It may be `x` itself. The errors are
        those of `select`; BadAxis also if several axes are named.

    Examples
    --------
    >>> import numpy as np
    >>> sort([30, 10, 20])
    array([10, 20, 30])
    >>> sort(np.float32([2, np.nan, -np.inf, 1]))
    array([-inf,   1.,   2.,  nan], dtype=float32)
    >>> sort([[30, 10], [20, 40]], axis=0)
    array([[20, 10],
           [30, 40]])
    """
    rows = open_rows("sort", x, axis)
    return rows.axis_result(rows.sort(), out)
