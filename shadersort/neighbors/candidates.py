"""Candidates: the points that may be among the k nearest of each query, found block by block.

A sample guesses a limit slightly above the k-th squared distance. One product with all points, in
blocks that stay in a cache, leaves the points whose lower bound is within the limit. Their upper
bounds prove that no other point is needed; where they do not, the limit is raised.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.arrays import Home
from shadersort.neighbors.blocks import Blocks, Pairs
from shadersort.neighbors.screen import Bounds, Screen
from shadersort.selection.primitives.one_read import aimed

WIDE = 3.0
"""A limit is guessed this many standard errors above the k-th distance."""

AT_ONCE = 1 << 7
"""Most queries that are multiplied with a block."""

WORTH = 1 << 6
"""So few points are all candidates."""

PAIR = 128
"""Bytes for each candidate of a query, in all arrays together."""


@dataclass(frozen=True)
class Candidates:
    """For each query a row of candidates, by their places; what is beyond its `counts` is filled.

    Attributes
    ----------
    places
        (q, c): which points; zero where it is filled.
    lower, upper
        (q, c): bounds of the scaled squared distances; NaN where it is filled.
    """

    places: Any
    lower: Any
    upper: Any


def kth_of(home: Home, rows: Any, k: int) -> Any:
    """Return the k-th smallest number of each row of a matrix, from one; NaNs are the last."""
    return home.rows(rows[:, :, None]).ranks(np.array([k - 1]))[:, :, 0]


class Search:
    """The search for the candidates of queries, in a stated memory.

    Attributes
    ----------
    most
        How many candidates of all queries together may be found at a time.
    """

    def __init__(self, home: Home, screen: Screen, k: int, memory: int) -> None:
        self._home, self._xp, self._screen, self._k = home, home.xp, screen, k
        self.most, self._memory = max(memory // 2 // PAIR, 1), memory
        self._blocks = Blocks(self._xp, screen.points, memory)
        count, sampled = len(screen.points), len(screen.sample)
        self._rank = aimed(k - 1, count, sampled, WIDE, 1) if sampled < count else k - 1
        self._rank = min(self._rank, sampled - 1)

    @property
    def at_once(self) -> int:
        """How many queries are asked at a time."""
        count, sampled = len(self._screen.points), len(self._screen.sample)
        expected = (self._rank + 1) * count // sampled + 1
        most = AT_ONCE if self._xp is np else AT_ONCE << 5
        return int(max(min(self.most // expected, self._memory // (48 * sampled), most), 1))

    def found(self, queries: Any) -> Iterator[tuple[Any, Candidates]]:
        """Yield some of the queries, by their places, and their candidates, until none is left."""
        asked = self._xp.arange(len(queries))
        if len(self._screen.points) <= WORTH or not self._screen.is_useful:
            yield from self._everything(asked)
            return
        bounds = self._screen.of(queries)
        covered = self._screen.covers(bounds)
        yield from self._everything(asked[~covered])
        stack = [(asked[covered], None)]
        while stack:
            these, limits = stack.pop()
            if not len(these):
                continue
            some = Bounds(bounds.queries[these], bounds.norms[these])
            limits = self._guessed(some) if limits is None else limits
            candidates = self._within(some, limits)
            if candidates is None:
                half = len(these) // 2
                stack += [(these[half:], limits[half:]), (these[:half], limits[:half])]
                continue
            proved = self._proved(candidates, limits)
            right = (proved <= limits)[:, 0]
            if bool(right.all()):
                yield these, candidates
                continue
            wrong = ~right
            yield these[right], _rows(candidates, right)
            proved = self._xp.where(proved == proved, proved, np.inf)
            stack.append((these[wrong], proved[wrong]))

    def _everything(self, asked: Any) -> Iterator[tuple[Any, Candidates]]:
        """Yield queries that have all points as their candidates."""
        xp, count = self._xp, len(self._screen.points)
        step = max(self.most // count, 1)
        for start in range(0, len(asked), step):
            these = asked[start : start + step]
            places = xp.broadcast_to(xp.arange(count), (len(these), count))
            lower = xp.zeros(places.shape)
            yield these, Candidates(places, lower, lower + np.inf)

    def _guessed(self, bounds: Bounds) -> Any:
        """Return a number for each query that most likely is above its k-th distance: (q, 1)."""
        sample, screen = self._screen.sample, self._screen
        upper = bounds.queries @ sample.T
        upper += np.float32(3 * screen.error) * sample[:, -1]
        kth = kth_of(self._home, upper, self._rank + 1)
        return screen.upper(bounds, screen.lower(bounds, kth), 0) * (1 + 2.0**-20)

    def _proved(self, candidates: Candidates, limits: Any) -> Any:
        """Return upper bounds of the k-th distances; NaN for a query with too few candidates."""
        if candidates.upper.shape[1] < self._k:
            return self._xp.full_like(limits, np.nan)
        return kth_of(self._home, candidates.upper, self._k)

    def _within(self, bounds: Bounds, limits: Any) -> Candidates | None:
        """Return the points whose lower bounds are within limits; None if they are too many."""
        most = self.most if len(bounds.queries) > 1 else len(self._screen.points)
        upto = self._screen.limits(bounds, limits)[:, 0]
        found = self._blocks.within(bounds.queries, upto, most)
        return None if found is None else self._arranged(bounds, found)

    def _arranged(self, bounds: Bounds, found: Pairs) -> Candidates:
        """Return pairs in rows, a row for each query."""
        xp, screen, count = self._xp, self._screen, len(bounds.queries)
        counts = xp.bincount(found.queries, minlength=count)
        order = xp.argsort(found.queries.astype(np.uint16), kind="stable")
        queries = found.queries[order]
        slots = xp.arange(len(order)) - (xp.cumsum(counts) - counts)[queries]
        shape = count, int(counts.max())
        places = xp.zeros(shape, np.int64)
        places[queries, slots] = found.points[order]
        lower = xp.full(shape, np.nan)
        lower[queries, slots] = found.products[order]
        lower = screen.lower(bounds, lower)
        norms = screen.points[places.reshape(-1), -1].reshape(shape)
        return Candidates(places, lower, screen.upper(bounds, lower, norms))


def _rows(candidates: Candidates, which: Any) -> Candidates:
    return Candidates(candidates.places[which], candidates.lower[which], candidates.upper[which])
