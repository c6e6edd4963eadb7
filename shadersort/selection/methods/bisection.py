"""Bisection: count at the middle of the bracket, and keep the half that has the rank.

Each iteration halves the range, whatever the keys are. So the method needs log2(range / gap)
iterations, where gap is the distance between the keys at the answer. One far outlier increases the
range, and so costs many iterations (Beliakov 2011, section V-D).
"""

from collections.abc import Iterator

from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.search import NEEDS, Search
from shadersort.selection.selection import Selection

ITERATIONS = 2200
"""More than the 2,098 halvings from the largest double to the smallest."""


def bisection(selection: Selection, *, iterations: int = ITERATIONS) -> Key:
    """Halve the range of the keys until the answer is next to a pivot.

    `iterations` is the largest number of iterations.
    """
    search = Search(selection)
    return search.find(_halvings(search), iterations)


def _halvings(search: Search) -> Iterator[None]:
    while True:
        halve(search)
        yield


def halve(search: Search) -> None:
    """Count at the middle of the bracket, the mean of its ends."""
    search.count(search.at(search.width / 2, search.low), "halve")


METHOD = Method("bisection", bisection, needs=("counts", *NEEDS), finite=True)
