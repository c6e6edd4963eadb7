"""Golden section: minimise the objective by its values alone, as any unimodal function.

The interval has two inner points that divide it in the golden ratio. The worse point becomes an
end. The better point is also an inner point of the shorter interval, so each iteration evaluates
one point only. Each iteration removes 38% of the interval; bisection removes half.

Values are sums of doubles and can mislead near the minimum. So the section starts again in the
bracket that counts proved, when its interval contradicts that bracket, when it has no two inner
keys left, and when the search moves to a copy of the candidates.
"""

from collections.abc import Iterator

from shadersort.selection.methods.searches.objective import Values
from shadersort.selection.methods.searches.search import Search, search_by

GOLDEN = (5**0.5 - 1) / 2
"""The golden ratio, 0.618."""

ITERATIONS = 6600
"""Each leaves 0.618 of the interval, where bisection's 2,200 leave half; and misleading values may
waste half of them."""


def _section(search: Search) -> Iterator[None]:
    """Shorten one interval as far as values lead."""
    f = Values(search, "section")
    left, right = 0.0, f.width
    lower, upper = right - GOLDEN * right, GOLDEN * right
    at_lower = f.value_at(lower)
    yield
    at_upper = f.value_at(upper)
    yield
    while f.agree(left, right) and f.key(lower) < f.key(upper):
        if at_lower < at_upper:
            right, upper, at_upper = upper, lower, at_lower
            lower = right - GOLDEN * (right - left)
            at_lower = f.value_at(lower)
        else:
            left, lower, at_lower = lower, upper, at_upper
            upper = left + GOLDEN * (right - left)
            at_upper = f.value_at(upper)
        yield


METHOD = search_by("golden", _section, ITERATIONS, "objective")
