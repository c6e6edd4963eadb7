"""Objective (2) of Beliakov 2011 and its subgradient, which all methods of the paper evaluate.

A place is a double: a key x or, with `transform="log"`, F(x) = log(1 + x − x(1)), the increasing
function of section V-D. Order statistics do not change under it, and outliers cannot spoil sums of
logarithms. f and g are sums over all keys in double precision.

Readings (docs/errata.md): objective (2) serves every rank, with its weights exchanged. F⁻¹(u) is
rounded down to a key q. No key lies between F(q) and u, so f is straight there: its value and the
counts at u follow exactly from those at q.
"""

import math
from typing import NamedTuple

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.types import Key
from shadersort.selection.primitives.buckets import distance
from shadersort.selection.printed.finite_keys import key_beside, key_of
from shadersort.selection.selection import Selection

TOLERANCE_F = 1e-12  # the width of the interval at which a search stops


class Point(NamedTuple):
    """A place, the objective and a subgradient there, and the number of finite keys up to there."""

    y: float
    f: float
    g: float
    upto: int


class Objective:
    """Objective (2) for the k-th smallest of n finite keys, with its weights exchanged.

    Each evaluation is one reduction. `L` and `R` are the last places evaluated with fewer than k
    keys up to them, and with k or more.
    """

    solved = False  # whether 0 ∈ g at the last place that was asked about

    def __init__(self, selection: Selection, step: str, maxit: int, transform: str | None) -> None:
        if maxit < 1:
            raise BadOption(f"iterations must be 1 or more, not {maxit}")
        if transform not in (None, "log"):
            raise BadOption(f'as printed the transform is "log" or None, not {transform!r}')
        if transform is not None:
            selection.variant = "as printed, logarithms"
        self.selection, self.step, self.maxit = selection, step, maxit
        self.keys = selection.keys
        self.extent = extent = selection.extent
        self.origin = None if transform is None else extent.low  # x(1)
        self.n, self.k = extent.finite, selection.k - extent.minus_infinite + 1
        self.weights = self.n - self.k + 0.5, self.k - 0.5  # of keys below and above a place
        self.L, self.R = self.first, self.last = self._ends()

    def _ends(self) -> tuple[Point, Point]:
        """Return the values at x(1) and x(n), by the formulas of section IV.

        The sum of all keys is known; that of their logarithms takes one reduction more.
        """
        (below, above), n, total = self.weights, self.n, self.extent.total
        low, self.top = self.place(self.extent.low), self.place(self.extent.high)
        if self.origin is not None:
            total = self._point_at(low).f / above
            self.selection.record("log total")
        left = Point(low, above * (total - n * low), below - above * (n - 1), 1)
        return left, Point(self.top, below * (n * self.top - total), below * (n - 1) - above, n - 1)

    def at(self, y: float) -> Point:
        """Evaluate f and g at a place, and record it: one of maxit iterations."""
        if not self.maxit:
            raise self.selection.did_not_converge("maxit came before any criterion to stop")
        self.maxit -= 1
        places = {"low": self.L.y, "high": self.R.y, "pivot": y}
        dtype, t = self.keys.dtype, self._point_at(y)
        named = {name: key_of(self.value(place), dtype) for name, place in places.items()}
        self.L, self.R = (t, self.R) if t.g < 0 else (self.L, t)
        self.selection.record(self.step, candidates=max(self.R.upto - self.L.upto, 0), **named)
        return t

    def _point_at(self, y: float) -> Point:
        (below, above), shift = self.weights, 0.0
        if self.origin is None:
            lower, higher, upto = self.keys.tangent(y)
        else:
            q = self.key_beside(y, -1)
            at = self.keys.log_objective(q, None, None, self.origin)
            lower, higher, upto = at.below, at.above, at.counts.below + at.counts.equal
            shift = y - self.place(q)
        upto -= self.extent.minus_infinite
        g = below * upto - above * (self.n - upto)
        return Point(y, below * lower + above * higher + g * shift, g, upto)

    def solves(self, t: Point) -> bool:
        """Whether 0 ∈ g(t), read as: k keys are at or below t."""
        self.solved = t.upto == self.k
        return self.solved

    def place(self, key: Key) -> float:
        """Return the place of a finite key."""
        return float(key if self.origin is None else np.log1p(distance(key, self.origin)))

    def value(self, y: float) -> float:
        """Return what has a place: F⁻¹(y), which is rounded, except at x(n)."""
        if self.origin is None:
            return y
        return float(self.extent.high if y >= self.top else float(self.origin) + np.expm1(y))

    def key_beside(self, y: float, side: int) -> Key:
        """Return the largest key up to a place (side −1), or the smallest from it on (side 1)."""
        return key_beside(self.value(y), self.keys.dtype, side)

    def nearest(self, y: float, side: int = -1) -> Key:
        """Find the largest key up to a place, by the footnote's loop, or (side 1) the next one."""
        if side < 0:
            x = self.keys.at_or_below(self.key_beside(y, side))
            return self.extent.low if x is None else x
        above = math.nextafter(self.value(y), math.inf)
        x = self.keys.at_or_above(key_beside(above, self.keys.dtype, side))
        return self.extent.high if x is None else x
