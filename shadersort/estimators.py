"""Estimators by scikit-learn's conventions, with scikit-learn and without it.

With scikit-learn they are its `BaseEstimator`s. Without it they have their parameters' functions
from here, and fit and predict as well.
"""

import inspect
from typing import TYPE_CHECKING, Any, Self

import numpy as np


class Parameters:
    """The parameters of an estimator: the arguments of its `__init__`, which are its attributes.

    Examples
    --------
    >>> class Mean(Parameters):
    ...     def __init__(self, trim=0.1):
    ...         self.trim = trim
    >>> Mean(trim=0.2).set_params(trim=0.3).get_params()
    {'trim': 0.3}
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by their names."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by their names; raise ValueError for an unknown one."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}: use {', '.join(known)}"
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


class DeterminationScore:
    """The score of a regressor: R², the coefficient of determination, as in scikit-learn."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:  # noqa: N803
        """Return R² of the predictions for X: 1 for exact ones, 0 for those of the mean."""
        found: Any = self
        truth = np.asarray(y, float)
        weights = np.ones(len(truth)) if sample_weight is None else np.asarray(sample_weight, float)
        left = (weights * (truth - np.asarray(found.predict(X))) ** 2).sum()
        total = (weights * (truth - np.average(truth, weights=weights)) ** 2).sum()
        return float(1 - left / total) if total else float(not left)


class AccuracyScore:
    """The score of a classifier: the share of right predictions, as in scikit-learn."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:  # noqa: N803
        """Return the share of the rows of X whose class is predicted."""
        found: Any = self
        return float(np.average(np.asarray(found.predict(X)) == y, weights=sample_weight))


if TYPE_CHECKING:
    Base = Parameters
    Classifier = AccuracyScore
    Regressor = DeterminationScore
else:
    try:
        from sklearn.base import BaseEstimator as Base
        from sklearn.base import ClassifierMixin as Classifier
        from sklearn.base import RegressorMixin as Regressor
    except ModuleNotFoundError:  # scikit-learn is an extra
        Base, Classifier, Regressor = Parameters, AccuracyScore, DeterminationScore
