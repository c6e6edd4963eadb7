"""Ranks in many groups at once: rounds of counting that narrow an interval of codes for each rank.

A first round counts the keys of each group and draws a sample. Then keys of the sample, and later
places at equal distances, divide the intervals in which ranks lie, and a round counts the keys
below all of them. When the intervals of all groups together hold few keys, a last round copies
these. With up to some thousands of groups that is three rounds; equal keys add none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modern.on_dask.group_tasks import Codes, CountsBelow, Inside, Known, Source, all_inside
from shadersort.errors import InputChanged
from shadersort.keys.types import Integers
from shadersort.selection.dask_tasks import Rounds
from shadersort.selection.primitives.parts import COLLECTED
from shadersort.selection.primitives.parts.sums import totals

PIVOTS = 1 << 17
"""About so many pivots are counted at in a round."""

CHANGED = "keys are read in several rounds, and have to be the same each time"


@dataclass
class Ranks:
    """Ranks in groups, and the intervals in which their keys lie.

    Attributes
    ----------
    ids, ranks
        The group of each rank, ascending, and the rank, from zero, ascending in each group.
    low, high
        The first and the last code that its key can have.
    below, inside
        How many keys of the group are below this interval, and in it.
    """

    ids: Integers
    ranks: Integers
    low: Codes
    high: Codes
    below: Integers
    inside: Integers

    @classmethod
    def of(cls, ids: Integers, ranks: Integers, counts: Integers) -> "Ranks":
        """Return ranks of which nothing is known."""
        low, below = np.zeros(ids.size, np.uint64), np.zeros(ids.size, np.int64)
        return cls(ids, ranks, low, np.full_like(low, np.iinfo(low.dtype).max), below, counts[ids])

    @property
    def intervals(self) -> tuple[Integers, Integers]:
        """Return the first rank of each interval with more than one code, and whose a rank is.

        Ranks whose keys are known have −1. Intervals of a group are equal, or do not overlap.
        """
        moved = (np.diff(self.low) > 0) | (np.diff(self.ids) > 0)
        first = np.append(self.ids.size > 0, moved)[: self.ids.size] & (self.low < self.high)
        return np.flatnonzero(first), np.where(self.low < self.high, np.cumsum(first) - 1, -1)

    def narrow(self, ids: Integers, pivots: Codes, below: Integers) -> None:
        """Narrow the intervals, given how many keys of its group are below each pivot."""
        starts, ends = (np.searchsorted(ids, self.ids, side) for side in ("left", "right"))
        upto = self.below + self.inside
        for i, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            at = start + int(np.searchsorted(below[start:end], self.ranks[i], side="right"))
            if at > start and pivots[at - 1] > self.low[i]:
                self.low[i], self.below[i] = pivots[at - 1], below[at - 1]
            if at < end and pivots[at] <= self.high[i]:
                self.high[i], upto[i] = pivots[at] - np.uint64(1), below[at]
        self.inside = upto - self.below
        if ((self.ranks < self.below) | (self.ranks >= upto)).any():
            raise InputChanged(f"counts of two rounds do not agree: {CHANGED}")

    def found(self, places: Integers, codes: Codes) -> Codes:
        """Return the codes of all ranks, given the keys inside intervals of several codes."""
        first, mine = self.intervals
        sizes = self.inside[first]
        if not np.array_equal(np.bincount(places, minlength=first.size), sizes):
            raise InputChanged(f"other numbers of keys were copied than counted: {CHANGED}")
        ordered = codes[np.lexsort((codes, places))]
        starts = np.append(np.cumsum(sizes) - sizes, 0)  # the last is for those that are known
        within = np.where(mine >= 0, starts[mine] + self.ranks - self.below, 0)
        return np.where(mine >= 0, np.append(ordered, np.uint64(0))[within], self.low)


def codes_of_ranks(
    rounds: Rounds,
    sources: Sequence[Source],
    groups: Any,
    known: Known,
    ids: Integers,
    ranks: Integers,
) -> Codes:
    """Return the codes of the keys of ranks in groups, which ascend by group and rank.

    There is a source for each chunk; what names `groups` is shared, and they are numbered alike.
    """
    some = Ranks.of(ids, ranks, known.counts)
    pivots = _of_sample(known)
    places = range(len(rounds.keys))
    while True:
        first, _ = some.intervals
        if int(some.inside[first].sum()) <= COLLECTED:
            break
        counts = [CountsBelow(each) for each in sources]
        shared = groups, known.counts.size, *pivots
        below, sum_of_all = rounds.joined("histogram", places, counts, totals, shared)
        _check_same(known, sum_of_all)
        some.narrow(*pivots, below)
        pivots = _between(some)
    ends = some.ids[first], some.low[first], some.high[first]
    if not first.size:
        return some.low
    inside = [Inside(each) for each in sources]
    *copied, sum_of_all = rounds.joined("candidates", places, inside, all_inside, (groups, *ends))
    _check_same(known, sum_of_all)
    return some.found(*copied)


def _check_same(known: Known, sum_of_all: int) -> None:
    """Raise InputChanged unless the keys have the sum that they had in the first round."""
    if sum_of_all % 2**64 != known.sum:
        raise InputChanged(f"keys have changed between two rounds: {CHANGED}")


def _of_sample(known: Known) -> tuple[Integers, Codes]:
    """Return the sampled keys and the codes after them, so that frequent keys stand alone."""
    after = known.codes < np.iinfo(np.uint64).max
    ids = np.concatenate([known.ids, known.ids[after]])
    codes = np.concatenate([known.codes, known.codes[after] + np.uint64(1)])
    order = np.lexsort((codes, ids))
    return ids[order], codes[order]


def _between(ranks: Ranks) -> tuple[Integers, Codes]:
    """Return codes at equal distances in each interval: at least one that divides it."""
    first, _ = ranks.intervals
    count = min(max(PIVOTS // max(first.size, 1), 2), 256)
    low, width = ranks.low[first], ranks.high[first] - ranks.low[first]
    step = width // np.uint64(count) + np.uint64(1)
    number = np.arange(1, count + 1, dtype=np.uint64)
    inside = number <= (width // step)[:, None]
    codes = (low[:, None] + step[:, None] * number)[inside]
    return np.repeat(ranks.ids[first], inside.sum(axis=1)), codes
