"""How much a sliding window of counts may forget, and when: the levels of Arasu and Manku 2004.

The stream is cut into blocks of z values, the same stream again into blocks of 2z, of 4z, and so
on: the levels. Of a block its histogram is kept, but for what is rare in it. To answer for the last
n values, blocks are laid over them: large ones in the middle, smaller ones towards both ends. At
the old end less than one block of level j is left uncovered, where j is the highest level with
blocks of at most εn/2 values; at the new end, values wait as they are. No block is larger than 2^K
of those of level j.

**The error**, by which a count may be too small, is the sum of

- what is left uncovered: less than εn/2;
- of every block, ε/4 of its size: all together at most εn/4;
- of a block below the largest, a 4K-th of a block of level j more. There are at most two of each
  level j to j + K − 1, one towards each end: all together at most εn/4.

A block whose oldest value is a values old serves windows of a values and more. So j grows with its
age, and more of it may be forgotten. Once j is beyond its own level it serves the new end only, and
is forgotten when it is twice its size old. What is kept is decided by age alone: it does not matter
how often one looks.

Blocks up to the sorted level are histograms of sorted values. Those above are made of pairs. An
item that is not in a half may have come t times in it, where t is what the half's level may forget
before it is paired; so the count of an item that is in one half only becomes too small by t more,
and what is in neither has come up to 2t times. Windows so short that no level has blocks small
enough need the values as they are.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor

import numpy as np
import numpy.typing as npt

__all__ = ["CountLevels", "count_levels"]

SORTED = 32
"""Windows to be sorted have so many times 1/ε values, about."""
SMALLEST = 64
"""Blocks of fewer values would take more time than they save memory."""
LITTLE = 1.25
"""How many times the least possible memory is still little."""
WEIGHT = 3
"""An entry takes about so many times the memory of a value."""
EVERYTHING = 1 << 62


@dataclass(frozen=True)
class CountLevels:
    """The levels of a sliding window.

    Attributes
    ----------
    epsilon, window, shortest
        The error for the last n values is epsilon of n, or of `shortest` where n is less.
    smallest
        z: values in a block of level 0. There are no levels if it is 0: all values are kept.
    """

    epsilon: Fraction
    window: int
    shortest: int
    smallest: int

    def size(self, level: int) -> int:
        """Return the values in a block of a level."""
        return self.smallest << level

    @cached_property
    def spread(self) -> int:
        """K: how many levels lie between the smallest and the largest blocks of an answer."""
        spread = 1
        while (spread + 1) << (spread + 1) <= 1 / self.epsilon:
            spread += 1
        return spread

    @cached_property
    def begins(self) -> tuple[int, ...]:
        """From which n on each level has the smallest blocks of an answer."""
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

    @cached_property
    def sorted_level(self) -> int:
        """The blocks of this level, and below, are made by sorting; those above of pairs."""
        wanted = ceil(SORTED / self.epsilon / self.smallest)
        return min(self.count - 1, (wanted - 1).bit_length())

    @property
    def batch(self) -> int:
        """Values in a window that is sorted."""
        return self.size(self.sorted_level) if self.count else min(1024, self.window)

    @property
    def recent(self) -> int:
        """How many of the newest values that were sorted are kept as they are."""
        return self.begins[0] if self.count else self.window

    def level_for(self, n: int) -> int:
        """Return j for the last n values; −1 if no level has blocks small enough."""
        return bisect_right(self.begins, n) - 1

    def _largest(self, smallest: int) -> int:
        """Return the level of the largest blocks, given that of the smallest."""
        return min(smallest + self.spread, self.count - 1)

    @cached_property
    def unpaired(self) -> tuple[int, ...]:
        """How often an item may have come in a block that waits for its pair, and be unknown.

        Examples
        --------
        >>> levels = count_levels(0.01, 10**6, 10**6)
        >>> [levels.size(i) for i in range(levels.count)], levels.unpaired
        ([5000, 10000, 20000, 40000, 80000], (6, 15, 36, 84, 193))
        """
        found: list[int] = []
        for level in range(self.count):
            forgotten = self.epsilon * self.size(level) / 8
            if level > self.sorted_level:
                more = forgotten / (self.count - 1 - self.sorted_level)
                forgotten = Fraction(2 * found[-1] + floor(more))
            found.append(floor(forgotten))
        return tuple(found)

    def blur(self, level: int) -> int:
        """Return by how much the count of an item that is kept may be too small."""
        return sum(self.unpaired[self.sorted_level : level])

    def always(self, level: int) -> int:
        """Return how often an item may have come in any block of a level, and be unknown."""
        return floor(self.epsilon * self.size(level) / 4)

    @cached_property
    def forgotten(self) -> npt.NDArray[np.int64]:
        """How often an item may have come in a block, and be unknown: by its level, and by j."""
        table = np.full((self.count, max(1, len(self.begins))), EVERYTHING)
        for level in range(self.count):
            for j in range(min(level + 1, len(self.begins))):
                smallest = max(j, level - self.spread)
                more = self.size(smallest) // (4 * self.spread)
                inner = level < self._largest(smallest)
                table[level, j] = self.always(level) + inner * more
        return table

    def limits(self, level: int, ages: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the same of blocks of a level, by the ages of their oldest values."""
        j = np.maximum(np.searchsorted(self.begins, ages, side="right") - 1, 0)
        limits = np.where(ages <= self.window, self.forgotten[level, j], EVERYTHING)
        limits[(j > level) & (ages < 2 * self.size(level))] = self.always(level)
        return limits

    def cover(self, start: int, stop: int, smallest: int) -> Iterator[tuple[int, int]]:
        """Yield levels and numbers of the blocks that cover a part of the stream, oldest first."""
        while start < stop:
            level = next(
                i
                for i in range(self._largest(smallest), -1, -1)
                if start % self.size(i) == 0 and start + self.size(i) <= stop
            )
            yield level, start // self.size(level)
            start += self.size(level)

    @cached_property
    def entries(self) -> int:
        """How many entries all blocks can have together."""
        held = 0
        for level in range(self.count):
            size, blur = self.size(level), self.blur(level)
            for begin, end, limit in self._stages(level):
                blocks = max(0, (end - begin) // size + 1)
                held += blocks * (size // (limit - blur + 1))
            if level >= self.sorted_level:
                held += size // (self.unpaired[level] - blur + 1)
        return held

    @property
    def memory(self) -> int:
        """What all of it takes at most, in values."""
        return self.recent + self.batch + WEIGHT * self.entries

    def _stages(self, level: int) -> Iterator[tuple[int, int, int]]:
        """Yield from which age to which a block of a level may forget how much."""
        if level < self.level_for(0):
            yield self.size(level), 2 * self.size(level) - 1, self.always(level)
        ends = (*self.begins[1:], self.window)
        for j, (begin, end) in enumerate(zip(self.begins, ends, strict=True)):
            limit = int(self.forgotten[level, j])
            if limit < EVERYTHING and end >= self.size(level):
                yield max(begin if j else 0, self.size(level)), end, limit


@lru_cache(maxsize=64)
def count_levels(epsilon: float, window: int, shortest: int) -> CountLevels:
    """Return the levels with the largest blocks, hence the fastest, that take little memory.

    Examples
    --------
    >>> levels = count_levels(0.01, 10**6, 1)
    >>> levels.size(0), levels.count, levels.recent, levels.batch
    (1024, 7, 204800, 4096)
    """
    error = Fraction(epsilon)
    unit = max(1, floor(error * shortest / 2))
    sizes = [unit >> i for i in range(unit.bit_length())] + [unit << i for i in range(1, 62)]
    everything = CountLevels(error, window, shortest, 0)
    plans = [
        CountLevels(error, window, shortest, size)
        for size in sizes
        if size >= SMALLEST and 2 * size <= error * window
    ]
    most = min([LITTLE * plan.memory for plan in plans] + [everything.memory])
    good = [plan for plan in plans if plan.memory <= most]
    return max(good, key=lambda plan: plan.smallest, default=everything)
