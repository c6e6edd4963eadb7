"""Kelley's cutting planes: minimise the objective by its values and its slopes (Beliakov 2011).

At each end of the bracket a line touches the objective from below. The next pivot is the place
where the two lines meet. Keys outside the bracket add the same straight line to both, so the lines
meet at the **mean of the keys inside the bracket**, for every rank. The sums are therefore taken
inside the bracket only: an outlier outside the bracket cannot spoil them, however large it is.

After a few iterations the few candidates are copied. The search continues in the copy, and after
some more iterations the rest is sorted. Where copying is expensive, it iterates to the end.

A mean halves the candidates at best. In the middle of symmetric data the first mean falls beside
the answer. The answer is then next to an end of the new bracket, and later means do not reach it.
In two cases the next pivot is therefore interpolated by the rank: if the answer is near an end of
the bracket, or if at most a sixteenth of the keys are still candidates, which are almost evenly
spread.

Means work badly if the keys spread over many orders of magnitude. After two iterations in a row
that exclude few keys, the mean of log(1 + x − x(1)) is used, the paper's monotone transform. After
two more such iterations, the next pivot is the middle of the bracket's codes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shadersort.errors import BadOption, choices
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.methods.radix import walk
from shadersort.selection.methods.searches.objective import Convex
from shadersort.selection.methods.searches.search import NEEDS, Search
from shadersort.selection.primitives import Counts, Objective
from shadersort.selection.primitives.buckets import distance
from shadersort.selection.primitives.values import gap
from shadersort.selection.selection import Selection

ITERATIONS = 7
"""Iterations before the candidates are sorted, as in the paper."""

TO_THE_END = 600
"""Iterations if the candidates are not sorted: far more than any keys were seen to need."""

LAST = 16
"""Pivots are interpolated by rank if at most 1 in this many keys is a candidate."""

NEAR = 1 / 64
"""They are also interpolated if less than this part of the candidates is on one side of it."""

POOR = 15 / 16
"""An iteration that leaves more than this part of the candidates excluded few."""

FINISHES = ("auto", "compact", "iterate")


def cutting_plane(
    selection: Selection,
    *,
    iterations: int | None = None,
    finish: str = "auto",
    transform: bool = True,
) -> Key:
    """Cut the bracket at the mean of its keys.

    Parameters
    ----------
    iterations
        The largest number of iterations; None for 7 before sorting, or 600 without sorting.
    finish
        "compact" copies the candidates when they are few, and sorts them in the end; "iterate"
        iterates until the answer is next to a pivot; "auto" is "compact" where copying is cheap.
    transform
        Whether to use means of logarithms if means work badly.
    """
    if finish not in FINISHES:
        raise BadOption(f"no finish is called {finish!r}: use {choices(FINISHES)}")
    search = Search(selection)
    cuts = _cuts(search, transform and selection.keys.supports("log_objective"))
    if finish == "iterate" or (finish == "auto" and not selection.keys.tuning.copies):
        return search.find(cuts, TO_THE_END if iterations is None else iterations, copies=False)
    most = ITERATIONS if iterations is None else iterations
    answer = search.drive(cuts, most, selection.few, copies=True)
    if answer is None and search.keys.tuning.far and search.candidates > selection.few:
        return walk(search)  # too many to be sorted
    return search.compacted() if answer is None else answer


def _cuts(search: Search, transform: bool) -> Iterator[None]:
    extent, poor = search.selection.extent, 0
    lines = _Lines(search, Convex.of(search.selection))
    name, pivot = "cut", search.at(extent.total / extent.finite, search.dtype.type(0))
    while True:
        origin, candidates = extent.low if transform and poor >= 2 else None, search.candidates
        mean = lines.cut(pivot, origin, name)
        yield
        poor = poor + 1 if search.candidates > POOR * candidates else 0
        if poor == 0 and (
            search.candidates <= search.selection.n // LAST or _is_near_an_end(search)
        ):
            name, pivot = "by rank", _by_rank(search, mean)
        elif poor >= 4:
            name, pivot = "halve codes", search.middle()
        else:
            name, pivot = "cut" if origin is None else "log cut", mean


def _is_near_an_end(search: Search) -> bool:
    """Whether all but a small part of the candidates lie on one side of the answer."""
    return min(search.k - search.before, search.until - search.k) < NEAR * search.candidates


def _by_rank(search: Search, mean: Key) -> Key:
    """Return the key where the answer would be if the density of the candidates were a line.

    The line is chosen to give their mean. The result is shifted a little to the side with more
    keys, so that the pivot is likely to exclude all of them.
    """
    part = (search.k - search.before + 0.5) / search.candidates
    deviation = (part * (1 - part) / search.candidates) ** 0.5
    margin = max(deviation, min(part, 1 - part, NEAR) / 2)
    part += margin if part < 0.5 else -margin
    width = search.width
    centre = gap(mean, search.low) / width
    if not 0 < centre < 1:  # one of them is infinite: use the rank only
        return search.at(part * width, search.low)
    return search.at(_quantile(part, centre) * width, search.low)


def _quantile(part: float, centre: float) -> float:
    """Return the quantile of a linear density from 0 to 1, given its mean.

    If no linear density has that mean, the density is constant on a part of the interval.

    Examples
    --------
    >>> _quantile(0.25, 0.5), _quantile(0.25, 2 / 3), round(_quantile(0.25, 0.1), 3)
    (0.25, 0.5, 0.05)
    """
    slope = 6 * centre - 3
    if slope < -1:
        return 2 * centre * part
    if slope > 1:
        return 1 - 2 * (1 - centre) * (1 - part)
    if abs(slope) < 2**-20:
        return part
    # the root of part = (1 − slope) u + slope u², written so that no digits cancel
    root: float = ((1 - slope) ** 2 + 4 * slope * part) ** 0.5
    return 2 * part / (1 - slope + root)


class _Lines:
    """The two lines that touch the objective at the ends of the bracket.

    A line is stored as the sum of the distances from the keys outside the bracket to its end. Once
    the method goes on with logarithms of the keys, the new sums cannot be added to these sums: from
    then on the trace has no values of the objective.
    """

    def __init__(self, search: Search, f: Convex) -> None:
        self.search, self.f = search, f
        self.left = _Outside(search.low)
        self.right = _Outside(search.high)
        self.known = True

    def cut(self, pivot: Key, origin: Key | None, name: str) -> Key:
        """Evaluate at a pivot, narrow the bracket, and return where the new lines meet."""
        search, window = self.search, self.search.window
        if origin is None:
            at = search.keys.objective(pivot, *window)
        else:
            at = search.keys.log_objective(pivot, *window, origin)
        self.known = self.known and origin is None
        counts = search.of_all(at.counts)
        below = self.left.moved(pivot, counts.below - self.f.minus, at.below)
        above = self.right.moved(pivot, counts.above - self.f.beyond, at.above)
        whole = Objective(counts, below.total, above.total)
        search.narrow(
            pivot,
            counts,
            name,
            objective=self.f.value(whole) if self.known else None,
            slope=self.f.slope(counts),
        )
        if search.k < counts.below:
            self.right = above.including(counts)
            return self._mean(pivot, origin, -at.below)
        self.left = below.including(counts)
        return self._mean(pivot, origin, at.above)

    def _mean(self, pivot: Key, origin: Key | None, total: float) -> Key:
        """Return the mean of the candidates, given the sum of their distances to a pivot."""
        shift = total / self.search.candidates
        if origin is None:
            return self.search.at(shift, pivot)
        with np.errstate(over="ignore", invalid="ignore"):  # then it is the middle of the codes
            mean = np.expm1(np.log1p(distance(pivot, origin)) + shift)
        return self.search.at(float(mean), origin)


@dataclass(frozen=True, slots=True)
class _Outside:
    """The number of keys on one side of a place, and the sum of their distances to it."""

    place: Key
    count: int = 0
    total: float = 0.0

    def moved(self, pivot: Key, count: int, between: float) -> "_Outside":
        """Return the sums for a pivot further inside, given the distances of the keys between."""
        low, high = min(self.place, pivot), max(self.place, pivot)
        shift = self.count * gap(high, low) if self.count else 0.0
        return _Outside(pivot, count, self.total + shift + between)

    def including(self, counts: Counts) -> "_Outside":
        """Return the sums with the keys at the place included; their distance is zero."""
        return _Outside(self.place, self.count + counts.equal, self.total)


METHOD = Method("cutting-plane", cutting_plane, needs=("objective", *NEEDS), finite=True)
