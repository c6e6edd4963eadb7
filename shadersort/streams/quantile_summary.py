"""`QuantileSummary`: quantiles of a stream of any length, with a bound on every rank."""

from typing import Any, Self, SupportsFloat, SupportsIndex

import numpy.typing as npt

from shadersort.keys.types import Keys
from shadersort.streams.error_budgets import budgets
from shadersort.streams.exponential_histogram import ExponentialHistogram
from shadersort.streams.greenwald_khanna import RankedSets, all_on_host
from shadersort.streams.rank_answers import Ranks, RanksAnswered, united
from shadersort.streams.sorters.host import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import checked_length
from shadersort.streams.windowed import WindowedSummary

__all__ = ["QuantileSummary"]


TOGETHER = 8
"""So many stacks of windows are merged at once: a merge has its price, however few there are, on
each of many levels. Together they are an eighth as many values as are sorted at once."""


class QuantileSummary(RanksAnswered, WindowedSummary):
    """Quantiles and ranks of a stream, deterministic: every rank is right to within εN, always.

    N is the number of values so far. Windows of 64⌈1/ε⌉ values are sorted; of each, every 64th is
    kept, with the bounds of its rank; and an exponential histogram merges and compresses these.
    Until the first window is full, all answers are exact. The paper is Govindaraju, Raghuvanshi and
    Manocha 2005, section 5.2, after Greenwald and Khanna 2004.

    Why the guarantee holds: `ranked.py` says by how much a window, a merge and a compression may
    blur a rank, and `budgets.py` limits the sum of it to εN, in whatever order parts are merged.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.
    expected
        How many values the stream is going to have, if that is known. The compression is then the
        paper's own, and a level of the histogram takes about log(εN)/ε entries; without, the levels
        grow slowly, and take about twice as many together. A longer stream is no mistake: later
        levels go on as if nothing had been known.
    dtype, nan, sorter
        As for every summary by windows: the type of the values (by default that of the first);
        "omit" to leave NaNs out and count them, or "raise"; what sorts.

    Examples
    --------
    >>> import numpy as np
    >>> summary = QuantileSummary(0.01)
    >>> summary.update(np.arange(100_000, dtype=np.float32))
    >>> abs(summary.median() - 50_000) <= 0.01 * 100_000
    np.True_
    >>> low, high = summary.rank_bounds(25_000)
    >>> low <= 25_001 <= high
    np.True_
    >>> summary
    <QuantileSummary(epsilon=0.01, nan='omit'): 100,000 values in 5,515 entries of float32>
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        expected: SupportsIndex | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        nan: str = "omit",
        sorter: Sorter | None = None,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, nan=nan, sorter=sorter)
        self._expected = None if expected is None else checked_length(expected, "expected")
        self._histogram = ExponentialHistogram(budgets(self._epsilon, self._expected))
        self._coming: tuple[RankedSets, ...] = ()
        self._answers: Ranks | None = None

    @property
    def window(self) -> int:
        """How many values fill a window."""
        return self._histogram.budgets.window

    @property
    def expected(self) -> int | None:
        """How many values were announced; None if that was not known."""
        return self._expected

    def update(self, values: Any) -> None:  # noqa: D102  # inherited
        self._answers = None
        super().update(values)

    def merge(self, other: Self) -> Self:  # noqa: D102  # inherited
        self._answers = None
        return super().merge(other)

    def _absorb(self, windows: Any) -> None:
        with self._timed("sort"):
            stack = self.sorter.ranked(windows, self._histogram.ranks)
        self._coming = *self._coming, stack
        if len(self._coming) == TOGETHER:
            self._carry()

    def _carry(self) -> None:
        """Add to the histogram what windows have come."""
        if self._coming:
            *others, stack = self._coming
            with self._timed("merge"):
                stack = stack.preceded_by(*others) if others else stack
            self._coming = ()
            self._histogram = self._histogram.with_buckets(0, stack, self._timed)

    def _settle(self) -> None:
        self._carry()
        self._histogram = self._histogram.on_host()

    def _merge_state(self, other: Self) -> None:
        self._histogram = self._histogram.merged(other._histogram, self._timed)

    def _ranks(self) -> Ranks:
        """Return the ranks in the union of all buckets and of what waits, made once."""
        self._check_seen()
        if self._answers is None:
            buckets = all_on_host(self._histogram.buckets)
            self._answers = united([*buckets.values()], self._waiting())
        return self._answers

    def _entries(self) -> int:
        return self._histogram.entries

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), "expected": self._expected}

    def _arrays(self) -> dict[str, Keys]:
        return {**super()._arrays(), **self._histogram.arrays()}

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        self._histogram = self._histogram.restored(arrays, self._dtype)
        if self._histogram.windows * self.window + self._filled != self._n:
            raise ValueError("its buckets do not hold as many values as it has seen")
