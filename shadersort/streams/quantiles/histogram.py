"""`Histogram`: bins of equal depth or equal width, from a summary that answers about ranks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, NotFinite, choices
from shadersort.keys.types import Integers
from shadersort.names import HistogramKind
from shadersort.shown import Row, Shown, in_words
from shadersort.streams.quantiles.plots import draw_bars
from shadersort.streams.quantiles.rank_answers import RankAnswers, as_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = ("equi-depth", "equi-width")


class Bin(NamedTuple):
    """One bin of a histogram: its edges, how many values it has, and bounds of this number."""

    left: Any
    right: Any
    estimate: int
    lower: int
    upper: int


class Histogram(Shown):
    """Counts the values of a stream in each of several bins, at the time when it is made.

    A bin holds the values above its left edge and up to its right edge; the first bin holds its
    left edge too. If the error of the summary is ε, a count is off by at most 2εN.

    Parameters
    ----------
    summary
        A `QuantileSummary`, a `SlidingQuantiles` or a part of it, a `CorrelatedSum`.
    bins
        The number of bins; or their edges, which increase and are one more than bins. Edges that
        are Python's floats are compared as `rank` compares them.
    kind
        "equi-depth": the edges are quantiles, and all bins have about equally many values; bins
        that one value fills are joined. "equi-width": equal steps from the smallest value to the
        largest.

    The attributes `edges` (one more than bins), `counts` (estimates, which sum to `n`, the number
    of values), and `lower` and `upper` (bounds of each count) are arrays in order.

    Examples
    --------
    >>> from shadersort.streams import QuantileSummary
    >>> summary = QuantileSummary(0.01).update(np.arange(1, 101))
    >>> Histogram(summary, 4).edges, Histogram(summary, [0, 10, 1000]).counts
    (array([  1,  25,  50,  75, 100]), array([10, 90]))
    """

    def __init__(
        self, summary: RankAnswers, bins: Any = 10, *, kind: HistogramKind = "equi-depth"
    ) -> None:
        if kind not in KINDS:
            raise BadOption(f"no histogram is {kind!r}: use {choices(KINDS)}")
        if not isinstance(summary, RankAnswers):
            raise BadOption(f"a histogram is of a QuantileSummary, say, not of {summary!r:.60}")
        with summary._lock.rlock:  # one state answers all questions
            known = summary._rank_bounds()
            self.n, self.edges = known.n, _edges(summary, bins, kind)
        points = as_points(bins, known.values.dtype) if np.ndim(bins) else self.edges
        first, others = known.bounds(points[:1], "left"), known.bounds(points[1:], "right")
        low, high = map(np.append, first, others)
        if np.ndim(bins) == 0:  # all values lie between the edges
            low[0] = high[0] = 0
            low[-1] = high[-1] = self.n
        self.counts: Integers = np.diff(low + (high - low) // 2)
        self.lower, self.upper = np.maximum(0, low[1:] - high[:-1]), high[1:] - low[:-1]

    @property
    def density(self) -> npt.NDArray[np.float64]:
        """The share of the values in each bin divided by its width, as `np.histogram` gives it."""
        return self.counts / self.n / np.diff(self.edges.astype(np.float64))

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Bin]:
        """Yield the bins from left to right."""
        edges = self.edges.tolist()
        counts = (each.tolist() for each in (self.counts, self.lower, self.upper))
        return map(Bin, edges[:-1], edges[1:], *counts)

    def __eq__(self, other: object) -> bool:
        """Whether another histogram has the same bins, counts and bounds."""
        if not isinstance(other, Histogram):
            return NotImplemented
        return self.edges.dtype == other.edges.dtype and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # its arrays can be changed

    def _told(self) -> str:
        first, last = self.edges[[0, -1]].tolist()
        return f"{self.n:,} values in {len(self)} bins from {first:g} to {last:g}"

    def _rows(self) -> list[Row]:
        return [(f"{in_words(b.left)} to {in_words(b.right)}", b.estimate) for b in self]

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the bins as bars, with lines for the bounds; the area of a bar is its share.

        Returns axes of matplotlib, by default new ones: `.figure.savefig("bins.svg")` writes them.
        Raises MissingPackage without matplotlib, and NotFinite if a bin reaches to infinity.
        """
        shares, low, high = (each / self.n for each in (self.counts, self.lower, self.upper))
        axes = draw_bars(self.edges, shares, low, high, ax)
        axes.set_title(f"{self.n:,} values in {len(self)} bins")
        return axes


def _edges(summary: RankAnswers, bins: Any, kind: str) -> npt.NDArray[Any]:
    """Return the edges of a number of bins, or the edges themselves."""
    if np.ndim(bins):
        edges = np.asarray(bins)
        numbers = edges.dtype.kind in "iuf" and edges.ndim == 1 and len(edges) > 1
        if not numbers or not np.all(edges[1:] > edges[:-1]):
            raise BadOption("edges are increasing numbers, two at least")
        return edges
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1:
        raise BadOption(f"bins are a number, 1 at least, or their edges; not {bins!r}")
    if kind == "equi-depth":
        edges = np.unique(summary.quantile(np.arange(bins + 1) / bins))
        return edges if len(edges) > 1 else np.repeat(edges, 2)
    low, high = float(summary.minimum), float(summary.maximum)
    if not np.isfinite(high - low):
        raise NotFinite(f"bins of equal width cannot reach from {low} to {high}")
    return np.array([low, high]) if low == high else np.unique(np.linspace(low, high, bins + 1))
