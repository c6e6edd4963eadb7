"""`FrequencySummary`: how often values come, by sorting windows and merging their histograms."""

from typing import Any, Self, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.names import NaNPolicy
from shadersort.streams.estimates import Estimates, EstimatesAnswered
from shadersort.streams.lossy_counting import LossyCounts, buckets_of_windows
from shadersort.streams.lossy_counting_as_printed import PrintedCounts
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.weighted import WeightedSummary


class FrequencySummary(WeightedSummary, EstimatesAnswered):
    """Counts the items that come often in a stream that is too long to keep.

    **Guarantee**, for n values in any order, parts merged or not: an estimate is never too large,
    and too small by at most `epsilon` · n. `lossy_counting.py` says why.

    The summary holds at most w(1 + ln(n / window)) items with w = ⌈1/epsilon⌉, each with two
    numbers, and less than a window of values besides: 4w, or about 1,024 if that is more. A merged
    summary holds at most as many items as its parts together, until later windows drop some.

    Parameters
    ----------
    epsilon, dtype, nan, sorter
        As for every `WindowedSummary`. −0.0 is counted as 0.0.
    as_printed
        Count as Govindaraju, Raghuvanshi and Manocha 2005 print it in section 5.1, see
        `lossy_counting_as_printed.py`: windows of ⌈1/epsilon⌉, after each of which the items that
        have come once are deleted. `frequent_items` then returns every item whose estimate is at
        least (support − epsilon) · n. The guarantee is the same; the number of items has no bound
        but n / 2.

    Examples
    --------
    >>> import numpy as np
    >>> summary = FrequencySummary(0.001).update(np.arange(100_000) % 1_000 // 400)
    >>> summary.estimate([0, 1, 2, 3])
    array([40000, 40000, 20000,     0])
    >>> summary.frequent_items(0.3)["item"]
    array([0, 1])
    >>> FrequencySummary(0.01).update([7, 5], weights=[10**12, 3]).most_common()
    [(7, 1000000000000), (5, 3)]
    """

    _highlights = EstimatesAnswered._highlights

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        dtype: npt.DTypeLike | None = None,
        nan: NaNPolicy = "omit",
        sorter: Sorter | None = None,
        as_printed: bool = False,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, nan=nan, sorter=sorter, as_printed=as_printed)
        self._bucket, self._buckets = buckets_of_windows(self.epsilon)
        if as_printed:
            self._buckets = 1
        self._held = self._no_counts(self._buffer.dtype)

    def _no_counts(self, dtype: np.dtype[Any]) -> LossyCounts:
        kind = PrintedCounts if self.as_printed else LossyCounts
        return kind.empty(self._bucket, dtype)

    @property
    def window(self) -> int:
        """How many values are sorted together."""
        return self._bucket * self._buckets

    def _estimates(self) -> Estimates:
        estimates: Estimates = self._known()
        return estimates

    def _new_answers(self) -> Estimates:
        return self._held.known(*item_counts(self._waiting()))

    def _held_items(self) -> Keys:
        """Return all items that are held, and those that wait, in order."""
        return np.union1d(self._held.items, self._waiting())

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        if self._dtype is None:
            self._held = self._no_counts(dtype)
        super()._adopt(dtype)

    def _absorb(self, windows: Any) -> None:
        if not self.as_printed:
            self._held = self.sorter.lossy_counts(self._held, windows, self._buckets, self._timed)
            return
        with self._timed("sort"):
            found = self.sorter.item_counts(windows)
        self._held = self._held.with_windows(found, self._buckets, self._timed)

    def _absorb_equal(self, value: Keys, windows: int) -> None:
        with self._timed("merge"):
            self._held = self._held.with_equal_windows(value, windows, self._buckets)

    def _merge_state(self, other: Self) -> None:
        self._held = self._held.merged(other._held, self._timed)

    def _entries(self) -> int:
        return len(self._held.items)

    def _arrays(self) -> dict[str, Keys]:
        return super()._arrays() if self._dtype is None else super()._arrays() | self._held.arrays()

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        full, rest = divmod(self._n - self._filled, self.window)
        if rest:
            raise CorruptSummary("more or fewer values wait than the length of the stream says")
        if self._dtype is not None:
            self._held = self._held.restored(arrays, full * self._buckets, self._buckets)
