"""Frequencies of a sliding window: the levels of blocks, and what a block forgets at each age.

`arasu_manku_levels.py` says how blocks cover the last n values. Here j is the highest level with
blocks of at most εn/2 values. Of a block its histogram is kept, without the items that are rare in
it: an item that comes up to a limit of times in the block may be forgotten.

**The error**, by which an estimate may be too small, is the sum of

- the uncovered values: less than εn/2;
- ε/4 of the size of every block: at most εn/4 altogether;
- for blocks below the largest, a 4K-th of a block of level j each. There are at most two of them on
  each level from j to j + K − 1, one towards each end: at most εn/4 altogether.

A block whose oldest value has age a serves windows of a and more values, so j grows with its age,
and more of it may be forgotten. A block older than its own level (j is higher) covers only a
window's newest end; it is dropped at an age of twice its size. Age alone decides what is kept, so
the result does not depend on how often blocks are visited.

Blocks up to the sorted level are counts of sorted values; larger ones are made of pairs. An item
that is absent from a half may have come t times in it, where t is the limit of the half's level
before pairing. So the count of an item that is in one half only becomes too small by t more, and an
item in neither half has come up to 2t times. If a window is so short that no level has blocks small
enough, its values are kept themselves.
"""

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from itertools import count, pairwise, takewhile
from math import ceil, floor
from typing import Any, ClassVar, Self

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.streams.sliding.arasu_manku_levels import AgeingBlocks, Place, WindowLevels
from shadersort.streams.sliding.tallies import Span, Tallies, TallyBlocks
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Timed

EVERYTHING = 1 << 62  # the limit of a block that is dropped


