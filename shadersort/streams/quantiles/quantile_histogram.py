"""The buckets of a `QuantileSummary` by the paper of 2005: an exponential histogram of windows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self, get_args

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.types import Keys
from shadersort.names import QuantileStructure
from shadersort.streams.quantiles.error_budgets import budgets
from shadersort.streams.quantiles.error_budgets_as_printed import printed_budgets
from shadersort.streams.quantiles.exponential_histogram import Compression, ExponentialHistogram
from shadersort.streams.quantiles.gk_stacks import all_on_host
from shadersort.streams.quantiles.gk_summaries import GKStack
from shadersort.streams.quantiles.rank_answers import RankBounds, united
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Timed

LIST, HISTOGRAM = get_args(QuantileStructure)

TOGETHER = 8
"""Stacks of windows that are merged at once: a merge of even a few windows costs time on each of
many levels."""


def checked_structure(structure: str | None, *, as_printed: bool) -> QuantileStructure:
    """Return the structure, by default a list unless `as_printed`; raise BadOption for others."""
    if structure == HISTOGRAM or (structure is None and as_printed):
        return "exponential-histogram"
    if structure not in (LIST, None):
        raise BadOption(f"structure is {LIST!r} or {HISTOGRAM!r}, not {structure!r}")
    if as_printed:
        raise BadOption(f"as printed, the structure is {HISTOGRAM!r}")
    return "list"


def compression(epsilon: float, expected: int | None, *, as_printed: bool) -> Compression:
    """Return how the levels of a summary are compressed."""
    if not as_printed:
        return budgets(epsilon, expected)
    if expected is None:
        raise BadOption(
            "as printed, the length of the stream is known before it begins: pass expected="
        )
    return printed_budgets(epsilon, expected)


@dataclass(frozen=True, slots=True, eq=False)
class QuantileHistogram:
    """An exponential histogram, and stacks of windows that it will take together.

    Attributes
    ----------
    histogram
        The buckets.
    coming
        The stacks.
    """

    histogram: ExponentialHistogram
    coming: tuple[GKStack, ...] = ()

    @classmethod
    def empty(cls, epsilon: float, expected: int | None, *, as_printed: bool) -> Self:
        """Return the state of no values."""
        plan = compression(epsilon, expected, as_printed=as_printed)
        return cls(ExponentialHistogram.empty(plan))

    @property
    def window(self) -> int:
        """How many values fill a window."""
        return self.histogram.budgets.window

    @property
    def size(self) -> int:
        """How many values all buckets have."""
        return self.histogram.windows * self.window

    @property
    def entries(self) -> int:
        """How many entries all buckets have together."""
        return self.histogram.entries

    def with_windows(self, windows: Any, sorter: Sorter, timed: Timed) -> "QuantileHistogram":
        """Return the state with full windows added."""
        with timed("sort"):
            stack = sorter.gk_summaries(windows, self.histogram.budgets.ranks)
        state = replace(self, coming=(*self.coming, stack))
        return state.carried(timed) if len(state.coming) == TOGETHER else state

    def carried(self, timed: Timed) -> "QuantileHistogram":
        """Return the state with the coming windows in the histogram."""
        if not self.coming:
            return self
        *others, stack = self.coming
        with timed("merge"):
            stack = stack.preceded_by(*others) if others else stack
        return QuantileHistogram(self.histogram.with_stack(0, stack, timed)[0])

    def on_host(self, timed: Timed) -> "QuantileHistogram":
        """Return the state with all buckets on the host."""
        return QuantileHistogram(self.carried(timed).histogram.on_host())

    def merged(self, other: "QuantileHistogram", timed: Timed) -> "QuantileHistogram":
        """Return the state of two streams together."""
        return QuantileHistogram(self.histogram.merged(other.histogram, timed))

    def bounds(self, waiting: Keys) -> RankBounds:
        """Return the bounds of ranks in all values, those that wait included."""
        return united([*all_on_host(self.histogram.buckets).values()], waiting)

    def arrays(self) -> dict[str, Keys]:
        """Return flat arrays by name."""
        return self.histogram.arrays()

    def restored(
        self, arrays: Mapping[str, Keys], dtype: np.dtype[Any] | None
    ) -> "QuantileHistogram":
        """Return the state, with these budgets, that gave arrays of values of a type."""
        return QuantileHistogram(self.histogram.restored(arrays, dtype))
