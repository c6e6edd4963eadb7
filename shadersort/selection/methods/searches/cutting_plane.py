"""Kelley's cutting planes: minimise the objective by its values and its slopes (Beliakov 2011).

At each end of the bracket a line touches the objective from below. The next pivot is the place
where the two lines meet: the **mean of the keys inside the bracket**, for every rank, as the keys
outside add the same straight line to both. So sums are taken inside the bracket only, and outliers
cannot spoil them. After some iterations the rest is copied and sorted. Where copying is expensive,
the method iterates to the end.

A mean halves the candidates at best. In the middle of symmetric data the first mean falls beside
the answer, which later means do not reach. So the next pivot is interpolated by the rank if the
answer is near an end of the bracket, or if at most a sixteenth of the keys are still candidates,
which are almost evenly spread.

Means work badly if the keys spread over many orders of magnitude. After two iterations in a row
that exclude few keys, the mean of log(1 + x − x(1)) is used, the paper's monotone transform. After
two more such iterations, the next pivot is the middle of the bracket's codes.
"""

from collections.abc import Iterator

import numpy as np

from shadersort.errors import BadOption, choices
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.methods.radix import radix
from shadersort.selection.methods.searches.search import NEEDS, Search
from shadersort.selection.primitives.buckets import distance
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
    """Cut the bracket at the mean of its keys, `iterations` times at most.

    `finish="compact"` copies the candidates when they are few, and sorts them after 7 iterations;
    "iterate" iterates until the answer is next to a pivot, at most 600 times; "auto" is "compact"
    where copying is cheap. `transform` allows means of logarithms where means work badly.
    """
    if finish not in FINISHES:
        raise BadOption(f"no finish is called {finish!r}: use {choices(FINISHES)}")
    search, tuning = Search(selection), selection.keys.tuning
    cuts = _cuts(search, transform and selection.keys.supports("log_objective"))
    if finish == "iterate" or (finish == "auto" and not tuning.copies):
        return search.find(cuts, TO_THE_END if iterations is None else iterations, copies=False)
    most = ITERATIONS if iterations is None else iterations
    search.drive(cuts, most, selection.few, copies=True)
    too_many = search.answer is None and search.candidates > selection.few
    if tuning.far and too_many:  # for a sort
        ranks = selection.ranks
        return selection.select_within(search.keys, ranks, ranks - search.left_out[0], radix)[0]
    return search.finish()


def _cuts(search: Search, transform: bool) -> Iterator[None]:
    extent, poor = search.selection.extent, 0
    name, pivot = "cut", search.key_at(extent.total / extent.finite, search.dtype.type(0))
    while True:
        origin, candidates = extent.low if transform and poor >= 2 else None, search.candidates
        mean = _cut(search, pivot, origin, name)
        yield
        poor = poor + 1 if search.candidates > POOR * candidates else 0
        left, right = search.k - search.before, search.until - search.k
        near = min(left, right) < NEAR * search.candidates
        if poor == 0 and (near or search.candidates <= search.selection.n // LAST):
            name, pivot = "by rank", _by_rank(search)
        elif poor >= 4:
            name, pivot = "halve codes", search.middle
        else:
            name, pivot = "cut" if origin is None else "log cut", mean


def _cut(search: Search, pivot: Key, origin: Key | None, name: str) -> Key:
    """Sum and count at a pivot, narrow the bracket, and return where the new lines meet."""
    if origin is None:
        at = search.keys.objective(pivot, *search.window)
    else:
        at = search.keys.log_objective(pivot, *search.window, origin)
    search.narrow(pivot, at.counts, name)
    total = -at.below if search.k < search.counts.below else at.above
    shift = total / search.candidates  # from the pivot to the mean of the candidates
    if origin is None:
        return search.key_at(shift, pivot)
    with np.errstate(over="ignore", invalid="ignore"):  # then it is the middle of the codes
        mean = np.expm1(np.log1p(distance(pivot, origin)) + shift)
    return search.key_at(float(mean), origin)


def _by_rank(search: Search) -> Key:
    """Return the key where the answer would be if the candidates were evenly spread.

    It is shifted a little to the side with more keys, so that it is likely to exclude all of them.
    """
    part = (search.k - search.before + 0.5) / search.candidates
    deviation = (part * (1 - part) / search.candidates) ** 0.5
    margin = max(deviation, min(part, 1 - part, NEAR) / 2)
    place = part + margin if part < 0.5 else part - margin
    return search.key_at(place * search.width, search.low)


METHOD = Method("cutting-plane", cutting_plane, needs=("objective", *NEEDS), finite=True)
