"""Lesson 7: entries of a set, which are values with bounds of their ranks; merge and compress.

`shadersort.streams.quantiles.gk_summaries` does the work; here its entries are in a readable form.
"""

from typing import Any, NamedTuple

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.quantiles.gk_summaries import GKSummaries
from shadersort.streams.quantiles.rank_answers import RankBounds, unite


class Entries(NamedTuple):
    """Some values of a set, in order, with bounds of their ranks."""

    values: Keys  # the first is the smallest of the set, the last the largest
    smallest: Keys  # the smallest possible rank of each value; ranks count from 1
    largest: Keys  # the largest possible rank of each
    n: int  # the number of values in the set

    def __repr__(self) -> str:
        rows = (" ".join(f"{each:>4g}" for each in row) for row in self[:3])
        lines = zip(("value        ", "smallest rank", "largest rank "), rows, strict=True)
        head = f"{len(self.values)} entries for {self.n} values"
        return "\n  ".join([head, *map(" ".join, lines)])


def sampled(window: Keys, step: int) -> Entries:
    """Sort a window and keep its first value and every `step`-th; `step` divides its length.

    Examples
    --------
    >>> sampled(np.array([40, 10, 30, 20]), 2)
    3 entries for 4 values
      value           10   20   40
      smallest rank    1    2    4
      largest rank     1    2    4
    """
    ranks = np.union1d(0, np.arange(step - 1, len(window), step))
    samples = np.sort(window)[None, ranks]
    return _entries(GKSummaries.of_samples(samples, ranks, len(window)), len(window))


def united_entries(a: Entries, b: Entries) -> Entries:
    """Return the entries of the union of two sets, with their bounds in it."""
    found = _bounds(a, b)
    return Entries(found.values, found.smallest, found.largest, found.n)


def compressed(entries: Entries, step: int) -> Entries:
    """Keep the first entry, and one for every `step` ranks."""
    kept = _entries(_summary(entries).compress(entries.n, step), entries.n)
    own = np.append(True, np.diff(kept.smallest) > 0)  # an empty slot repeats the one before
    return Entries(kept.values[own], kept.smallest[own], kept.largest[own], kept.n)


def bounds_of(entries: Entries, points: Any) -> tuple[Any, Any]:
    """Return bounds for the number of values that are at most each point.

    Examples
    --------
    >>> bounds_of(sampled(np.array([10, 20, 30, 40]), 2), [5, 25])
    (array([0, 2]), array([0, 3]))
    """
    low, high = _bounds(entries).bounds(np.asarray(points), "right")
    return low[()], high[()]


def _summary(entries: Entries) -> GKSummaries:
    """Return entries in the form of summaries: the growth of the bounds."""
    smallest, before = entries.smallest[None], entries.largest[None] - 1
    return GKSummaries.of_ranks(entries.values[None], smallest, before, entries.n)


def _bounds(*sets: Entries) -> RankBounds:
    """Return the bounds of ranks in the union of some sets."""
    return unite([_summary(each) for each in sets], np.empty(0, sets[0].values.dtype))


def _entries(summary: GKSummaries, n: int) -> Entries:
    return Entries(summary.values[0], summary.smallest[0], 1 + summary.before[0], n)


def rank_error(values: Keys, q: Any, answer: Any) -> Any:
    """Return the distance in ranks of answers from the q-quantiles of some values.

    It is negative if an answer is too small. A value that occurs several times has several ranks.
    """
    ordered = np.sort(values)
    wanted = np.maximum(1, np.ceil(np.multiply(q, len(ordered))))
    first, last = (np.searchsorted(ordered, answer, side) for side in ("left", "right"))
    return np.clip(wanted, first + 1, np.maximum(first + 1, last)) - wanted
