"""Sorting whole arrays: what selection is measured against."""

from typing import Any

from modern.opening import open_rows


def sort(x: Any, *, axis: int | None = -1, out: Any = None) -> Any:
    """Return the keys in ascending order, as `np.sort` does: NaNs last.

    The result is a permutation of the keys, bit for bit: no payload of a NaN and no sign of a zero
    is lost. The order among equal keys, for example zeros of both signs, is not defined.

    Rows on a GPU need 1.125 times the memory of the keys beside the result, and columns a copy.

    Parameters
    ----------
    x
        An array of any number of dimensions: floats of at most 64 bits, integers, booleans, or
        `ml_dtypes.bfloat16`; on the host also datetime64 and timedelta64, NaT last. It is not
        changed. An array on a GPU stays there, and so does the result.
    axis
        Along which axis each row is sorted: the last one, as in NumPy; None for the flat array.
    out
        Where the result goes: an array of its shape and type. It may be `x` itself.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        These keys cannot be sorted.
    np.exceptions.AxisError, BadAxis, BadOption
        There is no such axis, several are named, or `out` does not fit.

    Examples
    --------
    >>> import numpy as np
    >>> sort([30, 10, 20])
    array([10, 20, 30])
    >>> import numpy as np
    >>> sort(np.float32([2, np.nan, -np.inf, 1]))
    array([-inf,   1.,   2.,  nan], dtype=float32)
    >>> sort([[30, 10], [20, 40]], axis=0)
    array([[20, 10],
           [30, 40]])
    """
    rows = open_rows("sort", x, axis)
    return rows.along(rows.sort(), out)
