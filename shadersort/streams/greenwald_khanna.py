"""Ranked values: some values of a set, and between which bounds the rank of each lies.

Greenwald and Khanna keep, of a set of n values, a few in order, each with the smallest and the
largest rank that it may have in the set. Ranks count from 1 here, and among equal values the order
is any that stays the same. Instead of the ranks, this keeps what they grow by:

    lower[i] = smallest rank of i − smallest rank of i − 1     (nothing comes before the first: 0)
    upper[i] = largest rank of i + 1 − largest rank of i       (the end comes after the last: n + 1)

**Merging** is then nothing but sorting the entries of both sets together. A value of A is preceded
in the union by at least as many values of B as the smallest rank of the last entry of B before it,
and by fewer than the largest rank of the next entry of B. To add these to the value's own ranks in
A is to add up the increments, in order, of A and B alike.

**The error.** Let the gap after entry i be (largest rank of i + 1) − 1 − (smallest rank of i): how
uncertain it is how many values of the set come before a point between the two. Let D be the largest
gap. Then:

- a window that is sorted, of which the first and every s-th value are kept, has D ≤ s − 1;
- merging adds: D ≤ D of A + D of B, as a gap of the union is the sum of one gap of each;
- compressing by steps of q adds q − 1: see `compressed`;
- whatever rank r is asked for, an entry has both its bounds within (D + 1) // 2 of r: see `Ranks`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Keys

__all__ = [
    "COLUMNS",
    "Ranked",
    "RankedSets",
    "all_on_host",
    "increments",
    "last_of_slots",
    "rank_type",
    "ranked_samples",
]

Counts = npt.NDArray[np.signedinteger[Any]]
Place = TypeVar("Place")

COLUMNS = ("values", "lower", "upper")
"""What `Ranked` has."""


class RankedSets(Protocol):
    """Ranked values of several sets, wherever they lie; on the host they are `Ranked`."""

    @property
    def entries(self) -> int:
        """How many entries each set has."""

    def __len__(self) -> int: ...

    def __getitem__(self, sets: slice, /) -> Self: ...

    def preceded_by(self, *others: Any) -> Self:
        """Return the sets of others in their order, then these; others may be on the host."""

    def merged_in_pairs(self) -> Self:
        """Return the unions of the first set and the second, of the third and the fourth, …."""

    def compressed(self, size: int, step: int) -> "RankedSets":
        """Return fewer entries of each set of so many values: one for every `step` ranks."""

    def on_host(self, stacks: Mapping[Place, "RankedSets"]) -> Mapping[Place, "RankedSets"]:
        """Return stacks by their places, those of this one's kind on the host."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Ranked values of several sets of equal size, one a row.

    Attributes
    ----------
    values
        In order, of shape (sets, entries). The first is the smallest of its set, the last the
        largest.
    lower, upper
        What the smallest and the largest ranks grow by, up to each entry and after it; integers as
        wide as the size of the sets needs, of the same shape.
    """

    values: Keys
    lower: Counts
    upper: Counts

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, sets: slice) -> Self:
        return type(self)(self.values[sets], self.lower[sets], self.upper[sets])

    @property
    def entries(self) -> int:
        """How many entries each set has."""
        return int(self.values.shape[1])

    @classmethod
    def of_ranks(cls, values: Keys, smallest: Counts, before: Counts, size: int) -> Self:
        """Return values of sets of so many, given the ranks of each; `before` is less by 1.

        Examples
        --------
        >>> Ranked.of_ranks(np.array([[10, 30]]), np.array([[1, 3]]), np.array([[0, 2]]), 4).upper
        array([[2, 2]], dtype=int32)
        """
        lower = np.diff(smallest, axis=1, prepend=0)
        upper = np.diff(before, axis=1, append=size)
        return cls(values, increments(lower, size), increments(upper, size))

    @property
    def size(self) -> int:
        """How many values each set has; 0 if there is no set."""
        return int(self.upper[:1].sum())

    @property
    def smallest(self) -> Counts:
        """The smallest rank that each entry may have, from 1."""
        ranks: Counts = np.cumsum(self.lower, axis=1)
        return ranks

    @property
    def before(self) -> Counts:
        """The largest rank that each entry may have, less 1: so many values may come before it."""
        ranks: Counts = np.cumsum(self.upper, axis=1) - self.upper
        return ranks

    def preceded_by(self, *others: "Ranked") -> Self:
        """Return the sets of others in their order, then these; all have equally many entries."""
        stacks: list[Ranked] = [*others, self]
        return type(self)(
            np.concatenate([each.values for each in stacks]),
            np.concatenate([each.lower for each in stacks]),
            np.concatenate([each.upper for each in stacks]),
        )

    def on_host(self, stacks: Mapping[Place, RankedSets]) -> Mapping[Place, RankedSets]:
        """Return stacks by their places, those of this one's kind on the host: here, they are."""
        return stacks

    def merged_in_pairs(self) -> Self:
        """Return the unions of the first set and the second, of the third and the fourth, ….

        Examples
        --------
        >>> two = ranked_samples(np.array([[1, 5, 9], [2, 3, 9]]), np.arange(3), 3)
        >>> two.merged_in_pairs().values
        array([[1, 2, 3, 5, 9, 9]])
        """
        shape = (len(self) // 2, 2 * self.entries)
        columns = (a.reshape(shape) for a in (self.values, self.lower, self.upper))
        values, lower, upper = _in_order(*columns)
        size = 2 * self.size
        return type(self)(values, increments(lower, size), increments(upper, size))

    def compressed(self, size: int, step: int) -> "Ranked":
        """Return fewer entries of each set of so many values: one for every `step` ranks.

        Of the entries whose largest ranks lie between one multiple of `step` and the next, the last
        is kept; so is the first entry of all. Why this adds no more than step − 1 to the error: let
        a be kept, and b the next that is. What comes right after a, call it c, is in b's slot, so
        the largest ranks of b and c differ by less than `step`; and up to c it is a gap of before.

        Examples
        --------
        >>> whole = ranked_samples(np.arange(9).reshape(1, 9), np.arange(9), 9)
        >>> whole.compressed(9, 3).values
        array([[0, 2, 5, 8]])
        """
        rows = np.arange(len(self))[:, None]
        before = self.before
        kept = rows, last_of_slots(before // step, (size - 1) // step + 1)
        return Ranked.of_ranks(self.values[kept], self.smallest[kept], before[kept], size)


def all_on_host(stacks: Mapping[Place, RankedSets]) -> Mapping[Place, Ranked]:
    """Return stacks by their places, all on the host, wherever they were."""
    for stack in stacks.values():
        stacks = stack.on_host(stacks)
    return cast(Mapping[Place, Ranked], stacks)


def ranked_samples(values: Keys, ranks: Counts, size: int) -> Ranked:
    """Return values whose ranks in their sets of so many values are known, counted from 0.

    Examples
    --------
    >>> ranked_samples(np.array([[10, 30, 40]]), np.array([0, 2, 3]), 4).upper
    array([[2, 1, 1]], dtype=int32)
    """
    one = Ranked.of_ranks(values[:1], ranks[None] + 1, ranks[None], size)
    lower, upper = (np.broadcast_to(each, values.shape) for each in (one.lower, one.upper))
    return Ranked(values, lower, upper)


def rank_type(size: int) -> np.dtype[np.signedinteger[Any]]:
    """Return the type of ranks in a set of so many values: as few bytes as that needs."""
    return np.dtype(np.int32 if size < 1 << 31 else np.int64)


def increments(counts: Counts, size: int) -> Counts:
    """Return increments of ranks in a set of so many values, in the type for that."""
    return counts.astype(rank_type(size), copy=False)


def _in_order(values: Keys, lower: Counts, upper: Counts) -> tuple[Keys, Counts, Counts]:
    """Put the entries of each row in order; equal values stay as they are."""
    order = np.argsort(values, axis=1, kind="stable")
    order += np.arange(len(values))[:, None] * values.shape[1]
    return values.ravel()[order], lower.ravel()[order], upper.ravel()[order]


def last_of_slots(slots: Counts, count: int) -> Counts:
    """Return the column of the first entry, and of the last of each slot; an empty one repeats."""
    kept = np.zeros((len(slots), count + 1), np.intp)
    last = np.ones(slots.shape, np.bool_)
    np.not_equal(slots[:, 1:], slots[:, :-1], out=last[:, :-1])
    rows, columns = np.nonzero(last)
    kept[rows, slots[rows, columns] + 1] = columns
    return np.maximum.accumulate(kept, axis=1)
