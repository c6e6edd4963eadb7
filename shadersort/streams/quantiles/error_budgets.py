"""How much of the error each level of an exponential histogram may spend.

A summary of N values with error ε may have a largest gap D of 2εN (D: see `gk_summaries.py`).
Half of it is spent on the windows: every s-th value of a window of s⌈1/ε⌉ values is kept. The other
half is divided among the levels. Any shares will do whose sum is at most one, because a bucket of
level b, 2^b windows, has been compressed at most once on each level up to b.

The first levels have no share, because compressing them would not pay. L levels follow:

- If the length of the stream is known, L is as well, and each level has 1 / (L + 1). A level then
  holds (L + 1)/ε entries, and all levels together L(L + 1)/ε. (Govindaraju et al. 2005, section
  5.2, divide equally as well, but print an error of ε/2 + εb / (⌈log n⌉ + 1) for bucket b. That is
  twice as much a level, and would come to almost 3ε/2 in the end: `error_budgets_as_printed.py`.)
- The remaining 1 / (L + 1) is for the levels after these, in case the stream is longer. The j-th
  of them has a / ((j + a − 1)(j + a)) of it; all these parts together are at most one. The entries
  of a level then grow with the square of j, and all entries with its third power.
- If the length is not known, L is 0.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil

import numpy as np

from shadersort.keys.types import Integers
from shadersort.streams.quantiles.gk_summaries import GKStack

STEP = 64
"""One of every 64 values of a window is kept: the larger this step, the less is merged."""
FREE = 3
"""The levels up to this one are not compressed: they hold fewer entries than they may."""
SLOWLY = 8
"""a: how slowly shares shrink from level to level if the number of levels is not known."""


@dataclass(frozen=True)
class Budgets:
    """How a summary of some error compresses.

    Attributes
    ----------
    epsilon
        The error.
    step
        The first value of a window is kept, and every value whose rank is a multiple of this.
    window
        Values in a window.
    known
        L: how many levels with a share the expected stream has; 0 if no length is expected.
    """

    epsilon: Fraction
    step: int
    window: int
    known: int

    def share(self, level: int) -> Fraction:
        """Return the share of a level in the error for compressing; windows are level 0.

        Examples
        --------
        >>> known = budgets(0.01, 10**6)
        >>> [str(known.share(level)) for level in (3, 4, 7, 8)]
        ['0', '1/5', '1/5', '1/45']
        """
        compressing = level - FREE
        if compressing < 1:
            return Fraction(0)
        each, later = Fraction(1, self.known + 1), compressing - self.known
        return each if later < 1 else each * _telescoping(later)

    @cached_property
    def ranks(self) -> Integers:
        """The ranks, from 0, of the values of a window that are kept: the first, every `step`-th.

        This is always the same array, so a sorter may cache its copy on a GPU.

        Examples
        --------
        >>> budgets(0.5).ranks
        array([  0,  63, 127])
        """
        every = np.arange(self.step - 1, self.window, self.step)
        ranks = every if self.step == 1 else np.append(0, every)
        ranks.setflags(write=False)
        return ranks

    def size(self, level: int) -> int:
        """Return how many values a bucket of a level stands for."""
        return self.window << level

    @lru_cache(maxsize=256)  # noqa: B019  # budgets are few and stay until the process ends
    def compression(self, level: int) -> int:
        """Return the step by which a level is compressed; 1 keeps all entries.

        Examples
        --------
        >>> [budgets(0.01).compression(level) for level in (0, 3, 4, 5, 6)]
        [1, 1, 114, 183, 298]
        """
        step = 1 + int(self.epsilon * self.share(level) * self.size(level))
        whole = 2 * self.entries(level - 1) if level else 0
        return step if (self.size(level) - 1) // step + 2 < whole else 1

    @lru_cache(maxsize=256)  # noqa: B019
    def entries(self, level: int) -> int:
        """Return how many entries a bucket of a level has.

        Examples
        --------
        >>> [budgets(0.01).entries(level) for level in (0, 3, 4, 5, 6)]
        [101, 808, 900, 1121, 1376]
        """
        if level == 0:
            return self.window // self.step + (self.step > 1)
        if (step := self.compression(level)) > 1:
            return (self.size(level) - 1) // step + 2
        return 2 * self.entries(level - 1)

    def compressed(self, level: int, stack: GKStack) -> GKStack:
        """Return a stack of merged buckets as it is kept on a level."""
        step = self.compression(level)
        return stack.compressed(self.size(level), step) if step > 1 else stack


@lru_cache(maxsize=64)
def budgets(epsilon: float, expected: int | None = None, step: int = STEP) -> Budgets:
    """Return the budgets for an error; `expected` is the length of the stream, if known."""
    exact = Fraction(epsilon)
    window = step * ceil(1 / exact)
    highest = ((expected or 0) // window).bit_length() - 1
    return Budgets(exact, step, window, max(0, highest - FREE))


def _telescoping(j: int) -> Fraction:
    """Return the j-th of shares that sum to one: a/(j + a − 1) − a/(j + a)."""
    return Fraction(SLOWLY, (j + SLOWLY - 1) * (j + SLOWLY))
