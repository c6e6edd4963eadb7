"""How much of its error a summary of pairs may spend on each level of its buckets.

A summary of N values with error ε may have a largest gap D of 2εN (D: see `gk_summaries.py`).
Half of it is spent on the windows: every s-th value of a window of s⌈1/ε⌉ values is kept. The other
half is divided among the levels. Any shares will do whose sum is at most one, because a bucket of
level b, 2^b windows, has been compressed at most once on each level up to b.

The first levels have no share, because compressing them would not pay. The j-th level after these
has a / ((j + a − 1)(j + a)), and all these shares together are at most one, however long the stream
is. The entries of a level then grow with the square of j, and all entries with its third power.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from shadersort.streams.correlated.mass_summaries import MassSummaries

STEP = 64
"""One of every 64 values of a window is kept: the larger this step, the less is merged."""
FREE = 3
"""The levels up to this one are not compressed: they hold fewer entries than they may."""
SLOWLY = 8
"""a: how slowly shares shrink from level to level."""


@dataclass(frozen=True)
class Budgets:
    """How a summary of some error compresses its buckets; windows are those of level 0.

    Examples
    --------
    >>> budgets = Budgets(Fraction(0.01))
    >>> [str(budgets.share(level)) for level in (3, 4, 5)]
    ['0', '1/9', '4/45']
    >>> [(budgets.step(level), budgets.entries(level)) for level in (0, 1, 3, 4)]
    [(64, 201), (1, 402), (1, 1608), (114, 1800)]
    """

    epsilon: Fraction

    @cached_property
    def window(self) -> int:
        """Values in a window."""
        return STEP * ceil(1 / self.epsilon)

    def size(self, level: int) -> int:
        """Return how many values a bucket of a level stands for."""
        return self.window << level

    def share(self, level: int) -> Fraction:
        """Return the share of a level in the error for compressing."""
        j = level - FREE
        return Fraction(SLOWLY, (j + SLOWLY - 1) * (j + SLOWLY)) if j > 0 else Fraction(0)

    def step(self, level: int) -> int:
        """Return the step between the ranks that a level keeps; 1 keeps all entries."""
        return 1 + int(self.epsilon * self.share(level) * self.size(level)) if level else STEP

    def slots(self, level: int) -> int:
        """Return the number of equal parts of the masses, of each of which an entry is kept."""
        return ceil(1 / (self.epsilon * (self.share(level) or 1)))

    def entries(self, level: int) -> int:
        """Return how many entries a bucket of a level has."""
        if 0 < level <= FREE:
            return self.entries(0) << level
        return (self.size(level) - 1) // self.step(level) + 2 + self.slots(level)

    def compress(self, level: int, stack: MassSummaries) -> MassSummaries:
        """Spend the share of a level on the counts, as every summary, and as much on the masses."""
        if level <= FREE:
            return stack
        return stack.compress(self.size(level), self.step(level), self.slots(level))
