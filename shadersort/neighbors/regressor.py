"""Regression by the mean of the k nearest samples."""

from typing import Any, Self

import numpy as np

from shadersort.arrays import home_of
from shadersort.estimators import Regressor, check_required, check_targets, floats
from shadersort.neighbors.nearest import KNearest


class KNeighborsRegressor(Regressor, KNearest):
    """Predicts the weighted mean of the targets of the k nearest samples, by Euclidean distance.

    Nothing is sorted: the k-th distance is selected, and an indicator says which samples are no
    farther (Beliakov 2011, section VI). b samples at exactly the k-th distance share the a places
    that are left for them: each counts a/b. So predictions do not depend on the order of the
    samples. Without such ties they are those of scikit-learn's brute force.

    Distances are differences in float64, squared and added; products of matrices in float32 only
    prove which samples need none. Nothing is proved, and the call takes longer, if distances are
    tiny beside the spread of the samples. X is no sparse matrix; there is no `kneighbors_graph`.

    Parameters
    ----------
    n_neighbors
        k, from 1 to the number of samples.
    weights
        "uniform"; or "distance": by 1/distance. If some distances are 0, only these samples count.

    Attributes
    ----------
    n_features_in_, n_samples_fit_, feature_names_in_
        As in scikit-learn; the names only with it.

    Examples
    --------
    >>> model = KNeighborsRegressor(2).fit([[0.0], [1.0], [2.0], [5.0]], [0.0, 1.0, 4.0, 25.0])
    >>> model.predict([[1.25]])
    array([2.5])
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Take samples and their targets; return the estimator.

        X is (samples, features), y is (samples,) or (samples, outputs): finite numbers in one
        place. Raises a ShadersortError named for what is wrong.
        """
        check_required(self, y)
        home = home_of(X, y)
        self._learn(X, home)
        with home.here():
            self._targets = floats(home, y, "y").astype(np.float64)
        check_targets(self._targets, self.n_samples_fit_, (1, 2))
        return self

    def predict(self, X: Any) -> Any:
        """Return the predicted targets: (queries,) or (queries, outputs), float64."""
        return self._predicted(X, self._means)

    def _means(self, places: Any, weights: Any) -> Any:
        """Return the weighted means of the targets at some places: (queries,) or with outputs."""
        outputs = self._targets.reshape(self.n_samples_fit_, -1)
        sums = [(weights * each[places]).sum(axis=1) for each in outputs.T]
        means = self._home.xp.stack(sums, axis=1) / weights.sum(axis=1, keepdims=True)
        return means.reshape(len(places), *self._targets.shape[1:])

    def __sklearn_tags__(self) -> Any:
        inherited: Any = super()
        tags = inherited.__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
