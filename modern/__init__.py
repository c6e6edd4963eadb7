"""modern: selection on the GPU of today, by the algorithms that `shadersort` holds.

Arrays on a CUDA device stay there, and answers come back as CuPy arrays. Without a GPU every
function runs the same algorithm over the NumPy primitives.

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
