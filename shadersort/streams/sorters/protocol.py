"""What a sorter is: it puts windows in order. A summary knows no other machine.

A `QuantileSummary` asks its sorter for batches in order (`in_order`), and then for a few keys of
each. Other summaries cut their stream into windows of equal length, and ask for the keys at some
ranks of each window (`gk_summaries`), or how often keys come in each window (`item_counts`).
All begin with a sort and return far less than they are given. A sorter whose machine has its own
memory can therefore do all this there, and send only the answers to the host. `CorrelatedSum` moves
a second number along with each key; the sorter finds the `order` of keys for it.

A GPU sorts millions of windows a second; merging their answers on the host would take far longer
than sorting. So some answers may stay where the windows are: batches in order; and what is merged
and compressed there, which are Greenwald-Khanna summaries, those with masses (`with_pairs`) and
counts of blocks (`tallies`). Lossy counts are returned after many windows at once (`lossy_counts`,
`prefix_counts`).

`host.HostSorter` implements everything over `sort` alone. A new sorter derives from it, says how it
sorts, and overrides what its machine does better.

Every sorter keeps these rules, so that a summary has the same bytes with each of them:

- `windows` has the shape (count, length); each row is sorted by itself and holds no NaN, because
  the summary removes NaNs by `without_nans` first. The windows are not changed.
- The order is that of `np.sort`. −0.0 and 0.0 may come in any order: summaries hold 0.0 for both.
- Answers are NumPy arrays on the host, of the type of the keys. Only batches, and those that are
  merged, may be elsewhere; they know how to come to the host.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.streams.correlated.mass_summaries import Masses
from shadersort.streams.correlated.pairs import Pairs
from shadersort.streams.frequencies.item_counts import ItemCounts
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.frequencies.lossy_windows import Counts
from shadersort.streams.frequencies.sorted_windows import SortedWindows
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.gk_summaries import GKStack
from shadersort.streams.quantiles.sorted_batch import Batch
from shadersort.streams.summary import Timed


class Sorter(Protocol):
    """What a summary needs of a machine that sorts."""

    @property
    def name(self) -> str:
        """The name of the sorter in reports."""

    @property
    def batch(self) -> int:
        """How many keys a summary passes at once."""

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return what sorts keys of a type, and how: "pbsn, blend, float16, NVIDIA H200".

        Benchmarks name their series by it.
        """

    def accepted(self, values: Any, dtype: np.dtype[Any] | None) -> Any:
        """Return values as a flat array of type `dtype`, or of their own type if it is None.

        Values stay where they are if this sorter can use them there. Raises UnsupportedKeys or
        KeysNotFlat for what is no flat array of numbers. On the host `values.as_values` does this.
        """

    def staged(self, keys: Any, first: int, window: int) -> Iterator[Any]:
        """Yield accepted keys in parts, cut as by `cuts`, where they can be sorted.

        A sorter may copy the next parts while it sorts one; a part may be overwritten once the next
        one is asked for. It may also cut without the first part, which fills a window.
        """

    def together(self, waiting: Keys, numbers: Any) -> Any:
        """Return keys or pairs that wait, followed by others, as one array (or `Pairs`).

        None, if it takes less time to add the others for themselves.
        """

    def without_nans(self, keys: Any) -> tuple[Any, int]:
        """Return keys without their NaNs, in the same order, and the number of NaNs."""

    def on_host(self, keys: Any) -> Keys:
        """Return keys as a NumPy array: those that wait because they fill no window.

        Keys in a NumPy array may be returned as they are; others are copied.
        """

    def set_aside(self, keys: Any, one_zero: bool) -> Any:
        """Return a copy of keys, which stays when they are overwritten, maybe on a device.

        With `one_zero` it has 0.0 for −0.0.
        """

    def sort(self, windows: Any) -> Any:
        """Return windows, an array of shape (count, length), with each row in order."""

    def in_order(self, keys: Any, bounds: Iterable[tuple[int, int]]) -> Iterator[tuple[Batch, int]]:
        """Yield each part of accepted keys in order, without its NaNs, and the number of NaNs.

        A sorter may copy and sort the next parts while one is in use.
        """

    def gk_summaries(self, windows: Any, ranks: Integers) -> GKStack:
        """Return a Greenwald-Khanna summary of each window: its keys at some ranks, from zero.

        −0.0 becomes 0.0.
        """

    def item_counts(self, windows: Any, above: int | Integers = 0) -> ItemCounts:
        """Return how often each key comes in each window; only keys that come more than `above`.

        `above` may be a number for each window.
        """

    def tallies(self, windows: Any, above: Integers, first: int, timed: Timed) -> Any:
        """Return how often keys come in windows as blocks numbered from `first`: as `Tallies`.

        Only keys that come more than `above`, a number for each window. They may be on a device,
        where they are merged.
        """

    def sorted_windows(self, windows: Any) -> SortedWindows:
        """Return windows in order, which may be elsewhere: what lossy counting asks of them."""

    def lossy_counts(
        self, held: LossyCounts, windows: Any, buckets: int, timed: Timed
    ) -> LossyCounts:
        """Return lossy counts with windows added in their order; each is `buckets` buckets long."""

    def prefix_counts(
        self, held: Counts, windows: Any, hierarchy: Hierarchy, buckets: int, timed: Timed
    ) -> Counts:
        """Return the lossy counts of all levels of a hierarchy with windows added.

        Each window is `buckets` buckets long.
        """

    def side_by_side(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return two accepted arrays in one place, so that both are staged in the same parts."""

    def whole_pairs(self, x: Any, y: Any) -> tuple[Pairs, int]:
        """Return the pairs without a NaN and the number of the others; the same arrays if none.

        Raises NotFinite if some y is infinite.
        """

    def with_pairs(
        self, levels: Levels[Any], pairs: Pairs, step: int, slots: int, timed: Timed
    ) -> Levels[Any]:
        """Return levels of summaries with windows of pairs added: `MassSummaries`, compressed.

        It may raise NotFinite if sums overflow, at once or when summaries come to the host.
        """

    def window_sums(self, windows: Any) -> Masses:
        """Return the sum of each window in float64, as `correlated_masses.window_sums` adds."""

    def order(self, windows: Any) -> Integers:
        """Return the indices that sort each row; equal keys keep their order."""
