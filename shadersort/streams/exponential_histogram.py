"""An exponential histogram of Greenwald-Khanna summaries: section 5.2 of the paper.

A bucket of level b is the summary of 2^b windows. At most one bucket stands on each level, so a
stream is held in as many buckets as the number of its windows has binary digits.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.error_budgets import Budgets
from shadersort.streams.gk_stacks import Shape, all_on_host, flat_arrays, restored_stacks
from shadersort.streams.greenwald_khanna import GKStack
from shadersort.streams.levels import Levels
from shadersort.streams.summary import Timed

__all__ = ["ExponentialHistogram"]


@dataclass(frozen=True, slots=True, eq=False)
class ExponentialHistogram:
    """Buckets of Greenwald-Khanna summaries; a value that is replaced, never changed.

    Attributes
    ----------
    budgets
        How each level is compressed.
    levels
        The buckets.
    """

    budgets: Budgets
    levels: Levels[GKStack]

    @classmethod
    def empty(cls, budgets: Budgets) -> "ExponentialHistogram":
        """Return a histogram of no window."""
        return cls(budgets, Levels(budgets.compressed))

    @property
    def buckets(self) -> Mapping[int, GKStack]:
        """The bucket of each level that has one, as a stack of one summary."""
        return self.levels.buckets

    @property
    def windows(self) -> int:
        """How many windows it holds."""
        return sum(1 << level for level in self.buckets)

    @property
    def entries(self) -> int:
        """How many entries all buckets have together."""
        return sum(bucket.entries for bucket in self.buckets.values())

    @property
    def ranks(self) -> Integers:
        """The ranks, from 0, of the values of a window that are kept."""
        return self.budgets.ranks

    def with_windows(self, stack: GKStack, timed: Timed) -> "ExponentialHistogram":
        """Return the histogram with a stack of summaries of windows added.

        They are merged and compressed where the stack is, and stay there until `on_host`.
        """
        levels, _ = self.levels.with_stack(0, stack, timed)
        return ExponentialHistogram(self.budgets, levels)

    def on_host(self) -> "ExponentialHistogram":
        """Return the histogram with all buckets on the host."""
        return self._of(all_on_host(self.buckets))

    def _of(self, buckets: Mapping[int, GKStack]) -> "ExponentialHistogram":
        return ExponentialHistogram(self.budgets, Levels(self.budgets.compressed, buckets))

    def merged(self, other: "ExponentialHistogram", timed: Timed) -> "ExponentialHistogram":
        """Return the histogram of the windows of both, which have the same budgets."""
        return ExponentialHistogram(self.budgets, self.levels.merged(other.levels, timed))

    def arrays(self) -> dict[str, Keys]:
        """Return flat arrays by name: the levels, and all entries, level by level."""
        return {"levels": np.array(sorted(self.buckets), np.int64), **flat_arrays(self.buckets)}

    def restored(
        self, arrays: Mapping[str, Keys], dtype: np.dtype[Any] | None
    ) -> "ExponentialHistogram":
        """Return the histogram, with these budgets, that gave arrays of values of a type."""
        levels: list[int] = arrays["levels"].tolist()
        if levels != sorted(set(levels)) or not all(0 <= level < 64 for level in levels):
            raise CorruptSummary("the levels of the buckets are not in order, or too many")
        shapes = (
            (level, Shape(1, self.budgets.entries(level), self.budgets.size(level)))
            for level in levels
        )
        return self._of(restored_stacks(arrays, dtype, shapes))
