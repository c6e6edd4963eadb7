"""The k nearest points of queries: products of matrices leave few of them, differences decide.

|x − y|² = |x|² − 2xy + |y|² takes one matrix product for all pairs of many queries and points. If
the norms are large against the distance, most digits cancel. So the product only gives a lower
bound, proved by the error of a sum of products (Higham, "Accuracy and Stability of Numerical
Algorithms", section 3.1). A sample guesses a limit slightly above the k-th squared distance. Points
whose bounds are within the limit are candidates, and their distances are computed from differences
in float64. If the k-th of these is within the limit, no other point can be nearer; otherwise it is
the next limit.
"""

import os
from collections.abc import Iterator
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from shadersort.arrays import Home, kth_of_rows, run_in_threads
from shadersort.selection.primitives.one_read import sample_places, sample_rank

SAMPLE, SHARE = 1 << 15, 16
"""The most points in a sample, and the least number of points for each of them."""

FEW = 1 << 9
"""With fewer points, all are in the sample."""

WIDE = 3.0
"""A limit is guessed this many standard errors above the k-th distance."""

LOOSEST, FARTHEST = 0.25, 2.0**120
"""Bounds are of use up to this error, as a share of squared norms, and up to this squared norm."""

ALONE = 1 << 18
"""A product of two matrices that takes no more multiplications than this runs in one thread."""


class Neighbours(NamedTuple):
    """A row of candidates for each query, in the order of their places; short rows are filled."""

    places: Any  # (q, c): which points; zero behind the last candidate
    squares: Any  # (q, c): the squares of distances times scale²; NaN behind the last candidate
    last: Any  # (q, 1): the k-th of them

    def indicator(self, k: int) -> Any:
        """Return b for a point that is nearer, a at the k-th distance, and 0 otherwise: float64.

        b points are at the k-th distance, and a of them belong to the k nearest: the indicator is
        this divided by b (Beliakov 2011, section VI). So sums of whole numbers remain exact.
        """
        nearer, equal = self.squares < self.last, self.squares == self.last
        b = equal.sum(axis=1, keepdims=True)
        return nearer * b + equal * ((k - nearer.sum(axis=1, keepdims=True)) * 1.0)


