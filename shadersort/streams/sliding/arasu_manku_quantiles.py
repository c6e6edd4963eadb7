"""The levels of a sliding window for quantiles, and how exact each block must be at each age.

`arasu_manku_levels.py` says how blocks cover the last n values. Here j is the highest level with
blocks of at most εn values.

**The error** is D of `gk_summaries.py`, and may be 2εn. It is the sum of

- the uncovered values, less than εn;
- ε/2 of the size of every block: εn/2 altogether;
- for each block of the levels j to j + K − 1, 1/(4K) of the size of a block of level j. There are
  at most two such blocks of each level, one before and one after the largest: εn/2 altogether.

So an old block may be less exact: it serves only long windows, whose j is high. A block is
compressed again at the ages where it may be less exact, and dropped when all windows that reach
back to it have only larger blocks there. Each stage of a level then has about 1/ε blocks of 4K
entries, so a level holds about K²/ε entries. Below the smallest level values are kept themselves,
as many as the shortest window that has blocks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, floor
from typing import ClassVar

import numpy as np

from shadersort.keys.types import Integers
from shadersort.streams.quantiles.gk_summaries import GKStack
from shadersort.streams.sliding.arasu_manku_levels import WindowLevels


@dataclass(frozen=True)
class Stages:
    """The stages of the blocks of a level, by their age.

    Attributes
    ----------
    size
        Values in a block.
    step
        For sorted blocks: every `step`-th value is kept. For merged ones: the compression.
    entries
        Entries of a block in each stage.
    begins
        The age of a block's oldest value at which each stage after the first begins; the last
        number is the age at which the block is dropped.
    steps
        The step of the compression at the beginning of each stage after the first.
    """

    size: int
    step: int
    entries: tuple[int, ...]
    begins: tuple[int, ...]
    steps: tuple[int, ...]

    def bounds(self, position: int) -> tuple[int, ...]:
        """Return the number of blocks in a stream of a length, then how many are past each stage.

        Blocks are numbered from 0 in their order. Stage s holds the blocks from bounds[s + 1] up to
        bounds[s]; blocks below the last bound have been dropped.
        """
        dropped = _older(position, self.begins[-1], self.size)
        later = (max(dropped, _older(position, age, self.size)) for age in self.begins)
        return position // self.size, *later


def _older(position: int, age: int, size: int) -> int:
    """Return how many blocks have at least an age."""
    return min(max(0, (position - age) // size + 1), position // size)


@dataclass(frozen=True)
class QuantileLevels(WindowLevels):
    """The levels of a sliding window for quantiles.

    Examples
    --------
    >>> levels = QuantileLevels.chosen(0.01, 10**6, 10**6)
    >>> [levels.size(i) for i in range(levels.count)], levels.spread
    ([10000, 20000, 40000, 80000, 160000, 320000], 5)
    """

    SMALLEST: ClassVar[int] = 128
    IN_ERROR: ClassVar[int] = 1

    @cached_property
    def spread(self) -> int:
        """K: so large that the largest blocks need no more entries than the next stage."""
        spread = 0
        while (spread + 1) << (spread + 1) <= 2 / self.epsilon and 2 << spread <= 1 / self.epsilon:
            spread += 1
        return spread

    @cached_property
    def count(self) -> int:
        """How many levels there are."""
        if not self.smallest:
            return 0
        base = (floor(self.epsilon * self.window) // self.smallest).bit_length()
        return min(base + self.spread, (self.window // self.smallest).bit_length())

    @cached_property
    def recent(self) -> int:
        """How many of the newest sorted values are kept as they are."""
        if not self.smallest:
            return self.window
        within = self.smallest <= self.epsilon * self.shortest
        needed = 0 if within else ceil(self.smallest / self.epsilon)
        return min(self.window, max(needed, self.smallest))

    def level_for(self, n: int) -> int:
        """Return j, the level of the smallest blocks at the old end of the last n values."""
        most = min(n, floor(self.epsilon * max(n, self.shortest)))
        return min((most // self.smallest).bit_length(), self.count) - 1

    @cached_property
    def sorted_ranks(self) -> tuple[Integers, ...]:
        """By level, up to the sorted one: the ranks of a block that are kept."""
        levels = self.stages[: self.sorted_level + 1]
        return tuple(np.array(kept_ranks(level.size, level.step)) for level in levels)

    def compressed(self, level: int, stack: GKStack) -> GKStack:
        """Return a stack of merged blocks as it is kept on a level."""
        step = self.stages[level].step if level < self.count else 1
        return stack.compressed(self.size(level), step) if step > 1 else stack

    @cached_property
    def stages(self) -> tuple[Stages, ...]:
        """By level: the stages of its blocks."""
        levels: list[Stages] = []
        blur = 0
        for i in range(self.count):
            size = self.size(i)
            if i <= self.sorted_level:
                blur = floor(self.epsilon * size / (4 if i == self.sorted_level else 2))
                step, entries = blur + 1, count_kept(size, blur + 1)
            else:
                extra = floor(self.epsilon * size / (4 * (self.count - 1 - self.sorted_level)))
                step, entries = _compression(size, extra, 2 * levels[-1].entries[0])
                blur = 2 * blur + step - 1
            levels.append(self._level(size, step, blur, entries))
        return tuple(levels)

    def _level(self, size: int, step: int, blur: int, entries: int) -> Stages:
        """Return a level whose blocks have an error D of `blur` when they are new."""
        at_new_end_only = 2 * size <= self.epsilon * self.shortest
        last = min(ceil(2 * size / self.epsilon), self.window + 1)
        dropped = 2 * size if at_new_end_only else last
        later = [each for each in self._later_stages(size, blur, entries) if each[0] < dropped]
        return Stages(
            size,
            step,
            (entries, *(each[2] for each in later)),
            (*(each[0] for each in later), dropped),
            tuple(each[1] for each in later),
        )

    def _later_stages(self, size: int, blur: int, entries: int) -> Iterator[tuple[int, int, int]]:
        """Yield the age at which each later stage begins, its step, and the entries it leaves."""
        half = self.epsilon * size / 2
        allowed = [(0, floor(half))]  # at once: only a block that waits for its pair is finer
        for above in range(self.spread - 1, -1, -1):  # the level of the block, counted from j
            lowest = size >> above
            if lowest >= self.smallest:
                begins = ceil(lowest / self.epsilon)
                more = Fraction(lowest, 4 * self.spread)
                allowed.append((begins if begins > self.shortest else 0, floor(half + more)))
        for begins, most in allowed:
            step, fewer = _compression(size, most - blur, entries)
            if step > 1:
                blur, entries = blur + step - 1, fewer
                yield begins, step, fewer

    @cached_property
    def entries(self) -> int:
        """How many entries all blocks have together, at most."""
        held = 0
        for i, level in enumerate(self.stages):
            ages = [0, *(min(age, level.begins[-1]) for age in level.begins)]
            for entries, (begin, end) in zip(level.entries, pairwise(ages), strict=True):
                if end > begin:
                    held += entries * ((end - begin) // level.size + 1)
            if i >= self.sorted_level:
                held += level.entries[0] + entries  # one block waits for its pair
        return held


def _compression(size: int, extra: int, entries: int) -> tuple[int, int]:
    """Return a step that adds `extra` to the error, and the entries it leaves; 1 if all stay."""
    step = 1 + max(0, extra)
    left = (size - 1) // step + 2
    return (step, left) if left < entries else (1, entries)


def kept_ranks(size: int, step: int) -> list[int]:
    """Return the ranks, from 0, that are kept of a sorted block: the ends, and every step-th."""
    return sorted({0, *range(step - 1, size, step), size - 1})


def count_kept(size: int, step: int) -> int:
    """Return how many ranks `kept_ranks` returns; the block may be far too long for a list.

    Examples
    --------
    >>> [count_kept(size, step) for size, step in ((1, 3), (9, 1), (9, 3), (10, 3))]
    [1, 9, 4, 5]
    """
    return 1 if size == 1 else size // step + (step > 1) + (size % step > 0)
