"""`CompactQuantiles`: the smallest summary of a stream that is over, for keeping and sending."""

from typing import Any, Self, SupportsFloat

import numpy as np

from shadersort.errors import BadOption, CorruptSummary, SummariesDiffer
from shadersort.keys.types import Keys
from shadersort.streams.locked import locked
from shadersort.streams.quantiles.gk_budget import list_budget
from shadersort.streams.quantiles.gk_summaries import (
    GKSummaries,
    Shape,
    flat_arrays,
    rank_type,
    restored_stacks,
)
from shadersort.streams.quantiles.greenwald_khanna import chain
from shadersort.streams.quantiles.rank_answers import RankBounds, RanksAnswered, united
from shadersort.streams.summary import Arrays, Summary, checked_epsilon

LONG = 3
"""A merged list with more entries than this, for each 1/ε, is made shorter."""


class CompactQuantiles(RanksAnswered, Summary):
    """Answers the questions of a `QuantileSummary` from as few entries as its error bound allows.

    `QuantileSummary.compact()` makes it; it takes no more values. It has at most ⌈1/ε⌉ + 1 entries,
    as `docs/small-summaries.md` proves, unless the summary had spent its reserve of error, by
    merging say. Two of them merge: the bound stays εN. Their entries add up, and are made fewer
    once they are more than 3⌈1/ε⌉, as far as this bound allows.

    Examples
    --------
    >>> from shadersort.streams import QuantileSummary
    >>> kept = QuantileSummary(0.01).update(np.arange(1_000_000)).compact()
    >>> len(kept) <= 101, abs(kept.median() - 500_000) <= 10_000
    (True, np.True_)
    >>> len(kept.compact(0.02)) <= 51
    True
    """

    def __init__(self, epsilon: SupportsFloat) -> None:
        super().__init__(epsilon)
        self._state: GKSummaries | None = None
        self._answers: RankBounds | None = None

    @classmethod
    def of_bounds(cls, epsilon: float, known: RankBounds, nans: int) -> Self:
        """Return a summary of values, given bounds of their ranks within an error bound."""
        made = cls(epsilon)
        made._see(known.n, nans)
        made._state = made._as_few(known)
        return made

    def _as_few(self, known: RankBounds) -> GKSummaries:
        """Return the fewest of the values between which no gap is larger than the bound allows."""
        columns = known.values, known.smallest, known.largest - 1
        kept = chain(*columns, list_budget(self._epsilon).gap(known.n))
        values, smallest, before = (each[None, kept] for each in columns)
        return GKSummaries.of_ranks(values, smallest, before, known.n)

    @locked
    def compact(self, epsilon: SupportsFloat | None = None) -> Self:
        """Return this summary with as few entries as an error bound allows: its own, or a larger.

        With an epsilon of at least twice its own it has at most ⌈1/epsilon⌉ + 1 entries, however
        often it was merged. Raises BadOption if epsilon is smaller than its own, and EmptyInput.
        """
        return self.of_bounds(wider(self._epsilon, epsilon), self._rank_bounds(), self._nans)

    @property
    @locked
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values; None if there are none."""
        return None if self._state is None else self._state.values.dtype

    @locked
    def _rank_bounds(self) -> RankBounds:
        self._check_seen()
        if self._answers is None:
            assert self._state is not None
            self._answers = united([self._state])
        return self._answers

    @locked
    def __len__(self) -> int:
        return 0 if self._state is None else self._state.entries

    def _parameters(self) -> dict[str, Any]:
        return {"epsilon": self._epsilon}

    def _settle(self) -> None:
        """Do nothing: all entries are on the host."""

    def _arrays(self) -> dict[str, Keys]:
        return {} if self._state is None else flat_arrays({0: self._state})

    def _restore(self, arrays: Arrays) -> None:
        if self._n:
            values = arrays["values"]
            whole = Shape(1, len(values), self._n)
            self._state = restored_stacks(arrays, values.dtype, [(0, whole)])[0]
            if self._rank_bounds().error > list_budget(self._epsilon).gap(self._n) // 2:
                raise CorruptSummary("its gaps are larger than the error bound allows")
        elif arrays:
            raise CorruptSummary("it has seen nothing, and holds entries")

    def _merge(self, other: Self) -> None:
        mine, theirs = self.dtype, other.dtype
        if mine and theirs and mine != theirs:
            raise SummariesDiffer(
                f"one summary is of {mine}, the other of {theirs}: summaries merge if these are "
                "alike"
            )
        self._see(other._n, other._nans)
        self._answers = None
        if self._state is None or other._state is None:
            self._state = self._state or other._state
            return
        both, ranks = GKSummaries.union([self._state, other._state]), rank_type(self._n)
        lower, upper = (each.astype(ranks, copy=False) for each in (both.lower, both.upper))
        self._state = GKSummaries(both.values, lower, upper)
        if len(self) > LONG * list_budget(self._epsilon).unit:
            self._state, self._answers = self._as_few(self._rank_bounds()), None


def wider(own: float, epsilon: SupportsFloat | None) -> float:
    """Return an error bound, by default that of a summary; raise BadOption if it is smaller."""
    wanted = own if epsilon is None else checked_epsilon(epsilon)
    if wanted < own:
        raise BadOption(
            f"this summary knows ranks within epsilon={own}: a compact one cannot be sharper, as "
            f"epsilon={wanted} asks"
        )
    return wanted
