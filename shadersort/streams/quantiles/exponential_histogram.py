"""An exponential histogram of Greenwald-Khanna summaries, as printed in the paper: section 5.2.

A bucket of level b, id b + 1 in the paper, is the summary of 2^b windows. At most one bucket stands
on each level, so a stream is held in as many buckets as the number of its windows has binary
digits. What is printed, and the reading taken where the text leaves a choice:

- The length of the stream is known: N, `expected`. **n of ⌈log n⌉ is this N**, and the logarithm
  is of base 2. (n is not defined there. The number of windows would do as well; it is smaller.)
- A window of S values keeps the elements of rank 1, εS, 2εS, …, S, which is ε/2-approximate. **S is
  ⌈1/ε⌉, as in section 5.1** (it is not printed), so every element is kept, without any error.
- A window gets the bucket id 1. Two buckets of id b become one of id b + 1: they are merged, and
  pruned "using an error parameter for (bucket id + 1)". The error of id b is
  ε/2 + εb/(⌈log n⌉ + 1). **So pruning may add the difference between two ids, ε/(⌈log n⌉ + 1).**
- Pruning is the compression printed for sensor networks, which keeps B + 1 elements and adds
  1/(2B): the elements nearest to the ranks 1, S/B, 2S/B, …, S. **So B = (⌈log n⌉ + 1)/(2ε).** (B =
  ε/(2h) is printed there, less than one element; h/ε is meant.) Summaries of up to B + 1 elements
  stay as they are, because pruning would not make them smaller.

**The error.** The printed one is more than ε for the highest ids: almost 3ε/2. With these windows
it is never spent: they add no error, and id b has been pruned at most b − 1 times, so its error is
ε(b − 1)/(⌈log n⌉ + 1), apart from the rounding of ranks. `gap` has the exact bound. So ranks are
within εN as long as no more than N values come; after that the error grows with every id, and is
soon more than ε of all values. `docs/errata.md` has a stream for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Any, Self

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.gk_summaries import (
    GKStack,
    Shape,
    bring_to_host,
    flat_arrays,
    restore_stacks,
)
from shadersort.streams.quantiles.rank_answers import RankBounds, unite
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Timed


@dataclass(frozen=True, slots=True, eq=False)
class PrintedBudgets:
    """How a histogram of some error compresses, as printed; a bucket of id b is of level b − 1."""

    epsilon: Fraction
    buckets: int  # ⌈log n⌉: how many buckets the histogram has, as printed
    window: int  # S, the number of values in a window: ⌈1/ε⌉
    pruned: int  # B: a pruned summary has one element more

    def error(self, bucket: int) -> Fraction:
        """Return the printed error of a bucket, by its id."""
        return self.epsilon / 2 + self.epsilon * bucket / (self.buckets + 1)

    def size(self, level: int) -> int:
        """Return how many values a bucket of a level stands for."""
        return self.window << level

    def entries(self, level: int) -> int:
        """Return how many entries a bucket of a level has."""
        return min(self.size(level), self.pruned + 1) if level else self.window

    def prunes(self, level: int) -> bool:
        """Whether merged buckets of a level are pruned."""
        return level > 0 and self.entries(level) < 2 * self.entries(level - 1)

    def gap(self, level: int) -> int:
        """Return the largest D (see `gk_summaries.py`) that a bucket of a level can have."""
        merged = 2 * self.gap(level - 1) if level else 0
        if not self.prunes(level):
            return merged
        return -(-self.size(level) // self.pruned) - 1 + 2 * ((merged + 1) // 2)

    def compress(self, level: int, stack: GKStack) -> GKStack:
        """Return a stack of merged buckets as it is kept on a level; pruned ones on the host."""
        if not (len(stack) and self.prunes(level)):
            return stack
        return bring_to_host({level: stack})[level].prune(self.size(level), self.pruned)


@lru_cache(maxsize=256)
def printed_budgets(epsilon: Fraction | float, expected: int) -> PrintedBudgets:
    """Return the budgets for an error and N, the length of the stream."""
    exact, buckets = Fraction(epsilon), (expected - 1).bit_length()
    window, pruned = ceil(1 / exact), ceil((buckets + 1) / (2 * exact))
    return PrintedBudgets(exact, buckets, window, pruned)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ExponentialHistogram(Levels[GKStack]):
    """Buckets of Greenwald-Khanna summaries; a value that is replaced, never changed."""

    budgets: PrintedBudgets

    @property
    def window(self) -> int:
        """How many values fill a window."""
        return self.budgets.window

    @property
    def size(self) -> int:
        """How many values all buckets have."""
        return sum(map(self.budgets.size, self.buckets))

    @property
    def entries(self) -> int:
        """How many entries all buckets have."""
        return sum(bucket.entries for bucket in self.buckets.values())

    def with_windows(self, windows: Any, sorter: Sorter, timed: Timed) -> Self:
        """Return the histogram with full windows added."""
        with timed("sort"):
            stack = sorter.gk_summaries(windows, np.arange(self.window))  # all are kept
        return self.with_stack(0, stack, timed)[0]

    def to_host(self) -> Self:
        """Return the histogram with all buckets on the host."""
        return replace(self, buckets=bring_to_host(self.buckets))

    def bounds(self, waiting: Keys) -> RankBounds:
        """Return the bounds of ranks in all values, those that wait included."""
        return unite([*bring_to_host(self.buckets).values()], waiting)

    def arrays(self) -> dict[str, Keys]:
        """Return flat arrays by name: the levels, and all entries, level by level."""
        return {"levels": np.array(sorted(self.buckets), np.int64), **flat_arrays(self.buckets)}

    def restore(self, arrays: Mapping[str, Keys], dtype: np.dtype[Any] | None) -> Self:
        """Return the histogram, with these budgets, that gave arrays of values of a type."""
        levels: list[int] = arrays["levels"].tolist()
        if not all(0 <= level < 64 for level in levels):
            raise CorruptSummary("the levels of the buckets are too many")
        shapes = ((i, Shape(1, self.budgets.entries(i), self.budgets.size(i))) for i in levels)
        return replace(self, buckets=restore_stacks(arrays, dtype, shapes))
