"""Lesson 17: the statistics to choose from, each by a careful definition in NumPy."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Case


def key_of_rank(keys: Keys, rank: int) -> Any:
    """Return the key with `rank` others before it in order; lessons 10 and 11 do it on a GPU.

    Examples
    --------
    >>> int(key_of_rank(np.array([30, 10, 20]), 2))
    30
    """
    if not 0 <= rank < len(keys):
        raise IndexError(f"{len(keys)} keys have the ranks 0 to {len(keys) - 1}, not {rank}")
    return np.partition(keys, rank)[rank]


def ends_of(keys: Keys) -> tuple[int, Any, Any]:
    """Return how many keys go at each end, a quarter, and the smallest and largest that stay."""
    outside = len(keys) // 4
    return outside, key_of_rank(keys, outside), key_of_rank(keys, len(keys) - 1 - outside)


def trimmed_mean(keys: Keys) -> float:
    """Return the mean of the keys without a quarter at each end."""
    outside = len(keys) // 4
    return float(np.sort(keys)[outside : len(keys) - outside].mean())


def mode(keys: Keys) -> float:
    """Return the most frequent key; the smallest one of several."""
    different, counts = np.unique(keys, return_counts=True)
    return float(different[counts.argmax()])


def interquartile_range(keys: Keys) -> float:
    """Return the largest minus the smallest of the keys that a trimmed mean keeps."""
    _, low, high = ends_of(keys)
    return float(high - low)


def lower_median(keys: Keys) -> Any:
    """Return the median; of an even number the lower of the two in the middle."""
    return key_of_rank(keys, (len(keys) - 1) // 2)


def absolute_deviation(keys: Keys) -> float:
    """Return the median of the distances to the median, both lower medians."""
    return float(lower_median(np.abs(keys - lower_median(keys))))


STATISTICS: Mapping[str, Callable[[Keys], float]] = MappingProxyType(
    {
        "trimmed mean": trimmed_mean,
        "mode": mode,
        "interquartile range": interquartile_range,
        "median absolute deviation": absolute_deviation,
    }
)
"""Every statistic by its name."""

COMPLETE = ("trimmed mean", "mode")
"""Statistics with checkers for all stages; the others are further projects."""


def cases(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys: one, two, an even number, ties at the ends, all equal, negative, fractions."""
    yield (np.array([7]),)
    yield (np.array([9, 4]),)
    yield (np.array([5, 1, 9]),)
    yield (np.array([8, 1, 2, 12]),)
    yield (np.array([3, 3, 3, 3, 3]),)
    yield (np.array([1, 9, 9, 4, 4]),)
    yield (np.array([6, 2, 2, 2, 6, 6, 9, 1]),)
    yield (np.array([5, 5, 1, 5, 5, 7, 5, 5, 2]),)
    yield (np.array([-3, -8, 4, -3, 1000, 4, 0]),)
    yield (np.array([0.5, -1.25, 0.5, 2.0, 7.75, 2.0]),)
    yield (rng.integers(-6, 30, size=40),)
    yield (rng.integers(0, 12, size=101),)
