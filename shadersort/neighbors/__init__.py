"""Nearest neighbours by the k-th distance: nothing is sorted.

The estimators follow scikit-learn's conventions, with `n_neighbors` and `weights`. They run where
their arrays are. They take no sparse X, the classifier no y of two dimensions, and they have no
`kneighbors_graph`.
"""

from shadersort.neighbors.nearest import KNeighborsClassifier, KNeighborsRegressor

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor"]
