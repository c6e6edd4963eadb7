"""Keys of ranks among the numbers of each row: rows that have NaNs, by one partition for all.

A row with NaNs has fewer numbers, so its quantiles have lower ranks than those of other rows. If
some of its NaNs become −inf, and the others inf, its numbers move up by as many places. So all rows
can have the same rank, and one partition finds it. Long rows are partitioned one by one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows.ordered import ranked, ranked_each, taken

RanksOf: TypeAlias = Callable[[Integers], Integers]
"""Takes how many numbers some rows have, at least one; returns the ranks of each, (rows, r)."""

SMALL = 1 << 12
"""Up to this many keys, of all rows together, each row is asked for its own ranks."""

LONG = 1 << 14
"""Rows of so many keys are asked one after the other."""

PIECE = 1 << 16
"""NaNs are counted in so many keys at a time, which stay in a cache."""


@dataclass(frozen=True)
class OfNumbers:
    """Finds keys of ranks that depend on how many numbers a row has.

    Examples
    --------
    >>> rows = np.array([[3.0, 1.0, 2.0], [np.nan, 5.0, np.nan]])
    >>> OfNumbers(3, np.array([2]), lambda counts: counts[:, None] - 1).found(rows)
    (array([[3.],
           [5.]]), array([3, 1]))
    """

    length: int
    whole: Integers  # the ranks in rows without NaN, which come in any order
    ranks_of: RanksOf

    @cached_property
    def _distinct(self) -> tuple[Integers, Integers]:
        return np.unique(self.whole, return_inverse=True)

    def found(self, rows: Keys) -> tuple[Keys, Integers | None]:
        """Return keys of each row, (rows, r), and how many numbers the rows have; None if all have.

        The rows are contiguous, and are changed. A row of NaNs only has NaNs.
        """
        largest = rows.max()
        if largest == largest:
            return _at(rows, *self._distinct), None
        if self.length >= LONG:
            return self._one_by_one(rows)
        if rows.size <= SMALL:
            counts = np.count_nonzero(rows == rows, axis=1)
            return ranked_each(rows, self.ranks_of(np.maximum(counts, 1))), counts
        places = np.flatnonzero(rows != rows)
        missing = np.bincount(places // self.length, minlength=len(rows))
        some = np.flatnonzero(missing)
        counts = self.length - missing
        ks = self.ranks_of(np.maximum(counts[some], 1))
        answers = self._by_one_partition(rows, places, missing[some], some, ks)
        if answers is None:
            each = np.repeat(self.whole[None], len(rows), axis=0)
            each[some] = ks
            answers = ranked_each(rows, each)
        answers[counts == 0] = np.nan
        return answers, counts

    def _one_by_one(self, rows: Keys) -> tuple[Keys, Integers]:
        counts = np.array([_count(row) for row in rows])
        answers = np.empty((len(rows), self.whole.size), rows.dtype)
        each = self.ranks_of(np.maximum(counts, 1))
        for place, (row, ks) in enumerate(zip(rows, each, strict=True)):
            answers[place] = _at(row[None], *np.unique(ks, return_inverse=True))[0]
        return answers, counts

    def _by_one_partition(
        self, rows: Keys, places: Integers, missing: Integers, some: Integers, ks: Integers
    ) -> Keys | None:
        """Return keys of some rows' own ranks, and of other rows' ranks; None if it cannot be.

        A row can have one rank, or a pair of neighbours. NaNs are at some places, and so many are
        `missing` in each of `some` rows.
        """
        complete = some.size < len(rows)
        lowest = int(self.whole.min() if complete else ks[:, 0].max())
        shift = lowest - ks[:, 0]
        inside = ks - ks[:, :1]
        count = 1 + int(max(inside.max(), np.ptp(self.whole) if complete else 0))
        if count > 2 or inside.min() < 0 or shift.min() < 0 or (shift > missing).any():
            return None
        starts = np.cumsum(missing) - missing
        low = np.arange(places.size) < np.repeat(starts + shift, missing)
        rows.reshape(-1)[places] = np.where(low, -np.inf, np.inf)
        found = ranked(rows, np.arange(lowest, lowest + count))
        if not complete:
            return taken(found, inside)
        answers = found[:, self.whole - lowest]
        answers[some] = taken(found[some], inside)
        return answers


def _at(rows: Keys, distinct: Integers, places: Integers) -> Keys:
    """Return the keys of ascending distinct ranks of each row, at some places among them."""
    return ranked(rows, distinct)[:, places]


def _count(row: Keys) -> int:
    """Return how many keys are numbers."""
    pieces = (row[start : start + PIECE] for start in range(0, row.size, PIECE))
    return sum(int(np.count_nonzero(piece == piece)) for piece in pieces)
