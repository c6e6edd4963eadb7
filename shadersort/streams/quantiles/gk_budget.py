"""How much error a list of entries may have, and how much room it and the waiting values have.

All is computed with integers, so every machine decides alike. As `greenwald_khanna.py` says:

- The largest gap may be 2⌊εn⌋: then every answer is right to within εn.
- A list takes only half of that, `SHARES[0]`, as long as it needs at most half of its room. The
  other half is a reserve: for merging, where errors add, and for streams that need more entries.
- List and waiting values together have room for (2/ε)·log₂(εn) + 2/ε entries. The list is made
  smaller before it leaves fewer than 4/ε of them. `docs/summaries.md` proves that this works.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

SHARES = Fraction(1, 2), Fraction(3, 4), Fraction(1)
"""The shares of the allowed error that a list takes, one after the other, if it is too long."""
PARTS = 16
"""Logarithms are rounded down to a 16th."""
BATCH, LARGEST_BATCH, EACH = 1 << 20, 1 << 26, 256
"""Limits of the values that are sorted at once: a batch has at least `EACH` for each 1/ε, because a
list has about 1/ε entries."""
BATCHES, FEWER, MANY = 8, 4, 1 << 26
"""A long update has `BATCHES` batches, or `FEWER` if it has `MANY` values: threads of a CPU end at
about the same time with more, and a GPU, for which updates are longer, needs less time for fewer.
"""


@dataclass(frozen=True, slots=True)
class ListBudget:
    """The room and the error of a summary with error ε = numerator / denominator."""

    numerator: int
    denominator: int
    unit: int  # ⌈1/ε⌉
    first: int  # values of the first window, ⌊8/ε⌋: fewer are kept as they are

    def gap(self, n: int) -> int:
        """Return the largest gap that is allowed among n values: 2⌊εn⌋."""
        return 2 * (n * self.numerator // self.denominator)

    def limit(self, before: int, n: int, held: int) -> int:
        """Return the limit among n values, given that among the first of them.

        It is the smallest of the shares that is at least `held`. A smaller share than before has to
        be larger by 4, as any limit is after a window, so that few values become entries.
        """
        then, now = (2 * (size * self.numerator // self.denominator) for size in (before, n))
        for part in SHARES[:-1]:
            found = now * part.numerator // part.denominator
            if found >= held + 4 or found >= held <= then * part.numerator // part.denominator:
                return found
        return now

    def room(self, n: int) -> int:
        """Return how many entries there may be: (2/ε)·log₂(εn) + 2/ε, or a little less.

        Examples
        --------
        >>> list_budget(0.01).room(10**7)
        3512
        """
        power: int = max(8, n * self.numerator // self.denominator) ** PARTS
        parts = power.bit_length() - 1  # 16·log₂(εn), rounded down
        return 2 * (parts + PARTS) * self.denominator // (PARTS * self.numerator)

    def batches(self, count: int) -> list[tuple[int, int]]:
        """Return the begin and the end of each batch of many values, as equal as can be.

        The last of four or more is divided: nothing is copied while it is sorted, so it is short.
        """
        wanted = min(-(-count // (BATCHES if count < MANY else FEWER)), LARGEST_BATCH)
        parts = -(-count // max(BATCH, EACH * self.unit, wanted))
        ends = [count * part // parts for part in range(parts + 1)]
        if parts >= 4:
            ends.insert(-1, count - (count - ends[-2]) // 4)
        return list(pairwise(ends))


@lru_cache(maxsize=64)
def list_budget(epsilon: float) -> ListBudget:
    """Return the budget for an error bound."""
    numerator, denominator = epsilon.as_integer_ratio()
    unit, first = -(-denominator // numerator), 8 * denominator // numerator
    return ListBudget(numerator, denominator, unit, first)
