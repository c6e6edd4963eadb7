"""An exponential histogram: at most one bucket of each size, a power of two of windows.

It counts windows as a binary number counts: a window is a bucket of level 0, and where two buckets
of one level meet, they become one of the next, merged and compressed. So a stream of any length
is held in as many buckets as the number of its windows has binary digits.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.error_budgets import Budgets
from shadersort.streams.greenwald_khanna import COLUMNS, Ranked, RankedSets, all_on_host, increments

__all__ = ["ExponentialHistogram", "Timed", "carried", "checked_buckets"]


class Stack(Protocol):
    """Buckets of one level, one after the other."""

    def __len__(self) -> int: ...

    def __getitem__(self, sets: slice, /) -> Self: ...

    def preceded_by(self, other: Any, /) -> Self:
        """Return the buckets of both, those of another stack first."""

    def merged_in_pairs(self) -> Self:
        """Return the unions of the first bucket and the second, and so on."""


Buckets = TypeVar("Buckets", bound=Stack)


class Timed(Protocol):
    """Counts the seconds of an operation, as `Summary._timed` does."""

    def __call__(self, operation: str, /) -> AbstractContextManager[None]:
        """Return what surrounds the operation."""


@dataclass(frozen=True, slots=True, eq=False)
class ExponentialHistogram:
    """Buckets of ranked values; it is never changed, only replaced.

    Attributes
    ----------
    budgets
        How it compresses.
    buckets
        The bucket of each level that has one, a single set.
    """

    budgets: Budgets
    buckets: Mapping[int, RankedSets] = field(default_factory=dict)

    @property
    def windows(self) -> int:
        """How many windows it holds."""
        return sum(1 << level for level in self.buckets)

    @property
    def entries(self) -> int:
        """How many entries its buckets have together."""
        return sum(bucket.entries for bucket in self.buckets.values())

    @property
    def ranks(self) -> npt.NDArray[np.int64]:
        """The ranks, from 0, that are kept of a window."""
        return self.budgets.ranks

    def with_buckets(self, level: int, stack: RankedSets, timed: Timed) -> "ExponentialHistogram":
        """Return it with some buckets of one level added, in their order.

        They are merged and compressed where the stack is, and stay there.
        """
        buckets = dict(self.buckets)
        for at, coming in carried(self._compressed, buckets, level, stack, timed):
            buckets.pop(at, None)
            if len(coming) % 2:
                buckets[at] = coming[-1:]
        return ExponentialHistogram(self.budgets, buckets)

    def on_host(self) -> "ExponentialHistogram":
        """Return it with all of its buckets on the host."""
        return ExponentialHistogram(self.budgets, all_on_host(self.buckets))

    def _compressed(self, level: int, stack: RankedSets) -> RankedSets:
        step = self.budgets.compression(level)
        return stack.compressed(self.budgets.size(level), step) if step > 1 else stack

    def merged(self, other: "ExponentialHistogram", timed: Timed) -> "ExponentialHistogram":
        """Return the histogram of the windows of both; they have the same budgets."""
        both = self
        for level in sorted(other.buckets):
            both = both.with_buckets(level, other.buckets[level], timed)
        return both

    def arrays(self) -> dict[str, Keys]:
        """Return it as flat arrays by name: the levels, and all entries, level by level."""
        buckets = all_on_host(self.buckets)
        flat = {"levels": np.array(sorted(buckets), np.int64)}
        for name in COLUMNS if buckets else ():
            columns = (getattr(buckets[level], name) for level in sorted(buckets))
            flat[name] = np.concatenate([column.ravel() for column in columns])
        return flat

    def restored(
        self, arrays: Mapping[str, Keys], dtype: np.dtype[Any] | None
    ) -> "ExponentialHistogram":
        """Return the histogram, with these budgets, that gave such arrays of values of a type."""
        levels: list[int] = arrays["levels"].tolist()
        if levels != sorted(set(levels)) or min(levels, default=0) < 0:
            raise CorruptSummary("the levels of the buckets are not in order")
        if not levels:
            return self
        if arrays["values"].dtype != dtype or max(levels) > 63:
            raise CorruptSummary("the buckets hold values of another type, or too many")
        ends = np.cumsum([self.budgets.entries(level) for level in levels])
        columns = [arrays[name] for name in COLUMNS]
        if any(len(column) != ends[-1] for column in columns):
            raise CorruptSummary("the buckets have not as many entries as their levels say")
        buckets = {}
        for level, end in zip(levels, ends.tolist(), strict=True):
            part = slice(end - self.budgets.entries(level), end)
            bucket = Ranked(*(column[None, part] for column in columns))
            buckets[level] = checked_buckets(bucket, self.budgets.size(level))
        return ExponentialHistogram(self.budgets, buckets)


def carried(
    compressed: Callable[[int, Buckets], Buckets],
    waiting: Mapping[int, Buckets],
    level: int,
    stack: Buckets,
    timed: Timed,
) -> Iterator[tuple[int, Buckets]]:
    """Yield what comes to each level when a stack of buckets does to one.

    What waits on a level comes first. Pairs go up to the next level, merged and then compressed as
    buckets of that level are; an odd one at the end of the stack stays.
    """
    while len(stack):
        if level in waiting:
            stack = stack.preceded_by(waiting[level])
        yield level, stack
        pairs = stack[: len(stack) // 2 * 2]
        level += 1
        with timed("merge"):
            stack = pairs.merged_in_pairs()
        with timed("compress"):
            stack = compressed(level, stack)


def checked_buckets(buckets: Ranked, size: int) -> Ranked:
    """Return buckets if each can stand for so many values, or raise CorruptSummary."""
    if buckets.lower.dtype.kind != "i" or buckets.upper.dtype.kind != "i":
        raise CorruptSummary("the ranks of a bucket are no integers")
    smallest, largest = buckets.smallest, 1 + buckets.before
    ends = [ranks[:, at] for ranks in (smallest, largest) for at in (0, -1)]
    if not (
        np.all(buckets.values[:, :-1] <= buckets.values[:, 1:])  # not so with a NaN
        and np.all((buckets.lower >= 0) & (buckets.upper >= 0))
        and np.all(smallest <= largest)
        and np.all([1, size, 1, size] == np.array(ends).T)
        and np.all(buckets.upper[:, -1] == 1)
        and not np.isnan(buckets.values).any()
    ):
        raise CorruptSummary("the ranks of a bucket contradict each other")
    return Ranked(buckets.values, increments(buckets.lower, size), increments(buckets.upper, size))
