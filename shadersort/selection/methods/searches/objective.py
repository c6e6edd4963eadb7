"""Objective (2) of Beliakov 2011, whose minimum is the k-th smallest key.

f(y) = Σ u(x − y), where u weighs keys above y by k + ½ and keys below y by n − k − ½, k from zero;
here both weights are divided by n. (The paper prints the two weights in the other order, which
finds the k-th largest key; for the median there is no difference.) f is convex and piecewise
linear, and its slope changes sign at the k-th key.
"""

from dataclasses import dataclass

from shadersort.keys.types import Key
from shadersort.selection.methods.searches.search import Search
from shadersort.selection.primitives import Counts, Objective
from shadersort.selection.primitives.values import gap
from shadersort.selection.selection import Selection


@dataclass(frozen=True, slots=True)
class Convex:
    """The objective of one rank, over the finite keys.

    Examples
    --------
    >>> import numpy as np
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> keys = NumPyPrimitives([1, 2, 4, 9])
    >>> f = Convex.of(Selection(keys, [2], "example"))
    >>> at = keys.objective(np.int64(4))
    >>> f.value(at), f.slope(at.counts)
    (5.0, 0.5)
    """

    # the weights of a key below the pivot and of a key above it; they add up to 1
    below: float
    above: float
    # how many keys are below the finite keys, and how many are above
    minus: int
    beyond: int

    @classmethod
    def of(cls, selection: Selection) -> "Convex":
        """Return the objective for the rank of a selection."""
        extent = selection.extent
        above = (selection.k - extent.minus_infinite + 0.5) / extent.finite
        return cls(1 - above, above, extent.minus_infinite, extent.plus_infinite + extent.nans)

    def value(self, at: Objective) -> float:
        """Return f, given the sums over all finite keys."""
        return self.below * at.below + self.above * at.above

    def slope(self, counts: Counts) -> float:
        """Return the slope of f to the right of a pivot."""
        return self.line(counts.below + counts.equal, counts.above)

    def line(self, left: int, right: int) -> float:
        """Return the slope that `left` keys below a pivot and `right` keys above it give f."""
        return self.below * (left - self.minus) - self.above * (right - self.beyond)


def evaluate(search: Search, f: Convex, pivot: Key, base: Key, name: str) -> float:
    """Return f at a pivot, and narrow the bracket by the counts at that pivot.

    A copy of the candidates lacks the other keys. These keys add a straight line to f inside the
    bracket, so the returned value is f minus a constant.
    """
    at = search.keys.objective(pivot)
    value = f.value(at)
    if any(search.left_out):
        value += f.line(*search.left_out) * gap(pivot, base)
    search.narrow(pivot, at.counts, name)
    return value
