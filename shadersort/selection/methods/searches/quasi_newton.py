"""A quasi-Newton method for the non-smooth objective: second derivatives by differences of slopes.

The next pivot is y − g(y) · (y − y′) / (g(y) − g(y′)), where y′ is the previous pivot. Beliakov
2011 found such a method very unstable, and this one is: the slope is a staircase, so steps leave
the range of the keys or find the same slope twice. Then the method raises `DidNotConverge`.
"""

from collections.abc import Iterator

from shadersort.selection.methods.searches.objective import Convex
from shadersort.selection.methods.searches.search import Search, search_by
from shadersort.selection.primitives.buckets import distance

ITERATIONS = 100
"""Far more than the method needs if it converges."""


def _steps(search: Search) -> Iterator[None]:
    """Take quasi-Newton steps, beginning at the mean."""
    f, extent = Convex(search.selection), search.selection.extent
    base, width = search.low, search.width

    def slope(place: float) -> float:
        search.count(search.key_near(place, base), "step")
        return f.slope(search.counts)

    mean = search.key_at(extent.total / extent.finite, base.dtype.type(0))
    old = float(distance(mean, base))
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


METHOD = search_by("quasi-newton", _steps, ITERATIONS, "counts")
