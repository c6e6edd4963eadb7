"""The exponential histogram of `TailSummary`: its buckets have entries as the values need them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.exponential_histogram import ExponentialHistogram
from shadersort.streams.gk_stacks import Shape, all_on_host, flat_arrays, restored_stacks
from shadersort.streams.padded_summaries import PaddedSummaries
from shadersort.streams.summary import Timed
from shadersort.streams.tail_budgets import TailBudgets
from shadersort.streams.tail_runs import Run, with_runs

TOGETHER = 1 << 20
"""About so many entries of windows, at the ends of runs, are merged together."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TailHistogram(ExponentialHistogram):
    """Buckets with sharp ranks in a tail; a value that is replaced, never changed.

    Attributes
    ----------
    budgets
        How each level is compressed.
    coming
        Runs of windows, and the stacks of windows after a run, which will be added together.
    """

    budgets: TailBudgets
    coming: tuple[Any, ...] = ()

    def with_windows(self, windows: Any, timed: Timed) -> Self:
        """Return the histogram with a stack of windows or a run of them added."""
        if not self.coming and not isinstance(windows, Run):
            return self.with_stack(0, windows, timed)[0]
        found = replace(self, coming=(*self.coming, windows))
        many = len(found.coming) * self.budgets.ranks.size >= TOGETHER
        return found.carried(timed) if many else found

    def carried(self, timed: Timed) -> Self:
        """Return the histogram with what is coming in its buckets."""
        if not self.coming:
            return self
        stacks = {i: each for i, each in enumerate(self.coming) if not isinstance(each, Run)}
        here = {i: PaddedSummaries.of(each) for i, each in all_on_host(stacks).items()}
        coming = (here.get(i, each) for i, each in enumerate(self.coming))
        found = with_runs(all_on_host(self.buckets), coming, self.budgets, timed)
        return replace(self, buckets=found, coming=())

    def on_host(self) -> Self:
        """Return the histogram with all buckets on the host, without repeated entries."""
        here = all_on_host(self.buckets)
        trimmed = {level: PaddedSummaries.of(each).trimmed for level, each in here.items()}
        return replace(self, buckets=trimmed)

    def arrays(self) -> dict[str, Keys]:
        """Return flat arrays by name: the levels, the entries of each, and all entries."""
        levels = sorted(self.buckets)
        entries = [self.buckets[level].entries for level in levels]
        return {
            "levels": np.array(levels, np.int64),
            "entries": np.array(entries, np.int64),
            **flat_arrays(self.buckets),
        }

    def restored(self, arrays: Mapping[str, Keys], dtype: np.dtype[Any] | None) -> Self:
        """Return the histogram, with these budgets, that gave arrays of values of a type."""
        levels, entries = (arrays[name].tolist() for name in ("levels", "entries"))
        if levels != sorted(set(levels)) or not all(0 <= level < 64 for level in levels):
            raise CorruptSummary("the levels of the buckets are not in order, or too many")
        if arrays["entries"].dtype.kind != "i" or not all(count > 0 for count in entries):
            raise CorruptSummary("a bucket has no entries")
        shapes = (
            (level, Shape(1, count, self.budgets.size(level)))
            for level, count in zip(levels, entries, strict=True)
        )
        found = restored_stacks(arrays, dtype, shapes)
        return replace(self, buckets={at: self._checked(at, each) for at, each in found.items()})

    def _checked(self, level: int, bucket: Any) -> PaddedSummaries:
        """Return a bucket if its gaps are small enough, or raise CorruptSummary."""
        found = PaddedSummaries.of(bucket)
        if np.any(found.lower < 1) or np.any(found.upper < 1):
            raise CorruptSummary("a bucket repeats an entry")
        if not self.budgets.keeps(level, found):
            raise CorruptSummary("a bucket does not keep its guarantee")
        return found
