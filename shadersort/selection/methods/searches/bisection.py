"""Bisection: count at the middle of the bracket, and keep the half that has the rank.

Each iteration halves the range, whatever the keys are. So the method needs log2(range / gap)
iterations, where gap is the distance between the keys at the answer. One far outlier increases the
range, and so costs many iterations (Beliakov 2011, section V-D).
"""

from collections.abc import Iterator

from shadersort.selection.methods.searches.search import Search, search_by

ITERATIONS = 2200
"""More than the 2,098 halvings from the largest double to the smallest."""


def halve(search: Search) -> Iterator[None]:
    """Count at the middle of the bracket, the mean of its ends."""
    search.count(search.key_at(search.width / 2, search.low), "halve")
    yield


METHOD = search_by("bisection", halve, ITERATIONS, "counts")
