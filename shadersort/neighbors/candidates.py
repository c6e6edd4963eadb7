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
from shadersort.neighbors.blocks import Within, blocks_of
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
    """For each query a row of candidates, by their places, which ascend; shorter rows are filled.

    Attributes
    ----------
    places
        (q, c): which points; zero behind the last candidate.
    lower, upper
        (q, c): bounds of the scaled squared distances; NaN behind the last candidate.
    last
        (q, 1): the k-th of the upper bounds; NaN for fewer candidates.
    """

    places: Any
    lower: Any
    upper: Any
    last: Any


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
        self._blocks = blocks_of(home, screen.points, memory)
        self._sample = blocks_of(home, screen.sample, memory)
        count, sampled = len(screen.points), len(screen.sample)
        ranks = [k - 1]
        if sampled < count:
            ranks = [aimed(k - 1, count, sampled, wide, 1) for wide in (WIDE, 4 * WIDE)]
        self._ranks = [min(rank, sampled - 1) for rank in ranks]

    @property
    def at_once(self) -> int:
        """How many queries are asked at a time."""
        count, sampled = len(self._screen.points), len(self._screen.sample)
        expected = (self._ranks[0] + 1) * count // sampled + 1
        most, sample = (AT_ONCE, 48) if self._xp is np else (AT_ONCE << 6, 12)
        return int(max(min(self.most // expected, self._memory // (sample * sampled), most), 1))

    def found(self, queries: Any) -> Iterator[tuple[Any, Candidates]]:
        """Yield some of the queries, by their places, and their candidates, until none is left."""
        asked = self._xp.arange(len(queries))
        if len(self._screen.points) <= WORTH or not self._screen.is_useful:
            yield from self._everything(asked)
            return
        bounds = self._screen.of(queries)
        covered = self._screen.covers(bounds)
        yield from self._everything(asked[~covered])
        if bool(covered.any()):
            yield from self._screened(bounds, asked[covered])

    def _screened(self, bounds: Bounds, asked: Any) -> Iterator[tuple[Any, Candidates]]:
        """Yield queries with the candidates that their limits leave.

        Queries with too many candidates are asked again in halves, and those whose limit is not
        proved again with a larger one.
        """
        stack = [(asked, self._guessed(_some(bounds, asked), self._ranks[0]))]
        while stack:
            these, limits = stack.pop()
            some = _some(bounds, these)
            candidates = self._within(some, limits)
            if candidates is None:
                half = len(these) // 2
                stack += [(these[half:], limits[half:]), (these[:half], limits[:half])]
                continue
            right = (candidates.last <= limits)[:, 0]
            if bool(right.all()):
                yield these, candidates
            else:
                yield these[right], _rows(candidates, right)
                stack.append((these[~right], self._raised(some, limits, candidates.last)[~right]))

    def _everything(self, asked: Any) -> Iterator[tuple[Any, Candidates]]:
        """Yield queries that have all points as their candidates."""
        xp, count = self._xp, len(self._screen.points)
        step = max(self.most // count, 1)
        for start in range(0, len(asked), step):
            these = asked[start : start + step]
            places = xp.broadcast_to(xp.arange(count), (len(these), count))
            lower = xp.zeros(places.shape)
            yield these, Candidates(places, lower, lower + np.inf, lower[:, :1] + np.inf)

    def _raised(self, bounds: Bounds, limits: Any, proved: Any) -> Any:
        """Return larger limits: proved ones, or guessed ones where candidates were too few."""
        xp = self._xp
        guessed = self._guessed(bounds, self._ranks[-1])
        guessed = xp.where(guessed > limits, guessed, np.inf)
        return xp.where(proved == proved, proved, guessed)

    def _guessed(self, bounds: Bounds, rank: int) -> Any:
        """Return a number for each query that most likely is above its k-th distance: (q, 1)."""
        screen, sample = self._screen, self._sample.products(bounds.queries)
        sample += np.float32(3 * screen.error) * screen.sample[:, -1:]
        kth = self._home.rows(sample[None]).ranks(np.array([rank]))[0].T
        return screen.upper(bounds, screen.lower(bounds, kth), 0) * (1 + 2.0**-20)

    def _proved(self, upper: Any) -> Any:
        """Return upper bounds of the k-th distances; NaN for a query with too few candidates."""
        if upper.shape[1] < self._k:
            return self._xp.full((len(upper), 1), np.nan)
        return kth_of(self._home, upper, self._k)

    def _within(self, bounds: Bounds, limits: Any) -> Candidates | None:
        """Return the points whose lower bounds are within limits; None if they are too many."""
        most = self.most if len(bounds.queries) > 1 else len(self._screen.points)
        upto = self._screen.limits(bounds, limits)[:, 0]
        found = self._blocks.within(bounds.queries, upto, most)
        return None if found is None else self._arranged(bounds, found)

    def _arranged(self, bounds: Bounds, found: Within) -> Candidates:
        """Return candidates, by their products."""
        screen, places = self._screen, found.places
        lower = screen.lower(bounds, found.products)
        upper = screen.upper(bounds, lower, screen.norms[places])
        return Candidates(places, lower, upper, self._proved(upper))


def _some(bounds: Bounds, these: Any) -> Bounds:
    return Bounds(bounds.queries[these], bounds.norms[these])


def _rows(candidates: Candidates, which: Any) -> Candidates:
    parts = candidates.places, candidates.lower, candidates.upper, candidates.last
    return Candidates(*(each[which] for each in parts))
