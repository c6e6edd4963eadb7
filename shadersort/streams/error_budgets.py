"""Budgets: how much of the error each level of an exponential histogram may spend.

A summary of error ε has 2εN to spend on the D of `ranked.py`, N being the number of values. Half of
it goes to the windows: of every window of s⌈1/ε⌉ values, each s-th is kept. The other half is
shared out among the levels, and it does not matter how, as long as the shares sum to no more than
one: a bucket of level b, 2^b windows, has been compressed at most once on each level up to b.

The first levels have no share, as there compressing would not pay. With L levels after these:

- the paper's own schedule, where the length of the stream is known: 1 / (L + 1) for each of them. A
  level holds (L + 1)/ε entries, so all together L(L + 1)/ε;
- the share that this leaves goes to the levels after them, for streams longer than was expected: of
  it, the j-th has a / ((j + a − 1)(j + a)), and all these sum to one, however many there are. So
  the entries of a level grow with the square of j, and those of all levels with its third power;
- a stream of unknown length has no level whose number was known: L = 0.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil

import numpy as np
import numpy.typing as npt

__all__ = ["STEP", "Budgets", "budgets"]

STEP = 64
"""Of every so many values of a window one is kept: the more, the less there is to merge."""
FREE = 3
"""The levels up to this one are not compressed: they hold less than they might."""
SLOWLY = 8
"""How slowly shares shrink from level to level, where the number of levels is not known."""


@dataclass(frozen=True)
class Budgets:
    """How a summary of some error compresses.

    Attributes
    ----------
    epsilon
        The error.
    step
        Of a window, the first value is kept, and each whose rank is a multiple of this one.
    window
        Values in a window.
    known
        How many levels that compress the expected stream has; 0 if nothing is expected.
    """

    epsilon: Fraction
    step: int
    window: int
    known: int

    def share(self, level: int) -> Fraction:
        """Return which part of what is for compressing belongs to a level; the windows are level 0.

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
    def ranks(self) -> npt.NDArray[np.int64]:
        """The ranks, from 0, that are kept of a window: the first, and every `step`-th.

        Always the same array, so that a sorter may keep what it makes of it.

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

    @lru_cache(maxsize=256)  # noqa: B019  # budgets are few, and live as long as the process
    def compression(self, level: int) -> int:
        """Return the step by which a level is compressed; 1 keeps all.

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


@lru_cache(maxsize=64)
def budgets(epsilon: float, expected: int | None = None, step: int = STEP) -> Budgets:
    """Return the budgets of an error; `expected` is the length of the stream, if it is known."""
    exact = Fraction(epsilon)
    window = step * ceil(1 / exact)
    highest = ((expected or 0) // window).bit_length() - 1
    return Budgets(exact, step, window, max(0, highest - FREE))


def _telescoping(j: int) -> Fraction:
    """Return the j-th of shares that sum to one: a/(j + a − 1) − a/(j + a)."""
    return Fraction(SLOWLY, (j + SLOWLY - 1) * (j + SLOWLY))