class Screen:
    """Points in float32, centred and scaled, with their squared norms as one more coordinate.

    A product of a query and a point, plus the query's norm, is at most the squared distance:
    the squared norms are reduced by `error` times themselves, which is more than what is rounded.
    """

    def __init__(self, home: Home, points: Any) -> None:
        self._home, self._given, xp = home, points, home.xp
        more = 0 if xp is np else 4  # a GPU does more at a time:
        self._at_once = 1 << 7 + more  # queries,
        self._pairs, self._piece = 1 << 21 + more, 1 << 20 + more  # candidates, coordinates,
        self._block = 1 << 18 + 2 * more  # and products
        count, features = points.shape
        # CuPy may be told to multiply with 10 bits (TF32)
        short = xp is not np and os.environ.get("CUPY_TF32", "0") != "0"
        self._error = (features + 10) * (2.0**-10 if short else 2.0**-23)
        self._least = (features + 10) * 2.0**-120  # what products may lose by underflow
        largest = max(float(abs(points).max()) or 1.0, 2.0**-1000)
        self.scale = float(2.0 ** min(1 - int(np.frexp(largest)[1]), 1000))
        self._centre = self._wide(points[:: max(count * features // self._piece, 1)]).mean(axis=0)
        # products of few points start no threads of BLAS, which would wait for each other and ours
        few = max(ALONE // (self._at_once * (features + 1)), 1) if xp is np else 1 << 15
        self._points = xp.full((-(-count // few) * few, features + 1), np.nan, np.float32)
        self._stack = self._points.reshape(-1, few, features + 1)
        for some in self._slices(count, features):
            self._points[some] = self._with_norms(points[some], 1)
        self._sample = self._points[:count]
        if count > FEW:
            places = sample_places(count, 16, min(SAMPLE, count // SHARE))
            self._sample = self._points[xp.asarray(places)]

    def nearest(self, queries: Any, k: int) -> Iterator[tuple[Any, Neighbours]]:
        """Yield some of the queries, by their places, and their candidates, until none is left."""
        xp, count = self._home.xp, len(self._given)
        with np.errstate(over="ignore"):
            asked = self._with_norms(queries, -2)
        norms = asked[:, -1:].astype(np.float64)
        asked[:, -1] = 1
        screened = (norms[:, 0] < FARTHEST) & (self._error <= LOOSEST)
        for some in self._chunks(xp.flatnonzero(~screened), count):
            yield some, self._measured(queries[some], self._all_pairs(len(some)), k)
        rank = min(sample_rank(k - 1, count, len(self._sample), WIDE, 1), len(self._sample) - 1)
        expected = (rank + 1) * count // len(self._sample) + 1
        for some in self._chunks(xp.flatnonzero(screened), expected):
            stack = [(some, self._guessed(asked[some], norms[some], rank))]
            while stack:
                these, limits = stack.pop()
                found = self._within(asked[these], norms[these], limits)
                half = len(these) // 2
                if found is None and half:  # too many: in halves
                    stack += [(these[half:], limits[half:]), (these[:half], limits[:half])]
                    continue
                if found is None:
                    found, limits = self._all_pairs(1), limits + np.inf
                near = self._measured(queries[these], found, k)
                proved = (near.last <= limits)[:, 0]
                yield these[proved], Neighbours(*(each[proved] for each in near))
                if not bool(proved.all()):
                    limits = xp.where(near.last == near.last, near.last, 2 * limits)
                    stack.append((these[~proved], limits[~proved]))

    def _chunks(self, places: Any, each: int) -> Iterator[Any]:
        """Yield places of queries in chunks; each query has room for this many candidates."""
        step = max(min(self._pairs // each, self._at_once), 1)
        return (places[start : start + step] for start in range(0, len(places), step))

    def _guessed(self, asked: Any, norms: Any, rank: int) -> Any:
        """Return a number for each query that most likely is above its k-th distance: (q, 1)."""
        products = self._sample @ asked.T
        products += np.float32(3 * self._error) * self._sample[:, -1:]
        kth = kth_of_rows(self._home, products, rank, axis=0).T.astype(np.float64)
        return (kth + (1 + 3 * self._error) * norms + self._least) * (1 + 2.0**-20)

    def _within(self, asked: Any, norms: Any, limits: Any) -> tuple[Any, Any] | None:
        """Return queries and points, in pairs, whose lower bounds are within limits.

        They come in the order of the points. Returns None if they are too many.
        """
        xp, turned, count = self._home.xp, self._home.xp.ascontiguousarray(asked.T), len(asked)
        upto = (limits - (norms - self._least)).astype(np.float32)[:, 0]
        upto = xp.nextafter(upto, np.float32(np.inf))
        few = self._stack.shape[1]
        step = max(self._block // (count * few), 1)
        found: dict[int, Any] = {}
        left, lock = [self._pairs], Lock()

        def find(start: int) -> None:
            if left[0] < 0:
                return
            products = self._stack[start : start + step] @ turned
            flat = xp.flatnonzero(products <= upto)
            with lock:
                left[0] -= len(flat)
            found[start] = flat + start * few * count

        starts = range(0, len(self._stack), step)
        run_in_threads(starts, find, len(self._points) * count if xp is np else 0)
        if left[0] < 0:
            return None
        flat = xp.concatenate([found[start] for start in starts])
        places = flat // count
        return flat - places * count, places

    def _measured(self, queries: Any, pairs: tuple[Any, Any], k: int) -> Neighbours:
        """Return the squared distances of pairs of queries and points, in rows."""
        xp, (rows, points) = self._home.xp, pairs
        counts = xp.bincount(rows, minlength=len(queries))
        order = xp.argsort(rows.astype(np.uint16), kind="stable")
        rows, points = rows[order], points[order]
        slots = xp.arange(len(order)) - (xp.cumsum(counts) - counts)[rows]
        shape = len(queries), max(int(counts.max()), k)
        places, squares = xp.zeros(shape, np.int64), xp.full(shape, np.nan)
        places[rows, slots] = points
        for some in self._slices(len(rows), queries.shape[1]):
            apart = self._wide(self._given[points[some]]) - self._wide(queries[rows[some]])
            squares[rows[some], slots[some]] = xp.einsum("ij,ij->i", apart, apart)
        last = kth_of_rows(self._home, squares, k - 1)
        return Neighbours(places, squares, last)

    def _all_pairs(self, count: int) -> tuple[Any, Any]:
        """Return some queries, each with all points, in pairs."""
        pairs = self._home.xp.arange(count * len(self._given))
        return pairs // len(self._given), pairs % len(self._given)

    def _slices(self, count: int, features: int) -> Iterator[slice]:
        """Yield slices of rows that are converted to float64 at a time."""
        step = max(self._piece // features, 1)
        return (slice(start, min(start + step, count)) for start in range(0, count, step))

    def _wide(self, points: Any) -> Any:
        return points.astype(np.float64) * self.scale

    def _with_norms(self, points: Any, times: int) -> Any:
        """Return coordinates in float32, and their squared norms less the largest error."""
        centred = (self._wide(points) - self._centre).astype(np.float32)
        wide = centred.astype(np.float64)
        norms = (1 - self._error) * self._home.xp.einsum("ij,ij->i", wide, wide)
        return self._home.xp.hstack([times * centred, norms[:, None].astype(np.float32)])
