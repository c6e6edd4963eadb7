"""Greenwald-Khanna lists of many groups, one after the other, as if they were one list.

Entries are in the order of their groups, and in each group in order. Their ranks are increments, as
in `greenwald_khanna.py`. In each group the first and the last entry have exact ranks, so the sums
of the increments over all groups are ranks in all values, group after group. Every step on lists is
therefore one step for all groups:

- **Values are added** as entries of which all is known. This adds no error: the entries of both are
  sorted together, by group and value, and keep their increments.
- **Entries are deleted** as in one list (`gk_bands.py`), with the limit of each group.
- **Answers** are those of one list: the rank r in a group is the rank r plus the size of all groups
  before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.gk_bands import Places, survivors
from shadersort.streams.gk_budget import SHARES, ListBudget
from shadersort.streams.gk_list import GKList, repeats_of
from shadersort.streams.group_labels import Labels, united_labels

Order = Callable[[Keys], Integers]
"""Returns the indices that sort each row, as `Sorter.order` does."""
SMALL = 1 << 31
"""Groups are numbered by 32 bits if they are fewer: these are sorted faster."""


@dataclass(frozen=True, slots=True, eq=False)
class GroupLists:
    """Entries of groups; a value that is replaced, never changed.

    Attributes
    ----------
    labels
        The keys of the groups, in order; each group has entries.
    groups
        The place of the key of each entry.
    values, lower, upper
        The entries, with the increments of their smallest and largest ranks.
    """

    labels: Labels
    groups: Integers
    values: Keys
    lower: Integers
    upper: Integers

    @classmethod
    def empty(cls, dtype: np.dtype[Any] | None = None) -> Self:
        """Return no groups, of values of a type."""
        none = np.empty(0, np.int64)
        return cls(none, none, np.empty(0, dtype), none, none)

    @classmethod
    def of_rows(cls, labels: Labels, groups: Integers, values: Keys, weights: Integers) -> Self:
        """Return rows in their order, not yet `expanded`: both increments are the weight.

        Labels that no row has are left out.
        """
        return cls(labels, groups, values, weights, weights).used()

    def used(self) -> Self:
        """Return the lists without the labels of groups that have no entries."""
        here = self.counts > 0
        if here.all():
            return self
        groups = (np.cumsum(here) - 1)[self.groups]
        return replace(self, labels=self.labels[here], groups=groups)

    def expanded(self) -> Self:
        """Return rows as entries: a value of weight 2 or more becomes the first and the last."""
        heavy = self.lower > 1
        if not heavy.any():
            return self
        twice = self.part(np.repeat(np.arange(len(self)), 1 + heavy))
        lower, upper = np.ones((2, len(twice)), np.int64)
        last = np.cumsum(1 + heavy)[heavy] - 1
        lower[last] = upper[last - 1] = self.lower[heavy] - 1
        return replace(twice, lower=lower, upper=upper)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def counts(self) -> Integers:
        """How many entries each group has."""
        return np.bincount(self.groups, minlength=len(self.labels))

    @property
    def sizes(self) -> Integers:
        """How many values each group has."""
        return np.diff(np.cumsum(self.lower)[np.cumsum(self.counts) - 1], prepend=0)

    def part(self, places: npt.NDArray[Any] | slice) -> Self:
        """Return some of the entries; the labels stay."""
        columns = (each[places] for each in (self.groups, self.values, self.lower, self.upper))
        return type(self)(self.labels, *columns)

    def in_order(self, order: Order) -> Self:
        """Return the entries in the order of groups and values; equal ones keep their order."""
        if not len(self):
            return self
        by_value = order(self.values[None])[0]
        groups = self.groups.astype(np.int32) if len(self.labels) < SMALL else self.groups
        return self.part(by_value[order(groups[by_value][None])[0]])

    def united(self, other: "GroupLists") -> "GroupLists":
        """Return the union with other lists, both in order; of equal entries, these come first."""
        if not (len(self) and len(other)):
            return self if len(self) else other
        both = joined([self, other])
        mine, others = np.split(both.groups, [len(self)])
        moved = self._through(mine, others, other.values) + np.arange(len(other))
        old = np.ones(len(both), np.bool_)
        old[moved] = False
        order = np.empty(len(both), np.int64)
        order[old], order[moved] = np.arange(len(self)), np.arange(len(self), len(both))
        return both.part(order)

    def _through(self, mine: Integers, groups: Integers, values: Keys) -> Integers:
        """Return how many entries come before values of groups, or are equal, by bisection.

        `mine` and `groups` number the groups alike.
        """
        ends = np.searchsorted(mine, np.arange(groups[-1] + 2))
        low, high = ends[groups], ends[groups + 1]
        for _ in range(int((high - low).max()).bit_length()):
            middle = (low + high) >> 1
            right = self.values[np.minimum(middle, len(self) - 1)] <= values
            right &= low < high
            low, high = np.where(right, middle + 1, low), np.where(right, high, middle)
        return low

    def shortened(self, budget: ListBudget) -> Self:
        """Return the lists; those with more than 8/ε entries lose what is superfluous in them.

        Their error may be a half of what is allowed, or more where they stay too long.
        """
        chosen = np.flatnonzero(self.counts > budget.first)
        lists, sizes = self, self.sizes
        for share in SHARES:
            if not len(chosen):
                break
            own: list[int] = sizes[chosen].tolist()
            limits, allowed = np.zeros((2, len(self.labels)), np.int64)
            limits[chosen] = [budget.share(n, share) for n in own]
            allowed[chosen] = [budget.gap(n) for n in own]
            lists = lists._compressed(chosen, limits, allowed)
            room = np.array([budget.room(n) // 2 for n in own])
            chosen = chosen[lists.counts[chosen] > room]
        return lists

    def _compressed(self, chosen: Integers, limits: Integers, allowed: Integers) -> Self:
        """Return lists of which the chosen ones have no entry that a limit makes superfluous."""
        among = np.zeros(len(self.labels), np.bool_)
        among[chosen] = True
        stay = ~among[self.groups]
        places = np.flatnonzero(~stay)
        part = self.part(places)
        smallest, before = np.cumsum(part.lower), np.cumsum(part.upper) - part.upper
        told = part._telling(smallest, before, limits)
        groups, columns = part.groups[told], (part.values[told], smallest[told], before[told])
        kept = told[survivors(*columns, limits[groups], allowed[groups], _ends(groups))]
        lower, upper = self.lower.copy(), self.upper.copy()
        lower[places[kept]] = np.diff(smallest[kept], prepend=0)
        upper[places[kept]] = np.diff(before[kept], append=smallest[-1])
        stay[places[kept]] = True
        return replace(self, lower=lower, upper=upper).part(stay)

    def _telling(self, smallest: Integers, before: Integers, limits: Integers) -> Places:
        """Return the places of entries without most of those in runs of new values.

        The neighbours in a run are one rank apart, and the gap between them has one width w. So
        in slots of limit − w + 1 ranks, all but the last may be deleted, as `GKList.with_batch`
        would not have made entries of them. The first and the last of a run always stay.
        """
        steps = np.maximum(limits[self.groups] - (before - smallest), 1)
        slots = smallest // steps
        one = (self.lower == 1, self.upper == 1)
        inner = np.zeros(len(self), np.bool_)
        inner[1:-1] = one[0][1:-1] & one[0][2:] & one[1][:-2] & one[1][1:-1]
        inner[:-1] &= slots[1:] == slots[:-1]
        inner[_ends(self.groups)] = False
        return np.flatnonzero(~inner)

    def list_of(self, place: int) -> GKList:
        """Return the list of one group, which shares nothing with this."""
        start, stop = np.searchsorted(self.groups, [place, place + 1])
        values, lower, upper = (
            each[start:stop].copy() for each in (self.values, self.lower, self.upper)
        )
        smallest, before = np.cumsum(lower), np.cumsum(upper) - upper
        gaps, repeats = before[1:] - smallest[:-1], repeats_of(np, values)
        gaps[repeats - 1] = 0
        limit = int(gaps.max(initial=0))
        return GKList(values, smallest, before, repeats, int(smallest[-1]), limit)

    def checked(self, counts: Integers, budget: ListBudget) -> Self:
        """Return these lists if they can be such, or raise CorruptSummary."""
        if self.lower.dtype != np.int64 or self.upper.dtype != np.int64:
            raise CorruptSummary("the ranks of groups are no 64-bit integers")
        if len({len(each) for each in (self.groups, self.values, self.lower, self.upper)}) > 1:
            raise CorruptSummary("the groups have fewer or more entries than their counts say")
        if not len(self):
            return self
        first = np.cumsum(counts) - counts
        inner = np.ones(len(self), np.bool_)
        inner[first] = False
        smallest, through = np.cumsum(self.lower), np.cumsum(self.upper)
        gaps = (through[:-1] - smallest[:-1])[inner[1:]]
        equal = (self.values[1:] == self.values[:-1])[inner[1:]]
        allowed = np.array([budget.gap(n) for n in self.sizes.tolist()], np.int64)
        if (
            np.isnan(self.values).any()
            or np.any((self.values[1:] < self.values[:-1])[inner[1:]])
            or np.any((self.lower < 0) | (self.upper < 0))
            or np.any(self.lower[first] != 1)
            or np.any(self.upper[first + counts - 1] != 1)
            or np.any(smallest > through - self.upper + 1)
            or np.any(smallest[first + counts - 1] != through[first + counts - 1])
            or np.any(gaps > np.where(equal, smallest[-1], allowed[self.groups[1:][inner[1:]]]))
        ):
            raise CorruptSummary("the ranks of a group contradict each other")
        return self


def joined(lists: Sequence[GroupLists]) -> GroupLists:
    """Return the entries of lists, one list after the other; `in_order` makes a union of it."""
    held = [each for each in lists if len(each)]
    if len(held) < 2:
        return held[0] if held else lists[0]
    labels, places = united_labels([each.labels for each in held])
    groups = [at[each.groups] for at, each in zip(places, held, strict=True)]
    columns = (np.concatenate([getattr(h, name) for h in held]) for name in RANKED)
    return GroupLists(labels, np.concatenate(groups), *columns)


def _ends(groups: Integers) -> Places:
    """Return the places of the first and of the last entry of each group."""
    changes = np.flatnonzero(groups[1:] != groups[:-1])
    return np.concatenate([[0], changes, changes + 1, [len(groups) - 1]])


RANKED = ("values", "lower", "upper")
"""The columns of entries besides their groups."""
