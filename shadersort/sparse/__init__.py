"""Sparse approximation: all but the k largest magnitudes become zero.

`threshold` does this to an array, or to several together. Iterative hard thresholding recovers a
sparse array from few measurements by it.
"""

from shadersort.sparse.hard_thresholding import (
    Recovery,
    iterative_hard_thresholding,
    normalised_iterative_hard_thresholding,
)
from shadersort.sparse.thresholding import threshold

__all__ = [
    "Recovery",
    "iterative_hard_thresholding",
    "normalised_iterative_hard_thresholding",
    "threshold",
]
