"""`SlidingFrequencies`: how often values come among the last of a stream, any number of them."""

from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadSupport, CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.arasu_manku_frequencies import CountLevels, count_levels
from shadersort.streams.estimates import Counts, CountsAnswered, counted
from shadersort.streams.frequency_blocks import TallyLevels
from shadersort.streams.recent import Recent
from shadersort.streams.sliding_summary import LastOf, SlidingSummary
from shadersort.streams.sorters.host import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import plain_zeros

__all__ = ["LastFrequencies", "SlidingFrequencies"]


class SlidingFrequencies(SlidingSummary, CountsAnswered):
    """Counts the values that come often among the last of a stream.

    **Guarantee**, for the last n values, n being any number up to `window`: a count is never too
    large, and too small by at most `epsilon` · n. The answers of the summary itself are about the
    last `window` values, or all if there are fewer; `last(n)` answers for others. How it is held,
    and why the guarantee holds, `count_levels.py` says: Govindaraju, Raghuvanshi and Manocha 2005,
    section 5.3, after Arasu and Manku 2004.

    It holds O(log²(1/ε) · log(ε · window) + log²(ε · window)) / ε entries, and never more than the
    window itself.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.
    window
        How many values one may ask about.
    shortest
        The error for the last n values is ε of n, or of `shortest` where n is less. The longer,
        the less is held; `shortest=window` is the least, for windows of one fixed length.
    dtype, nan, sorter
        As for every `WindowedSummary`. NaNs that are left out take no place in the window.

    Examples
    --------
    >>> import numpy as np
    >>> sliding = SlidingFrequencies(0.01, window=100_000)
    >>> sliding.update(np.arange(1_000_000) // 30_000)
    >>> sliding.frequent_items(0.2)["item"]
    array([30, 31, 32])
    >>> sliding.last(20_000).frequent_items(0.2)["item"]
    array([32, 33])
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
        self._plan: CountLevels = count_levels(self._epsilon, self._length, self._shortest)
        self._recent = Recent(self._plan.recent, self._buffer)
        self._blocks = TallyLevels.empty(self._plan, self._buffer.dtype)
        self._known: dict[int, Counts] = {}

    def update(self, values: Any) -> None:  # noqa: D102  # inherited
        self._known = {}
        super().update(values)

    def last(self, n: SupportsIndex) -> "LastFrequencies":
        """Return what answers for the last n values, or for all if there are fewer."""
        return LastFrequencies(self, self._asked(n))

    def frequent_items(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the items that make up a share of the last `window` values."""
        return self.last(self._length).frequent_items(support)

    def _counts(self) -> Counts:
        return self._counts_of_last(self._length)

    def _counts_of_last(self, n: int) -> Counts:
        """Return what is known of the last n values, or of all if there are fewer."""
        self._check_seen()
        n = min(n, self._n)
        if n not in self._known:
            self._known = {n: self._answer(n)}
        return self._known[n]

    def _answer(self, n: int) -> Counts:
        newest = self._waiting()
        if n <= len(self._recent) + len(newest):
            items, counts = counted(np.concatenate([self._recent.values, newest])[-n:])
            return Counts(items, counts, counts, 0)
        first, position = self._n - n, self._blocks.position
        size = self._plan.size(smallest := self._plan.level_for(n))
        start = min(-(-first // size) * size, position)
        cover = list(self._plan.cover(start, position, smallest))
        return self._added_up(cover, newest, uncovered=start - first)

    def _added_up(self, cover: list[tuple[int, int]], newest: Keys, uncovered: int) -> Counts:
        """Return the counts of some blocks, by levels and numbers, and of the newest values."""
        items, counts = counted(newest)
        parts, missed = [(items, counts, np.zeros(len(items), np.int64))], uncovered
        for level, number in cover:
            block = self._blocks.blocks[level].of(number)
            age = self._blocks.position - number * self._plan.size(level)
            limit = int(self._plan.limits(level, np.array([age]))[0])
            missed += limit
            known = np.full(len(block), limit - self._plan.blur(level))
            parts.append((block.items, block.counts, known))
        items, counts, known = (np.concatenate(each) for each in zip(*parts, strict=True))
        found, lower, less = _summed(items, counts, known)
        return Counts(found, lower, lower + missed - less, missed)

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        if self._dtype is None:
            self._recent = Recent(self._plan.recent, np.empty(0, dtype))
            self._blocks = TallyLevels.empty(self._plan, dtype)
        super()._adopt(dtype)

    def _absorb(self, windows: Any) -> None:
        if self._plan.recent:
            newest = self.sorter.on_host(windows.reshape(-1)[-self._plan.recent :])
            self._recent = self._recent.followed_by(plain_zeros(newest))
        if not self._plan.count:
            return
        found = []
        with self._timed("sort"):
            for level in range(self._plan.sorted_level + 1):
                blocks = windows.reshape(-1, self._plan.size(level))
                found.append(self.sorter.histograms(blocks, self._plan.unpaired[level]))
        self._blocks = self._blocks.with_sorted(found, self._timed)

    def _entries(self) -> int:
        return self._blocks.entries + len(self._recent)

    def _arrays(self) -> dict[str, Keys]:
        if self._dtype is None:
            return {}
        return {**super()._arrays(), "recent": self._recent.values, **self._blocks.arrays()}

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
        if np.isnan(recent).any():
            raise CorruptSummary("there is a NaN among the newest values")
        self._recent = self._recent.followed_by(recent)
        self._blocks = self._blocks.restored(arrays, position)


class LastFrequencies(LastOf, CountsAnswered):
    """The last n values of a stream, to be asked about: what `SlidingFrequencies.last` returns.

    It answers about the last n values at the time of the question.
    """

    def _counts(self) -> Counts:
        counts: Counts = self._summary._counts_of_last(self._asked)
        return counts

    def frequent_items(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the items that make up a share of these values, those that come most often first.

        As `FrequencySummary.frequent_items`. Of fewer values than `shortest`, a support is asked
        for that is larger than epsilon by as much, or BadSupport is raised.
        """
        table = super().frequent_items(support)
        if float(support) * self.n < (missed := self.count_error):
            raise BadSupport(
                f"of the last {self.n:,} values {missed:,} equal ones may be unknown, more than a "
                f"share of {float(support)!r}: ask about more, or make `shortest` less"
            )
        return table


def _summed(items: Keys, *numbers: Integers) -> tuple[Keys, ...]:
    """Return items in order, each once, and the sums of the numbers that belong to each."""
    if not len(items):
        return items, *numbers
    order = np.argsort(items, kind="stable")
    ordered = items[order]
    begins = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    return ordered[begins], *(np.add.reduceat(each[order], begins) for each in numbers)
