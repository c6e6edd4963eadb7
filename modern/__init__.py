"""modern: selection on the GPU of today, by the algorithms that `shadersort` holds.

Without a GPU every function runs the same algorithm over the NumPy primitives.

Examples
--------
>>> import modern
>>> modern.select([30, 10, 20], 1)
np.int64(20)
"""

from modern.selection import (
    METHODS,
    median,
    multiselect,
    nanmedian,
    nanquantile,
    quantile,
    select,
)

__all__ = [
    "METHODS",
    "median",
    "multiselect",
    "nanmedian",
    "nanquantile",
    "quantile",
    "select",
]
