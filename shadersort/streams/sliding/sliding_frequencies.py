"""`SlidingFrequencies`: how often items come among the last n values, for any n up to a window."""

from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.keys.types import Keys
from shadersort.streams.frequencies.estimates import Estimates, EstimatesAnswered
from shadersort.streams.frequencies.item_counts import added_up
from shadersort.streams.locked import locked
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedLevels
from shadersort.streams.sliding.arasu_manku_frequencies import FrequencyBlocks, FrequencyLevels
from shadersort.streams.sliding.blocks_as_printed import PrintedFrequencyBlocks
from shadersort.streams.sliding.sliding_summary import LastOf, SlidingSummary
from shadersort.streams.sorters.numpy_sorter import item_counts


class SlidingFrequencies(SlidingSummary, EstimatesAnswered):
    """Counts the items that come often among the last values of a stream.

    **Guarantee** for the last n values, with any n up to `window`: an estimate is never too large,
    and too small by at most `epsilon` · n. The answers of the summary itself are for all values in
    the window, `last(n)` answers for the last n of them.
    `arasu_manku_frequencies.py` says how counts are held and why the guarantee holds: Govindaraju,
    Raghuvanshi and Manocha 2005, section 5.3, after Arasu and Manku 2004.

    It holds O(log²(1/ε) · log(ε · window) + log²(ε · window)) / ε entries. It never holds
    more than the window and the values that wait to be sorted, window + min(window, 1,024)
    together: a short window, which is kept whole, may be held twice. The buffer of the newest
    values has room for as many again.

    Parameters
    ----------
    epsilon, window, shortest, limit, dtype, nan, sorter
        As for `SlidingQuantiles`. NaNs that are left out take no place in the window.
    as_printed
        As for `SlidingQuantiles`; every block is counted as `FrequencySummary` does as printed. An
        estimate is too small by at most epsilon · window, and the entries have no bound but half
        of the values on each level.

    Examples
    --------
    >>> import numpy as np
    >>> sliding = SlidingFrequencies(0.01, window=100_000).update(np.arange(1_000_000) // 30_000)
    >>> sliding.frequent_items(0.2)["item"]
    array([30, 31, 32])
    >>> sliding.last(20_000).frequent_items(0.2)["item"]
    array([32, 33])
    """

    LEVELS, BLOCKS = FrequencyLevels, FrequencyBlocks
    PRINTED = PrintedLevels, PrintedFrequencyBlocks
    ONE_ZERO = True

    def last(self, n: SupportsIndex) -> "LastFrequencies":
        """Return an object that answers for the last n values, or for all if there are fewer."""
        return LastFrequencies(self, n)

    def frequent_items(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the items that make up a share of the values in the window."""
        return self.last(self._length).frequent_items(support)

    _estimates = SlidingSummary._answer

    def _combine(
        self, cover: list[tuple[int, int]], newest: Keys, uncovered: int, unsure: int
    ) -> Estimates:
        items, counts = item_counts(newest)
        parts, missed = [(items, counts, np.zeros(len(items), np.int64))], uncovered + unsure
        for level, number in cover:
            block = self._blocks.block(level, number)
            limit, known = self._blocks.missed(level, number)
            missed += limit
            parts.append((block.items, block.counts, np.full(len(block.items), known)))
        items, *numbers = (np.concatenate(each) for each in zip(*parts, strict=True))
        order = np.argsort(items, kind="stable")
        found, lower, less = added_up((items[order],), *(each[order] for each in numbers))
        return Estimates(found, lower, lower + missed - less, missed)


class LastFrequencies(LastOf, EstimatesAnswered):
    """Answers for the last n values at the time of each question; see `SlidingFrequencies.last`."""

    _estimates = LastOf._answer

    @locked
    def frequent_items(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the items that make up a share of these values, the most frequent first.

        As `FrequencySummary.frequent_items`; raises BadOption, for fewer values than `shortest`,
        unless the support is larger than epsilon by as much.
        """
        table = super().frequent_items(support)
        if float(support) * self.n < (missed := self.count_error):
            raise BadOption(
                f"of the last {self.n:,} values {missed:,} equal ones may be unknown, more than a "
                f"share of {float(support)!r}: ask about more, or make `shortest` less"
            )
        return table
