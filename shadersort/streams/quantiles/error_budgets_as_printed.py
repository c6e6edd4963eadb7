"""How an exponential histogram compresses as the paper of 2005 prints it: section 5.2.

What is printed, and the reading taken where the text leaves a choice:

- The length of the stream is known: N, `expected`. **n of ⌈log n⌉ is this N**, and the logarithm
  is of base 2. (n is not defined there. The number of windows would do as well; it is smaller.)
- A window of S values keeps the elements of rank 1, εS, 2εS, …, S, which is ε/2-approximate. The
  length of a window is not printed; **it is ⌈1/ε⌉, as in section 5.1**, so every element is kept,
  and a window adds no error at all.
- A window gets the bucket id 1. Two buckets of id b become one of id b + 1: they are merged, and
  pruned "using an error parameter for (bucket id + 1)". The error of id b is
  ε/2 + εb/(⌈log n⌉ + 1). **So pruning may add the difference between two ids, ε/(⌈log n⌉ + 1).**
- Pruning is the compression printed for sensor networks, which keeps B + 1 elements and adds
  1/(2B): the elements nearest to the ranks 1, S/B, 2S/B, …, S. **So B = (⌈log n⌉ + 1)/(2ε).** (B =
  ε/(2h) is printed there, less than one element; h/ε is meant.) Summaries of up to B + 1 elements
  stay as they are, because pruning would not make them smaller.

**The error.** The printed one is more than ε for the highest ids: almost 3ε/2. With these windows
it is never spent: they add no error, and id b has been pruned at most b − 1 times, so its error is
ε(b − 1)/(⌈log n⌉ + 1), apart from the rounding of ranks. `gap` has the exact bound. So ranks are
within εN as long as no more than N values come; after that the error grows with every id, and is
soon more than ε of all values. `docs/errata.md` has a stream for it.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor

import numpy as np

from shadersort.keys.types import Integers
from shadersort.streams.quantiles.gk_stacks import all_on_host
from shadersort.streams.quantiles.gk_summaries import GKStack


@dataclass(frozen=True)
class PrintedBudgets:
    """How a summary of some error compresses, as printed; a bucket of id b is of level b − 1.

    Attributes
    ----------
    epsilon
        The error.
    expected
        N, the length of the stream.
    window
        Values in a window.
    """

    epsilon: Fraction
    expected: int
    window: int

    @property
    def buckets(self) -> int:
        """⌈log n⌉: how many buckets the histogram has, as printed."""
        return (self.expected - 1).bit_length()

    @cached_property
    def pruned(self) -> int:
        """B: a pruned summary has one element more.

        Examples
        --------
        >>> printed_budgets(0.01, 10**6).pruned
        1050
        """
        return ceil((self.buckets + 1) / (2 * self.epsilon))

    def error(self, bucket: int) -> Fraction:
        """Return the printed error of a bucket, by its id.

        Examples
        --------
        >>> [str(printed_budgets(0.5, 1 << 15).error(bucket)) for bucket in (1, 8, 15)]
        ['9/32', '1/2', '23/32']
        """
        return self.epsilon / 2 + self.epsilon * bucket / (self.buckets + 1)

    @cached_property
    def ranks(self) -> Integers:
        """The ranks, from 0, of the values of a window that are kept: 1, εS, 2εS, …, S from 1.

        Examples
        --------
        >>> printed_budgets(0.25, 100).ranks, PrintedBudgets(Fraction(1, 4), 100, 10).ranks
        (array([0, 1, 2, 3]), array([0, 1, 4, 6, 9]))
        """
        step = self.epsilon * self.window
        count = floor(self.window / step)
        kept = {0, self.window - 1, *(max(1, floor(step * i)) - 1 for i in range(1, count + 1))}
        ranks = np.array(sorted(kept))
        ranks.setflags(write=False)
        return ranks

    @cached_property
    def kept(self) -> int:
        """How many values of a window are kept: a count that needs no list of their ranks.

        Examples
        --------
        >>> printed_budgets(0.25, 100).kept, printed_budgets(2**-40, 100).kept
        (4, 1099511627776)
        """
        step = self.epsilon * self.window
        if step <= 1:
            return self.window
        last = floor(step * floor(self.window / step))
        return floor(self.window / step) + (step >= 2) + (last < self.window)

    def size(self, level: int) -> int:
        """Return how many values a bucket of a level stands for."""
        return self.window << level

    @lru_cache(maxsize=256)  # noqa: B019  # budgets are few and stay until the process ends
    def entries(self, level: int) -> int:
        """Return how many entries a bucket of a level has.

        Examples
        --------
        >>> [printed_budgets(0.01, 10**6).entries(level) for level in (0, 1, 3, 4, 5)]
        [100, 200, 800, 1051, 1051]
        """
        return min(2 * self.entries(level - 1), self.pruned + 1) if level else self.kept

    def prunes(self, level: int) -> bool:
        """Whether merged buckets of a level are pruned."""
        return level > 0 and self.entries(level) < 2 * self.entries(level - 1)

    def gap(self, level: int) -> int:
        """Return the largest D (see `gk_summaries.py`) that a bucket of a level can have."""
        if not level:
            return int(np.diff(self.ranks).max(initial=1)) - 1
        merged = 2 * self.gap(level - 1)
        if not self.prunes(level):
            return merged
        return -(-self.size(level) // self.pruned) - 1 + 2 * ((merged + 1) // 2)

    def compressed(self, level: int, stack: GKStack) -> GKStack:
        """Return a stack of merged buckets as it is kept on a level; pruned ones on the host."""
        if not (len(stack) and self.prunes(level)):
            return stack
        return all_on_host({level: stack})[level].pruned(self.size(level), self.pruned)


@lru_cache(maxsize=256)
def printed_budgets(epsilon: Fraction | float, expected: int) -> PrintedBudgets:
    """Return the budgets for an error and the length of the stream."""
    exact = Fraction(epsilon)
    return PrintedBudgets(exact, expected, ceil(1 / exact))
