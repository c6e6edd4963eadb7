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
from functools import cached_property, lru_cache
from math import ceil

STEP = 64
"""One of every 64 values of a window is kept: the larger this step, the less is merged."""
FREE = 3
"""The levels up to this one are not compressed: they hold fewer entries than they may."""
SLOWLY = 8
"""a: how slowly shares shrink from level to level."""


@dataclass(frozen=True)
class Budgets:
    """How a summary of some error compresses."""

    epsilon: Fraction
    step: int = STEP  # the first value of a window is kept, and each whose rank is a multiple

    @cached_property
    def window(self) -> int:
        """Values in a window."""
        return self.step * ceil(1 / self.epsilon)

    def size(self, level: int) -> int:
        """Return how many values a bucket of a level stands for; windows are level 0."""
        return self.window << level

    def share(self, level: int) -> Fraction:
        """Return the share of a level in the error for compressing.

        Examples
        --------
        >>> [str(budgets(0.01).share(level)) for level in (3, 4, 5)]
        ['0', '1/9', '4/45']
        """
        j = level - FREE
        return Fraction(SLOWLY, (j + SLOWLY - 1) * (j + SLOWLY)) if j > 0 else Fraction(0)

    def compression(self, level: int) -> int:
        """Return the step by which a level is compressed; 1 keeps all entries.

        Examples
        --------
        >>> [budgets(0.01).compression(level) for level in (0, 3, 4, 5, 6)]
        [1, 1, 114, 183, 298]
        """
        return 1 + int(self.epsilon * self.share(level) * self.size(level))


@lru_cache(maxsize=64)
def budgets(epsilon: float) -> Budgets:
    """Return the budgets for an error."""
    return Budgets(Fraction(epsilon))
