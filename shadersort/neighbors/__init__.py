"""Nearest neighbours by the k-th distance: nothing is sorted.

The estimators follow scikit-learn's conventions. They run where their arrays are.
"""

from shadersort.neighbors.classifier import KNeighborsClassifier
from shadersort.neighbors.regressor import KNeighborsRegressor

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor"]
