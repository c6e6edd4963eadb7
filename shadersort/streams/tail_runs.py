"""Windows that one value fills: runs of equal buckets, added to the levels of a `TailSummary`.

A value with a large weight fills many windows, all alike. From level to level, such a run becomes
one of half as many buckets, whose entries are known. Buckets are merged only where a run begins or
ends, and those of many runs at once.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from shadersort.keys.types import Keys
from shadersort.streams.padded_summaries import PaddedSummaries
from shadersort.streams.summary import Timed
from shadersort.streams.tail_budgets import TailBudgets


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Buckets of one level, all of whose values are the one in an array."""

    value: Keys
    count: int


Coming = PaddedSummaries | Run
"""What comes to a level: a stack of buckets, or a run."""


def with_runs(
    buckets: Mapping[int, Any], coming: Iterable[Coming], budgets: TailBudgets, timed: Timed
) -> dict[int, PaddedSummaries]:
    """Return buckets by their levels, with stacks and runs added to level 0 in their order.

    They are the same as if each bucket of a run had been added by itself.

    Examples
    --------
    >>> from contextlib import nullcontext
    >>> import numpy as np
    >>> from shadersort.streams.tail_budgets import tail_budgets
    >>> run = Run(np.array([7]), 5)
    >>> found = with_runs({}, [run], tail_budgets(0.9), lambda operation: nullcontext())
    >>> {level: bucket.size for level, bucket in found.items()}
    {0: 128, 2: 512}
    """
    found, level = {at: PaddedSummaries.of(each) for at, each in buckets.items()}, 0
    arrived = list(coming)
    while arrived:
        here = _Level(partial(budgets.equal, level=level))
        for each in [found.pop(level), *arrived] if level in found else arrived:
            here.take(each)
        if here.left is not None:
            found[level] = here.left
        level += 1
        arrived = here.merged(partial(budgets.compressed, level), timed)
    return found


@dataclass(slots=True)
class _Level:
    """The buckets of a level, two by two.

    Attributes
    ----------
    equal
        Returns a bucket of the level, all of whose values are the one in an array.
    pairs
        Stacks of buckets that have to be merged in pairs.
    after
        What comes to the next level: the number of merged buckets of each stack, and shorter runs.
    left
        The bucket without another one.
    """

    equal: Callable[[Keys], PaddedSummaries]
    pairs: list[PaddedSummaries] = field(default_factory=list)
    after: list[int | Run] = field(default_factory=list)
    left: PaddedSummaries | None = None

    def take(self, each: Coming) -> None:
        """Take what comes next."""
        if not isinstance(each, Run):
            self._take_stack(each)
            return
        count = each.count
        if self.left is not None:
            self._take_stack(self.equal(each.value))
            count -= 1
        if count > 1:
            self.after.append(Run(each.value, count // 2))
        if count % 2:
            self.left = self.equal(each.value)

    def _take_stack(self, stack: PaddedSummaries) -> None:
        if self.left is not None:
            stack = stack.preceded_by(self.left)
        even = len(stack) // 2 * 2
        self.left = stack[even:] if even < len(stack) else None
        if even:
            self.pairs.append(stack[:even])
            self.after.append(even // 2)

    def merged(self, compressed: Callable[[Any], Any], timed: Timed) -> list[Coming]:
        """Return what comes to the next level, of which `compressed` makes merged buckets."""
        if not self.pairs:
            return [each for each in self.after if isinstance(each, Run)]
        stack = self._merged(compressed, timed)
        coming, end = list[Coming](), 0
        for each in self.after:
            if isinstance(each, Run):
                coming.append(each)
            else:
                coming.append(stack[end : (end := end + each)])
        return coming

    def _merged(self, compressed: Callable[[Any], Any], timed: Timed) -> PaddedSummaries:
        *others, last = self.pairs
        with timed("merge"):
            stack = last.preceded_by(*others).merged_in_pairs()
        with timed("compress"):
            return PaddedSummaries.of(compressed(stack))
