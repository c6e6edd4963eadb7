"""Levels of buckets: every two buckets of a level become one of the next level.

A bucket of level b stands for 2^b windows. At most one bucket waits on each level, as at most one 1
stands in each place of a binary number: when a second bucket arrives, both are merged, and their
union is compressed and carried to the next level. What a bucket holds (entries with counts, with
masses, or tallies of items) and how much error its compression may add is decided by the caller.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, Self, TypeVar

from shadersort.streams.summary import Timed


class Stack(Protocol):
    """Buckets of one level, in the order in which they arrived."""

    def __len__(self) -> int: ...

    def __getitem__(self, buckets: slice, /) -> Self: ...

    def prepend(self, other: Any, /) -> Self:
        """Return the buckets of another stack followed by these."""

    def merge_pairs(self) -> Self:
        """Return the union of the first and the second bucket, of the third and the fourth, …."""


S = TypeVar("S", bound=Stack)


@dataclass(frozen=True, slots=True, eq=False)
class Levels(Generic[S]):
    """The bucket that waits on each level; a value that is replaced, never changed."""

    compress: Callable[[int, S], S]  # takes a level and a stack of merged buckets, as it is kept
    buckets: Mapping[int, S] = field(default_factory=dict)  # by level: a stack of one bucket
    top: int | None = None  # the level whose buckets are never merged, and all stay, if any

    def with_stack(self, level: int, stack: S, timed: Timed) -> tuple[Self, dict[int, S]]:
        """Add a stack to a level; return the new levels, and the stack that arrived on each."""
        waiting, arrived = dict(self.buckets), dict[int, S]()
        while len(stack):
            arrived[level] = stack
            if level == self.top:
                break
            if level in waiting:
                stack = stack.prepend(waiting.pop(level))
            if len(stack) % 2:
                waiting[level] = stack[-1:]
            level += 1
            with timed("merge"):
                stack = stack[: len(stack) // 2 * 2].merge_pairs()
            with timed("compress"):
                stack = self.compress(level, stack)
        return replace(self, buckets=waiting), arrived

    def merge(self, other: "Levels[S]", timed: Timed) -> Self:
        """Return the levels of two streams together."""
        both = self
        for level in sorted(other.buckets):
            both, _ = both.with_stack(level, other.buckets[level], timed)
        return both
