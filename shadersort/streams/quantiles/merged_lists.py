"""The entries of a `QuantileSummary`: a list for its own stream, and lists of merged summaries.

Batches of the stream go into one list. Errors add up when lists are merged, so a merged list can
only be made shorter if its error may grow. Merged lists are therefore kept apart, at most one of
each depth: two lists of one depth become one of the next, which may have a larger share of the
allowed error. No share is larger than 1, so the bound holds for any tree of merges. If the merged
lists have too little room, all of them become one.

The largest gap may be 2⌊εn⌋: then every answer is right to within εn. A list takes only half of
that, `SHARES[0]`, as long as it needs at most half of its room. The other half is a reserve: for
merging, where errors add, and for streams that need more entries. Lists and waiting values together
have room for (2/ε)·log₂(εn) + 2/ε entries. The own list is made smaller before it leaves fewer than
4/ε of them; `docs/summaries.md` proves that this works. All is computed with integers, so every
machine decides alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.quantiles.gk_summaries import Shape, flat_arrays, restore_stacks
from shadersort.streams.quantiles.greenwald_khanna import GKList, SortedBatch
from shadersort.streams.quantiles.rank_answers import RankBounds, unite
from shadersort.streams.summary import LONGEST, Timed

OWN = -1  # stands for the list of the own stream in the place of a depth
LONG, JOINED = 2, 4  # entries for each 1/ε above which the own list, and two merged, get smaller
SLOWLY = 4
"""A merged list of depth d may have the share 1/2 + d / 2(d + SLOWLY) of the allowed error."""
JOINING = Fraction(3, 4), Fraction(7, 8), Fraction(15, 16), Fraction(1)
"""The shares that are tried, one after the other, if all merged lists have to be joined."""
WAITING = 1 << 14
"""At least this many values wait, where the bound allows it: adding a batch takes 40 µs and more,
and streams in order take little time besides."""
SHARES = Fraction(1, 2), Fraction(3, 4), Fraction(1)
"""The shares of the allowed error that a list takes, one after the other, if it is too long."""
PARTS = 16  # logarithms are rounded down to a 16th
BATCH, LARGEST_BATCH, EACH = 1 << 20, 1 << 26, 256
"""Limits of the values that are sorted at once: a batch has at least `EACH` for each 1/ε, because a
list has about 1/ε entries."""
BATCHES, FEWER, MANY = 8, 4, 1 << 26
"""A long update has `BATCHES` batches, or `FEWER` if it has `MANY` values: threads of a CPU end at
about the same time with more, and a GPU, for which updates are longer, needs less time for fewer.
"""


@dataclass(frozen=True, slots=True)
class ListBudget:
    """The room and the error of a summary with error ε = numerator / denominator."""

    numerator: int
    denominator: int
    unit: int  # ⌈1/ε⌉
    first: int  # values of the first window, ⌊8/ε⌋: fewer are kept as they are

    def gap(self, n: int) -> int:
        """Return the largest gap that is allowed among n values: 2⌊εn⌋."""
        return 2 * (n * self.numerator // self.denominator)

    def limit(self, before: int, n: int, held: int) -> int:
        """Return the limit among n values, given that among the first of them.

        It is the smallest of the shares that is at least `held`. A smaller share than before has to
        be larger by 4, as any limit is after a window, so that few values become entries.
        """
        then, now = (2 * (size * self.numerator // self.denominator) for size in (before, n))
        for part in SHARES[:-1]:
            found = now * part.numerator // part.denominator
            if found >= held + 4 or found >= held <= then * part.numerator // part.denominator:
                return found
        return now

    def room(self, n: int) -> int:
        """Return how many entries there may be: (2/ε)·log₂(εn) + 2/ε, or a little less."""
        power: int = max(8, n * self.numerator // self.denominator) ** PARTS
        parts = power.bit_length() - 1  # 16·log₂(εn), rounded down
        return 2 * (parts + PARTS) * self.denominator // (PARTS * self.numerator)

    def batches(self, count: int) -> list[tuple[int, int]]:
        """Return the begin and the end of each batch of many values, as equal as can be.

        The last of four or more is divided: nothing is copied while it is sorted, so it is short.
        """
        wanted = min(-(-count // (BATCHES if count < MANY else FEWER)), LARGEST_BATCH)
        parts = -(-count // max(BATCH, EACH * self.unit, wanted))
        ends = [count * part // parts for part in range(parts + 1)]
        if parts >= 4:
            ends.insert(-1, count - (count - ends[-2]) // 4)
        return list(pairwise(ends))


@lru_cache(maxsize=64)
def list_budget(epsilon: float) -> ListBudget:
    """Return the budget for an error bound."""
    numerator, denominator = epsilon.as_integer_ratio()
    unit, first = -(-denominator // numerator), 8 * denominator // numerator
    return ListBudget(numerator, denominator, unit, first)


class QuantileList:
    """Lists of entries; a value that is replaced, never changed.

    `own` is the list of the own stream, None before the first values; `parts` are the merged lists
    by their depths. `settled` is the number of entries that the own list had when it was last made
    smaller. Fewer values than `window` may wait: adding a batch to a long list takes long, so as
    many as it has entries, if there is `room`.
    """

    def __init__(
        self,
        budget: ListBudget,
        own: GKList | None = None,
        parts: Mapping[int, GKList] = MappingProxyType({}),
        settled: int = 0,
    ) -> None:
        self.budget, self.own, self.parts, self.settled = budget, own, parts, settled
        every = [*parts.values()] if own is None else [own, *parts.values()]
        self.size = sum([each.size for each in every])
        self.entries = held = sum([len(each.values) for each in every])
        self.room, self.window = budget.room(self.size), budget.first
        if every:
            wanted = max(budget.first - held, held, 4 * budget.unit, WAITING)
            self.window = max(budget.unit, min(self.room - held, wanted))

    def _lists(self) -> dict[int, GKList]:
        """Return all lists by their depths, the own one first."""
        own = {} if self.own is None else {OWN: self.own}
        return {**own, **{depth: self.parts[depth] for depth in sorted(self.parts)}}

    def with_batch(self, batch: SortedBatch, dtype: np.dtype[Any], timed: Timed) -> "QuantileList":
        """Return the lists with a batch of values of a type added."""
        own = GKList.empty(dtype) if self.own is None else self.own
        with timed("merge"):
            limit = self.budget.limit(own.size, own.size + batch.size, own.limit)
            own = own.with_batch(batch, limit)
        grown = QuantileList(self.budget, own, self.parts, self.settled)
        held, unit = len(own.values), self.budget.unit
        room = grown.room - grown.entries + held  # without the merged lists
        if held <= min(max(LONG * unit, self.settled * 3 // 2), room - 4 * unit):
            return grown
        with timed("compress"):
            shorter = self._within(SHARES, own, room // 2)
        return QuantileList(self.budget, shorter, self.parts, len(shorter.values))

    def _within(self, shares: tuple[Fraction, ...], entries: GKList, room: int) -> GKList:
        """Return a list made shorter, by the first share of the allowed error that suffices.

        The last of the shares is taken in any case.
        """
        allowed = self.budget.gap(entries.size)
        for share in shares:
            shorter = entries.compress(allowed * share // 1, allowed)
            if len(shorter.values) <= room:
                break
        return shorter

    def to_host(self) -> "QuantileList":
        """Return the lists with all of them on the host; merged lists always are."""
        own = self.own and self.own.to_host()
        same = own is self.own
        return self if same else QuantileList(self.budget, own, self.parts, self.settled)

    def merge(self, other: "QuantileList", timed: Timed) -> "QuantileList":
        """Return the lists of two summaries together."""
        parts, lists = dict(self.parts), other._lists()
        own, settled = self.own, self.settled
        if own is None:
            own, settled = lists.pop(OWN, None), other.settled
        with timed("merge"):
            for depth, entries in lists.items():
                if depth == OWN:
                    entries = self._within(SHARES[:1], entries, 0)
                self._carry(parts, max(0, depth), entries)
            both = QuantileList(self.budget, own, parts, settled)
            if len(parts) < 2 or both.entries <= both.room - 4 * self.budget.unit:
                return both  # there is room for the values that wait
            whole = reduce(GKList.unite, (parts[depth] for depth in sorted(parts)))
            room = both.room // 2 - (0 if own is None else len(own.values))
            joined = {max(parts) + 1: self._within(JOINING, whole, room)}
            return QuantileList(self.budget, own, joined, settled)

    def _carry(self, parts: dict[int, GKList], depth: int, entries: GKList) -> None:
        """Add a list of a depth to merged lists: two of one depth become one of the next."""
        while depth in parts:
            depth, entries = depth + 1, parts.pop(depth).unite(entries)
            if len(entries.values) > JOINED * self.budget.unit:
                share = (1 + Fraction(depth, depth + SLOWLY)) / 2
                entries = self._within((share,), entries, 0)
        parts[depth] = entries

    def bounds(self, waiting: Keys) -> RankBounds:
        """Return the bounds of ranks in all values, those that wait included."""
        return unite([each.summary() for each in self._lists().values()], waiting)

    def arrays(self) -> dict[str, Keys]:
        """Return flat arrays by name: numbers of each list, and all entries, list by list."""
        lists = self._lists()
        if not lists:
            return {}
        heads = [(d, len(each.values), each.size, each.limit) for d, each in lists.items()]
        numbers = np.array([[self.settled, *heads[0][1:]], *heads], np.int64)
        columns = flat_arrays({depth: each.summary() for depth, each in lists.items()})
        return {"lists": numbers.ravel(), **columns}

    def restore(self, arrays: Mapping[str, Keys], dtype: np.dtype[Any] | None) -> "QuantileList":
        """Return the lists, with this budget, that gave arrays of values of a type."""
        if "lists" not in arrays:
            return self
        (settled, *_), *heads = arrays["lists"].reshape(-1, 4).tolist()
        shapes = ((depth, Shape(1, count, size)) for depth, count, size, _ in heads)
        stacks = restore_stacks(arrays, dtype, shapes)
        lists = {
            depth: GKList.of_summary(stacks[depth], limit).check(self.budget.gap(size))
            for depth, _, size, limit in heads
        }
        if settled < 0 or not all(OWN <= depth < LONGEST for depth in lists):
            raise CorruptSummary("the lists have impossible depths")
        return QuantileList(self.budget, lists.pop(OWN, None), lists, settled)
