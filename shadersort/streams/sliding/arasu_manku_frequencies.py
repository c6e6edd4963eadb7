"""The levels of a sliding window for frequencies, and what blocks may forget at each age.

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
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import ClassVar

import numpy as np

from shadersort.keys.types import Integers
from shadersort.streams.sliding.arasu_manku_levels import WindowLevels

EVERYTHING = 1 << 62
"""The limit of a block that is dropped."""


@dataclass(frozen=True)
class FrequencyLevels(WindowLevels):
    """The levels of a sliding window for frequencies.

    Examples
    --------
    >>> levels = FrequencyLevels.chosen(0.01, 10**6, 1)
    >>> levels.size(0), levels.count, levels.recent, levels.batch
    (1024, 7, 204800, 4096)
    """

    SMALLEST: ClassVar[int] = 64
    IN_ERROR: ClassVar[int] = 2

    @cached_property
    def spread(self) -> int:
        """K: the number of levels from the smallest blocks of an answer to its largest."""
        spread = 1
        while (spread + 1) << (spread + 1) <= 1 / self.epsilon:
            spread += 1
        return spread

    @cached_property
    def begins(self) -> tuple[int, ...]:
        """For each level, the least n for which it has the smallest blocks of an answer."""
        found = []
        level = 0
        while self.smallest and (n := self._begin(2 * self.size(level))) <= self.window:
            found.append(n)
            level += 1
        return tuple(found)

    def _begin(self, values: int) -> int:
        short = values <= self.epsilon * self.shortest
        return 0 if short else ceil(values / self.epsilon)

    @cached_property
    def count(self) -> int:
        """How many levels there are: none, if no n could be answered by any."""
        if not self.begins:
            return 0
        fitting = (self.window // self.smallest).bit_length()
        return min(len(self.begins) + self.spread, fitting)

    @property
    def recent(self) -> int:
        """How many of the newest sorted values are kept as they are."""
        return self.begins[0] if self.count else self.window

    def level_for(self, n: int) -> int:
        """Return j, the level of the smallest blocks; −1 if no level has blocks small enough."""
        return bisect_right(self.begins, n) - 1

    @cached_property
    def unpaired(self) -> tuple[int, ...]:
        """By level: the limit of a block that waits for its pair.

        Examples
        --------
        >>> levels = FrequencyLevels.chosen(0.01, 10**6, 10**6)
        >>> [levels.size(i) for i in range(levels.count)], levels.unpaired
        ([5000, 10000, 20000, 40000, 80000], (6, 15, 36, 84, 193))
        """
        found: list[int] = []
        for level in range(self.count):
            limit = self.epsilon * self.size(level) / 8
            if level > self.sorted_level:
                more = limit / (self.count - 1 - self.sorted_level)
                limit = Fraction(2 * found[-1] + floor(more))
            found.append(floor(limit))
        return tuple(found)

    def blur(self, level: int) -> int:
        """Return the most by which the count of an item that is kept may be too small."""
        return sum(self.unpaired[self.sorted_level : level])

    @cached_property
    def always(self) -> tuple[int, ...]:
        """By level: the limit of a block at every age."""
        return tuple(floor(self.epsilon * self.size(level) / 4) for level in range(self.count))

    @cached_property
    def forgotten(self) -> Integers:
        """The limits of blocks, by their level and by j."""
        table = np.full((self.count, max(1, len(self.begins))), EVERYTHING)
        for level in range(self.count):
            for j in range(min(level + 1, len(self.begins))):
                smallest = max(j, level - self.spread)
                more = self.size(smallest) // (4 * self.spread)
                inner = level < self.highest(smallest)
                table[level, j] = self.always[level] + inner * more
        return table

    def limits(self, level: int, ages: Integers) -> Integers:
        """Return the limits of blocks of a level, by the ages of their oldest values."""
        j = np.maximum(np.searchsorted(self.begins, ages, side="right") - 1, 0)
        limits = np.where(ages <= self.window, self.forgotten[level, j], EVERYTHING)
        limits[(j > level) & (ages < 2 * self.size(level))] = self.always[level]
        return limits

    @cached_property
    def entries(self) -> int:
        """How many entries all blocks have together, at most."""
        held = 0
        for level in range(self.count):
            size, blur = self.size(level), self.blur(level)
            for begin, end, limit in self._stages(level):
                blocks = max(0, (end - begin) // size + 1)
                held += blocks * (size // (limit - blur + 1))
            if level >= self.sorted_level:
                held += size // (self.unpaired[level] - blur + 1)
        return held

    def _stages(self, level: int) -> Iterator[tuple[int, int, int]]:
        """Yield the first and the last age, and the limit, of each stage of a block."""
        if level < self.level_for(0):
            yield self.size(level), 2 * self.size(level) - 1, self.always[level]
        ends = (*self.begins[1:], self.window)
        for j, (begin, end) in enumerate(zip(self.begins, ends, strict=True)):
            limit = int(self.forgotten[level, j])
            if limit < EVERYTHING and end >= self.size(level):
                yield max(begin if j else 0, self.size(level)), end, limit
