"""The levels of blocks under a sliding window (Arasu and Manku 2004; SIGMOD 2005, section 5.3).

The stream is cut into blocks of z values, and again into blocks of 2z, of 4z, and so on: the
levels. To answer for the last n values, blocks are laid over them: large ones in the middle,
smaller ones towards both ends. At the old end less than one block of level j is left uncovered,
where j is the highest level whose blocks are small enough for n. The values after the last block
are kept themselves. No block is more than K levels above level j; K is the spread.

Blocks up to the sorted level are made by sorting; larger blocks are made of pairs of smaller ones.

`arasu_manku_quantiles.py` and `arasu_manku_frequencies.py` say how much error each block may have,
and so how many entries it needs. This file has what both share. `arasu_manku_as_printed.py` has
the levels that the paper of 2005 prints.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor
from typing import ClassVar, Self

SORTED = 32
"""The length of a sorted window is about this many times 1/ε."""
LITTLE = 1.25
"""Levels may need up to this multiple of the least possible memory."""
WEIGHT = 3
"""The memory of an entry, in values."""


@dataclass(frozen=True)
class WindowLevels(ABC):
    """The levels for a window and an error.

    Attributes
    ----------
    epsilon, window, shortest
        The error for the last n values is at most ε·max(n, shortest), for n up to `window`.
    smallest
        z: values in a block of level 0. If it is 0 there are no levels: all values are kept.
    """

    epsilon: Fraction
    window: int
    shortest: int
    smallest: int

    SMALLEST: ClassVar[int]
    """Blocks of fewer values would cost more time than they save memory."""
    IN_ERROR: ClassVar[int]
    """How many blocks of level j fit in εn values, at least."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many levels there are."""

    @property
    @abstractmethod
    def spread(self) -> int:
        """K: the number of levels from the smallest blocks of an answer to its largest."""

    @property
    @abstractmethod
    def recent(self) -> int:
        """How many of the newest sorted values are kept as they are."""

    @property
    @abstractmethod
    def entries(self) -> int:
        """How many entries all blocks have together, at most."""

    @abstractmethod
    def level_for(self, n: int) -> int:
        """Return j, the level of the smallest blocks at the old end of the last n values."""

    def size(self, level: int) -> int:
        """Return the values in a block of a level."""
        return self.smallest << level

    @cached_property
    def sorted_level(self) -> int:
        """The highest level whose blocks are made by sorting."""
        wanted = ceil(SORTED / self.epsilon / self.smallest) if self.smallest else 1
        return min(self.count - 1, (wanted - 1).bit_length())

    @cached_property
    def batch(self) -> int:
        """Values in a window that is sorted."""
        return self.size(self.sorted_level) if self.count else min(1024, self.window)

    @property
    def values(self) -> int:
        """How many values are kept as they are, at most."""
        return self.recent + self.batch

    @property
    def memory(self) -> int:
        """The most memory that everything needs, in values."""
        return self.values + WEIGHT * self.entries

    def highest(self, smallest: int) -> int:
        """Return the level of the largest blocks of an answer, given that of the smallest."""
        return min(smallest + self.spread, self.count - 1)

    def cover(self, start: int, stop: int, smallest: int) -> Iterator[tuple[int, int]]:
        """Yield levels and numbers of the blocks that cover a part of the stream, oldest first."""
        while start < stop:
            level = next(
                i
                for i in range(self.highest(smallest), -1, -1)
                if start % self.size(i) == 0 and start + self.size(i) <= stop
            )
            yield level, start // self.size(level)
            start += self.size(level)

    @classmethod
    @lru_cache(maxsize=64)
    def chosen(cls, epsilon: float, window: int, shortest: int) -> Self:
        """Return the levels with the largest blocks, hence the fastest, that need little memory."""
        error = Fraction(epsilon)
        unit = max(1, floor(error * shortest / cls.IN_ERROR))
        sizes = [unit >> i for i in range(unit.bit_length())] + [unit << i for i in range(1, 62)]
        everything = cls(error, window, shortest, 0)
        candidates = [
            cls(error, window, shortest, size)
            for size in sizes
            if size >= cls.SMALLEST and size * cls.IN_ERROR <= error * window
        ]
        most = min([LITTLE * each.memory for each in candidates] + [everything.memory])
        good = [each for each in candidates if each.memory <= most]
        return max(good, key=lambda each: each.smallest, default=everything)
