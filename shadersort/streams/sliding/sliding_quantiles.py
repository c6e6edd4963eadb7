"""`SlidingQuantiles`: quantiles of the last n values of a stream, for any n up to a window."""

from dataclasses import replace
from typing import SupportsIndex

from shadersort.keys.types import Keys
from shadersort.streams.quantiles.gk_summaries import bring_to_host
from shadersort.streams.quantiles.rank_answers import RankAnswers, RankBounds, unite
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedQuantileLevels
from shadersort.streams.sliding.arasu_manku_quantiles import QuantileBlocks, QuantileLevels
from shadersort.streams.sliding.blocks_as_printed import PrintedQuantileBlocks
from shadersort.streams.sliding.sliding_summary import LastOf, SlidingSummary
from shadersort.streams.values import plain_zeros


class SlidingQuantiles(RankAnswers, SlidingSummary):
    """Estimates quantiles and ranks of the last values of a stream, deterministically.

    For the last n values, with any n up to `window`, every rank is right to within εn. The answers
    of the summary itself are for all values in the window, `last(n)` answers for the last n of
    them. `arasu_manku_quantiles.py` says how values are held and why the guarantee holds; the paper
    is Govindaraju, Raghuvanshi and Manocha 2005, section 5.3, after Arasu and Manku 2004. It never
    holds more than window + min(window, 1,024) entries, as `SlidingFrequencies`.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.
    window
        The most values that a question may be about, an integer: the window has the last `window`
        values, without those that `expire` takes out of it. A window shorter than 1/epsilon is
        kept whole. Or a number of seconds, a float or a `timedelta`: the window has the values
        whose time, see `update`, is later than the newest time − `window`.
    shortest
        The error is at most ε·max(n, shortest), even before `shortest` values arrived. A larger
        number saves memory; `shortest=window` needs the least, for windows of one length.
    limit
        Of a window by time: the most values that it may have, 10⁹ by default.
    dtype, nan, sorter
        As for `QuantileSummary`.
    as_printed
        Hold blocks as Govindaraju, Raghuvanshi and Manocha 2005 print it in section 5.3, see
        `arasu_manku_as_printed.py`: log(4/ε) levels, each with a summary of section 5.2 for every
        block. The error is at most ε · window for every n, as with `shortest=window`; the entries
        may be more than the values of the window.

    Examples
    --------
    >>> import numpy as np
    >>> sliding = SlidingQuantiles(0.01, window=100_000)
    >>> sliding = sliding.update(np.arange(1_000_000, dtype=np.float32))
    >>> abs(sliding.median() - 950_000) <= 0.01 * 100_000
    np.True_
    >>> abs(sliding.last(20_000).quantile(0.25) - 985_000) <= 0.01 * 20_000
    np.True_
    >>> minute = SlidingQuantiles(0.01, window=60.0)
    >>> minute = minute.update(np.arange(1000.0), times=np.arange(1000.0))
    >>> minute.window_count, minute.median().item()
    (60, 969.0)
    """

    LEVELS, BLOCKS = QuantileLevels, QuantileBlocks
    PRINTED = PrintedQuantileLevels, PrintedQuantileBlocks

    def last(self, n: SupportsIndex) -> "LastValues":
        """Return an object that answers for the last n values, or for all if there are fewer."""
        return LastValues(self, n)

    _rank_bounds = SlidingSummary._answer

    def _combine(
        self, cover: list[tuple[int, int]], newest: Keys, uncovered: int, unsure: int
    ) -> RankBounds:
        blocks = [self._blocks.block(*each) for each in cover]
        bounds = unite(blocks, plain_zeros(newest), uncovered + unsure)
        bounds.n -= unsure - unsure // 2  # half of those that may not be there
        return bounds

    def _settle(self) -> None:
        super()._settle()
        self._blocks = replace(self._blocks, held=bring_to_host(self._blocks.held))


class LastValues(LastOf, RankAnswers):
    """Answers for the last n values at the time of each question; see `SlidingQuantiles.last`."""

    _rank_bounds = LastOf._answer
