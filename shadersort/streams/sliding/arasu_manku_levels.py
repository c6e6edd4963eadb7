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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from shadersort.streams.levels import Levels, Stack
from shadersort.streams.summary import Timed

SORTED = 32  # the length of a sorted window is about this many times 1/ε
LITTLE = 1.25  # levels may need up to this multiple of the least possible memory
WEIGHT = 3  # the memory of an entry, in values
UNPAIRED = -1  # the stage of a copy of a block that waits for its pair


class WindowLevels(ABC):
    """The levels for a window and an error: at most ε·max(n, shortest) for the last n values."""

    SMALLEST: ClassVar[int]  # blocks of fewer values would cost more time than they save memory
    IN_ERROR: ClassVar[int]  # how many blocks of level j fit in εn values, at least

    count: int  # levels
    spread: int  # K
    recent: int  # how many of the newest sorted values are kept as they are

    def __init__(self, epsilon: Fraction, window: int, shortest: int, smallest: int) -> None:
        self.epsilon, self.window, self.shortest = epsilon, window, shortest
        self.smallest = smallest  # z; 0 if there are no levels, and all values are kept

    @property
    @abstractmethod
    def entries(self) -> int:
        """How many entries all blocks have together, at most."""

    @abstractmethod
    def level_for(self, n: int) -> int:
        """Return j, the level of the smallest blocks at the old end of the last n values."""

    def compress(self, level: int, stack: Any) -> Any:
        """Return a stack of merged blocks as it is kept on a level."""
        return stack

    def size(self, level: int) -> int:
        """Return the values in a block of a level."""
        return self.smallest << level

    @cached_property
    def sorted_level(self) -> int:
        """The highest level whose blocks are made by sorting."""
        wanted = ceil(SORTED / self.epsilon / self.smallest) if self.smallest else 1
        return min(self.count - 1, (wanted - 1).bit_length())

    @property
    def batch(self) -> int:
        """Values in a window that is sorted."""
        return self.size(self.sorted_level) if self.count else min(1024, self.window)

    @property
    def memory(self) -> int:
        """The most memory that everything needs, in values."""
        return self.recent + self.batch + WEIGHT * self.entries

    def highest(self, smallest: int) -> int:
        """Return the level of the largest blocks of an answer, given that of the smallest."""
        return min(smallest + self.spread, self.count - 1)

    def cover(self, start: int, stop: int, smallest: int) -> Iterator[tuple[int, int]]:
        """Yield levels and numbers of the blocks that cover a part of the stream, oldest first."""
        while start < stop:
            level = self.highest(smallest)
            while start % self.size(level) or start + self.size(level) > stop:
                level -= 1
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


L = TypeVar("L", bound=WindowLevels)
S = TypeVar("S", bound=Stack)
Place = tuple[int, int]
"""A level, and a stage in which blocks of it are held."""


@dataclass(frozen=True, eq=False)
class WindowBlocks(ABC, Generic[L, S]):
    """The blocks of a sliding window; a value that is replaced, never changed."""

    levels: L
    position: int  # how many values of the stream lie in blocks
    held: Mapping[Place, S]  # by level and stage, oldest first

    @classmethod
    def empty(cls, levels: L, dtype: np.dtype[Any]) -> Self:
        """Return no blocks, of values of a type."""
        return cls(levels, 0, {})


class AgeingBlocks(WindowBlocks[L, S]):
    """Blocks that move on to the next stage of their level as they grow older."""

    @abstractmethod
    def _age(self, held: dict[Place, S], level: int, new: S | None, position: int) -> None:
        """Add the new blocks of a level to those held, and let all grow older, up to a position."""

    def with_sorted(self, stacks: list[S], timed: Timed) -> Self:
        """Return the blocks with new ones added, given those of all levels that are sorted."""
        top = len(stacks) - 1
        position = self.position + len(stacks[top]) * self.levels.size(top)
        held = {place: each for place, each in self.held.items() if place[1] != UNPAIRED}
        waiting = {level: each for (level, stage), each in self.held.items() if stage == UNPAIRED}
        unpaired = Levels(self.levels.compress, waiting, self.levels.count - 1)
        unpaired, new = unpaired.with_stack(top, stacks[top], timed)
        new.update(enumerate(stacks))
        with timed("compress"):
            for level in range(self.levels.count):
                self._age(held, level, new.get(level), position)
        held.update(((level, UNPAIRED), each) for level, each in unpaired.buckets.items())
        return type(self)(self.levels, position, held)
