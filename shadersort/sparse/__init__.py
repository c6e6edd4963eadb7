"""Sparse approximation: all but the k largest magnitudes become zero.

`threshold` does this to an array, or to several together. `iterative_hard_thresholding` recovers
sparse arrays from few measurements by it, and `phase_transition` finds out from how few.
"""

from shadersort.sparse.normalised_iterative_hard_thresholding import (
    Recovery,
    iterative_hard_thresholding,
)
from shadersort.sparse.phase_transition import PhaseTransition, phase_transition
from shadersort.sparse.thresholding import threshold

__all__ = [
    "PhaseTransition",
    "Recovery",
    "iterative_hard_thresholding",
    "phase_transition",
    "threshold",
]
