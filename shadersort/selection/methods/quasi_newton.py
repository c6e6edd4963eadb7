"""A quasi-Newton method for the non-smooth objective: second derivatives by differences of slopes.

The next pivot is y − g(y) · (y − y′) / (g(y) − g(y′)), where y′ is the previous pivot. There is no
safeguard. Beliakov 2011 found such a method very unstable, and this one is: the slope is a
staircase, flat or steep, so steps leave the range of the keys or find the same slope twice. Then
the method raises `DidNotConverge`.
"""

from collections.abc import Iterator

from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.objective import Convex
from shadersort.selection.primitives.values import gap
from shadersort.selection.search import NEEDS, Search
from shadersort.selection.selection import Selection

ITERATIONS = 100
"""If the method converges, it needs far fewer."""


def quasi_newton(selection: Selection, *, iterations: int = ITERATIONS) -> Key:
    """Take quasi-Newton steps, beginning at the mean.

    `iterations` is the largest number of iterations.
    """
    search = Search(selection)
    return search.find(_steps(search, Convex.of(selection)), iterations)


def _steps(search: Search, f: Convex) -> Iterator[None]:
    extent, base = search.selection.extent, search.low
    width = search.width

    def slope(place: float) -> float:
        search.count(search.near(place, base), "step")
        return f.slope(search.counts)

    old = gap(search.at(extent.total / extent.finite, base.dtype.type(0)), base)
    at_old = slope(old)
    yield
    new = old / 2 if at_old > 0 else (old + width) / 2
    while True:
        at_new = slope(new)
        yield
        if at_new == at_old:
            raise search.selection.did_not_converge("two pivots have the same slope")
        step = -at_new * (new - old) / (at_new - at_old)
        old, at_old, new = new, at_new, new + step
        if not 0 <= new <= width:
            raise search.selection.did_not_converge("a step left the range of the keys")


METHOD = Method("quasi-newton", quasi_newton, needs=("counts", *NEEDS), finite=True)
