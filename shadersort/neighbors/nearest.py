"""What the regressor and the classifier share: parameters, the fit, and neighbours in chunks."""

import operator
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from shadersort.arrays import Home, NumPyHome, home_of
from shadersort.errors import BadCount, BadMemory, BadOption, BadRank, choices
from shadersort.estimators import Base
from shadersort.neighbors.candidates import Search
from shadersort.neighbors.indicator import Differences, Neighbours
from shadersort.neighbors.screen import Screen
from shadersort.samples import check_fitted, samples
from shadersort.sorting.external.schedule import parsed_size

Weights = Literal["uniform", "distance"]
WEIGHTS: tuple[Weights, ...] = ("uniform", "distance")


class KNearest(Base):
    """An estimator that asks the k nearest samples."""

    n_features_in_: int
    n_samples_fit_: int
    _home: Home
    _screen: Screen
    _differences: Differences

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Weights = "uniform",
        memory: int | str = "auto",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.memory = memory

    def kneighbors(self, X: Any, return_distance: bool = True) -> Any:
        """Return the distances to the k nearest samples, and their places: each (queries, k).

        Neighbours come in the order of their distances, and exactly k of them: of equal distances
        the lowest places. Only the neighbours are sorted.

        Parameters
        ----------
        X
            (queries, features).
        return_distance
            Whether the distances are returned, too: (distances, places), or the places alone.

        Raises
        ------
        ShadersortError
            As `predict` does.

        Examples
        --------
        >>> from shadersort.neighbors import KNeighborsRegressor
        >>> model = KNeighborsRegressor(2).fit([[0.0], [1.0], [5.0]], [0.0, 1.0, 5.0])
        >>> model.kneighbors([[0.75]])
        (array([[0.25, 0.75]]), array([[1, 0]]))
        """
        queries = self._queries(X)
        k = self._count()
        with self._home.here():
            xp = self._home.xp
            places = xp.empty((len(queries), k), np.int64)
            distances = xp.empty((len(queries), k))
            for these, near in self._neighbours(queries, every=True):
                order = xp.argsort(near.squares, axis=1, kind="stable")[:, :k]
                places[these] = xp.take_along_axis(near.places, order, 1)
                squares = xp.take_along_axis(near.squares, order, 1)
                distances[these] = xp.sqrt(squares) / near.scale
            given = self._home.given
            return (given(distances), given(places)) if return_distance else given(places)

    def _learn(self, X: Any, home: Home) -> None:
        """Prepare the samples, at home."""
        self._options()
        with home.here():
            points = samples(self, X, home, fit=True)
            self.n_samples_fit_ = len(points)
            self._count()
            self._home, self._points = home, points
            self._screen, self._differences = Screen(home, points), Differences(home, points)

    def _queries(self, X: Any) -> Any:
        """Return samples that are asked about, at home; raise errors for what is none."""
        check_fitted(self, "n_samples_fit_")
        self._options()
        home_of(self._home.given(self._points), X)
        with self._home.here():
            return samples(self, X, self._home, fit=False)

    def _neighbours(self, queries: Any, every: bool) -> Iterator[tuple[Any, Neighbours]]:
        """Yield some of the queries, by their places, and their neighbours, until none is left."""
        k, memory = self._count(), self._bytes(self._home)
        search = Search(self._home, self._screen, k, memory)
        for start in range(0, len(queries), search.at_once):
            chunk = queries[start : start + search.at_once]
            for these, found in search.found(chunk):
                asked = chunk[these]
                near = self._differences.neighbours(asked, found, k, every=every, memory=memory)
                yield start + these, near

    def _predicted(self, X: Any, of: Callable[[Any, Any], Any]) -> Any:
        """Return predictions, (queries, ...), where X is.

        The function makes those of some queries from the places and the weights of candidates.
        """
        queries, found = self._queries(X), None
        with self._home.here():
            for these, places, weights in self._weighed(queries):
                some = of(places, weights)
                if found is None:
                    found = self._home.xp.empty((len(queries), *some.shape[1:]), some.dtype)
                found[these] = some
            return self._home.given(found)

    def _weighed(self, queries: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Yield some of the queries, the places of their candidates, and their weights."""
        far = self.weights == "distance"
        for these, near in self._neighbours(queries, every=far):
            weights = near.indicator(self._count())
            if far:
                weights = _by_distance(self._home.xp, weights, near.squares)
            yield these, near.places, weights

    def _count(self) -> int:
        """Return k; raise an error unless there are so many samples."""
        try:
            k = operator.index(self.n_neighbors)
        except TypeError as error:
            raise BadRank(f"n_neighbors is an integer, not {self.n_neighbors!r}") from error
        if not 1 <= k <= self.n_samples_fit_:
            some = "1 sample" if self.n_samples_fit_ == 1 else f"{self.n_samples_fit_} samples"
            raise BadCount(f"n_neighbors={k}, but X has {some}: use from 1 to all of them")
        return k

    def _options(self) -> None:
        if self.weights not in WEIGHTS:
            raise BadOption(f"no weights are called {self.weights!r}: use {choices(WEIGHTS)}")
        if self._bytes(NumPyHome()) <= 0:
            raise BadMemory(f"memory={self.memory!r} is no room for queries: use '512MiB'")

    def _bytes(self, home: Home) -> int:
        """Return the memory for a chunk of queries."""
        return home.steps.memory if self.memory == "auto" else parsed_size(self.memory)


def _by_distance(xp: Any, weights: Any, squares: Any) -> Any:
    """Return weights divided by distances; where a distance is 0, only these weights remain."""
    here = squares == 0
    with np.errstate(divide="ignore"):
        divided = weights / xp.sqrt(squares)
    divided = xp.where(weights > 0, divided, 0)
    return xp.where(here.any(axis=1, keepdims=True), weights * here, divided)
