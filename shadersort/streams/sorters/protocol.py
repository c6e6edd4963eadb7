"""What a sorter is: it puts windows in order. A stream summary knows no other machine.

A summary cuts its stream into windows of equal length, and asks its sorter for one of two things:
the keys at some ranks of every window (`ranked`), or how often keys come in every window
(`histograms`). Both begin with a sort, and both give back far less than they are given. So a sorter
whose machine has a memory of its own may do both there: only the answers come to the host. Pairs,
whose second halves have to follow, need the `order` of the first ones.

Where millions of windows are sorted in a second, merging what they show on the host would take far
longer. So two answers may stay where the windows are: `ranked` values merge and compress themselves
there, and so does what is left of lossy counts after some windows (`lossy`).

`sorters.HostSorter` has all of this written once, over `sort` alone. A new sorter derives from it,
says how it sorts, and replaces what its machine can do better.

What every sorter has to keep, so that every summary is the same, byte for byte, on all of them:

- `windows` has the shape (count, length), and each row is sorted by itself. No key is a NaN: the
  summary has taken them out by `without_nans`. The windows are not changed.
- The order is that of `np.sort`. Whether −0.0 or 0.0 comes first does not matter: summaries hold
  0.0 for both.
- Answers are NumPy arrays on the host, of the type of the keys; but for `ranked`, whose values may
  be elsewhere, and say how they come to the host.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Keys
from shadersort.streams.exponential_histogram import Timed
from shadersort.streams.greenwald_khanna import RankedSets

if TYPE_CHECKING:
    from shadersort.streams.lossy_counting import LossyCounts

__all__ = ["Histograms", "Ranks", "Sorter"]

Ranks = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Histograms:
    """How often each key comes in each of some windows.

    Attributes
    ----------
    items
        The different keys of the first window in order, then those of the second, and so on; or
        those of them that come often enough.
    counts
        How often each comes in its window; int64.
    ends
        Where in `items` each window ends, one number a window.
    """

    items: Keys
    counts: Ranks
    ends: Ranks


class Sorter(Protocol):
    """What a summary needs of a machine that sorts."""

    @property
    def name(self) -> str:
        """What it is called in reports."""

    def accepted(self, values: Any, dtype: np.dtype[Any] | None) -> Any:
        """Return values as a flat array of numbers, where they are if this sorter can use them.

        They have the type `dtype`; None takes them in their own. Raises UnsupportedKeys or
        KeysNotFlat for what is no flat array of numbers. `values.as_values` does it on the host.
        """

    def staged(self, keys: Any, first: int, window: int) -> Iterator[Any]:
        """Yield accepted keys in parts, where they are sorted, cut as `cuts` says.

        A sorter that copies them may copy parts while one before them is sorted; a part need not
        stay as it is once the next is asked for.
        """

    def without_nans(self, keys: Any) -> tuple[Any, int]:
        """Return keys without their NaNs, in the same order, and how many NaNs there were."""

    def on_host(self, keys: Any) -> Keys:
        """Return some keys as a NumPy array: those that fill no window, and have to wait.

        Keys in a NumPy array may be returned as they are; others are copied.
        """

    def sort(self, windows: Any) -> Any:
        """Return windows, an array of shape (count, length), with each row in order."""

    def ranked(self, windows: Any, ranks: Ranks) -> RankedSets:
        """Return the keys at some ranks, counted from zero, of each window: a set a window.

        They are ranked values, 0.0 for −0.0.
        """

    def histograms(self, windows: Any, above: int = 0) -> Histograms:
        """Return how often each key comes in each window, but for those of up to `above` times.

        Nobody leaves these out later.
        """

    def lossy(self, held: "LossyCounts", windows: Any, buckets: int, timed: Timed) -> "LossyCounts":
        """Return lossy counts with those of windows, each so many buckets long, in their order."""

    def order(self, windows: Any) -> Ranks:
        """Return the order in which each row is sorted; equal keys stay in theirs."""
