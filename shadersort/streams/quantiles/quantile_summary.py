"""`QuantileSummary`: quantiles of a stream of any length, with a bound on every rank."""

from typing import Any, Self, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.buffer import Buffer
from shadersort.streams.locked import locked
from shadersort.streams.quantiles.compact_quantiles import CompactQuantiles
from shadersort.streams.quantiles.exponential_histogram import (
    ExponentialHistogram,
    printed_budgets,
)
from shadersort.streams.quantiles.greenwald_khanna import SortedBatch
from shadersort.streams.quantiles.merged_lists import QuantileList, list_budget
from shadersort.streams.quantiles.rank_answers import RankAnswers
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import check_length
from shadersort.streams.weights import split_nans
from shadersort.streams.windowed import WindowedSummary


class QuantileSummary(RankAnswers, WindowedSummary):
    """Estimates quantiles and ranks of a stream; every rank is right to within εN, always.

    N is the number of values so far. Sorted batches of the stream go into one list of entries with
    bounds of their ranks, the list of Greenwald and Khanna 2001; entries that are not needed are
    deleted. All answers are exact until there are 8/ε values. The list and the values that wait
    are at most (2/ε)·log₂(εN) + 2/ε together, for a stream of any length in any order; most lists
    have about 1/ε to 2/ε entries. `docs/summaries.md` proves the bounds, has the sizes, and
    says what is known about merged summaries. The guarantee does not depend on how updates cut a
    stream, but which entries are kept does, unless every update is shorter than `window`.

    Parameters
    ----------
    expected
        The length of the stream, if known; only `as_printed` needs it.
    as_printed
        Hold the exponential histogram of Govindaraju, Raghuvanshi and Manocha 2005, section 5.2, in
        place of a list, see `exponential_histogram.py`. It has windows of ⌈1/ε⌉ values, many times
        the entries of a list, and a schedule of errors that needs `expected`: ranks are right to
        within εN as long as no more than `expected` values come, merged parts included; afterwards
        `rank_error` says how far they may be off. It does not depend on how updates cut a stream.
    epsilon, dtype, sorter
        As for every `WindowedSummary`. NaNs are counted and left out.

    Examples
    --------
    >>> summary = QuantileSummary(0.01).update(np.arange(100_000, dtype=np.float32))
    >>> low, high = summary.rank_bounds(25_000)
    >>> low <= 25_001 <= high, abs(summary.median() - 50_000) <= 0.01 * 100_000, len(summary)
    (np.True_, np.True_, 101)
    """

    _retired = frozenset({"structure"})
    _rank_bounds = WindowedSummary._cached_answers

    def __init__(
        self,
        epsilon: SupportsFloat,
        expected: SupportsIndex | None = None,
        *,
        dtype: npt.DTypeLike | None = None,
        sorter: Sorter | None = None,
        as_printed: bool = False,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, sorter=sorter, as_printed=as_printed)
        self._expected = None if expected is None else check_length(expected, "expected")
        self._state: Any = QuantileList(list_budget(self._epsilon))
        if as_printed and self._expected is None:
            raise BadOption("as printed, the length of the stream is known at first: pass expected")
        if as_printed and self._expected:
            budgets = printed_budgets(self._epsilon, self._expected)
            self._state = ExponentialHistogram(budgets.compress, budgets=budgets)

    @property
    def _window(self) -> int:
        """How many values fill the next window; a list decides that anew after each."""
        return int(self._state.window)

    @property
    def expected(self) -> int | None:
        """The expected length of the stream; None if it was not known."""
        return self._expected

    def _take_weighted(self, values: Any, weights: Any) -> None:
        if self._as_printed:
            raise BadOption("as printed, no value has a weight: repeat the values by np.repeat")
        keys = self.sorter.to_host(self._accept(values))
        numbers, counts, nans = split_nans(keys, weights)
        batch = SortedBatch.from_weights(numbers, counts)
        if batch.size or nans:
            self._adopt(keys.dtype)
        self._see(batch.size, nans)
        if self._filled + batch.size < 2 * self._window:
            self._feed(batch.values())
        else:
            self._take_batch(batch)

    def _take(self, keys: Any) -> None:
        """Take a flat array: by a list in large batches, if it has two windows, else in windows."""
        if self._as_printed or not len(keys):
            super()._take(keys)
            return
        if self._dtype is None:
            self._adopt(np.dtype(keys.dtype))
        if self._buffer.end + len(keys) < 2 * self._state.window:
            here = keys if isinstance(keys, np.ndarray) else self.sorter.to_host(keys)
            numbers, nans = self.sorter.drop_nans(here)
            self._see(len(numbers), nans)
            self._feed(numbers)
            return
        bounds = self._state.budget.batches(len(keys))
        parts = self.sorter.sort_parts(keys, bounds)
        for _ in bounds:
            with self._timed("sort"):  # or wait for another thread that sorts
                batch, nans = next(parts)
            self._see(batch.size, nans)
            self._take_batch(batch)
        next(parts, None)  # lets the sorter end its threads and copies

    def _take_batch(self, batch: SortedBatch) -> None:
        """Add a batch, or let its values wait if they are fewer than a window."""
        if batch.size < self._state.window:
            self._feed(batch.values())
            return
        self._state = self._state.with_batch(batch, self._dtype, self._timed)
        if self._buffer.end >= self._state.window:  # it may be shorter than before
            self._feed(self._buffer.array[:0])

    def _feed(self, numbers: Any) -> None:
        """Let values wait; each time they are a window, add it."""
        if self._as_printed:
            super()._feed(numbers)
            return
        while self._buffer.end + len(numbers) >= self._state.window:
            wanted = max(0, self._state.window - self._buffer.end)
            array, end = self._buffer.array, self._buffer.end
            full = np.concatenate([array[:end], numbers[:wanted]])
            self._buffer, numbers = Buffer(np.empty_like(array)), numbers[wanted:]
            with self._timed("sort"):
                ((batch, _),) = self.sorter.sort_parts(full, [(0, len(full))])
            self._state = self._state.with_batch(batch, self._dtype, self._timed)
        if len(numbers):
            self._buffer = self._buffer.append(numbers)

    @locked
    def compact(self, epsilon: SupportsFloat | None = None) -> CompactQuantiles:
        """Return the smallest summary with the same error bound; it takes no more values.

        It has at most ⌈1/ε⌉ + 1 entries; more if this summary was merged, or is as printed,
        because these have spent a part of the error that they may have. With an epsilon
        that is twice that of this summary or more, it always has at most ⌈1/epsilon⌉ + 1.
        Raises EmptyInput if there were no values, and BadOption for an epsilon that is smaller.
        """
        return CompactQuantiles.from_summary(self, epsilon)

    def _absorb(self, windows: Any) -> None:
        self._state = self._state.with_windows(windows, self.sorter, self._timed)

    def _settle(self) -> None:
        self._state = self._state.to_host()

    def _merge_state(self, other: Self) -> None:
        self._state = self._state.merge(other._state, self._timed)

    def _new_answers(self) -> Any:
        return self._state.bounds(self._waiting())

    def _entries(self) -> int:
        return int(self._state.entries)

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), "expected": self._expected}

    def _head(self) -> dict[str, Any]:
        structure = "exponential-histogram" if self._as_printed else "list"
        return {**self._parameters(), "structure": structure}

    def _arrays(self) -> dict[str, Keys]:
        return {**super()._arrays(), **self._state.arrays()}

    def _restore(self, arrays: Arrays) -> None:
        waiting = arrays.get("waiting")
        self._state = self._state.restore(arrays, None if waiting is None else waiting.dtype)
        super()._restore(arrays)
        if self._state.size + self._filled != self._n:
            raise CorruptSummary("its buckets do not hold as many values as it has seen")
