"""`SlidingQuantiles`: quantiles of the last values of a stream, however many one asks about."""

from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.arasu_manku_quantiles import SlidingPlan, kept_ranks, sliding_plan
from shadersort.streams.quantile_blocks import Blocks
from shadersort.streams.rank_answers import Ranks, RanksAnswered, united
from shadersort.streams.sliding_summary import LastOf, SlidingSummary
from shadersort.streams.sorters.host import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import plain_zeros

__all__ = ["LastValues", "SlidingQuantiles"]


class SlidingQuantiles(RanksAnswered, SlidingSummary):
    """Quantiles and ranks of the last values of a stream, deterministic.

    Asked about the last n values, for any n up to `window`, every rank is right to within εn. The
    answers of the summary itself are about the last `window` values, or all if there are fewer;
    `last(n)` answers for others. How it is held, and why the guarantee holds, `sliding_plan.py`
    says; the paper is Govindaraju, Raghuvanshi and Manocha 2005, section 5.3, after Arasu and
    Manku 2004.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.
    window
        How many values one may ask about.
    shortest
        The error for the last n values is ε of n, or of `shortest` where n is less, be it that no
        more have been seen. The longer, the less is held; `shortest=window` is the least, for
        windows of one fixed length.
    dtype, nan, sorter
        As for `QuantileSummary`.

    Examples
    --------
    >>> sliding = SlidingQuantiles(0.01, window=100_000)
    >>> sliding.update(np.arange(1_000_000, dtype=np.float32))
    >>> abs(sliding.median() - 950_000) <= 0.01 * 100_000
    np.True_
    >>> abs(sliding.last(20_000).quantile(0.25) - 985_000) <= 0.01 * 20_000
    np.True_
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        window: SupportsIndex,
        *,
        shortest: SupportsIndex = 1,
        dtype: npt.DTypeLike | None = None,
        nan: str = "omit",
        sorter: Sorter | None = None,
    ) -> None:
        super().__init__(epsilon, window, shortest, dtype, nan, sorter)
        self._plan: SlidingPlan = sliding_plan(self._epsilon, self._length, self._shortest)
        self._recent: Keys = np.empty(0, self._dtype or np.float64)
        self._blocks = Blocks(self._plan)
        self._kept = [
            np.array(kept_ranks(level.size, level.step))
            for level in self._plan.levels[: self._plan.sorted_level + 1]
        ]
        self._answers: dict[int, Ranks] = {}

    def update(self, values: Any) -> None:  # noqa: D102  # inherited
        self._answers = {}
        super().update(values)

    def last(self, n: SupportsIndex) -> "LastValues":
        """Return what answers for the last n values, or for all if there are fewer."""
        return LastValues(self, self._asked(n))

    def _ranks(self) -> Ranks:
        return self._ranks_of_last(self._length)

    def _ranks_of_last(self, n: int) -> Ranks:
        """Return the ranks in the last n values, or in all if there are fewer."""
        self._check_seen()
        n = min(n, self._n)
        if n not in self._answers:
            if len(self._answers) >= 16:
                self._answers = {}
            self._answers[n] = self._answer(n)
        return self._answers[n]

    def _answer(self, n: int) -> Ranks:
        newest, first, position = self._waiting(), self._n - n, self._blocks.position
        if n <= len(self._recent) + len(newest):
            return united([], plain_zeros(np.concatenate([self._recent, newest])[-n:]))
        size = self._plan.size(self._plan.level_for(n))
        start = min(-(-first // size) * size, position)
        cover = self._plan.cover(start, position, n)
        sets = [self._blocks.block(level, number) for level, number in cover]
        return united(sets, newest, uncovered=start - first)

    def _absorb(self, windows: Any) -> None:
        newest = self.sorter.on_host(windows.reshape(-1)[-self._plan.recent :])
        kept = self._plan.recent - len(newest)
        older = self._recent[-kept:] if kept else self._recent[:0]
        self._recent = np.concatenate([older.astype(newest.dtype), newest])
        if self._plan.levels:
            with self._timed("sort"):
                stacks = [
                    self.sorter.ranked(windows.reshape(-1, level.size), ranks)
                    for level, ranks in zip(self._plan.levels, self._kept, strict=False)
                ]
            self._blocks = self._blocks.with_sorted(stacks, self._timed)

    def _settle(self) -> None:
        self._blocks = self._blocks.on_host()

    def _entries(self) -> int:
        return self._blocks.entries + len(self._recent)

    def _arrays(self) -> dict[str, Keys]:
        if self._dtype is None:
            return {}
        return {
            **super()._arrays(),
            "recent": self._recent.astype(self._dtype),
            **self._blocks.arrays(),
        }

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        position = self._n - self._filled
        if self._dtype is None or position % self._window:
            if self._n:
                raise CorruptSummary("its windows do not hold as many values as it has seen")
            return
        recent = arrays["recent"]
        if len(recent) != min(position, self._plan.recent) or recent.dtype != self._dtype:
            raise CorruptSummary("it has not the newest values that it should have")
        self._recent = recent
        self._blocks = self._blocks.restored(arrays, self._dtype, position)


class LastValues(LastOf, RanksAnswered):
    """The last n values of a stream, to be asked about: what `SlidingQuantiles.last` returns.

    It answers about the last n values at the time of the question.
    """

    def _ranks(self) -> Ranks:
        ranks: Ranks = self._summary._ranks_of_last(self._asked)
        return ranks
