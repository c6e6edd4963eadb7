"""Greenwald and Khanna's list of entries: one list for a whole stream, fed with sorted batches.

An entry is a value with two bounds: at least `smallest` values of the stream are at most the value,
and at most `before` values are less than it. The gap after an entry is the `before` of the next one
less its own `smallest`: the uncertainty of how many values come before a point between the two. A
gap between entries of equal values counts as 0, since no point lies there. The gaps before the
first entry and after the last are 0 as well: these two are the minimum and the maximum.

**A sorted batch adds no error.** All places in it are known exactly, so both bounds of an entry
grow by the same number, and a gap grows by the number of new values between its entries. Where a
gap would grow beyond the limit, new entries divide it: see `GKList.with_batch`.

**Entries are deleted** where the gap between their neighbours stays within the limit, in an order
that keeps the list short: see `gk_bands.py`. The limit grows with the stream: `gk_budget.py`.

The structure is that of Greenwald and Khanna 2001, "Space-efficient online computation of quantile
summaries", which adds the values one by one. `docs/small-summaries.md` has the proofs.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.streams.quantiles.gk_bands import survivors
from shadersort.streams.quantiles.gk_summaries import GKSummaries
from shadersort.streams.quantiles.sorted_batch import Batch
from shadersort.streams.summary import LONGEST

Columns = tuple[Any, Any, Any]
"""Values of entries, and their two bounds."""
Ends = tuple[bool, bool]
"""Whether there is a new minimum, and a new maximum."""


@dataclass(frozen=True, slots=True, eq=False)
class GKList:
    """Entries of one set of values, in order; a value that is replaced, never changed.

    Attributes
    ----------
    values, smallest, before
        The entries: arrays of NumPy, or of another library with its functions.
    repeats
        The places of entries whose value is also that of the entry before.
    size
        How many values the set has.
    limit
        No gap is larger than this.

    Examples
    --------
    >>> from shadersort.streams.quantiles.sorted_batch import SortedBatch
    >>> entries = GKList.empty(np.dtype(int)).with_batch(SortedBatch(np.arange(10)), 4)
    >>> entries.values, entries.smallest, entries.before
    (array([0, 4, 9]), array([ 1,  5, 10]), array([0, 4, 9]))
    """

    values: Any
    smallest: Any
    before: Any
    repeats: Any
    size: int
    limit: int

    @classmethod
    def empty(cls, dtype: np.dtype[Any]) -> Self:
        """Return no entries, of values of a type."""
        ranks = np.empty(0, np.int64)
        return cls(np.empty(0, dtype), ranks, ranks, ranks, 0, 0)

    @classmethod
    def of_summary(cls, summary: GKSummaries, limit: int) -> Self:
        """Return the entries of the only one of some summaries."""
        values = summary.values[0]
        smallest, before = (each[0].astype(np.int64) for each in (summary.smallest, summary.before))
        return cls(values, smallest, before, repeats_of(np, values), summary.size, limit)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def xp(self) -> Any:
        """The library that has the arrays."""
        return np

    def on_host(self) -> "GKList":
        """Return the list in arrays of NumPy."""
        return self

    def _of(
        self, values: Any, smallest: Any, before: Any, repeats: Any, size: int, limit: int
    ) -> "GKList":
        """Return a list where this one is."""
        return GKList(values, smallest, before, repeats, size, limit)

    def with_batch(self, batch: Batch, limit: int) -> "GKList":
        """Return the list with a batch added; no gap is then larger than a limit.

        Where a gap of width g gets c values and g + c is beyond the limit, every s-th of these
        values becomes an entry, s = limit − g + 1. Both bounds of such an entry are those of the
        ends of the gap, plus its place among the c values; so each part of the gap has at most
        g + s − 1 values. A new minimum or maximum becomes an entry in any case.
        """
        xp = batch.xp
        starts = self._starts(batch)
        inner, size = starts[1:-1], self.size + len(batch)
        columns = self.values, self.smallest + inner, self.before + inner
        counts = starts[1:] - starts[:-1]
        first, last = int(counts[0]), int(counts[-1])
        ends = first > 0, last > (not len(self))
        counts[-1] = max(0, last - 1)  # the new maximum is an entry anyway
        gaps, places = self._chosen(xp, counts, limit)
        if not (len(gaps) or any(ends)):
            return self._of(*columns, self.repeats, size, limit)
        places = places + starts[gaps]
        found = batch.at(_between(xp, places, ends, 0, len(batch) - 1))
        if len(gaps):
            columns = self._divided(xp, columns, gaps, places, found[ends[0] :])
        if any(ends):
            columns = _with_ends(xp, columns, found, ends, size)
        return self._of(*columns, repeats_of(xp, columns[0]), size, limit)

    def _divided(self, xp: Any, columns: Columns, gaps: Any, places: Any, values: Any) -> Columns:
        """Return columns with new entries in gaps; these have places in a batch, and values."""
        low, high = _padded(xp, self.smallest, 0, 0), _padded(xp, self.before, self.size, -1)
        new = values[: len(gaps)], low[gaps] + places + 1, high[gaps] + places
        return _joined(xp, gaps, columns, new)

    def _starts(self, batch: Batch) -> Any:
        """Return the place in a batch at which each gap begins, and the batch's length.

        Values that equal an entry come after it; those that equal several come before the last.
        """
        starts = batch.xp.zeros(len(self) + 2, np.int64)
        starts[1:-1] = batch.below(self.values)
        if len(self.repeats):
            starts[1 + self.repeats] = batch.through(self.values[self.repeats])
        starts[-1] = len(batch)
        return starts

    def _chosen(self, xp: Any, counts: Any, limit: int) -> tuple[Any, Any]:
        """Return the gap of each new entry, in order, and its place in the gap.

        `counts` says how many values each gap gets.
        """
        most = xp.zeros(len(counts), np.int64)
        most[1:-1] = self.smallest[:-1] - self.before[1:]
        most += limit
        if len(self.repeats):
            most[self.repeats] = LONGEST  # no entry is needed between equal values
        (wide,) = (counts > most).nonzero()
        if not len(wide):
            return wide, wide
        steps = most[wide] + 1
        often = counts[wide] // steps
        stops = often.cumsum()
        every = xp.arange(int(stops[-1]))
        at = xp.searchsorted(stops, every, side="right")
        return wide[at], (every - (stops - often)[at] + 1) * steps[at] - 1

    def compressed(self, limit: int, allowed: int) -> "GKList":
        """Return the list without entries that a limit for gaps makes superfluous.

        `allowed` is the largest gap that the error bound allows: it tells how old entries are.
        """
        limit = max(limit, self.limit)
        if not len(self):
            return self
        columns = self.values, self.smallest, self.before
        kept = survivors(*columns, limit, allowed, xp=self.xp)
        values, smallest, before = (each[kept] for each in columns)
        return self._of(values, smallest, before, repeats_of(self.xp, values), self.size, limit)

    def summary(self) -> GKSummaries:
        """Return the list as the only one of some summaries, on the host."""
        here = self.on_host()
        ranks = here.smallest[None], here.before[None]
        return GKSummaries.of_ranks(here.values[None], *ranks, here.size)

    def united(self, other: "GKList") -> "GKList":
        """Return the list of both sets: the gaps add up, and so do the limits."""
        both = GKSummaries.union([self.summary(), other.summary()])
        return GKList.of_summary(both, self.limit + other.limit)

    def checked(self, allowed: int) -> Self:
        """Return this list, or raise CorruptSummary if its gaps are larger than its limit."""
        gaps = self.before[1:] - self.smallest[:-1]
        gaps[self.repeats - 1] = 0
        if gaps.max(initial=0) > self.limit or not 0 <= self.limit <= allowed:
            raise CorruptSummary("the gaps of a list are larger than the error bound allows")
        return self


def repeats_of(xp: Any, values: Any) -> Any:
    """Return the places of values that equal the one before.

    Examples
    --------
    >>> repeats_of(np, np.array([1, 2, 2, 2, 3]))
    array([2, 3])
    """
    (places,) = (values[1:] == values[:-1]).nonzero()
    return places + 1


def _padded(xp: Any, ranks: Any, more: int, at: int) -> Any:
    """Return ranks with one more in front (at 0) or at the end (at −1)."""
    found = xp.empty(len(ranks) + 1, np.int64)
    found[at], found[1 + at : len(ranks) + 1 + at] = more, ranks
    return found


def _between(xp: Any, array: Any, ends: Ends, front: int, back: int) -> Any:
    """Return an array with a number before it, and one after it, as far as there are such ends."""
    found = xp.empty(ends[0] + len(array) + ends[1], np.int64)
    found[ends[0] : len(found) - ends[1]] = array
    if ends[0]:
        found[0] = front
    if ends[1]:
        found[-1] = back
    return found


def _with_ends(xp: Any, columns: Columns, found: Any, ends: Ends, size: int) -> Columns:
    """Return columns with a new minimum and a new maximum, the first and last of values found."""
    values, smallest, before = columns
    return (
        xp.concatenate([found[: ends[0]], values, found[len(found) - ends[1] :]]),
        _between(xp, smallest, ends, 1, size),
        _between(xp, before, ends, 0, size - 1),
    )


def _joined(xp: Any, gaps: Any, old: Columns, new: Columns) -> Columns:
    """Return columns of entries with new entries in the gaps before the old ones."""
    added = gaps + xp.arange(len(gaps))
    stays = xp.ones(len(old[0]) + len(gaps), np.bool_)
    stays[added] = False
    moved = xp.flatnonzero(stays)
    found: list[Any] = []
    for before, more in zip(old, new, strict=True):
        column = xp.empty(len(stays), before.dtype)
        column[moved], column[added] = before, more
        found.append(column)
    return found[0], found[1], found[2]
