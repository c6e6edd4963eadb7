"""The levels under a sliding window as the paper of 2005 prints them: section 5.3.

What is printed, and the reading taken where the text leaves a choice:

- There are L = log(4/ε) levels, and level l has the error ε_l = ε 2^(L − l) / (2(2L + 2)). **The
  logarithm is of base 2 and rounded to the nearest integer**, as in the paper's example: ε =
  4 · 10⁻⁶ with L ∼ 20 (19.93) and ε_0 = 0.05. **The levels are 0 to L**: the factor 2L + 2 stands
  for two blocks on each of L + 1 levels. If L was rounded up, a block of level L may be longer
  than the window and answer for nothing; then that level is left out.
- The length of a block is not printed. **It is that of Arasu and Manku 2004**: level l cuts the
  stream into blocks of 2^l ⌊εN/4⌋ values, for a window of N values. A block answers as long as all
  its values are among the last N.
- A block is an ε_l-approximate summary by the algorithms of sections 5.1 and 5.2. **So each level
  sorts its own windows**, and forgets them by `lossy_counting_as_printed.py` or by
  `exponential_histogram.py`, for the length of the block. Nothing is shared between levels.
- What is kept of a complete block is not printed. **Counts stay as they are; of quantiles the
  elements of rank 1, ε_l S, 2 ε_l S, …, S are kept**, as Arasu and Manku do. This adds ε_l/2, so
  the block is summarised with an error of ε_l/2 until then. (All of section 5.2's buckets together
  would be more entries than the window has values.)
- Nothing is printed about fewer values than a block of level 0 has. **So many of the newest are
  always kept themselves**, also when they lie in a complete block.

**The error.** To answer, blocks are laid over the window, at most two of each level; less than
εN/4 values at the old end are not covered, and the newest are kept themselves. A block of level l
is wrong by at most ε_l 2^l εN/4 = (2^L ε/4) εN/(2(2L + 2)), and 2L + 2 of them by (2^L ε/4) εN/2.
The factor 2^L ε/4 is at most √2, as L is the nearest integer, so all this is less than 0.96 εN. N
is the length of the window, also where the answer is for fewer values.

The windows of low levels are short, those of high levels long. As the paper does, `BySizeSorter`
sorts short ones on the CPU and long ones on the GPU.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor
from typing import ClassVar, Generic, Self, TypeVar

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.levels import Stack
from shadersort.streams.sliding.arasu_manku_levels import WindowLevels
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Timed


@dataclass(frozen=True)
class PrintedLevels(WindowLevels):
    """The levels of a sliding window as printed, for quantiles and for frequencies.

    Examples
    --------
    >>> levels = PrintedLevels.chosen(0.01, 10**6, 10**6)
    >>> levels.count, levels.size(0), levels.length(0), levels.size(8), levels.length(8)
    (9, 2500, 8, 640000, 2000)
    """

    PARTS: ClassVar[int] = 1
    """ε_l is divided by this number for a block that is not complete yet."""

    @property
    def top(self) -> int:
        """L: log(4/ε), rounded to the nearest integer.

        Examples
        --------
        >>> [PrintedLevels.chosen(epsilon, 10**6, 10**6).top for epsilon in (4e-6, 0.01, 0.015)]
        [20, 9, 8]
        """
        return (floor((4 / self.epsilon) ** 2 / 2).bit_length() + 1) // 2

    @property
    def count(self) -> int:
        """How many levels have blocks: none if εN is less than 4, and all values are kept."""
        blocks = self.window // self.smallest if self.smallest else 0  # of level 0, in a window
        return min(self.top + 1, blocks.bit_length())

    @property
    def spread(self) -> int:
        """How many levels are above the lowest."""
        return self.top

    def error(self, level: int) -> Fraction:
        """Return ε_l.

        Examples
        --------
        >>> [str(PrintedLevels.chosen(0.25, 1000, 1000).error(level)) for level in range(5)]
        ['1/5', '1/10', '1/20', '1/40', '1/80']
        """
        return self.epsilon * Fraction(1 << (self.top - level), 2 * (2 * self.top + 2))

    def length(self, level: int) -> int:
        """Return how many values of a level are sorted together."""
        return ceil(self.PARTS / self.error(level))

    @cached_property
    def recent(self) -> int:
        """How many of the newest values are kept: a block of level 0, and those that wait.

        Values wait until a window of their level is full.
        """
        if not self.count:
            return self.window
        waiting = max(min(self.length(i), self.size(i)) for i in range(self.count))
        return max(waiting, self.size(0))

    @property
    def entries(self) -> int:
        """How many entries all blocks have together, at most: one for each value."""
        return sum(self.window + self.size(level) for level in range(self.count))

    @property
    def batch(self) -> int:
        """Values that are absorbed at once."""
        return self.smallest or min(1024, self.window)

    def level_for(self, n: int) -> int:
        """Return the level of the smallest blocks at the old end of the window."""
        return 0

    def active(self, level: int, position: int) -> int:
        """Return the number of the oldest block that lies in the window at a position."""
        return max(0, -(-(position - self.window) // self.size(level)))

    @classmethod
    @lru_cache(maxsize=64)
    def chosen(cls, epsilon: float, window: int, shortest: int) -> Self:
        """Return the levels for an error and a window; only one block length is printed."""
        error = Fraction(epsilon)
        return cls(error, window, shortest, floor(error * window / 4))


class PrintedQuantileLevels(PrintedLevels):
    """The levels of a sliding window for quantiles: complete blocks spend half of ε_l."""

    PARTS = 2


S = TypeVar("S", bound=Stack)
B = TypeVar("B")


@dataclass(frozen=True, slots=True, eq=False)
class PrintedBlocks(ABC, Generic[S, B]):
    """The blocks of all levels; a value that is replaced, never changed.

    Attributes
    ----------
    levels
        The levels.
    position
        How many values of the stream lie in blocks, complete or not.
    held
        By level: the complete blocks that lie in the window, oldest first.
    begun
        By level: the summary of the block that is not complete, without the values that wait for
        their window.
    """

    levels: PrintedLevels
    position: int
    held: Mapping[int, S]
    begun: Mapping[int, B]

    @abstractmethod
    def _nothing(self, level: int) -> B:
        """Return the summary of a block of a level before its first value."""

    @abstractmethod
    def _grown(self, begun: B, windows: Keys, sorter: Sorter, timed: Timed) -> B:
        """Return the summary of a block with windows added."""

    @abstractmethod
    def _completed(self, begun: B, rest: Keys, level: int, number: int) -> S:
        """Return a complete block, given its summary and its last values, which fill no window."""

    @abstractmethod
    def _whole(self, values: Keys, level: int, number: int, sorter: Sorter, timed: Timed) -> S:
        """Return complete blocks, given their values row by row and the number of the first."""

    @abstractmethod
    def _joined(self, blocks: list[S]) -> S:
        """Return blocks that follow each other as one stack."""

    def with_values(self, before: Keys, values: Keys, sorter: Sorter, timed: Timed) -> Self:
        """Return the blocks with values added, given the newest values before these."""
        newest = np.concatenate([before, values])
        held, begun = dict(self.held), dict(self.begun)
        position = self.position + len(values)
        for level in range(self.levels.count):
            size = self.levels.size(level)
            waiting = self.position % size % self.levels.length(level)
            coming = newest[len(before) - waiting :]
            blocks, begun[level] = self._built(level, coming, sorter, timed)
            together = self._joined([held[level], *blocks])
            outside = self.levels.active(level, position) - (position // size - len(together))
            held[level] = together[outside:]
        return replace(self, position=position, held=held, begun=begun)

    def _built(self, level: int, values: Keys, sorter: Sorter, timed: Timed) -> tuple[list[S], B]:
        """Return the blocks of a level that values complete, and the one that is begun then."""
        size, length = self.levels.size(level), self.levels.length(level)
        position = self.position - self.position % size % length
        blocks, begun = list[S](), self.begun[level]
        room = -position % size
        if room:
            head, values = values[:room], values[room:]
            begun, rest = self._grown_by(begun, head, length, sorter, timed)
            if len(head) < room:
                return blocks, begun
            blocks.append(self._completed(begun, rest, level, position // size))
            begun = self._nothing(level)
        whole = len(values) // size
        if whole:
            rows, number = values[: whole * size].reshape(whole, size), (position + room) // size
            blocks.append(self._whole(rows, level, number, sorter, timed))
        return blocks, self._grown_by(begun, values[whole * size :], length, sorter, timed)[0]

    def _grown_by(
        self, begun: B, values: Keys, length: int, sorter: Sorter, timed: Timed
    ) -> tuple[B, Keys]:
        """Return the summary of a block with all full windows added, and the values after them."""
        full = len(values) // length * length
        if full:
            begun = self._grown(begun, values[:full].reshape(-1, length), sorter, timed)
        return begun, values[full:]
