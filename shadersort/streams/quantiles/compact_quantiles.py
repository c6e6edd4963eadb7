"""`CompactQuantiles`: the smallest summary of a stream that is over, for keeping and sending."""

from typing import Any, Self, SupportsFloat, cast

import numpy as np

from shadersort.errors import BadOption, CorruptSummary, SummariesDiffer
from shadersort.keys.types import Keys
from shadersort.streams.locked import locked
from shadersort.streams.quantiles.gk_summaries import Shape, flat_arrays, restore_stacks
from shadersort.streams.quantiles.greenwald_khanna import chain
from shadersort.streams.quantiles.merged_lists import list_budget
from shadersort.streams.quantiles.rank_answers import RankAnswers, RankBounds, unite
from shadersort.streams.summary import Arrays, Summary

LONG = 3  # a merged list with more entries than this, for each 1/ε, is made shorter


class CompactQuantiles(RankAnswers, Summary):
    """Answers the questions of a `QuantileSummary` from as few entries as its error bound allows.

    `QuantileSummary.compact()` makes it; it takes no more values. It has at most ⌈1/ε⌉ + 1 entries,
    as `docs/summaries.md` proves, unless the summary had spent its reserve of error, by
    merging say. Two of them merge: the bound stays εN, and entries are made fewer once they are
    more than 3⌈1/ε⌉, as far as this bound allows.

    Examples
    --------
    >>> from shadersort.streams import QuantileSummary
    >>> kept = QuantileSummary(0.01).update(np.arange(1_000_000)).compact()
    >>> len(kept) <= 101, abs(kept.median() - 500_000) <= 10_000
    (True, np.True_)
    """

    def __init__(self, epsilon: SupportsFloat) -> None:
        super().__init__(epsilon)
        self._held: RankBounds | None = None  # what it holds and answers from

    @classmethod
    def from_summary(cls, summary: Any, epsilon: SupportsFloat | None) -> Self:
        """Return a summary of what another one has seen, by default with its error bound."""
        made = cls(summary.epsilon if epsilon is None else epsilon)
        if made._epsilon < summary.epsilon:
            raise BadOption(f"a compact summary cannot be sharper than epsilon={summary.epsilon}")
        known: RankBounds = summary._rank_bounds()
        made._see(known.n, summary._nans)
        made._held = made._as_few(known)
        return made

    def _as_few(self, known: RankBounds) -> RankBounds:
        """Return the fewest of the values between which no gap is larger than the bound allows."""
        allowed = list_budget(self._epsilon).gap(known.n)
        kept = chain(known.values, known.smallest, known.largest - 1, allowed)
        return unite([known.summary(kept)])

    @locked
    def compact(self, epsilon: SupportsFloat | None = None) -> Self:
        """Return as few entries as an error bound allows, by default its own.

        With an epsilon of at least twice its own it has at most ⌈1/epsilon⌉ + 1 entries, however
        often it was merged. Raises BadOption if epsilon is smaller than its own, and EmptyInput.
        """
        return self.from_summary(self, epsilon)

    @property
    @locked
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values; None if there are none."""
        return None if self._held is None else self._held.values.dtype

    @locked
    def _rank_bounds(self) -> RankBounds:
        self._check_seen()
        return cast(RankBounds, self._held)

    @locked
    def __len__(self) -> int:
        return 0 if self._held is None else len(self._held.values)

    def _arrays(self) -> dict[str, Keys]:
        return {} if self._held is None else flat_arrays({0: self._held.summary()})

    def _restore(self, arrays: Arrays) -> None:
        if self._n:
            values = arrays["values"]
            whole = Shape(1, len(values), self._n)
            self._held = unite([*restore_stacks(arrays, values.dtype, [(0, whole)]).values()])
            if self._held.error > list_budget(self._epsilon).gap(self._n) // 2:
                raise CorruptSummary("its gaps are larger than the error bound allows")

    def _merge(self, other: Self) -> None:
        mine, theirs = self._held, other._held
        if mine and theirs and mine.values.dtype != theirs.values.dtype:
            kinds = f"one is of {self.dtype}, the other of {other.dtype}"
            raise SummariesDiffer(f"summaries merge if they are alike: {kinds}")
        self._see(other._n, other._nans)
        self._held = mine or theirs
        if mine and theirs:
            both = unite([mine.summary(), theirs.summary()])
            few = len(both.values) <= LONG * list_budget(self._epsilon).unit
            self._held = both if few else self._as_few(both)
