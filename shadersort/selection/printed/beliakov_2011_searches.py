"""The methods that Beliakov 2011 compares with the cutting plane, as textbooks have them.

Bisection, golden section and Brent's two methods are those of Press et al., *Numerical Recipes*, to
which the paper refers. Each iteration evaluates f and g at a place, a double, by one reduction over
all keys. Nothing is copied; at last "a simple loop" finds the key.

`bisection` and `brent-root` solve 0 ∈ g(y). They stop if k keys are at or below y, or in an
interval of 10^-12. `golden` and `brent-min` know f only, so only the tolerance stops them.
`quasi-newton` divides differences of g by those of y, and often fails, as the paper says. Outliers
slow all of them: iterations grow as the logarithm of the range (section V-D).

Readings (docs/errata.md): the paper prints no steps of these methods. The tolerance is that of
Alg. 1, and a few units in the last place where doubles are coarser. Ranks 1 and n are x(1) and
x(n). If ỹ is below the k-th key, the loop selects the smallest key above ỹ.
"""

import math
from collections.abc import Callable

from shadersort.keys.types import Key
from shadersort.names import SelectionMethod
from shadersort.selection.method import Method
from shadersort.selection.methods.searches import brent
from shadersort.selection.methods.searches.golden import GOLDEN
from shadersort.selection.printed.beliakov_2011_objective import TOLERANCE_F, Objective, Point
from shadersort.selection.selection import Selection

MAXIT, MAXIT_NEWTON = 6600, 100
"""Iterations at most: four times what golden section needs from 10^308 to 10^-12; and more than the
quasi-Newton method needs if it converges."""

ULPS = 2.0**-51  # the shortest step of doubles, relative to a place


def bisection(f: Objective) -> Point:
    """Halve the interval in which g changes its sign."""
    while f.R.y - f.L.y > 2 * _shortest(f.R.y):
        t = f.at(f.L.y + (f.R.y - f.L.y) / 2)
        if f.solves(t):
            return t
    return f.R


def brent_root(f: Objective) -> Point:
    """Find the root of g by inverse parabolas and secants, or else by halving (zbrent)."""
    previous, best, other = f.L, f.R, f.L
    last = before_last = best.y - other.y
    while True:
        if abs(other.g) < abs(best.g):
            previous, best, other = best, other, best
        half, shortest = (other.y - best.y) / 2, _shortest(best.y)
        if abs(half) <= shortest:
            return f.R
        step = brent.interpolate(*(brent.Point(each.g, each.y) for each in (previous, best, other)))
        fits = 0 < step / half < 1.5 and abs(step) < abs(before_last) / 2
        if abs(before_last) < shortest or abs(previous.g) <= abs(best.g) or not fits:
            step = last = half
        before_last, last = last, step
        step = step if abs(step) > shortest else math.copysign(shortest, half)
        previous, best = best, f.at(best.y + step)
        if f.solves(best):
            return best
        if (best.g > 0) == (other.g > 0):
            other, last = previous, best.y - previous.y
            before_last = last


def golden(f: Objective) -> Point:
    """Keep the part of the interval that has the lesser of two values."""
    left, right = f.first.y, f.last.y
    lower = f.at(right - GOLDEN * (right - left))
    upper = f.at(left + GOLDEN * (right - left))
    while right - left > 2 * _shortest(lower.y):
        if lower.f < upper.f:
            right, upper = upper.y, lower
            lower = f.at(right - GOLDEN * (right - left))
        else:
            left, lower = lower.y, upper
            upper = f.at(left + GOLDEN * (right - left))
    return lower if lower.f < upper.f else upper


def brent_min(f: Objective) -> Point:
    """Go to the minimum of the parabola through three points, or else by the golden section."""
    left, right = f.first.y, f.last.y
    best = second = third = f.at(left + (1 - GOLDEN) * (right - left))
    before_last = last = 0.0
    while True:
        middle, shortest = left + (right - left) / 2, _shortest(best.y)
        if abs(best.y - middle) <= 2 * shortest - (right - left) / 2:
            return best
        step = brent.to_vertex(*(brent.Point(each.f, each.y) for each in (best, second, third)))
        if abs(step) < abs(before_last) / 2 and left < best.y + step < right:
            before_last, last = last, step
        else:
            before_last = (left if best.y >= middle else right) - best.y
            last = (1 - GOLDEN) * before_last
        step = last if abs(last) > shortest else math.copysign(shortest, last)
        new = f.at(best.y + step)
        better, worse = (new, best) if new.f <= best.f else (best, new)
        left, right = (worse.y, right) if worse.y < better.y else (left, worse.y)
        if better is new:
            best, second, third = new, best, second
        elif new.f <= second.f or second is best:
            second, third = new, second
        elif new.f <= third.f or third in (best, second):
            third = new


def quasi_newton(f: Objective) -> Point:
    """Step to the root of the secant of g, beginning at the mean."""
    old = f.at(f.first.y + f.first.f / (f.weights[1] * f.n))
    new = old if f.solves(old) else f.at(f.L.y + (f.R.y - f.L.y) / 2)
    while not f.solves(new):
        if new.g == old.g:
            raise f.selection.did_not_converge("two places have the same slope")
        y = new.y - new.g * (new.y - old.y) / (new.g - old.g)
        if not f.first.y <= y <= f.last.y:
            raise f.selection.did_not_converge("a step left the range of the keys")
        if abs(y - new.y) <= _shortest(new.y):
            break
        old, new = new, f.at(y)
    return new


def _shortest(y: float) -> float:
    """Return half of the tolerance, the shortest step from a place."""
    return TOLERANCE_F / 2 + ULPS * abs(y)


def _method(
    name: SelectionMethod, search: Callable[[Objective], Point], step: str, maxit: int = MAXIT
) -> Method:
    def find(selection: Selection, *, iterations: int = maxit, transform: str | None = None) -> Key:
        """Search in `iterations` at most; `transform="log"` searches among logarithms."""
        f = Objective(selection, step, iterations, transform)
        low, high = selection.extent.low, selection.extent.high
        if f.k in (1, f.n) or low == high:
            return low if f.k == 1 else high
        if not math.isfinite(f.R.y - f.L.y):
            raise selection.did_not_converge("the range of the keys overflows")
        t = search(f)
        x = f.nearest(t.y, -1 if t.g > 0 else 1)
        selection.record("nearest" if f.solved else "nearest, by tolerance")
        return x

    needs = ("extent", "objective", "at_or_below", "at_or_above")
    return Method(name, find, needs=needs, finite=True)


METHODS = (
    _method("bisection", bisection, "halve"),
    _method("brent-root", brent_root, "interpolate"),
    _method("brent-min", brent_min, "parabola"),
    _method("golden", golden, "section"),
    _method("quasi-newton", quasi_newton, "step", MAXIT_NEWTON),
)
