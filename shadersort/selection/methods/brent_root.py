"""Brent's root finding on the slope of the objective: 0 ∈ ∂f(y).

A root lies between two points where the slope has opposite signs. The next point comes from inverse
quadratic interpolation through three points, or from the secant through two points. Bisection
replaces a step that would leave the interval or shrink it too slowly. Brent, "Algorithms for
minimization without derivatives", 1973, chapter 4.

Interpolation assumes a smooth slope. With a far outlier the slope is flat over almost all of the
range, and the method becomes bisection (Beliakov 2011, figure 5).
"""

from collections.abc import Iterator

from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.methods.bisection import halve
from shadersort.selection.primitives import Counts
from shadersort.selection.search import NEEDS, Search
from shadersort.selection.selection import Selection

ITERATIONS = 6600
"""Three times those of bisection, as Brent's bound is higher; almost no keys need that many."""

EPSILON = 2.0**-52
"""The shortest step, relative to the first interval."""

Point = tuple[float, float]
"""The distance of a place from a base, and the slope at that place."""


def brent_root(selection: Selection, *, iterations: int = ITERATIONS) -> Key:
    """Find where the slope changes its sign, by interpolation.

    `iterations` is the largest number of iterations.
    """
    search = Search(selection)
    return search.find(_roots(search), iterations)


def _roots(search: Search) -> Iterator[None]:
    """Find roots in the proved bracket; halve it each time that interpolation ends."""
    while True:
        yield from _root(search, search.low, search.width)
        halve(search)
        yield


def _root(search: Search, base: Key, width: float) -> Iterator[None]:
    """Step until the interval is as short as doubles can show, or a step leaves the bracket."""
    below, above = search.k - search.before, search.until - 1 - search.k
    other, best = (0.0, -float(below)), (width, float(above))
    previous, last, before_last = other, width, width
    shortest = EPSILON * width
    while True:
        if abs(other[1]) < abs(best[1]):
            previous, best, other = best, other, best
        half = (other[0] - best[0]) / 2
        step = _interpolated(previous, best, other)
        slow = abs(before_last) < shortest or abs(previous[1]) <= abs(best[1])
        if slow or not _acceptable(step, half, before_last):
            step = last = half
        before_last, last = last, step
        step = step if abs(step) > shortest else (shortest if half > 0 else -shortest)
        pivot = search.near(best[0] + step, base)
        if abs(half) <= shortest or not search.holds(pivot):
            return
        search.count(pivot, "interpolate")
        yield
        previous, best = best, (best[0] + step, _slope(search.counts, search.k))
        if (best[1] > 0) == (other[1] > 0):
            other, last, before_last = previous, best[0] - previous[0], best[0] - previous[0]


def _slope(counts: Counts, k: int) -> float:
    """Return how many keys too many are below a pivot; a key equal to it counts half."""
    return counts.below + counts.equal / 2 - (k + 0.5)


def _interpolated(previous: Point, best: Point, other: Point) -> float:
    """Return the step from the best point to the root of the secant or the inverse parabola."""
    (a, fa), (b, fb), (c, fc) = previous, best, other
    if fa == fb:
        return float("inf")
    if fc in (fa, fb):
        return -fb * (b - a) / (fb - fa)
    first = fb * fc / ((fa - fb) * (fa - fc)) * (a - b)
    return first + fb * fa / ((fc - fb) * (fc - fa)) * (c - b)


def _acceptable(step: float, half: float, before_last: float) -> bool:
    """Whether a step stays within three quarters of the interval, and is at most half as long."""
    return 0 < step / half < 1.5 and abs(step) < abs(before_last) / 2 if half else False


METHOD = Method("brent-root", brent_root, needs=("counts", *NEEDS), finite=True)
