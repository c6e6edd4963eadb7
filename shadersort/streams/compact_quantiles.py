"""`CompactQuantiles`: the smallest summary of a stream that is over, for keeping and sending."""

from typing import Any, Self, SupportsFloat

import numpy as np

from shadersort.errors import CorruptSummary, SummariesDiffer
from shadersort.keys.types import Keys
from shadersort.streams.gk_bands import chain
from shadersort.streams.gk_budget import list_budget
from shadersort.streams.gk_list import GKList
from shadersort.streams.greenwald_khanna import COLUMNS, GKSummaries
from shadersort.streams.locked import locked
from shadersort.streams.rank_answers import RankBounds, RanksAnswered, united
from shadersort.streams.summary import Arrays, Summary


class CompactQuantiles(RanksAnswered, Summary):
    """Answers the questions of a `QuantileSummary` from as few entries as its error bound allows.

    `QuantileSummary.compact()` makes it. It takes no more values. It has at most ⌈1/ε⌉ + 1 entries,
    as `docs/small-summaries.md` proves, unless the summary had spent its reserve of error, by
    merging say. Two of them merge: the bound stays εN, and the entries add up.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.

    Examples
    --------
    >>> from shadersort.streams import QuantileSummary
    >>> kept = QuantileSummary(0.01).update(np.arange(1_000_000)).compact()
    >>> len(kept) <= 101, abs(kept.median() - 500_000) <= 10_000
    (True, np.True_)
    """

    def __init__(self, epsilon: SupportsFloat) -> None:
        super().__init__(epsilon)
        self._state: GKList | None = None
        self._answers: RankBounds | None = None

    @classmethod
    def of_bounds(cls, epsilon: float, known: RankBounds, nans: int) -> Self:
        """Return a summary of values, given bounds of their ranks within an error bound."""
        made = cls(epsilon)
        limit = list_budget(epsilon).gap(known.n)
        columns = known.values, known.smallest, known.largest - 1
        kept = chain(*columns, limit, np.zeros(len(known.values), np.bool_))
        values, smallest, before = (each[None, kept] for each in columns)
        summary = GKSummaries.of_ranks(values, smallest, before, known.n)
        made._state = GKList.of_summary(summary, limit)
        made._see(known.n, nans)
        return made

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
            self._answers = united([self._state.summary()], self._state.values[:0])
        return self._answers

    @locked
    def __len__(self) -> int:
        return 0 if self._state is None else len(self._state)

    def _parameters(self) -> dict[str, Any]:
        return {"epsilon": self._epsilon}

    def _settle(self) -> None:
        """Do nothing: all entries are on the host."""

    def _arrays(self) -> dict[str, Keys]:
        if self._state is None:
            return {}
        summary = self._state.summary()
        return {name: getattr(summary, name)[0] for name in COLUMNS}

    def _restore(self, arrays: Arrays) -> None:
        limit = list_budget(self._epsilon).gap(self._n)
        if self._n:
            summary = GKSummaries(*(arrays[name][None] for name in COLUMNS)).checked(self._n)
            self._state = GKList.of_summary(summary, limit).checked(limit)
        elif arrays:
            raise CorruptSummary("it has seen nothing, and holds entries")

    @locked
    def _merge(self, other: Self) -> None:
        mine, theirs = self._state, other._state
        if mine is not None and theirs is not None and mine.values.dtype != theirs.values.dtype:
            types = f"{mine.values.dtype}, the other of {theirs.values.dtype}"
            raise SummariesDiffer(f"one summary is of {types}: summaries merge if these are alike")
        with self._or_as_before():
            self._see(other._n, other._nans)
            self._answers = None
            self._state = (
                theirs if mine is None else mine if theirs is None else mine.united(theirs)
            )
