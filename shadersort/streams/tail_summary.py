"""`TailSummary`: quantiles of a stream whose ranks are sharper the nearer they are to an end."""

from functools import partial
from typing import Any, Self, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, choices
from shadersort.keys.types import Keys
from shadersort.names import NaNPolicy, Tail
from shadersort.streams.gk_stacks import all_on_host
from shadersort.streams.locked import locked
from shadersort.streams.rank_answers import RankBounds, RanksAnswered, united
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.tail_budgets import TAILS, tail_budgets
from shadersort.streams.tail_histogram import TailHistogram
from shadersort.streams.tail_runs import Run
from shadersort.streams.weighted import WeightedSummary

SHOWN = (0.5, 0.9, 0.99, 0.999, 0.9999)
"""Quantiles that a notebook shows, or their distances from 1."""


class TailSummary(RanksAnswered, WeightedSummary):
    """Estimates quantiles and ranks with a relative error, for p99.99 and beyond.

    Of N values let n be at most x. Then `rank(x)` is off by at most ε(N − n): how many values are
    above x is known to within the share ε of that number, deterministically, and the last 1/ε
    values are all known. `quantile(q)` returns a value whose rank is within ε(N − r) of r = ⌈qN⌉.
    So with ε = 0.01 the quantile 0.9999 is one between 0.999899 and 0.999901. This is for the upper
    tail; for the lower tail, ε(N − n) is replaced by εn, and for both by the smaller of the two.

    Summaries merge in any tree, and keep the same bound. The way is that of Zhang and Wang, "An
    efficient algorithm for approximate biased quantile computation in data streams" (2007): an
    exponential histogram of windows of 64⌈1/ε⌉ values, each compressed so that the uncertainty of
    a rank is at most 2ε of the values beyond it. `tail_budgets.py` has the proof, and a bound of
    the entries. After 10^7 random values about 20,000 are held at ε = 0.01; a `QuantileSummary` is
    smaller, and as good for quantiles that are not near an end. Of values that repeat, a bucket
    holds at most two entries each.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1, relative to the values beyond.
    tail
        "upper", "lower" or "both": the end near which ranks are sharp.
    dtype, nan, sorter
        As for every `WindowedSummary`: the type of the values (by default that of the first ones);
        "omit" to leave NaNs out and count them, or "raise"; what sorts the windows.

    Examples
    --------
    >>> import numpy as np
    >>> summary = TailSummary(0.01).update(np.arange(100_000))
    >>> abs(summary.quantile(0.999) - 99_899) <= 0.01 * 100
    np.True_
    >>> abs((summary.n - summary.rank(98_999)) - 1000) <= 0.01 * 1000
    np.True_
    >>> summary
    <TailSummary(epsilon=0.01, nan='omit', tail='upper'): 100,000 values in 7,091 entries of int64>
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        tail: Tail = "upper",
        dtype: npt.DTypeLike | None = None,
        nan: NaNPolicy = "omit",
        sorter: Sorter | None = None,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, nan=nan, sorter=sorter)
        if tail not in TAILS:
            raise BadOption(f"tail is {choices(TAILS)}, not {tail!r}")
        self._tail = tail
        budgets = tail_budgets(self._epsilon, tail)
        self._histogram = TailHistogram(budgets.compressed, budgets=budgets)

    @classmethod
    def from_dask(cls, array: Any, epsilon: SupportsFloat, **options: Any) -> Self:
        """Return a summary of a Dask array, as `QuantileSummary.from_dask` does.

        Examples
        --------
        >>> import dask.array
        >>> TailSummary.from_dask(dask.array.arange(100_000, chunks=7000), 0.1).n
        100000
        """
        from shadersort.streams.chunks import summary_of_chunks

        return summary_of_chunks(array, partial(cls, epsilon, **options), "tails")

    @property
    def tail(self) -> Tail:
        """The end near which ranks are sharp."""
        return self._tail

    @property
    def window(self) -> int:
        """How many values fill a window."""
        return self._histogram.budgets.window

    @property
    @locked
    def relative_error(self) -> float:
        """No rank in an answer is off by more than this share of the values beyond; at most ε."""
        known = self._rank_bounds()
        uncertain = known.uncertainty
        below, above = known.smallest, known.n - known.smallest - uncertain
        error = (uncertain + 1) // 2
        error[:-1][known.values[1:] == known.values[:-1]] = 0  # no point lies there
        beyond = {"upper": above, "lower": below, "both": np.minimum(below, above)}[self._tail]
        return float(np.max(error / np.maximum(beyond, 1)))

    def _absorb(self, windows: Any) -> None:
        with self._timed("sort"):
            stack = self.sorter.gk_summaries(windows, self._histogram.budgets.ranks)
        self._histogram = self._histogram.with_windows(stack, self._timed)

    def _absorb_equal(self, value: Keys, windows: int) -> None:
        self._histogram = self._histogram.with_windows(Run(value, windows), self._timed)

    def _settle(self) -> None:
        self._histogram = self._histogram.carried(self._timed).on_host()

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
        return {**super()._parameters(), "tail": self._tail}

    def _arrays(self) -> dict[str, Keys]:
        return {**super()._arrays(), **self._histogram.arrays()}

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        self._histogram = self._histogram.restored(arrays, self._dtype)
        if self._histogram.windows * self.window + self._filled != self._n:
            raise CorruptSummary("its buckets do not hold as many values as it has seen")

    def _highlights(self) -> list[tuple[str, object]]:
        """Return quantiles towards the sharp end by their names, for a notebook."""
        lower = [round(1 - q, 4) for q in SHOWN[::-1]]
        shown = {"upper": SHOWN, "lower": lower, "both": [*lower, *SHOWN[1:]]}[self._tail]
        rows = zip((f"quantile {q}" for q in shown), self.quantile(shown), strict=True)
        ends = ("minimum", self.minimum.item()), ("maximum", self.maximum.item())
        found = [(name, value.item()) for name, value in rows]
        return [ends[0], *found, ends[1], ("relative error", self.relative_error)]
