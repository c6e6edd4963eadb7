"""Golden section: minimise the objective by its values alone, as any unimodal function.

The interval has two inner points that divide it in the golden ratio. The worse point becomes an
end. The better point is also an inner point of the shorter interval, so each iteration evaluates
one point only. Each iteration removes 38% of the interval; bisection removes half.

Values are sums of doubles and can mislead near the minimum. So the section starts again in the
bracket that counts proved, when its interval contradicts that bracket, when it has no two inner
keys left, and when the search moves to a copy of the candidates.
"""

from collections.abc import Iterator

from shadersort.keys.types import Key
from shadersort.selection.methods.searches.objective import Convex, evaluate
from shadersort.selection.methods.searches.search import Search, search_by

GOLDEN = (5**0.5 - 1) / 2
"""The golden ratio, 0.618."""

ITERATIONS = 6600
"""Each leaves 0.618 of the interval, where bisection's 2,200 leave half; and misleading values may
waste half of them."""


def _sections(search: Search) -> Iterator[None]:
    f = Convex.of(search.selection)
    while True:
        yield from _section(search, f, search.low, search.width)


def _section(search: Search, f: Convex, base: Key, width: float) -> Iterator[None]:
    """Shorten one interval, which begins at `base`, as far as values lead."""

    def value(offset: float) -> float:
        return evaluate(search, f, search.key_near(offset, base), base, "section")

    keys, left, right = search.keys, 0.0, width
    lower, upper = width - GOLDEN * width, GOLDEN * width
    at_lower = value(lower)
    yield
    at_upper = value(upper)
    yield
    while search.keys is keys and holds(search, base, left, right):
        if not search.key_near(lower, base) < search.key_near(upper, base):
            return
        if at_lower < at_upper:
            right, upper, at_upper = upper, lower, at_lower
            lower = right - GOLDEN * (right - left)
            at_lower = value(lower)
        else:
            left, lower, at_lower = lower, upper, at_upper
            upper = left + GOLDEN * (right - left)
            at_upper = value(upper)
        yield


def holds(search: Search, base: Key, left: float, right: float) -> bool:
    """Return whether an interval contains the proved bracket."""
    return bool(
        search.key_near(left, base) <= search.low and search.high <= search.key_near(right, base)
    )


METHOD = search_by("golden", _sections, ITERATIONS, "objective")
