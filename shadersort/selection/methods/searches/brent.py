"""Brent's two methods: a root of the slope of the objective, and the minimum of the objective.

Brent, "Algorithms for minimization without derivatives", 1973, chapters 4 and 5. Both interpolate
as if the objective were smooth. It is piecewise linear: with a far outlier the slope is flat over
almost all of the range, and three points on one piece have no parabola. `brent-root` then becomes
bisection, and `brent-min` the golden section (Beliakov 2011, figure 5).

**brent-root** finds 0 ∈ ∂f(y) between two points where the slope has opposite signs, by inverse
quadratic interpolation through three points, or by the secant through two; or by bisection, if that
would leave the interval or shrink it too slowly. **brent-min** takes the minimum of the parabola
through three points, or the golden section. It starts again in the bracket that counts proved.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from shadersort.selection.methods.searches.bisection import halve
from shadersort.selection.methods.searches.golden import GOLDEN, ITERATIONS
from shadersort.selection.methods.searches.objective import Values
from shadersort.selection.methods.searches.search import Search, search_by

EPSILON = 2.0**-52
"""The shortest step of brent-root, relative to the first interval."""

TOLERANCE = 2.0**-26
"""That of brent-min: values in double precision cannot locate a minimum better."""


class Point(NamedTuple):
    """The objective or its slope at a place, a distance from a base."""

    value: float
    place: float


def _root(search: Search) -> Iterator[None]:
    """Step until the interval is as short as doubles can show, or a step leaves the bracket.

    Then the bracket is halved.
    """
    base, width = search.low, search.width
    below, above = search.k - search.before, search.until - 1 - search.k
    other, best = Point(-float(below), 0.0), Point(float(above), width)
    previous, last, before_last = other, width, width
    shortest = EPSILON * width
    while True:
        if abs(other.value) < abs(best.value):
            previous, best, other = best, other, best
        half = (other.place - best.place) / 2
        step = interpolate(previous, best, other)
        slow = abs(before_last) < shortest or abs(previous.value) <= abs(best.value)
        # within three quarters of the interval, and at most half as long as the step before last
        fits = bool(half) and 0 < step / half < 1.5 and abs(step) < abs(before_last) / 2
        if slow or not fits:
            step = last = half
        before_last, last = last, step
        step = step if abs(step) > shortest else math.copysign(shortest, half)
        pivot = search.key_near(best.place + step, base)
        if abs(half) <= shortest or not search.low <= pivot <= search.high:
            break
        search.count(pivot, "interpolate")
        yield
        at, previous = search.counts, best
        # how many keys too many are below the pivot; a key equal to it counts half
        best = Point(at.below + at.equal / 2 - (search.k + 0.5), best.place + step)
        if (best.value > 0) == (other.value > 0):
            other, last = previous, best.place - previous.place
            before_last = last
    yield from halve(search)


def interpolate(previous: Point, best: Point, other: Point) -> float:
    """Return the step from the best point to the root of the secant or the inverse parabola."""
    (fa, a), (fb, b), (fc, c) = previous, best, other
    if fa == fb:
        return math.inf
    if fc in (fa, fb):
        return -fb * (b - a) / (fb - fa)
    first = fb * fc / ((fa - fb) * (fa - fc)) * (a - b)
    return first + fb * fa / ((fc - fb) * (fc - fa)) * (c - b)


def _minimum(search: Search) -> Iterator[None]:
    """Step while the interval agrees with the proved bracket, and values can show a minimum."""
    f = Values(search, "parabola")
    left, right, place = 0.0, f.width, (1 - GOLDEN) * f.width
    points = [Point(f.value_at(place), place)]
    yield
    before_last = last = 0.0
    shortest = TOLERANCE * f.width
    while f.agree(left, right) and right - left > 4 * shortest:
        best = points[0]
        longer = (right if best.place < (left + right) / 2 else left) - best.place
        step = to_vertex(*points) if len(points) == 3 else math.inf
        if abs(step) < abs(before_last) / 2 and left < best.place + step < right:
            before_last, last = last, step
        else:
            before_last, last = longer, (1 - GOLDEN) * longer
        step = last if abs(last) > shortest else math.copysign(shortest, longer)
        new = Point(f.value_at(best.place + step), best.place + step)
        yield
        better, worse = sorted((best, new))
        left, right = (worse.place, right) if worse.place < better.place else (left, worse.place)
        points = sorted({*points, new})[:3]


def to_vertex(best: Point, second: Point, third: Point) -> float:
    """Return the step from the best of three points to the minimum of the parabola through them."""
    to_second, to_third = second.place - best.place, third.place - best.place
    p, q = to_second * (third.value - best.value), to_third * (second.value - best.value)
    if p == q:
        return math.inf
    return (to_second * p - to_third * q) / (2 * (p - q))


METHOD = search_by("brent-root", _root, ITERATIONS, "counts")
METHOD_MIN = search_by("brent-min", _minimum, ITERATIONS, "objective")
