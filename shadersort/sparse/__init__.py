"""Sparse approximation: all but the k largest magnitudes become zero.

`threshold` does this to an array, or to several together. Five methods recover a sparse array from
few measurements by it.
"""

from shadersort.sparse.hard_thresholding import (
    iterative_hard_thresholding,
    normalised_iterative_hard_thresholding,
)
from shadersort.sparse.pursuits import (
    compressive_sampling_matching_pursuit,
    hard_thresholding_pursuit,
    subspace_pursuit,
)
from shadersort.sparse.recovery import Recovery
from shadersort.sparse.thresholding import threshold

__all__ = [
    "Recovery",
    "compressive_sampling_matching_pursuit",
    "hard_thresholding_pursuit",
    "iterative_hard_thresholding",
    "normalised_iterative_hard_thresholding",
    "subspace_pursuit",
    "threshold",
]
