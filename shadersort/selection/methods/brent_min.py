"""Brent's minimisation: a parabola through three points, and the golden section if that fails.

Brent, "Algorithms for minimization without derivatives", 1973, chapter 5. The objective is
piecewise linear, and three points on one piece have no parabola. So with a far outlier the method
becomes a golden section of almost all of the range (Beliakov 2011, figure 5).

Like the golden section it uses values only, and starts again in the bracket that counts proved.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.methods.golden import GOLDEN, ITERATIONS, holds
from shadersort.selection.objective import Convex, evaluate
from shadersort.selection.search import NEEDS, Search
from shadersort.selection.selection import Selection

TOLERANCE = 2.0**-26
"""Relative to the interval: values in double precision cannot locate a minimum better."""


class Point(NamedTuple):
    """The distance of a place from a base, and the objective at that place."""

    value: float
    place: float


def brent_min(selection: Selection, *, iterations: int = ITERATIONS) -> Key:
    """Minimise the objective by parabolas.

    `iterations` is the largest number of iterations.
    """
    search = Search(selection)
    return search.find(_minima(search, Convex.of(selection)), iterations)


def _minima(search: Search, f: Convex) -> Iterator[None]:
    while True:
        yield from _minimum(search, f, search.low, search.width)


def _minimum(search: Search, f: Convex, base: Key, width: float) -> Iterator[None]:
    """Step while the interval agrees with the proved bracket, and values can show a minimum."""

    def point(place: float) -> Point:
        return Point(evaluate(search, f, search.near(place, base), base, "parabola"), place)

    keys, left, right = search.keys, 0.0, width
    points = [point((1 - GOLDEN) * width)]
    yield
    before_last = last = 0.0
    shortest = TOLERANCE * width
    while search.keys is keys and holds(search, base, left, right):
        best = points[0]
        if not right - left > 4 * shortest:
            return
        longer = (right if best.place < (left + right) / 2 else left) - best.place
        step = _parabola(*points) if len(points) == 3 else math.inf
        if abs(step) < abs(before_last) / 2 and left < best.place + step < right:
            before_last, last = last, step
        else:
            before_last, last = longer, (1 - GOLDEN) * longer
        step = last if abs(last) > shortest else math.copysign(shortest, longer)
        new = point(best.place + step)
        yield
        better, worse = sorted((best, new))
        left, right = (worse.place, right) if worse.place < better.place else (left, worse.place)
        points = sorted({*points, new})[:3]


def _parabola(best: Point, second: Point, third: Point) -> float:
    """Return the step from the best of three points to the minimum of the parabola through them."""
    to_second, to_third = second.place - best.place, third.place - best.place
    p, q = to_second * (third.value - best.value), to_third * (second.value - best.value)
    if p == q:
        return math.inf
    return (to_second * p - to_third * q) / (2 * (p - q))


METHOD = Method("brent-min", brent_min, needs=("objective", *NEEDS), finite=True)
