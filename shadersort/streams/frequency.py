"""`FrequencySummary`: how often values come, by sorting windows and merging their histograms."""

from fractions import Fraction
from math import ceil
from typing import Any, Self, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadSupport, CorruptSummary, NaNRefused
from shadersort.streams.lossy import LossyCounts, looked_up
from shadersort.streams.sorters import Histograms, NumPySorter, Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import as_values, plain_zeros
from shadersort.streams.windowed import WindowedSummary

__all__ = [
    "FrequencySummary",
    "buckets_of_windows",
    "checked_support",
    "counted",
    "frequency_table",
    "histograms_of",
]

Keys = npt.NDArray[Any]
Counts = npt.NDArray[np.int64]

BUCKETS = 4
"""A window has at least so many buckets,"""
SMALLEST_WINDOW = 1024
"""and at least so many values: the more, the less often there is something to merge."""


class FrequencySummary(WindowedSummary):
    """Counts the values that come often in a stream that is too long to keep.

    **Guarantee**, of n values in any order, parts merged or not: a count is never too large, and
    too small by at most `epsilon` · n. `lossy.py` says why.

    It holds at most w(1 + ln(n / window)) items with w = ⌈1/epsilon⌉, each with two counts, and
    besides less than a window of values: that is 4w, or about 1,024 if this is more. What was
    merged holds at most what its parts held, until later windows thin it out.

    Parameters
    ----------
    epsilon, dtype, nan, sorter
        As for every `WindowedSummary`. −0.0 is counted as 0.0.

    Examples
    --------
    >>> import numpy as np
    >>> summary = FrequencySummary(0.001)
    >>> summary.update(np.arange(100_000) % 1_000 // 400)
    >>> summary.estimate([0, 1, 2, 3])
    array([40000, 40000, 20000,     0])
    >>> summary.frequent_items(0.3)["item"]
    array([0, 1])
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        dtype: npt.DTypeLike | None = None,
        nan: str = "omit",
        sorter: Sorter | None = None,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, nan=nan, sorter=sorter)
        self._bucket, self._buckets = buckets_of_windows(self.epsilon)
        self._held = LossyCounts.empty(self._bucket, self._buffer.dtype)

    @property
    def window(self) -> int:
        """How many values are sorted together."""
        return self._bucket * self._buckets

    @property
    def count_error(self) -> int:
        """By how much a count may be too small, as far as is known: at most epsilon · n."""
        return self._held.error

    def estimate(self, items: Any) -> Any:
        """Return how often an item has come, or each of some: never too many, at most εn too few.

        A scalar in gives an int out, an array an array of int64.
        """
        return self.bounds(items)[0]

    def bounds(self, items: Any) -> tuple[Any, Any]:
        """Return how often an item has come at least and at most, or each of some items."""
        self._check_seen()
        values = plain_zeros(as_values(items, self._dtype))
        if np.isnan(values).any():
            raise NaNRefused("NaNs are not told apart: `nans` is how many there were")
        lower, upper = self._bounds(values, *counted(self._waiting()))
        return (int(lower[0]), int(upper[0])) if np.ndim(items) == 0 else (lower, upper)

    def frequent_items(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the items that make up a share of the stream, those that come most often first.

        Every item that has come more than support · n times is among them, and none that has come
        less than (support − epsilon) · n times.

        Parameters
        ----------
        support
            A share from epsilon to 1.

        Returns
        -------
        A structured array: item, and how often it has come by estimate, at least (the same, as an
        estimate is never too large) and at most.
        """
        support = checked_support(support, self.epsilon)
        self._check_seen()
        waiting, counts = counted(self._waiting())
        items = np.union1d(self._held.items, waiting)
        lower, upper = self._bounds(items, waiting, counts)
        often = upper >= support * self.n
        return frequency_table(items[often], lower[often], upper[often])

    def _bounds(self, values: Keys, waiting: Keys, counts: Counts) -> tuple[Counts, Counts]:
        """Return the bounds of values, given those that wait, in order, and how often."""
        lower, missed = self._held.of(values)
        lower = lower + looked_up(values, waiting, counts)
        return lower, lower + np.minimum(missed, self._held.error)

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        if self._dtype is None:
            self._held = LossyCounts.empty(self._bucket, dtype)
        super()._adopt(dtype)

    def _absorb(self, windows: Any) -> None:
        with self._timed("sort"):
            found = self.sorter.histograms(windows)
        for items, counts in histograms_of(found):
            self._held = self._held.with_window(items, counts, self._buckets, self._timed)

    def _merge_state(self, other: Self) -> None:
        self._held = self._held.merged(other._held, self._timed)

    def _entries(self) -> int:
        return len(self._held.items)

    def _arrays(self) -> dict[str, Keys]:
        return super()._arrays() if self._dtype is None else super()._arrays() | self._held.arrays()

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        full, rest = divmod(self._n - self._filled, self.window)
        if rest or (self._n and self._dtype is None):
            raise CorruptSummary("more or fewer values wait than the length of the stream says")
        if self._dtype is not None:
            self._held = self._held.restored(arrays, full * self._buckets, self._buckets)


def buckets_of_windows(epsilon: float) -> tuple[int, int]:
    """Return how many values a bucket has, and how many buckets a window.

    Examples
    --------
    >>> buckets_of_windows(0.1), buckets_of_windows(0.0001)
    ((10, 103), (10000, 4))
    """
    bucket = ceil(1 / Fraction(epsilon))
    return bucket, max(BUCKETS, -(-SMALLEST_WINDOW // bucket))


def checked_support(support: SupportsFloat, epsilon: float) -> float:
    """Return a support, a share from epsilon to 1, or raise BadSupport."""
    try:
        share = np.nan if isinstance(support, bool | str | bytes) else float(support)
    except (TypeError, ValueError):
        share = np.nan
    if not epsilon <= share <= 1:
        raise BadSupport(
            f"support is a number from epsilon={epsilon!r} to 1, not {support!r}: rarer items "
            "take a summary of smaller epsilon"
        )
    return share


def histograms_of(found: Histograms) -> list[tuple[Keys, Counts]]:
    """Return the items and counts of each window; 0.0 stands for −0.0."""
    ends = found.ends[:-1]
    items = np.split(plain_zeros(found.items), ends)
    return list(zip(items, np.split(found.counts, ends), strict=True))


def counted(keys: Keys) -> tuple[Keys, Counts]:
    """Return the different keys of some in order, and how often each comes.

    Examples
    --------
    >>> counted(np.array([5, 1, 5]))
    (array([1, 5]), array([1, 2]))
    """
    found = NumPySorter().histograms(keys.reshape(1, -1))
    return plain_zeros(found.items), found.counts


def frequency_table(items: Keys, lower: Counts, upper: Counts) -> npt.NDArray[Any]:
    """Return items with their counts as a structured array, those that come most often first."""
    order = np.argsort(-lower, kind="stable")
    fields = [("item", items.dtype), *((name, np.int64) for name in ("estimate", "lower", "upper"))]
    table = np.empty(len(items), fields)
    table["item"], table["upper"] = items[order], upper[order]
    table["estimate"] = table["lower"] = lower[order]
    return table
