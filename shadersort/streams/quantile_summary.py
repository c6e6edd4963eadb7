"""`QuantileSummary`: quantiles of a stream of any length, with a bound on every rank."""

from functools import partial
from typing import Any, Self, SupportsFloat, SupportsIndex

import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary
from shadersort.keys.types import Keys
from shadersort.names import NaNPolicy
from shadersort.streams.error_budgets import budgets
from shadersort.streams.error_budgets_as_printed import printed_budgets
from shadersort.streams.exponential_histogram import Compression, ExponentialHistogram
from shadersort.streams.gk_stacks import all_on_host
from shadersort.streams.greenwald_khanna import GKStack
from shadersort.streams.rank_answers import RankBounds, RanksAnswered, united
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import checked_length
from shadersort.streams.windowed import WindowedSummary

TOGETHER = 8
"""Stacks of windows that are merged at once: a merge of even a few windows costs time on each of
many levels."""


class QuantileSummary(RanksAnswered, WindowedSummary):
    """Estimates quantiles and ranks of a stream; every rank is right to within εN, always.

    N is the number of values so far. Windows of 64⌈1/ε⌉ values are sorted; every 64th value of a
    window is kept with the bounds of its rank; an exponential histogram merges and compresses these
    entries. All answers are exact until the first window is full. The paper is Govindaraju,
    Raghuvanshi and Manocha 2005, section 5.2, after Greenwald and Khanna 2004.

    Why the guarantee holds: `greenwald_khanna.py` says how much error a window, a merge and a
    compression add, and `error_budgets.py` limits their sum to εN, in whatever order parts are
    merged.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.
    expected
        The length of the stream, if known. Levels are then compressed as in the paper, and each
        holds about log(εN)/ε entries; if it is not known, all levels together hold about twice as
        many. The stream may also be longer than expected.
    as_printed
        Merge and prune as Govindaraju, Raghuvanshi and Manocha 2005 print it in section 5.2, see
        `error_budgets_as_printed.py`: windows of ⌈1/ε⌉ values, and a schedule of errors that needs
        `expected`. Ranks are then right to within εN as long as no more than `expected` values
        come, merged parts included; afterwards `rank_error` says how far they may be off.
    dtype, nan, sorter
        As for every `WindowedSummary`: the type of the values (by default that of the first ones);
        "omit" to leave NaNs out and count them, or "raise"; what sorts the windows.

    Examples
    --------
    >>> import numpy as np
    >>> summary = QuantileSummary(0.01).update(np.arange(100_000, dtype=np.float32))
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
        nan: NaNPolicy = "omit",
        sorter: Sorter | None = None,
        as_printed: bool = False,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, nan=nan, sorter=sorter, as_printed=as_printed)
        self._expected = None if expected is None else checked_length(expected, "expected")
        self._histogram = ExponentialHistogram.empty(self._compression())
        self._coming: tuple[GKStack, ...] = ()

    @classmethod
    def from_dask(
        cls,
        array: Any,
        epsilon: SupportsFloat,
        expected: SupportsIndex | None = None,
        **options: Any,
    ) -> Self:
        """Return a summary of a Dask array: of each chunk by a task, merged by a tree of tasks.

        Each chunk is computed once, and only summaries travel. The other arguments are those of the
        constructor, and the bound is the same. The array has any number of dimensions, and chunks
        of NumPy, whose sizes may be unknown.

        Raises
        ------
        UnsupportedKeys
            It is no Dask array, or its values are no numbers.
        KeysLost, ClusterUnavailable
            The cluster that holds the chunks has lost them, or cannot be asked.

        Examples
        --------
        >>> import dask.array
        >>> summary = QuantileSummary.from_dask(dask.array.arange(100_000, chunks=7000), 0.01)
        >>> summary.n, abs(summary.median() - 50_000) <= 0.01 * 100_000
        (100000, np.True_)
        """
        from shadersort.streams.chunks import summary_of_chunks

        make = partial(cls, epsilon, expected, **options)
        return summary_of_chunks(array, make, "quantiles")

    def _compression(self) -> Compression:
        """Return how levels are compressed."""
        if not self.as_printed:
            return budgets(self._epsilon, self._expected)
        if self._expected is None:
            raise BadOption(
                "as printed, the length of the stream is known before it begins: pass expected="
            )
        return printed_budgets(self._epsilon, self._expected)

    @property
    def window(self) -> int:
        """How many values fill a window."""
        return self._histogram.budgets.window

    @property
    def expected(self) -> int | None:
        """The expected length of the stream; None if it was not known."""
        return self._expected

    def _absorb(self, windows: Any) -> None:
        with self._timed("sort"):
            stack = self.sorter.gk_summaries(windows, self._histogram.budgets.ranks)
        self._coming = *self._coming, stack
        if len(self._coming) == TOGETHER:
            self._carry()

    def _carry(self) -> None:
        """Add the windows that have come to the histogram."""
        if self._coming:
            *others, stack = self._coming
            with self._timed("merge"):
                stack = stack.preceded_by(*others) if others else stack
            self._coming = ()
            self._histogram, _ = self._histogram.with_stack(0, stack, self._timed)

    def _settle(self) -> None:
        self._carry()
        self._histogram = self._histogram.on_host()

    def _merge_state(self, other: Self) -> None:
        self._histogram = self._histogram.merged(other._histogram, self._timed)

    def _rank_bounds(self) -> RankBounds:
        bounds: RankBounds = self._known()
        return bounds

    def _new_answers(self) -> RankBounds:
        return united([*all_on_host(self._histogram.buckets).values()], self._waiting())

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
            raise CorruptSummary("its buckets do not hold as many values as it has seen")
