"""Sparse approximation: all but the k largest magnitudes become zero."""

from shadersort.sparse.thresholding import threshold

__all__ = ["threshold"]
