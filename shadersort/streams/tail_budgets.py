"""How an exponential histogram compresses for relative errors: ranks that are sharp in a tail.

The gap after an entry (see `greenwald_khanna.py`) is the uncertainty V of how many values come
before a point between two entries. A summary with error εN allows every gap the same V. Here the
allowance of a gap grows with the number of values that are certainly beyond it, in the tail: those
above it for the upper tail, those below it for the lower tail, the fewer of both for both tails.
So the last values of the tail are all kept, and entries become rarer with the distance from it.
Zhang and Wang 2007 ("An efficient algorithm for approximate biased quantile computation in data
streams") build such a summary as an exponential histogram; shares and compression here are ours.

**The invariant.** In a bucket of level b, every gap with b values beyond it has

    V = 0,  or  V + 1 ≤ c·beyond  with  c = 2ε · share(level),

unless both entries have the same value: no point lies between them.

- *Merging keeps it.* A gap of a union is the sum of one gap of each summary, and so is the number
  of values beyond it. The share of the larger level is allowed to both. A gap between different
  values is the sum of such gaps.
- *Compressing* removes entries as long as the gaps that arise keep the invariant of the next level,
  whose share is larger. It goes through the entries from the largest down, and after each that it
  keeps it keeps the smallest one that is allowed, which is the best choice: see `chains.py`. So of
  equal entries at most the first and the last stay.
- *The answers.* All shares are below 1, so every gap of all buckets together has (V + 1)/2 ≤
  ε·beyond. `rank` answers the middle of V, so it is off by at most ε·beyond. For a quantile of rank
  r with m values beyond let h = ⌊εm⌋; by the argument of `RankBounds.at` an entry has both bounds
  of its rank within h of r, since the gap where the largest ranks pass r + h has V ≤ 2h: it is an
  integer, and at most 2ε·beyond − 1 < 2h + 1. If that gap is between equal values, one of these is
  the answer. Some of them have ranks of at most r + h: those before the gap. Some have ranks of at
  least r − h: otherwise the gap after the last of them, whose largest rank is beyond r + h, would
  have V > 2h. As equal values have all ranks in between, the answer is within h of r.

**The size.** Let e and f be neighbours that were kept, and d the entry before e. Removing e was not
allowed: for the upper tail, (largest rank of f) − (smallest rank of d) > c'·beyond(f). The gap
between d and e obeyed the smaller c. Together they say that beyond(e) / beyond(f) is at least
1 + δ, with δ = (c' − c)/(1 + c). So a bucket of n values has at most about (2 + ln δn)/δ entries,
and there are log(εn) buckets. If d and e have one value, the same holds of the entry that is kept
before e, in the place of e: then there may be twice as many entries, but no more than two of each
value. In practice there are far fewer, because neighbours that are merged
seldom both have the largest gap.

Allowances are computed in floats, and rounded so that they are never too large.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from math import ceil, log
from typing import Any

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.names import Tail
from shadersort.streams.gk_stacks import all_on_host
from shadersort.streams.greenwald_khanna import GKStack, rank_type
from shadersort.streams.padded_summaries import PaddedSummaries

TAILS: tuple[Tail, ...] = ("upper", "lower", "both")
"""The ends of a distribution near which ranks can be sharp."""
STEP = 64
"""A window has 64⌈1/ε⌉ values."""
FIRST = Fraction(2, 5)
"""The share of the error that the windows have."""
SLOWLY = 12
"""How slowly the rest is given to the levels: half of it to the first five."""
CAREFUL = Fraction(1, 1 << 50)
"""Allowances are smaller by this part, which is more than their rounding."""


@dataclass(frozen=True)
class TailBudgets:
    """How a summary of some relative error compresses.

    Attributes
    ----------
    epsilon
        The error.
    tail
        Near which end ranks are sharp: "upper", "lower" or "both".
    window
        Values in a window.
    """

    epsilon: Fraction
    tail: Tail
    window: int

    def size(self, level: int) -> int:
        """Return how many values a bucket of a level stands for."""
        return self.window << level

    def entries(self, level: int) -> int:
        """Return the most entries that a bucket of a level can have: see the size, above.

        There may be twice as many if values repeat.

        Examples
        --------
        >>> [tail_budgets(0.01).entries(level) for level in (0, 1, 10)]
        [750, 2912, 28373]
        """
        before, c = (self.allowed(at) if at >= 0 else Fraction(0) for at in (level - 1, level))
        delta = float((c - before) / (1 + before))
        most = (2 + log(max(1, delta * self.size(level)))) * (1 + delta) / delta
        return ceil(most * (2 if self.tail == "both" else 1)) + 2

    @lru_cache(maxsize=256)  # noqa: B019  # budgets are few and stay until the process ends
    def allowed(self, level: int) -> Fraction:
        """Return c: the largest uncertainty of a gap, as a share of the values beyond it.

        Examples
        --------
        >>> [round(float(tail_budgets(0.01).allowed(level)), 4) for level in (0, 1, 5, 50)]
        [0.008, 0.0098, 0.014, 0.0196]
        """
        left = Fraction(SLOWLY, SLOWLY + level)
        share = 1 - (1 - FIRST) * left * left
        return 2 * self.epsilon * share * (1 - CAREFUL)

    @cached_property
    def ranks(self) -> Integers:
        """The ranks, from 0, of the values of a window that are kept.

        This is always the same array, so a sorter may cache its copy on a GPU.

        Examples
        --------
        >>> tail_budgets(0.9).ranks
        array([  0,  20,  65,  91, 106, 115, 120, 123, 125, 126, 127])
        """
        kept = [self.window]
        while kept[-1] > 1:
            least = self.least(0, self.window, np, np.array(kept[-1:]))
            kept.append(max(1, int(least[0])))
        ranks = np.array(kept[::-1]) - 1
        ranks.setflags(write=False)
        return ranks

    def least(self, level: int, size: int, xp: Any, largest: Any) -> Any:
        """Return the smallest rank that the entry before each entry must have, if both are kept.

        Entries have the `largest` ranks, from 1, in sets of `size` values; `xp` is NumPy or CuPy.
        """
        c, most = self.allowed(level), largest - 1
        found = xp.zeros_like(largest)
        if self.tail != "lower":
            beyond = (size + 1) - largest
            found = xp.minimum(largest - xp.floor(beyond * float(c)).astype(np.int64), most)
        if self.tail != "upper":
            shrunk = xp.ceil(largest * float((1 + CAREFUL) / (1 + c))).astype(np.int64)
            found = xp.maximum(found, xp.minimum(shrunk, most))
        return found

    def equal(self, value: Keys, level: int) -> PaddedSummaries:
        """Return a bucket of a level, all of whose values are the one in an array.

        Examples
        --------
        >>> tail_budgets(0.9).equal(np.array([7]), 3).values
        array([[7, 7]])
        """
        if not level:
            every = np.repeat(value, len(self.ranks))[None]
            return PaddedSummaries.of_samples(every, self.ranks, self.window)
        size = self.size(level)
        lower = np.array([[1, size - 1]], rank_type(size))
        return PaddedSummaries(np.repeat(value, 2)[None], lower, lower[:, ::-1])

    def compressed(self, level: int, stack: GKStack) -> GKStack:
        """Return a stack of merged buckets as it is kept on a level."""
        if not len(stack):
            return stack
        here: Any = stack
        if not hasattr(here, "thinned"):  # a stack of another machine may do it there
            here = PaddedSummaries.of(all_on_host({level: stack})[level])
        size = self.size(level)
        thinned: GKStack = here.thinned(size, partial(self.least, level, size))
        return thinned

    def keeps(self, level: int, bucket: PaddedSummaries) -> bool:
        """Whether all gaps of a bucket of a level are as small as the invariant says."""
        least = self.least(level, self.size(level), np, bucket.before[:, 1:] + np.int64(1))
        equal = bucket.values[:, 1:] == bucket.values[:, :-1]
        return bool(np.all(equal | (bucket.smallest[:, :-1] >= least)))


@lru_cache(maxsize=64)
def tail_budgets(epsilon: float, tail: Tail = "upper") -> TailBudgets:
    """Return the budgets for a relative error near an end."""
    exact = Fraction(epsilon)
    return TailBudgets(exact, tail, STEP * ceil(1 / exact))
