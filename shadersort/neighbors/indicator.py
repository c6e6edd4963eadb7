"""The k nearest points of queries by the k-th distance and an indicator: nothing is sorted.

As Beliakov 2011 has it: the indicator of a point is 1 if it is nearer than the k-th distance, a/b
if it is at the k-th distance, and 0 otherwise. b points are at the k-th distance, and a of them
belong to the k nearest.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.arrays import Home
from shadersort.neighbors.candidates import Candidates, kth_of
from shadersort.neighbors.screen import power_below

PIECE = 1 << 18
"""Differences computed at a time on a CPU, which stay in its cache; on a GPU 256 times as many."""

MODERATE = 2.0**400
"""Coordinates up to this, or down to its inverse, have squares in float64."""

SURELY = -1.0
"""Stands for the square of a distance that is surely less than the k-th."""


@dataclass(frozen=True)
class Neighbours:
    """The candidates of some queries, and which of them are neighbours.

    Attributes
    ----------
    places
        (q, c): which points.
    squares
        (q, c): the squared distances, times the square of `scale`; `SURELY` for one that is surely
        less than the k-th, NaN for none.
    last
        (q, 1): the k-th of them.
    scale
        A power of two.
    """

    places: Any
    squares: Any
    last: Any
    scale: float

    @property
    def nearer(self) -> Any:
        """Which points are nearer than the k-th distance."""
        return self.squares < self.last

    @property
    def equal(self) -> Any:
        """Which points are at the k-th distance."""
        return self.squares == self.last

    def indicator(self, k: int) -> Any:
        """Return b for a point that is nearer, a at the k-th distance, and 0 otherwise: float64.

        The quotients by b are the indicator; without it, sums of whole numbers remain exact.
        """
        nearer, equal = self.nearer, self.equal
        b = equal.sum(axis=1, keepdims=True)
        a = k - nearer.sum(axis=1, keepdims=True)
        return nearer * b + equal * (a * 1.0)


class Differences:
    """Squared distances from differences in float64, for those that products leave open."""

    def __init__(self, home: Home, points: Any) -> None:
        self._home, self._points = home, points
        self.at_once = PIECE if home.xp is np else PIECE << 8
        largest = max(float(abs(points).max()), 1 / MODERATE**2)
        moderate = 1 / MODERATE <= largest <= MODERATE
        self.scale = 1.0 if moderate else power_below(1 / largest)

    def neighbours(
        self, queries: Any, found: Candidates, k: int, *, every: bool, memory: int
    ) -> Neighbours:
        """Return which candidates are neighbours; with `every`, all their distances."""
        home, xp = self._home, self._home.xp
        least = kth_of(home, found.lower, k)
        surely = (found.upper < least) & (not every)
        squares = xp.where(surely, np.float64(SURELY), np.float64(np.nan))
        flat = xp.flatnonzero((found.lower <= found.last) & ~surely)
        rows, places = flat // squares.shape[1], found.places.reshape(-1)[flat]
        squares.reshape(-1)[flat] = self._squares(queries, rows, places, memory)
        return Neighbours(found.places, squares, kth_of(home, squares, k), self.scale)

    def _squares(self, queries: Any, rows: Any, places: Any, memory: int) -> Any:
        """Return the squared distances of pairs of queries and points."""
        xp, pairs = self._home.xp, (rows, places)
        if (own := self._home.steps.squares(self._points, queries, pairs, self.scale)) is not None:
            return own
        found = xp.empty(len(places))
        step = max(min(self.at_once, memory // 128) // queries.shape[1], 1)
        for start in range(0, len(places), step):
            piece = slice(start, start + step)
            apart = self._wide(self._points[places[piece]]) - self._wide(queries[rows[piece]])
            found[piece] = xp.einsum("ij,ij->i", apart, apart)
        return found

    def _wide(self, points: Any) -> Any:
        wide = points.astype(np.float64)
        return wide if self.scale == 1 else wide * self.scale
