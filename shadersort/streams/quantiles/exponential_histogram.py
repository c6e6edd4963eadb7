"""An exponential histogram of Greenwald-Khanna summaries: section 5.2 of the paper.

A bucket of level b is the summary of 2^b windows. At most one bucket stands on each level, so a
stream is held in as many buckets as the number of its windows has binary digits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.gk_stacks import Shape, all_on_host, flat_arrays, restored_stacks
from shadersort.streams.quantiles.gk_summaries import GKStack


class Compression(Protocol):
    """How each level is compressed: `Budgets`, or `PrintedBudgets` of the paper of 2005."""

    @property
    def window(self) -> int:
        """Values in a window."""

    @property
    def ranks(self) -> Integers:
        """The ranks, from 0, of the values of a window that are kept."""

    def size(self, level: int) -> int:
        """Return how many values a bucket of a level stands for."""

    def entries(self, level: int) -> int:
        """Return how many entries a bucket of a level has."""

    def compressed(self, level: int, stack: GKStack) -> GKStack:
        """Return a stack of merged buckets as it is kept on a level."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ExponentialHistogram(Levels[GKStack]):
    """Buckets of Greenwald-Khanna summaries; a value that is replaced, never changed.

    Attributes
    ----------
    budgets
        How each level is compressed.
    """

    budgets: Compression

    @classmethod
    def empty(cls, budgets: Compression) -> Self:
        """Return a histogram of no window."""
        return cls(budgets.compressed, budgets=budgets)

    @property
    def windows(self) -> int:
        """How many windows it holds."""
        return sum(1 << level for level in self.buckets)

    @property
    def entries(self) -> int:
        """How many entries all buckets have together."""
        return sum(bucket.entries for bucket in self.buckets.values())

    def on_host(self) -> Self:
        """Return the histogram with all buckets on the host."""
        here = all_on_host(self.buckets)
        return self if here is self.buckets else replace(self, buckets=here)

    def arrays(self) -> dict[str, Keys]:
        """Return flat arrays by name: the levels, and all entries, level by level."""
        return {"levels": np.array(sorted(self.buckets), np.int64), **flat_arrays(self.buckets)}

    def restored(self, arrays: Mapping[str, Keys], dtype: np.dtype[Any] | None) -> Self:
        """Return the histogram, with these budgets, that gave arrays of values of a type."""
        levels: list[int] = arrays["levels"].tolist()
        if levels != sorted(set(levels)) or not all(0 <= level < 64 for level in levels):
            raise CorruptSummary("the levels of the buckets are not in order, or too many")
        shapes = (
            (level, Shape(1, self.budgets.entries(level), self.budgets.size(level)))
            for level in levels
        )
        return replace(self, buckets=restored_stacks(arrays, dtype, shapes))
