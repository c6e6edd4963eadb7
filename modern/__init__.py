"""modern: selection and sorting on the GPU of today, by the algorithms that `shadersort` holds.

Arrays on a CUDA device stay there. Answers are tensors for tensors of PyTorch, otherwise arrays of
CuPy on a device and of NumPy on the host (`modern/homes/`). Without a GPU every function works on
NumPy's arrays: a named method runs over the NumPy primitives, and the default is NumPy's partition.

Examples
--------
>>> import modern
>>> modern.select([30, 10, 20], 1)
np.int64(20)
"""

from modern.files import FileKeys
from modern.medians import median, nanmedian
from modern.multiselection import multiselect
from modern.parts import Parts
from modern.places import argmedian, argselect
from modern.quantiles import nanquantile, quantile
from modern.rows.outputs import TopK
from modern.selection import METHODS, select
from modern.sorting import sort
from modern.streams.sorter import Sorter
from modern.thresholding import threshold
from modern.top_k import argtopk, topk

__all__ = [
    "METHODS",
    "FileKeys",
    "Parts",
    "Sorter",
    "TopK",
    "argmedian",
    "argselect",
    "argtopk",
    "median",
    "multiselect",
    "nanmedian",
    "nanquantile",
    "quantile",
    "select",
    "sort",
    "threshold",
    "topk",
]
