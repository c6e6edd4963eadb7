"""Ranks that are asked for in every row, and what a row's NaNs do to them."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from modern.arrays import served
from shadersort.keys.types import Integers
from shadersort.selection.driver import count_of_numbers, rank_of, ranks_of
from shadersort.selection.rows.protocol import Rows, on_host


class Ranks(NamedTuple):
    """Ranks from zero, or from the end if they are negative: one, or many of any shape.

    Without a policy NaNs are keys, the last ones. With "propagate", every rank of a row that has a
    NaN is that of a NaN. With "omit", ranks are those among the numbers; if they are too few, the
    rank is that of a NaN.

    Examples
    --------
    >>> Ranks([0, -1]).of_row(5), Ranks(-1, one=True, policy="omit").of_row(5, numbers=3)
    (array([0, 4]), array([2]))
    """

    ks: npt.ArrayLike
    one: bool = False  # whether it is one rank, which has no axis
    policy: str | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the ranks."""
        return () if self.one else np.shape(self.ks)

    def of_row(self, length: int, numbers: Any = None) -> Integers:
        """Return the ranks in rows of a length, from zero: flat; raise BadRank or RankOutOfRange.

        `numbers` are how many keys of rows are not NaN, if a policy asks for that: (…). The result
        then has the shape (ranks, …).
        """
        ranks = np.array([rank_of(self.ks, length)]) if self.one else ranks_of(self.ks, length)
        if numbers is None:
            return ranks
        missing, spread = length - np.asarray(numbers), (-1, *(1,) * np.ndim(numbers))
        if self.policy == "propagate":
            return np.where(missing > 0, length - 1, ranks.reshape(spread))
        from_end = np.asarray(self.ks).reshape(spread) < 0
        moved = ranks.reshape(spread) - np.where(from_end, missing, 0)
        return np.where(moved < 0, length - 1, moved)

    def in_one_row(self, row: Any) -> Any:
        """Return the ranks as they were given; or those in a flat array, if there is a policy."""
        if self.policy is None:
            return self.ks
        with served(row) as (_, keys):
            ranks = self.of_row(keys.size, count_of_numbers(keys))
        return int(ranks[0]) if self.one else ranks.reshape(self.shape)

    def found(self, rows: Rows, wanted: Integers | None = None) -> Any:
        """Return the keys of the ranks in rows, (…, outer, inner): of their shape in front.

        `wanted` are the ranks in rows of this length, if they are known already.
        """
        ranks = self.of_row(rows.shape[1]) if wanted is None else wanted
        if self.policy == "omit" and (np.asarray(self.ks) < 0).any():
            own = self.of_row(rows.shape[1], on_host(rows.numbers()))
            found = rows.ranks_of_rows(rows.xp.asarray(own.transpose(1, 0, 2)))
            return found.transpose(1, 0, 2).reshape(self.shape + own.shape[1:])
        ask = rows.ranks_unless_nan if self.policy == "propagate" else rows.ranks
        if ranks.size == 1:
            found = ask(ranks)[:, 0]
            return found if self.one else found.reshape(self.shape + found.shape)
        distinct, places = np.unique(ranks, return_inverse=True)
        found = ask(distinct).transpose(1, 0, 2)[rows.xp.asarray(places)]
        return found.reshape(self.shape + found.shape[1:])
