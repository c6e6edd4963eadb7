"""Classification by a vote of the k nearest samples."""

from typing import Any, Self

import numpy as np

from shadersort.arrays import home_of
from shadersort.errors import BadSamples
from shadersort.estimators import (
    Classifier,
    check_finite,
    check_required,
    check_targets,
    in_one_dimension,
)
from shadersort.keys.types import Keys
from shadersort.neighbors.nearest import KNearest


class KNeighborsClassifier(Classifier, KNearest):
    """Predicts the class with most votes of the k nearest samples, by Euclidean distance.

    Nothing is sorted, and samples at exactly the k-th distance share the places that are left for
    them: see `KNeighborsRegressor`, which has the same parameters. Of classes with as many votes
    the first one in `classes_` is predicted. X is no sparse matrix, and y has one dimension.

    `classes_` are the classes, in order; the other attributes are those of `KNeighborsRegressor`.

    Examples
    --------
    >>> model = KNeighborsClassifier(3).fit([[0.0], [1.0], [2.0], [5.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.5], [9.0]]).tolist()
    ['a', 'b']
    """

    classes_: Any

    def fit(self, X: Any, y: Any) -> Self:
        """Take samples and their classes; return the estimator.

        X is (samples, features): finite numbers. y is (samples,): labels, which may be in NumPy's
        memory wherever X is. Raises a ShadersortError named for what is wrong.
        """
        check_required(self, y)
        home = home_of(X)
        self._learn(X, home)
        labels = _labels(y)
        check_targets(labels, self.n_samples_fit_, (1,))
        self.classes_, codes = np.unique(labels, return_inverse=True)
        with home.here():
            self._codes = home.xp.asarray(codes)
        return self

    def predict(self, X: Any) -> Keys:
        """Return the predicted classes, (queries,), in NumPy's memory."""
        found = self._predicted(X, lambda *near: self._votes(*near).argmax(axis=1))
        return np.asarray(self.classes_[_on_host(found)])

    def predict_proba(self, X: Any) -> Any:
        """Return the share of the votes for each class: (queries, classes), where X is."""

        def shares(*near: Any) -> Any:
            votes = self._votes(*near)
            return votes / votes.sum(axis=1, keepdims=True)

        return self._predicted(X, shares)

    def _votes(self, places: Any, weights: Any) -> Any:
        """Return the votes for each class: (queries, classes)."""
        xp, count, classes = self._home.xp, len(places), len(self.classes_)
        flat = self._codes[places] + xp.arange(count)[:, None] * classes
        votes = xp.bincount(flat.ravel(), weights.ravel(), minlength=count * classes)
        return votes.reshape(count, classes)


def _labels(y: Any) -> Keys:
    """Return labels in NumPy's memory; raise errors for what are none."""
    labels: Keys = in_one_dimension(_on_host(y))
    if labels.dtype.kind != "f":
        return labels
    check_finite(np, labels, "y")
    if not np.array_equal(labels, np.trunc(labels)):
        raise BadSamples(
            "Unknown label type: continuous. Classes are whole numbers or strings, and y has "
            "other numbers: use KNeighborsRegressor"
        )
    return labels


def _on_host(x: Any) -> Keys:
    found = home_of(x).own(x)
    return np.asarray(found.get() if hasattr(found, "get") else found)
