"""The entries of a `QuantileSummary`: a list for its own stream, and lists of merged summaries.

Batches of the stream go into one list. Errors add up when lists are merged, so a merged list can
only be made shorter if its error may grow. Merged lists are therefore kept apart, at most one of
each depth: two lists of one depth become one of the next, which may have a larger share of the
allowed error. No share is larger than 1, so the bound holds for any tree of merges. If
the merged lists have too little room, all of them become one.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from types import MappingProxyType
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.quantiles.gk_budget import SHARES, ListBudget
from shadersort.streams.quantiles.gk_summaries import Shape, flat_arrays, restored_stacks
from shadersort.streams.quantiles.greenwald_khanna import GKList
from shadersort.streams.quantiles.rank_answers import RankBounds, united
from shadersort.streams.quantiles.sorted_batch import Batch
from shadersort.streams.summary import LONGEST, Timed

OWN = -1
"""Stands for the list of the own stream in the place of a depth."""
DEPTHS = range(LONGEST)
"""A merge adds at most one depth, and there are fewer merges than values."""
LONG = 2
"""A list with more entries than this, for each 1/ε, is made smaller."""
JOINED = 4
"""A merged list with no more entries than this, for each 1/ε, stays as it is."""
SLOWLY = 4
"""A merged list of depth d may have the share 1/2 + d / 2(d + SLOWLY) of the allowed error."""
JOINING = Fraction(3, 4), Fraction(7, 8), Fraction(15, 16), Fraction(1)
"""The shares that are tried, one after the other, if all merged lists have to be joined."""


class QuantileList:
    """Lists of entries; a value that is replaced, never changed.

    `own` is the list of the own stream, None before the first values; `parts` are the merged lists
    by their depths. `settled` is the number of entries that the own list had when it was last made
    smaller. Fewer values than `window` may wait.
    """

    def __init__(
        self,
        budget: ListBudget,
        own: GKList | None = None,
        parts: Mapping[int, GKList] = MappingProxyType({}),
        settled: int = 0,
    ) -> None:
        self.budget, self.own, self.parts, self.settled = budget, own, parts, settled
        every = self._lists().values()
        self.size, self.entries = sum(each.size for each in every), sum(map(len, every))
        self.window = budget.waiting(self.size, self.entries)

    def _lists(self) -> dict[int, GKList]:
        """Return all lists by their depths, the own one first."""
        own = {} if self.own is None else {OWN: self.own}
        return {**own, **{depth: self.parts[depth] for depth in sorted(self.parts)}}

    def with_batch(self, batch: Batch, dtype: np.dtype[Any], timed: Timed) -> "QuantileList":
        """Return the lists with a batch of values of a type added."""
        own = GKList.empty(dtype) if self.own is None else self.own
        with timed("merge"), batch.working():
            limit = self.budget.limit(own.size, own.size + len(batch), own.limit)
            asked, own = batch.beside(own, limit)
            own = own.with_batch(asked, limit)
        grown = QuantileList(self.budget, own, self.parts, self.settled)
        room, unit = self.budget.room(grown.size) - grown.entries + len(own), self.budget.unit
        if len(own) <= min(max(LONG * unit, self.settled * 3 // 2), room - 4 * unit):
            return grown
        with timed("compress"):
            for part in SHARES:
                shorter = self._compressed(own, part)
                if len(shorter) <= room // 2:
                    break
        return QuantileList(self.budget, shorter, self.parts, len(shorter))

    def _compressed(self, entries: GKList, part: Fraction) -> GKList:
        """Return a list whose error may be a part of what is allowed."""
        size = entries.size
        return entries.compressed(self.budget.share(size, part), self.budget.gap(size))

    def on_host(self) -> "QuantileList":
        """Return the lists with all of them on the host; merged lists always are."""
        own = None if self.own is None else self.own.on_host()
        if own is self.own:
            return self
        return QuantileList(self.budget, own, self.parts, self.settled)

    def merged(self, other: "QuantileList", timed: Timed) -> "QuantileList":
        """Return the lists of two summaries together."""
        parts, lists = dict(self.parts), other._lists()
        own, settled = self.own, self.settled
        if own is None:
            own, settled = lists.pop(OWN, None), other.settled
        with timed("merge"):
            for depth, entries in lists.items():
                if depth == OWN:
                    entries = self._compressed(entries, SHARES[0])
                self._carry(parts, max(0, depth), entries)
            both = QuantileList(self.budget, own, parts, settled)
            room = self.budget.room(both.size) - 4 * self.budget.unit  # as waiting values need
            return both._joined() if len(parts) > 1 and both.entries > room else both

    def _joined(self) -> "QuantileList":
        """Return lists of which all merged ones are joined, with as much error as that takes."""
        whole = reduce(GKList.united, (self.parts[depth] for depth in sorted(self.parts)))
        room = self.budget.room(self.size) // 2 - len(self.own or ())
        for part in JOINING:
            if len(shorter := self._compressed(whole, part)) <= room:
                break
        parts = {max(self.parts) + 1: shorter}
        return QuantileList(self.budget, self.own, parts, self.settled)

    def _carry(self, parts: dict[int, GKList], depth: int, entries: GKList) -> None:
        """Add a list of a depth to merged lists: two of one depth become one of the next."""
        while depth in parts:
            depth, entries = depth + 1, parts.pop(depth).united(entries)
            if len(entries) > JOINED * self.budget.unit:
                entries = self._compressed(entries, (1 + Fraction(depth, depth + SLOWLY)) / 2)
        parts[depth] = entries

    def bounds(self, waiting: Keys) -> RankBounds:
        """Return the bounds of ranks in all values, those that wait included."""
        return united([each.summary() for each in self._lists().values()], waiting)

    def arrays(self) -> dict[str, Keys]:
        """Return flat arrays by name: numbers of each list, and all entries, list by list."""
        lists = self._lists()
        if not lists:
            return {}
        heads = [(d, len(each), each.size, each.limit) for d, each in lists.items()]
        numbers = np.array([[self.settled, *heads[0][1:]], *heads], np.int64)
        columns = flat_arrays(dict(enumerate(each.summary() for each in lists.values())))
        return {"lists": numbers.ravel(), **columns}

    def restored(self, arrays: Mapping[str, Keys], dtype: np.dtype[Any] | None) -> "QuantileList":
        """Return the lists, with this budget, that gave arrays of values of a type."""
        if "lists" not in arrays:
            return self
        if arrays["lists"].dtype != np.int64:
            raise CorruptSummary("the numbers of the lists are no int64")
        (settled, *_), *heads = arrays["lists"].reshape(-1, 4).tolist()
        shapes = ((depth, Shape(1, count, size)) for depth, count, size, _ in heads)
        stacks = restored_stacks(arrays, dtype, shapes)
        lists = {
            depth: GKList.of_summary(stacks[depth], limit).checked(self.budget.gap(size))
            for depth, _, size, limit in heads
        }
        own = lists.pop(OWN, None)
        depths = list(lists)
        if settled < 0 or depths != sorted(depths) or not all(each in DEPTHS for each in depths):
            raise CorruptSummary("the lists are not in order, or have impossible depths")
        return QuantileList(self.budget, own, lists, settled)
