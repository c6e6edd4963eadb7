"""What the regressor and the classifier share: parameters, the fit, and neighbours in chunks."""

import operator
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from shadersort.arrays import Home, home_of
from shadersort.errors import BadOption, BadRank, choices
from shadersort.estimators import Base, check_fitted, samples
from shadersort.neighbors.screen import Screen

Weights = Literal["uniform", "distance"]
WEIGHTS: tuple[Weights, ...] = ("uniform", "distance")


class KNearest(Base):
    """An estimator that asks the k nearest samples."""

    n_features_in_: int
    n_samples_fit_: int
    _home: Home
    _screen: Screen

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
        queries, k = self._queries(X), self._count()
        with self._home.here():
            xp = self._home.xp
            places = xp.empty((len(queries), k), np.int64)
            distances = xp.empty((len(queries), k))
            for these, near in self._screen.nearest(queries, k):
                order = xp.argsort(near.squares, axis=1, kind="stable")[:, :k]
                places[these] = xp.take_along_axis(near.places, order, 1)
                squares = xp.take_along_axis(near.squares, order, 1)
                distances[these] = xp.sqrt(squares) / near.scale
            given = self._home.given
            return (given(distances), given(places)) if return_distance else given(places)

    def _learn(self, X: Any, home: Home) -> None:
        """Prepare the samples, at home."""
        self._check_weights()
        with home.here():
            points = samples(self, X, home, fit=True)
            self.n_samples_fit_ = len(points)
            self._count()
            self._home, self._points, self._screen = home, points, Screen(home, points)

    def _queries(self, X: Any) -> Any:
        """Return samples that are asked about, at home; raise errors for what is none."""
        check_fitted(self, "n_samples_fit_")
        self._check_weights()
        home_of(self._home.given(self._points), X)
        with self._home.here():
            return samples(self, X, self._home, fit=False)

    def _predicted(self, X: Any, predict: Callable[[Any, Any], Any]) -> Any:
        """Return predictions, (queries, ...), where X is.

        The function makes those of some queries from the places and the weights of candidates.
        """
        queries, k, found = self._queries(X), self._count(), None
        with self._home.here():
            for these, near in self._screen.nearest(queries, k):
                weights = near.indicator(k)
                if self.weights == "distance":
                    weights = _by_distance(self._home.xp, weights, near.squares)
                some = predict(near.places, weights)
                if found is None:
                    found = self._home.xp.empty((len(queries), *some.shape[1:]), some.dtype)
                found[these] = some
            return self._home.given(found)

    def _count(self) -> int:
        """Return k; raise an error unless there are so many samples."""
        try:
            k = operator.index(self.n_neighbors)
        except TypeError as error:
            raise BadRank(f"n_neighbors is an integer, not {self.n_neighbors!r}") from error
        if not 1 <= k <= self.n_samples_fit_:
            some = "1 sample" if self.n_samples_fit_ == 1 else f"{self.n_samples_fit_} samples"
            raise BadOption(f"n_neighbors={k}, but X has {some}: use from 1 to all of them")
        return k

    def _check_weights(self) -> None:
        if self.weights not in WEIGHTS:
            raise BadOption(f"no weights are called {self.weights!r}: use {choices(WEIGHTS)}")


def _by_distance(xp: Any, weights: Any, squares: Any) -> Any:
    """Return weights divided by distances; where a distance is 0, only these weights remain."""
    here = squares == 0
    with np.errstate(divide="ignore"):
        divided = xp.where(weights > 0, weights / xp.sqrt(squares), 0)
    return xp.where(here.any(axis=1, keepdims=True), weights * here, divided)
