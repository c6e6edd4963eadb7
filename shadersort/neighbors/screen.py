"""Bounds of squared distances by matrix products, which cost little and lose digits.

|x − y|² = |x|² − 2xy + |y|² takes one matrix product for all pairs of many queries and points. If
the norms are large against the distance, most digits cancel. So nothing is decided by the product
alone: it gives a lower and an upper bound, proved by the error of a sum of products (Higham,
"Accuracy and Stability of Numerical Algorithms", section 3.1), and a distance that the bounds leave
open is computed from differences.
"""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.arrays import Home
from shadersort.selection.primitives.one_read import sampled_places

SAMPLE = 1 << 15
"""The most points in a sample, from which the k-th distance is guessed."""

SHARE = 16
"""A sample has at most one in so many points."""

FEW = 1 << 9
"""So few points are not sampled: all are."""

PIECE = 1 << 20
"""Coordinates that are prepared at a time on a CPU; on a GPU 64 times as many."""

LOOSEST = 0.25
"""If the error may be a larger share of the squared norms, bounds by products are of no use."""

FARTHEST = 2.0**60
"""The largest norm of a query, as a multiple of the largest coordinate: squares fit in float32."""


@dataclass(frozen=True)
class Bounds:
    """What bounds the squared distances of some queries, beside products with points.

    Attributes
    ----------
    queries
        (q, p + 1): the coordinates times −2, and a one.
    norms
        (q, 1), float64: the squared norms, less the largest error.
    """

    queries: Any
    norms: Any


class Screen:
    """Points in float32, centred and scaled, with their squared norms as one more coordinate.

    A product of a query and a point, plus the query's norm, is at most the squared distance:
    the squared norms are reduced by `error` times themselves, which is more than what is rounded.

    Examples
    --------
    >>> from shadersort.arrays import NumPyHome
    >>> screen = Screen(NumPyHome(), np.array([[0.0, 0.0], [3.0, 4.0]]))
    >>> bounds = screen.of(np.array([[0.0, 0.0]]))
    >>> lower = screen.lower(bounds, bounds.queries @ screen.points.T)
    >>> (lower / screen.scale**2).round(3).tolist()
    [[-0.0, 25.0]]
    """

    def __init__(self, home: Home, points: Any) -> None:
        self._home, xp = home, home.xp
        count, features = points.shape
        self.error = max((features + 8) * _rounding(xp), home.steps.error(features))
        self.least = (features + 8) * 2.0**-120  # what products may lose by underflow
        self.scale = power_below(1 / max(float(abs(points).max()), 2.0**-1000))
        self._centre = _mean(points, self.scale)
        self.points = xp.empty((count, features + 1), np.float32)
        self._fill(points)
        self.norms = xp.ascontiguousarray(self.points[:, -1])  # many are asked for, here and there
        self.sample = self.points
        if count > FEW:
            places = sampled_places(count, 16, min(SAMPLE, count // SHARE))
            self.sample = self.points[xp.asarray(places)]

    def _fill(self, points: Any) -> None:
        """Write the coordinates, and the squared norms less the largest error."""
        most = PIECE if self._home.xp is np else PIECE << 6
        step = max(most // points.shape[1], 1)
        for start in range(0, len(points), step):
            piece, found = points[start : start + step], self.points[start : start + step]
            found[:, :-1] = self._centred(piece)
            found[:, -1] = (1 - self.error) * _norms(self._home.xp, found[:, :-1])

    @property
    def is_useful(self) -> bool:
        """Whether the bounds tell anything, for so many coordinates."""
        return bool(self.error <= LOOSEST)

    def of(self, queries: Any) -> Bounds:
        """Return what bounds the distances of queries."""
        xp, (count, features) = self._home.xp, queries.shape
        found = xp.ones((count, features + 1), np.float32)
        with np.errstate(over="ignore"):
            centred = self._centred(queries)
            found[:, :-1] = -2 * centred
            return Bounds(found, (1 - self.error) * _norms(xp, centred)[:, None])

    def covers(self, bounds: Bounds) -> Any:
        """Return which queries have no norm too large for float32: (q,)."""
        return bounds.norms[:, 0] < FARTHEST**2

    def lower(self, bounds: Bounds, products: Any) -> Any:
        """Return lower bounds of the scaled squared distances, in float64."""
        return products + (bounds.norms - self.least)

    def upper(self, bounds: Bounds, lower: Any, norms: Any) -> Any:
        """Return upper bounds, given the lower ones and the norms of their points."""
        of_queries = 3 * self.error * bounds.norms + 2 * self.least
        return lower + of_queries + (3 * self.error) * norms

    def limits(self, bounds: Bounds, upto: Any) -> Any:
        """Return which products have lower bounds of at most `upto`: those of at most this."""
        limits = (upto - (bounds.norms - self.least)).astype(np.float32)
        return self._home.xp.nextafter(limits, np.float32(np.inf))

    def _centred(self, points: Any) -> Any:
        """Return coordinates in float32; each is rounded by at most its own 2**-24."""
        wide = points.astype(np.float64) * self.scale - self._centre
        return wide.astype(np.float32)


def _rounding(xp: Any) -> float:
    """Return twice the error of a product. CuPy may be told to multiply with 10 bits (TF32)."""
    short = xp is not np and os.environ.get("CUPY_TF32", "0") != "0"
    return 2.0**-10 if short else 2.0**-23


def power_below(number: float) -> float:
    """Return the largest power of two that is at most a positive number, from 2**-1000 to 2**1000.

    Examples
    --------
    >>> power_below(5.0), power_below(0.3)
    (4.0, 0.25)
    """
    exponent = int(np.frexp(number)[1]) - 1
    return float(2.0 ** min(max(exponent, -1000), 1000))


def _mean(points: Any, scale: float) -> Any:
    """Return about the mean of the scaled points; any centre is right, this one is good."""
    step = max(len(points) * points.shape[1] // PIECE, 1)
    return (points[::step].astype(np.float64) * scale).mean(axis=0)


def _norms(xp: Any, points: Any) -> Any:
    """Return the squared norms of points, in float64."""
    wide = points.astype(np.float64)
    return xp.einsum("ij,ij->i", wide, wide)
