"""Greenwald and Khanna's list of entries: one list for a whole stream, fed with sorted batches.

An entry is a value with two bounds: at least `smallest` values of the stream are at most the value,
and at most `before` values are less than it. The gap after an entry is the `before` of the next one
less its own `smallest`: the uncertainty of how many values come before a point between the two. A
gap between entries of equal values counts as 0, since no point lies there. The gaps before the
first entry and after the last are 0 as well: these two are the minimum and the maximum.

- **INSERT** adds a sorted batch: `GKList.with_batch`. The batch adds no error. All places in it are
  known exactly, so both bounds of an entry grow by the same number, and a gap grows by the number
  of new values between its entries. Where a gap would grow beyond the limit, new entries divide it.
- **COMPRESS** deletes entries where the gap between their neighbours stays within the limit, in an
  order that keeps the list short: `GKList.compress`, `survivors` and `bands`.
- **QUERY** reads the bounds of the entries, `GKList.summary`; `RankBounds.values_at` finds that of
  a rank. Half of the largest gap is the largest error.

The structure is that of Greenwald and Khanna 2001, "Space-efficient online computation of quantile
summaries", which adds the values one by one. An entry of the paper is (v, g, Δ): `smallest` is the
sum of all g up to the entry, and Δ its width, `before` + 1 − `smallest`. The limit of a gap grows
with the stream, up to the paper's 2εn: `merged_lists.py`. `docs/summaries.md` has the proofs.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.quantiles.gk_summaries import GKSummaries
from shadersort.streams.summary import LONGEST

Places = npt.NDArray[np.intp]

MANY = 1 << 9  # from this many entries on, it takes less time to find those that need no search


@dataclass(frozen=True, slots=True, eq=False)
class SortedBatch:
    """Values in order in a NumPy array, without NaNs; a subclass may have them elsewhere."""

    ordered: Any
    size: int  # how many values there are, each as often as its weight
    ends: Any = None  # the sums of the weights up to each value; None: all are 1
    xp: Any = np  # the library of the lists that may ask

    @classmethod
    def from_weights(cls, values: Keys, weights: Integers) -> "SortedBatch":
        """Return values in any order, each as often as its weight; no weight is 0."""
        order = np.argsort(values, kind="stable")
        ends = np.cumsum(weights[order], dtype=np.int64)
        return cls(values[order], int(ends[-1:].sum()), ends)

    def starts(self, values: Any, repeats: Any) -> Any:
        """Return the place in the batch at which each gap of a list begins, and the batch's size.

        `values` are those of its entries, `repeats` the places of those that equal the one before.
        Values that equal an entry come after it; those that equal several come before the last.
        If a stream rises, few of many entries lie among new values: only these are searched for.
        """
        ordered, starts = self.ordered, np.zeros(len(values) + 2, np.int64)
        inner = starts[1:-1]
        if len(values) < MANY or not len(ordered):
            inner[:] = ordered.searchsorted(values)
        else:
            first, last = values.searchsorted(ordered[0]), values.searchsorted(ordered[-1], "right")
            inner[first:last] = ordered.searchsorted(values[first:last])
            inner[last:] = len(ordered)
        if len(repeats):
            inner[repeats] = ordered.searchsorted(values[repeats], "right")
        if self.ends is not None:
            inner[:] = np.append(0, self.ends)[inner]
        starts[-1] = self.size
        return starts

    def values_at(self, places: Any) -> Any:
        """Return the values at some places, from zero, with 0.0 for −0.0."""
        if self.ends is not None:
            places = np.searchsorted(self.ends, places, side="right")
        return self.ordered[places] + self.ordered.dtype.type(0)

    def insert_into(self, entries: Any, limit: int) -> Any:
        """Return a list whose arrays are of another library with this batch added."""
        return entries.to_host().with_batch(self, limit)

    def values(self) -> Keys:
        """Return all values on the host."""
        kept: Keys = self.ordered if self.ends is None else self.values_at(np.arange(self.size))
        return kept


@dataclass(frozen=True, slots=True, eq=False)
class GKList:
    """Entries of one set of values, in order; a value that is replaced, never changed."""

    xp: ClassVar[Any] = np  # the library of the arrays
    values: Any
    smallest: Any
    before: Any
    size: int  # how many values the set has
    limit: int  # no gap is larger than this
    dtype: Any = None  # the type of the values if the list has codes in their place

    @classmethod
    def empty(cls, dtype: np.dtype[Any]) -> Self:
        """Return no entries, of values of a type."""
        ranks = np.empty(0, np.int64)
        return cls(np.empty(0, dtype), ranks, ranks, 0, 0)

    @classmethod
    def of_summary(cls, summary: GKSummaries, limit: int) -> Self:
        """Return the entries of the only one of some summaries."""
        smallest, before = summary.smallest[0], summary.before[0].astype(np.int64)
        return cls(summary.values[0], smallest.astype(np.int64), before, summary.size, limit)

    def to_host(self) -> "GKList":
        """Return the list in arrays of NumPy."""
        return self

    def with_batch(self, batch: SortedBatch, limit: int) -> "GKList":
        """Return the list with a batch added; no gap is then larger than a limit: INSERT.

        Where a gap of width g gets c values and g + c is beyond the limit, every s-th of these
        values becomes an entry, s = limit − g + 1. Both bounds of such an entry are those of the
        ends of the gap, plus its place among the c values; so each part of the gap has at most
        g + s − 1 values. A new minimum or maximum becomes an entry in any case.
        """
        if batch.xp is not self.xp:
            found: GKList = batch.insert_into(self, limit)
            return found
        xp, count, size = self.xp, len(self.values), self.size + batch.size
        repeats = (self.values[1:] == self.values[:-1]).nonzero()[0] + 1
        starts = batch.starts(self.values, repeats)
        inner, counts = starts[1:-1], starts[1:] - starts[:-1]
        columns = [self.values, self.smallest + inner, self.before + inner]
        first, last = int(counts[0]), int(counts[-1])
        ends = int(first > 0), int(last > (not count))  # a new minimum, and a new maximum
        counts[-1] = max(0, last - 1)  # the maximum is an entry anyway
        gaps, places = self._division(counts, repeats, limit)
        if len(gaps) or any(ends):
            front, back = (xp.zeros(each, np.int64) for each in ends)
            places = xp.concatenate([front, places + starts[gaps], back + (batch.size - 1)])
            gaps = xp.concatenate([front, gaps, back + count])
            low, high = xp.zeros(count + 1, np.int64), xp.full(count + 1, self.size, np.int64)
            low[1:], high[:-1] = self.smallest, self.before  # the bounds at both ends of each gap
            new = batch.values_at(places), low[gaps] + places + 1, high[gaps] + places
            order = xp.argsort(xp.concatenate([gaps, xp.arange(count)]), kind="stable")
            columns = [xp.concatenate(pair)[order] for pair in zip(new, columns, strict=True)]
        values, smallest, before = columns
        return type(self)(values, smallest, before, size, limit, self.dtype)

    def _division(self, counts: Any, repeats: Any, limit: int) -> tuple[Any, Any]:
        """Return the gap of each new entry, in order, and its place in the gap.

        `counts` says how many values each gap gets; `repeats` which gaps lie between equal values.
        """
        most = self.xp.zeros(len(counts), np.int64)
        most[1:-1] = self.smallest[:-1] - self.before[1:]
        most += limit
        most[repeats] = LONGEST  # no entry is needed there
        (wide,) = (counts > most).nonzero()
        if not len(wide):
            return wide, wide
        steps = most[wide] + 1
        often = counts[wide] // steps
        stops = often.cumsum()
        every = self.xp.arange(int(stops[-1]))
        at = self.xp.searchsorted(stops, every, side="right")
        return wide[at], (every - (stops - often)[at] + 1) * steps[at] - 1

    def compress(self, limit: int, allowed: int) -> "GKList":
        """Return the list without entries that a limit for gaps makes superfluous: COMPRESS.

        `allowed` is the largest gap that the error bound allows: it tells how old entries are.
        """
        limit = max(limit, self.limit)
        columns = self.values, self.smallest, self.before
        kept = survivors(*columns, limit, allowed, xp=self.xp)
        values, smallest, before = (each[kept] for each in columns)
        return type(self)(values, smallest, before, self.size, limit, self.dtype)

    def summary(self) -> GKSummaries:
        """Return what a QUERY reads: the list as the only one of some summaries, on the host."""
        here = self.to_host()
        ranks = here.smallest[None], here.before[None]
        return GKSummaries.of_ranks(here.values[None], *ranks, here.size)

    def unite(self, other: "GKList") -> "GKList":
        """Return the list of both sets: the gaps add up, and so do the limits."""
        both = GKSummaries.union([self.summary(), other.summary()])
        return GKList.of_summary(both, self.limit + other.limit)

    def check(self, allowed: int) -> Self:
        """Return this list, or raise CorruptSummary if its gaps are larger than its limit."""
        gaps = self.before[1:] - self.smallest[:-1]
        gaps[self.values[1:] == self.values[:-1]] = 0
        if gaps.max(initial=0) > self.limit or not 0 <= self.limit <= allowed:
            raise CorruptSummary("the gaps of a list are larger than the error bound allows")
        return self


def survivors(
    values: Keys, smallest: Integers, before: Integers, limit: int, allowed: int, xp: Any = np
) -> Places:
    """Return the places of the entries that stay; the first and the last always do.

    From the oldest band to the youngest, an entry is deleted if the gap between its neighbours,
    among the entries of its band and older ones, is within the limit. All younger entries between
    these neighbours are then deleted as well. So an entry never covers values that are older than
    its band, and `docs/summaries.md` proves from this how few entries stay.
    """
    last = allowed.bit_length() + 2
    age = bands(before + 1 - smallest, allowed).astype(np.int8)
    age[:1] = age[-1:] = last
    stays = age == last
    for band in xp.flatnonzero(xp.bincount(age))[-2::-1].tolist():
        here, kept = xp.flatnonzero(age == band), xp.flatnonzero(stays)
        gap = xp.searchsorted(kept, here)
        begin, end = kept[gap - 1], kept[gap]
        wide = (before[end] - smallest[begin] > limit) & (values[begin] != values[end])
        if wide.any():  # only what lies between entries that stay and are too far apart
            looked = xp.zeros(len(values), np.bool_)
            for places in (begin, here, end):
                looked[places[wide]] = True
            among = xp.flatnonzero(looked)
            columns = values[among], smallest[among], before[among]
            stays[among[chain(*columns, limit, stays[among], xp)]] = True
    left: Places = xp.flatnonzero(stays)
    return left


def bands(widths: Integers, allowed: int) -> npt.NDArray[np.int64]:
    """Return the bands of entries by their widths: 0 for those as wide as a gap may be now.

    An entry was put into a gap between two others, and its width is that of this gap. Limits grow
    with the stream, so wide entries are young: the width tells an age. Each band is about twice as
    old as the next younger one. Bands are aligned: entries of one band stay in one band as the
    stream grows. The band is 1 more than the smallest b with ⌊allowed / 2ᵇ⌋ − ⌊width / 2ᵇ⌋ ≤ 1.
    """
    less = allowed - widths
    top = less & ~(less >> 1)  # the first bit of each, and no number that rounds up to the next
    bits = np.frexp(top.astype(np.float64))[1].astype(np.int64)
    shift = np.maximum(bits - 1, 0)  # the smallest b is this one or the next
    found: npt.NDArray[np.int64] = bits + ((allowed >> shift) - (widths >> shift) > 1)
    return found


def chain(
    values: Keys, smallest: Integers, before: Integers, limit: int, older: Any = None, xp: Any = np
) -> Any:
    """Return places from the first entry to the last, none of which could be left out.

    From each entry it goes to the furthest one before which the gap is within the limit, but to the
    next one at least, and never beyond an older one.
    """
    following = xp.minimum(xp.arange(len(values)) + 1, len(values) - 1)
    furthest = xp.searchsorted(before, smallest + limit, side="right") - 1
    if (values[1:] == values[:-1]).any():  # over the whole run of an entry's equals
        furthest = xp.maximum(furthest, xp.searchsorted(values, values, side="right") - 1)
    fixed = xp.zeros(len(values), np.bool_) if older is None else older.copy()
    fixed[-1] = True
    fixed = xp.flatnonzero(fixed)
    barrier = fixed[xp.searchsorted(fixed, following)]
    steps = xp.maximum(xp.minimum(furthest, barrier), following)
    return path_of(steps, xp)


def path_of(steps: Any, xp: Any = np) -> Any:
    """Return the places from the first to the last, from each of which a step leads to the next.

    Every step goes on, but the last place leads to itself. After k rounds, the first 2**k places of
    the path are known.
    """
    far, path, last = steps, xp.zeros(1, np.int64), len(steps) - 1
    while path[-1] < last:
        path = xp.concatenate([path, far[path]])
        far = far[far]
    return path[: int((path < last).sum()) + 1]
