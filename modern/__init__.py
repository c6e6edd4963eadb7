"""modern: selection and sorting on the GPU of today, by the algorithms that `shadersort` holds.

Arrays on a CUDA device stay there. Answers are tensors for tensors of PyTorch, otherwise arrays of
CuPy on a device and of NumPy on the host. Without a GPU every function works on NumPy's arrays: a
named method runs over the NumPy primitives, and the default is NumPy's partition.

Every function opens the keys as rows by `open_rows` (`opening.py`), asks the rows, and returns what
`rows.result` makes of the answer: `docs/what-runs.md` follows a call.

Examples
--------
>>> import modern
>>> modern.select([30, 10, 20], 1)
np.int64(20)
"""

from modern.medians import argmedian, median, nanmedian
from modern.pieces import Parts
from modern.quantiles import nanquantile, quantile
from modern.selection import METHODS, argselect, multiselect, select
from modern.sorting import argsort, sort, sort_records
from modern.streams.sorter import Sorter
from modern.top_k import TopK, argtopk, threshold, topk
from shadersort.selection.pieces.files import FileKeys

__all__ = [
    "METHODS",
    "FileKeys",
    "Parts",
    "Sorter",
    "TopK",
    "argmedian",
    "argselect",
    "argsort",
    "argtopk",
    "median",
    "multiselect",
    "nanmedian",
    "nanquantile",
    "quantile",
    "select",
    "sort",
    "sort_records",
    "threshold",
    "topk",
]