class FrequencyLevels(WindowLevels):
    """The levels of a sliding window for frequencies."""

    SMALLEST: ClassVar[int] = 64
    IN_ERROR: ClassVar[int] = 2

    def __init__(self, epsilon: Fraction, window: int, shortest: int, smallest: int) -> None:
        super().__init__(epsilon, window, shortest, smallest)
        self.spread = 1
        while (self.spread + 1) << (self.spread + 1) <= 1 / epsilon:
            self.spread += 1
        doubles = (2 * smallest << i for i in count()) if smallest else ()  # two fit in the error
        begins = (0 if each <= epsilon * shortest else ceil(each / epsilon) for each in doubles)
        self.begins = tuple(takewhile(window.__ge__, begins))  # by j: the least n with this j
        fitting = (window // smallest).bit_length() if smallest else 0
        self.count = min(len(self.begins) + self.spread, fitting) if self.begins else 0
        self.recent = self.begins[0] if self.count else window

    def level_for(self, n: int) -> int:
        """Return j, the level of the smallest blocks; −1 if no level has blocks small enough."""
        return bisect_right(self.begins, n) - 1

    @cached_property
    def unpaired(self) -> tuple[int, ...]:
        """By level: the limit of a block that waits for its pair."""
        found: list[int] = []
        for level in range(self.count):
            limit = self.epsilon * self.size(level) / 8
            if level > self.sorted_level:
                more = limit / (self.count - 1 - self.sorted_level)
                limit = Fraction(2 * found[-1] + floor(more))
            found.append(floor(limit))
        return tuple(found)

    def compress(self, level: int, stack: Any) -> Any:
        """Return a stack of merged blocks as it waits for pairs on a level."""
        return stack.above(self.unpaired[level] - self.blur(level) if level < self.count else 0)

    def blur(self, level: int) -> int:
        """Return the most by which the count of an item that is kept may be too small."""
        return sum(self.unpaired[self.sorted_level : level])

    @cached_property
    def stages(self) -> tuple[tuple[Integers, Integers], ...]:
        """By level: the ages of a block at which its limit changes, and the limits from then on."""
        stages = []
        for level in range(self.count):
            size, always = self.size(level), floor(self.epsilon * self.size(level) / 4)
            if level < self.level_for(0):  # it serves the newest end of windows only
                ages, limits = [0, 2 * size], [always]
            else:
                ages = [0, *(*self.begins, self.window + 1)[1 : level + 2]]
                limits = []
                for j in range(len(ages) - 1):
                    smallest = max(j, level - self.spread)
                    inner = level < self.highest(smallest)
                    limits.append(always + inner * (self.size(smallest) // (4 * self.spread)))
            stages.append((np.array(ages), np.array([*limits, EVERYTHING])))
        return tuple(stages)

    def limits(self, level: int, ages: Integers) -> Integers:
        """Return the limits of blocks of a level, by the ages of their oldest values."""
        begins, limits = self.stages[level]
        return limits[begins.searchsorted(ages, side="right") - 1]

    @cached_property
    def entries(self) -> int:
        """How many entries all blocks have together, at most."""
        held = 0
        for level, (ages, limits) in enumerate(self.stages):
            size, blur = self.size(level), self.blur(level)
            for (begin, end), limit in zip(pairwise(ages.tolist()), limits.tolist(), strict=False):
                last = end - (end not in self.begins)  # the age of a next stage counts twice
                blocks = max(0, (last - max(begin, size)) // size + 1)
                held += blocks * (size // (limit - blur + 1))
            if level >= self.sorted_level:
                held += size // (self.unpaired[level] - blur + 1)
        return held


class FrequencyBlocks(TallyBlocks[FrequencyLevels], AgeingBlocks[FrequencyLevels, Tallies]):
    """Blocks of tallies, which forget more as they grow older."""

    def with_windows(
        self, windows: Any, newest: Callable[[], Keys], sorter: Sorter, timed: Timed
    ) -> Self:
        """Return the blocks with windows added; what they would forget at once is not counted."""
        blocks, levels, stacks = self, self.levels, []
        top = levels.size(levels.count - 1)
        begin = (self.position + windows.size - levels.window) // top * top
        if begin > self.position:  # all that is before has been forgotten at the end
            blocks = self.empty(levels, windows.dtype, begin)
        windows = windows[(blocks.position - self.position) // windows.shape[1] :]
        for level in range(levels.sorted_level + 1):
            size = levels.size(level)
            rows, first = windows.reshape(-1, size), blocks.position // size
            limits = levels.limits(level, size * np.arange(len(rows), 0, -1))
            if level == levels.sorted_level:  # its blocks also wait for pairs
                limits[:] = levels.unpaired[level]
            old = int(np.count_nonzero(limits >= EVERYTHING))  # they come first, and are dropped
            stacks.append(sorter.tallies(rows[old:], limits[old:], first + old, timed))
        found = blocks.with_sorted(stacks, timed)
        held = {place: each.to_host() for place, each in found.held.items()}
        return type(self)(levels, found.position, held)

    def _age(
        self, held: dict[Place, Tallies], level: int, new: Tallies | None, position: int
    ) -> None:
        """Drop the items that blocks of a level may forget by now."""
        old, size, blur = held[level, 0], self.levels.size(level), self.levels.blur(level)
        if len(old.numbers):
            limits = self.levels.limits(level, position - old.numbers * size)
            old = old.select(old.counts + blur > limits)
        if new is not None:
            limits = self.levels.limits(level, position - np.arange(*new.blocks) * size)
            old = new.above(limits - blur).to_host().prepend(old)
        held[level, 0] = old

    def missed(self, level: int, number: int) -> tuple[int, int]:
        """Return how often any item may be missed in a block, and how much less if it is held."""
        age = self.position - number * self.levels.size(level)
        limit = int(self.levels.limits(level, np.array([age]))[0])
        return limit, limit - self.levels.blur(level)

    def _span(self, level: int, stage: int, position: int) -> Span:
        size, levels = self.levels.size(level), self.levels
        last = position // size
        waits = levels.sorted_level <= level < levels.count - 1 and last % 2
        return (0 if stage == 0 else last - waits, last), size
