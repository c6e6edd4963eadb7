"""Objective (2) of Beliakov 2011, whose minimum is the k-th smallest key.

f(y) = Σ u(x − y), where u weighs keys above y by k + ½ and keys below y by n − k − ½, k from zero;
here both weights are divided by n. (The paper prints the two weights in the other order, which
finds the k-th largest key; for the median there is no difference.) f is convex and piecewise
linear, and its slope changes sign at the k-th key.
"""

from shadersort.keys.types import Key
from shadersort.selection.methods.searches.search import Search
from shadersort.selection.primitives.buckets import distance
from shadersort.selection.primitives.values import Counts, Objective
from shadersort.selection.selection import Selection


class Convex:
    """The objective for the rank of a selection, over the finite keys."""

    def __init__(self, selection: Selection) -> None:
        extent = selection.extent
        self.above = (selection.k - extent.minus_infinite + 0.5) / extent.finite  # the weight of a
        self.below = 1 - self.above  # key above a pivot, and that of a key below
        self.minus, self.beyond = extent.minus_infinite, extent.plus_infinite + extent.nans

    def value(self, at: Objective) -> float:
        """Return f, given the sums over all finite keys."""
        return self.below * at.below + self.above * at.above

    def slope(self, counts: Counts) -> float:
        """Return the slope of f to the right of a pivot."""
        return self.line(counts.below + counts.equal, counts.above)

    def line(self, left: int, right: int) -> float:
        """Return the slope of f that `left` keys below a pivot and `right` keys above it cause."""
        return self.below * (left - self.minus) - self.above * (right - self.beyond)


class Values:
    """The objective at distances from the low end of the bracket that a search has proved."""

    def __init__(self, search: Search, name: str) -> None:
        self.search, self.name, self.f = search, name, Convex(search.selection)
        self.keys, self.base, self.width = search.keys, search.low, search.width

    def key(self, place: float) -> Key:
        """Return the key at a place."""
        return self.search.key_near(place, self.base)

    def value_at(self, place: float) -> float:
        """Return f at a place, and narrow the bracket by the counts at that pivot.

        A copy of the candidates lacks the other keys. These keys add a straight line to f inside
        the bracket, so the returned value is f minus a constant.
        """
        pivot, left_out = self.key(place), self.search.left_out
        at = self.search.keys.objective(pivot)
        value = self.f.value(at)
        if any(left_out):
            value += self.f.line(*left_out) * float(distance(pivot, self.base))
        self.search.narrow(pivot, at.counts, self.name)
        return value

    def agree(self, left: float, right: float) -> bool:
        """Whether an interval contains the bracket by now, and the search has made no copy."""
        low, high = self.search.low, self.search.high
        inside = self.key(left) <= low and high <= self.key(right)
        return self.search.keys is self.keys and bool(inside)
