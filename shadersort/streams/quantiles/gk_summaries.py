"""Greenwald and Khanna's summary: some values of a set, with bounds of the rank of each.

A summary of a set of n values holds a few of them in order, its entries, each with the smallest and
the largest rank that it may have in the set. Ranks count from 1 here; equal values have some fixed
order. Instead of the ranks, this keeps their increments:

    lower[i] = smallest rank of i − smallest rank of i − 1     (0 before the first entry)
    upper[i] = largest rank of i + 1 − largest rank of i       (n + 1 after the last entry)

**Merging** two summaries then sorts the entries of both together, and nothing else. Take an entry
of A. Let p be the last entry of B before it, and q the next one. At least (smallest rank of p) and
at most (largest rank of q) − 1 values of B come before the entry. Adding these two numbers to the
entry's own ranks in A is the same as adding up the increments of A and B in order.

**The error.** The gap after entry i is (largest rank of i + 1) − 1 − (smallest rank of i): the
uncertainty of how many values of the set come before a point between the two. D is the largest gap.

- A sorted window of which the first value and every s-th value are kept has D ≤ s − 1.
- Merging adds: D ≤ D of A + D of B, because a gap of the union is the sum of one gap of each.
- Compressing by steps of q adds at most q − 1: see `GKSummaries.compress`. Pruning to B + 1
  entries, as printed, adds n/B, apart from rounding: see `GKSummaries.prune`.
- For every rank r some entry has both bounds within (D + 1) // 2 of r: see `RankBounds.values_at`.

The paper is Greenwald and Khanna 2004, "Power-conserving computation of order statistics". Its
kernels are `modern/kernels/streams/gk_*.cu`, launched by `modern/streams/gk_summaries.py`.

Summaries of equal sets lie in a stack, one a row. Stacks that have each a place, a level say, come
to the host together, become flat arrays for bytes, and are read from them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys

Weights = npt.NDArray[Any]  # ranks or their increments, as wide as they need be; or masses
Place = TypeVar("Place", bound=Any)

GKStack = Any  # `GKSummaries`, or the same elsewhere, `GKSummariesOnGPU` say

COLUMNS = ("values", "lower", "upper")


@dataclass(frozen=True, slots=True, eq=False)
class GKSummaries:
    """Greenwald-Khanna summaries of several sets of equal size, one a row, on the host."""

    values: Keys  # in order, from the smallest of its set to the largest
    lower: Weights  # the increments of the smallest ranks; integers as wide as the set needs
    upper: Weights  # the increments of the largest ranks

    @classmethod
    def of_ranks(cls, values: Keys, smallest: Weights, before: Weights, size: int) -> Self:
        """Return summaries of sets of `size` values, given bounds on the rank of each value.

        `smallest` is the smallest rank that a value can have, `before` its largest rank minus 1.
        """
        lower, upper = np.empty((2, *smallest.shape), rank_type(size))
        lower[:, 0], lower[:, 1:] = smallest[:, 0], smallest[:, 1:] - smallest[:, :-1]
        upper[:, :-1], upper[:, -1] = before[:, 1:] - before[:, :-1], size - before[:, -1]
        return cls(values, lower, upper)

    @classmethod
    def of_samples(cls, values: Keys, ranks: Weights, size: int) -> Self:
        """Return summaries of sets of `size` values; the ranks of each row, from 0, are known."""
        one = cls.of_ranks(values[:1], ranks[None] + 1, ranks[None], size)
        lower, upper = (np.broadcast_to(each, values.shape) for each in (one.lower, one.upper))
        return cls(values, lower, upper)

    @classmethod
    def union(cls, summaries: Iterable[Self]) -> Self:
        """Return the summary of the union of sets of any sizes, row by row of all summaries."""
        columns = [(each.values, each.lower, each.upper) for each in summaries]
        values, *ranks = (np.concatenate(each, axis=-1) for each in zip(*columns, strict=True))
        order = np.argsort(values, axis=1, kind="stable")
        places = order.reshape((1,) * (ranks[0].ndim - 2) + order.shape)
        lower, upper = (np.take_along_axis(each, places, -1) for each in ranks)
        return cls(np.take_along_axis(values, order, 1), lower, upper)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: slice | Integers) -> Self:
        return type(self)(self.values[rows], self.lower[..., rows, :], self.upper[..., rows, :])

    @property
    def entries(self) -> int:
        """How many entries each summary has."""
        return int(self.values.shape[1])

    @property
    def size(self) -> int:
        """How many values each set has; 0 if there is no set."""
        return int(self.upper[:1].sum())

    @property
    def smallest(self) -> Weights:
        """The smallest rank that each entry may have, from 1."""
        return np.cumsum(self.lower, axis=-1)

    @property
    def before(self) -> Weights:
        """The largest rank of each entry less 1: the most values that may come before it."""
        return np.asarray(np.cumsum(self.upper, axis=-1) - self.upper)

    def prepend(self, *others: "GKSummaries") -> Self:
        """Return the summaries of others followed by these; all have equally many entries."""
        stacks: list[GKSummaries] = [*others, self]
        columns = ([getattr(each, name) for each in stacks] for name in COLUMNS)
        return type(self)(*(np.concatenate(each, axis=-2) for each in columns))

    def to_host(self, stacks: Mapping[Place, GKStack]) -> Mapping[Place, GKStack]:
        """Return stacks as they are: those of this class are on the host."""
        return stacks

    def merge_pairs(self) -> Self:
        """Merge the first and the second summary, the third and the fourth, …: a stable sort."""
        values = self.values.reshape(len(self) // 2, 2 * self.entries)
        order = np.argsort(values, axis=1, kind="stable")
        order += np.arange(len(values))[:, None] * values.shape[1]
        ranks = self.lower.dtype if self.lower.dtype.kind == "f" else rank_type(2 * self.size)
        lower, upper = (
            each.reshape(*each.shape[:-2], -1)[..., order].astype(ranks, copy=False)
            for each in (self.lower, self.upper)
        )
        return type(self)(values.ravel()[order], lower, upper)

    def compress(self, size: int, step: int) -> "GKSummaries":
        """Return summaries of sets of `size` values with one entry for every `step` ranks.

        Ranks are cut into slots of `step`. Each entry belongs to the slot of its largest rank. The
        first entry of all is kept, and the last entry of each slot; an empty slot repeats the entry
        before it. This adds at most step − 1 to the error: let a and b be neighbours that are kept,
        and c the entry right after a. It is in the slot of b, so the largest ranks of b and c
        differ by less than `step`; and the gap between a and c was there before.
        """
        before = self.before
        slots = before // step
        last = np.ones(slots.shape, np.bool_)
        last[:, :-1] = slots[:, 1:] != slots[:, :-1]
        rows, columns = np.nonzero(last)
        kept = np.zeros((len(self), (size - 1) // step + 2), np.intp)
        kept[rows, slots[rows, columns] + 1] = columns
        every = np.arange(len(self))[:, None], np.maximum.accumulate(kept, axis=1)
        return GKSummaries.of_ranks(self.values[every], self.smallest[every], before[every], size)

    def prune(self, size: int, count: int) -> "GKSummaries":
        """Return summaries of sets of `size` values with `count` + 1 entries, as the papers print.

        The entries are those nearest to the ranks 1, size/count, 2·size/count, …, size. Each is
        within h = (D + 1) // 2 of its rank, so the new D is at most 2h and the step between ranks.
        """
        step, rest = divmod(size, count)
        slots = np.arange(count + 1)
        ranks = np.maximum(1, slots * step + -(-slots * rest // count))
        smallest, before = self.smallest, self.before
        kept = nearest(smallest.astype(np.int64), before + np.int64(1), ranks)
        every = np.arange(len(self))[:, None], kept
        return GKSummaries.of_ranks(self.values[every], smallest[every], before[every], size)

    def check(self, size: int) -> Self:
        """Return these summaries if each can be of `size` values, or raise CorruptSummary."""
        if not (
            is_sorted(self.values)
            and self.lower.dtype.kind == self.upper.dtype.kind == "i"
            and np.all((self.lower >= 0) & (self.upper >= 0) & (self.smallest <= self.before + 1))
            and np.all((self.lower[:, 0] == 1) & (self.smallest[:, -1] == size))
            and np.all((self.upper[:, -1] == 1) & (self.before[:, -1] == size - 1))
        ):
            raise CorruptSummary("the ranks of a bucket contradict each other")
        ranks = rank_type(size)
        lower, upper = (each.astype(ranks, copy=False) for each in (self.lower, self.upper))
        return type(self)(self.values, lower, upper)


class Shape(NamedTuple):
    """What a stack must be like."""

    summaries: int
    entries: int  # of each summary
    size: int  # values of each set


def bring_to_host(stacks: Mapping[Place, GKStack]) -> Mapping[Place, GKSummaries]:
    """Return all stacks on the host, by one copy for all of a kind."""
    for stack in stacks.values():
        stacks = stack.to_host(stacks)
    return stacks


def flat_arrays(stacks: Mapping[Place, GKStack]) -> dict[str, Keys]:
    """Return the entries of all stacks as flat arrays by name, in the order of the places."""
    held = bring_to_host(stacks)
    return {
        name: np.concatenate([getattr(held[place], name).ravel() for place in sorted(held)])
        for name in COLUMNS
        if held
    }


def restore_stacks(
    arrays: Mapping[str, Keys], dtype: Any, shapes: Iterable[tuple[Place, Shape]]
) -> dict[Place, GKSummaries]:
    """Return the stacks that gave flat arrays of values of a type, or raise CorruptSummary."""
    stacks, end = dict[Place, GKSummaries](), 0
    for place, shape in shapes:
        part = slice(end, end := end + shape.summaries * shape.entries)
        columns = (arrays[name][part].reshape(shape[:2]) for name in COLUMNS)
        stacks[place] = GKSummaries(*columns).check(shape.size)
    if stacks and arrays["values"].dtype != dtype:
        raise CorruptSummary(f"the buckets hold values of another type than {dtype}")
    return stacks


def rank_type(size: int) -> np.dtype[np.signedinteger[Any]]:
    """Return the narrowest type for ranks in a set of `size` values: int32 or int64."""
    return np.dtype(np.int32 if size < 1 << 31 else np.int64)


def nearest(smallest: Integers, largest: Integers, ranks: Integers) -> npt.NDArray[np.intp]:
    """Return the columns of the entries nearest to ranks, for each row of bounds of ranks.

    Both bounds grow from entry to entry. Among the entries whose middle of the bounds is below r,
    the last is the nearest; among the others, the first.
    """
    middles = smallest + largest
    rows, entries = np.arange(len(middles))[:, None], middles.shape[1]
    above = rows * (middles.max(initial=0) + 2 * ranks.max(initial=0) + 1)  # then all are in order
    found = (middles + above).ravel().searchsorted(2 * ranks + above) - rows * entries
    pair = np.maximum(found - 1, 0), np.minimum(found, entries - 1)
    first, second = (
        np.maximum(ranks - smallest[rows, each], largest[rows, each] - ranks) for each in pair
    )
    chosen: npt.NDArray[np.intp] = np.where(first <= second, *pair)
    return chosen


def is_sorted(values: Keys) -> bool:
    """Whether each row is in order and without NaNs."""
    return bool(np.all(values[:, :-1] <= values[:, 1:])) and not np.isnan(values).any()
