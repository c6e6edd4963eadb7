"""Regression and classification by the k nearest samples, with what both share."""

import operator
from collections.abc import Callable
from typing import Any, Literal, Self, get_args

import numpy as np

from shadersort.arrays import Home, home_of
from shadersort.errors import BadOption, BadRank, BadSamples, choices
from shadersort.estimators import (
    Base,
    Classifier,
    Regressor,
    check_finite,
    check_fitted,
    check_required,
    check_targets,
    floats,
    in_one_dimension,
    samples,
)
from shadersort.keys.types import Keys
from shadersort.neighbors.screen import Neighbours, Screen

Weights = Literal["uniform", "distance"]
WEIGHTS: tuple[Weights, ...] = get_args(Weights)


class KNearest(Base):
    """An estimator that asks the k nearest samples."""

    def __init__(self, n_neighbors: int = 5, *, weights: Weights = "uniform") -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights

    def kneighbors(self, X: Any, return_distance: bool = True) -> Any:
        """Return the distances to the k nearest samples, and their places: each (queries, k).

        They come in the order of their distances: of equal ones the lowest places. Without
        `return_distance`, the places are returned alone. Raises as `predict` does.

        Examples
        --------
        >>> from shadersort.neighbors import KNeighborsRegressor
        >>> model = KNeighborsRegressor(2).fit([[0.0], [1.0], [5.0]], [0.0, 1.0, 5.0])
        >>> model.kneighbors([[0.75]])
        (array([[0.25, 0.75]]), array([[1, 0]]))
        """

        def in_order(near: Neighbours, k: int) -> tuple[Any, Any]:
            xp = self._home.xp
            order = xp.argsort(near.squares, axis=1, kind="stable")[:, :k]
            squares = xp.take_along_axis(near.squares, order, 1)
            return xp.sqrt(squares) / self._screen.scale, xp.take_along_axis(near.places, order, 1)

        distances, places = self._of_queries(X, in_order)
        return (distances, places) if return_distance else places

    def _learn(self, X: Any, home: Home) -> None:
        """Prepare the samples, at home."""
        with home.here():
            points = samples(self, X, home, fit=True)
            self.n_samples_fit_ = len(points)
            self._count()
            self._home, self._points, self._screen = home, points, Screen(home, points)

    def _of_queries(self, X: Any, find: Callable[[Neighbours, int], tuple[Any, ...]]) -> list[Any]:
        """Return arrays with a result for each query, where X is.

        The function finds the results of some queries, from their candidates and k.
        """
        check_fitted(self, "n_samples_fit_")
        home, k = self._home, self._count()
        home_of(home.give(self._points), X)
        with home.here():
            queries = samples(self, X, home, fit=False)
            parts = [(some, *find(near, k)) for some, near in self._screen.nearest(queries, k)]
            places, *found = (home.xp.concatenate(each) for each in zip(*parts, strict=True))
            order = home.xp.argsort(places)
            return [home.give(each[order]) for each in found]

    def _predicted(self, X: Any, predict: Callable[[Any, Any], Any]) -> Any:
        """Return predictions, made from the places and the weights of candidates."""

        def find(near: Neighbours, k: int) -> tuple[Any]:
            weights = near.indicator(k)
            if self.weights == "distance":
                xp, here = self._home.xp, near.squares == 0
                with np.errstate(divide="ignore"):
                    divided = xp.where(weights > 0, weights / xp.sqrt(near.squares), 0)
                weights = xp.where(here.any(axis=1, keepdims=True), weights * here, divided)
            return (predict(near.places, weights),)

        return self._of_queries(X, find)[0]

    def _count(self) -> int:
        """Return k; raise an error if there are fewer samples, or no such weights."""
        if self.weights not in WEIGHTS:
            raise BadOption(f"no weights are called {self.weights!r}: use {choices(WEIGHTS)}")
        try:
            k = operator.index(self.n_neighbors)
        except TypeError as error:
            raise BadRank(f"n_neighbors is an integer, not {self.n_neighbors!r}") from error
        if not 1 <= k <= self.n_samples_fit_:
            raise BadOption(f"n_neighbors is from 1 to n_samples={self.n_samples_fit_}, not {k}")
        return k


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
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.target_tags.multi_output = True
        return tags


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
    if labels.dtype.kind == "f":
        check_finite(np, labels, "y")
        if not np.array_equal(labels, np.trunc(labels)):
            raise BadSamples(
                "Unknown label type: continuous. Classes are whole numbers or strings: use "
                "KNeighborsRegressor for other numbers"
            )
    return labels


def _on_host(x: Any) -> Keys:
    found = home_of(x).own(x)
    return np.asarray(found.get() if hasattr(found, "get") else found)
