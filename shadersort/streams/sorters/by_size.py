"""`BySizeSorter`: as the paper of 2005 sorts the blocks of sliding windows (section 5.3)."""

import math
from dataclasses import dataclass, field
from functools import lru_cache
from timeit import repeat
from typing import Any

import numpy as np

from shadersort.errors import UnsupportedKeys
from shadersort.keys.inputs import random_keys
from shadersort.keys.types import Integers, Keys
from shadersort.streams.sorters.numpy_sorter import NumPySorter
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.sorters.texture_sorter import TextureSorter

LENGTHS = tuple(1 << bits for bits in range(10, 21, 2))
"""The windows of the trials; longer ones than the last are never drawn if that one is not."""
KEYS = 1 << 18  # keys of a trial with short windows


@dataclass(frozen=True)
class BySizeSorter(Sorter):
    """Sorts windows shorter than a threshold by one sorter, and the others by another.

    Drawing does not pay for the small blocks of the lowest levels of a sliding window.

    Without a threshold, it is measured once for each type: the first length, of powers of four, at
    which `large` is faster. Without a GPU, and for keys that `large` does not sort, `small` then
    sorts all.

    Examples
    --------
    >>> drawing = TextureSorter(method="blend", device="software")
    >>> sorter = BySizeSorter(large=drawing, threshold=3)
    >>> [sorter.choose(np.empty((1, length))) is drawing for length in (2, 3)]
    [False, True]
    """

    small: Sorter = field(default_factory=NumPySorter)  # sorters of arrays on the host
    large: Sorter = field(default_factory=TextureSorter)
    threshold: int | None = None  # the least number of keys in a window that goes to `large`
    batch: int = 1 << 22  # how many keys a summary passes at once
    name = "by size"

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return the labels of both sorters, and the threshold between them."""
        least, small = self.least(dtype), self.small.label(dtype)
        if math.isinf(least):
            return small
        return f"{small}, and {self.large.label(dtype)} from {least:,} keys on"

    def least(self, dtype: np.dtype[Any]) -> float:
        """Return the least number of keys in a window that goes to `large`; it may be infinite."""
        if self.threshold is None:
            return measure_threshold(self.small, self.large, dtype)
        return self.threshold

    def choose(self, windows: Keys) -> Sorter:
        """Return the sorter of windows of this length and type."""
        return self.small if windows.shape[1] < self.least(windows.dtype) else self.large

    def sort(self, windows: Keys) -> Keys:
        """Return windows with each row in order."""
        return self.choose(windows).sort(windows)

    def order(self, windows: Keys) -> Integers:
        """Return the indices that sort each row; equal keys keep their order."""
        return self.choose(windows).order(windows)


@lru_cache(maxsize=64)
def measure_threshold(small: Sorter, large: Sorter, dtype: np.dtype[Any]) -> float:
    """Return the first length of window, of powers of four, that `large` sorts faster."""
    for length in LENGTHS if getattr(large, "hardware", True) else ():
        windows = random_keys(max(KEYS, length), dtype, seed=2005).reshape(-1, length)
        try:
            if _seconds(large, windows) < _seconds(small, windows):
                return length
        except UnsupportedKeys:
            break
    return math.inf


def _seconds(sorter: Sorter, windows: Keys) -> float:
    """Return the seconds of the second of two sorts; the first may link shaders."""
    return repeat(lambda: sorter.sort(windows), repeat=2, number=1)[1]
