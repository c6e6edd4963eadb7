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

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import ClassVar, Self

from shadersort.streams.sliding.arasu_manku_levels import WindowLevels


class PrintedLevels(WindowLevels):
    """The levels of a sliding window as printed, for quantiles and for frequencies."""

    sorted_level = 0  # each level sorts for itself, when a block of level 0 is full
    PARTS: ClassVar[int] = 1  # ε_l is divided by this number for a block that is not complete yet

    def __init__(self, epsilon: Fraction, window: int, shortest: int, smallest: int) -> None:
        super().__init__(epsilon, window, shortest, smallest)
        self.top = (floor((4 / epsilon) ** 2 / 2).bit_length() + 1) // 2  # L: log(4/ε), rounded
        blocks = window // smallest if smallest else 0  # of level 0, in a window
        self.count = min(self.top + 1, blocks.bit_length())
        self.spread, self.recent = self.top, window
        if self.count:  # a block of level 0, or values that wait until a window is full
            waiting = (min(self.length(i), self.size(i)) for i in range(self.count))
            self.recent = max(self.size(0), *waiting)

    def error(self, level: int) -> Fraction:
        """Return ε_l."""
        return self.epsilon * Fraction(1 << (self.top - level), 2 * (2 * self.top + 2))

    @lru_cache(maxsize=256)  # noqa: B019  # levels are few and stay until the process ends
    def length(self, level: int) -> int:
        """Return how many values of a level are sorted together."""
        return ceil(self.PARTS / self.error(level))

    @property
    def entries(self) -> int:
        """How many entries all blocks have together, at most: one for each value."""
        return sum(self.window + self.size(level) for level in range(self.count))

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
