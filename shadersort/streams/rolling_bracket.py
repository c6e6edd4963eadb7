"""The values of a window around one of its ranks: what an exact rolling quantile looks at.

A bracket holds all values of a window between two numbers, `low` and `high`, in order, and counts
the others. As long as the wanted rank lies inside, a step of the window changes a count, or adds or
removes one held value; the window itself is not read.

To make one, two numbers are guessed from a random sample, and the window is read once. The counts
prove that the rank is between them; where the guess was wrong, the whole window is sorted.
"""

from dataclasses import dataclass
from math import isqrt
from typing import Any, Self

import numpy as np

from shadersort.keys.in_order import in_order
from shadersort.keys.limits import limits
from shadersort.keys.types import Keys

SAMPLE = 1 << 13
"""Values of a sample."""
SORTED = 1 << 15
"""Windows up to this length are sorted: that takes less time than a sample."""


@dataclass(slots=True)
class Bracket:
    """Some values of a window in order, and how many others there are; NaNs do not count.

    Attributes
    ----------
    low, high
        Two values of the window, or the limits of their type.
    below, through, upto
        How many values of the window are less than `low`, at most `low`, and at most `high`.
    held
        `low`, all values between `low` and `high` in order, and `high`: an array until a value is
        added or removed, then a list, in which that takes less time.
    """

    low: Any
    high: Any
    below: int
    through: int
    upto: int
    held: Any

    @classmethod
    def around(cls, window: Keys, rank: int, half: int) -> Self:
        """Return a bracket with `half` ranks on either side of a rank, from 0.

        Examples
        --------
        >>> found = Bracket.around(np.array([5, 1, 4, 2, 3, 9]), 2, 1)
        >>> found.held, found.below, found.through, found.upto
        (array([2, 3, 4]), 1, 2, 4)
        """
        count = len(window)
        if window.dtype.kind == "f":
            count -= int(np.count_nonzero(np.isnan(window)))
        rank = max(0, min(rank, count - 1))
        first, last = rank - half, rank + half
        if count > SORTED:
            near, base = _between(window, *_guess(window, first / count, last / count))
            if base <= max(0, first) and base + len(near) > min(last, count - 1):
                return cls._within(near, base, first, last)
        near, base = _between(window, *limits(window.dtype))
        return cls._within(near, base, first, last)

    @classmethod
    def _within(cls, near: Keys, base: int, first: int, last: int) -> Self:
        """Return the bracket from one rank to another; `near` begins with the rank `base`."""
        least, most = limits(near.dtype)
        low = near[first - base] if first >= 0 else least
        high = near[last - base] if last - base < len(near) else most
        below, begins = (int(near.searchsorted(low, side)) for side in ("left", "right"))
        ends, upto = (int(near.searchsorted(high, side)) for side in ("left", "right"))
        held = np.concatenate([[low], near[begins:ends], [high]]).astype(near.dtype, copy=False)
        return cls(low, high, base + below, base + begins, base + upto, held)

    @property
    def inner(self) -> int:
        """How many values lie between `low` and `high`."""
        return len(self.held) - 2

    def listed(self) -> list[Any]:
        """Return what is held as a list, which may be changed."""
        if not isinstance(self.held, list):
            self.held = self.held.tolist()
        return self.held


def _between(window: Keys, low: Any, high: Any) -> tuple[Keys, int]:
    """Return the values from one number to another, in order, and how many are less."""
    near = in_order(window[(window >= low) & (window <= high)])
    return near, int(np.count_nonzero(window < low))


def _guess(window: Keys, first: float, last: float) -> tuple[Any, Any]:
    """Return two numbers that are likely to have a share of the values below and up to them."""
    sample = window[np.random.default_rng(len(window)).integers(0, len(window), SAMPLE)]
    sample = in_order(sample[~np.isnan(sample)] if sample.dtype.kind == "f" else sample)
    count = len(sample)
    careful = 1 + 3 * isqrt(count) // 2  # three standard deviations
    low, high = int(first * count) - careful, int(last * count) + careful
    least, most = limits(window.dtype)
    return sample[low] if low >= 0 else least, sample[high] if high < count else most
