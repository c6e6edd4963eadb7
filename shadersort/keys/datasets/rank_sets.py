"""Sets of ranks to select together: Blanchard et al. 2015, section 3.1.

The paper counts ranks from 1 to n; here they are from 0 to n − 1, as everywhere in this package.
Random sets are in no order, and may have repeats.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from shadersort.errors import BadOption, UnknownName, choices
from shadersort.keys.datasets.base import generator
from shadersort.keys.types import Integers

GROUP = 9
"""Neighbouring ranks in one cluster."""


def uniform(n: int, count: int, seed: int = 0) -> Integers:
    """Evenly spaced ranks from the first to the last: 101 of them are the percentiles.

    The hardest set for bucketMultiSelect, because each rank has its own bucket; most of the paper's
    figures and all its tables use it. Rank i is ⌊i n / (count − 1)⌋, counted from 1. (The paper
    writes n i / k, but its number of percentiles shows that it means this.) A single rank is the
    first. Ascending; with repeats if there are more ranks than keys. The seed has no effect.

    Examples
    --------
    >>> uniform(1000, 5)
    array([  0, 249, 499, 749, 999])
    """
    steps = np.arange(count, dtype=np.int64)
    return np.maximum(steps * n // max(count - 1, 1) - 1, 0)


def uniform_random(n: int, count: int, seed: int = 0) -> Integers:
    """Ranks drawn independently, all equally likely: mostly one a bucket. Unsorted, may repeat."""
    return np.floor(generator(seed).random(count) * n).astype(np.int64)


def normal_random(n: int, count: int, seed: int = 0) -> Integers:
    """Ranks from N(n/2, n/14), truncated: dense about the median. Unsorted, may repeat.

    n/14 is read as the standard deviation, so both ends are seven standard deviations away.
    """
    drawn = n / 2 + n / 14 * generator(seed).standard_normal(count)
    return np.clip(drawn, 0, n - 1).astype(np.int64)


def clustered(n: int, count: int, seed: int = 0) -> Integers:
    """Nine neighbouring ranks about each of some random centres: few buckets hold them all.

    If `count` is no multiple of nine, the last group is smaller (the paper omits it). A group that
    would leave the range is moved inside. Ascending in each group; groups may overlap.
    """
    groups = -(-count // GROUP)
    centres = uniform_random(n, groups, seed)
    first = np.clip(centres - GROUP // 2, 0, max(n - GROUP, 0))
    grouped = first[:, np.newaxis] + np.arange(GROUP)
    return np.asarray(np.minimum(grouped.reshape(-1)[:count], n - 1), np.int64)


def sectioned(n: int, count: int, seed: int = 0) -> Integers:
    """Consecutive ranks from a random start: one or a few buckets hold them all. Ascending.

    Raises BadOption if there are fewer keys than ranks.
    """
    if count > n:
        raise BadOption(f"a section of {n} ranks has {n} of them at most, not {count}")
    start = np.int64(generator(seed).random() * (n - count + 1))
    return start + np.arange(count, dtype=np.int64)


RANK_SETS: Mapping[str, Callable[[int, int, int], Integers]] = MappingProxyType(
    {
        "uniform": uniform,
        "uniform-random": uniform_random,
        "normal-random": normal_random,
        "clustered": clustered,
        "sectioned": sectioned,
    }
)
"""Every set of ranks by its name."""


def ranks(name: str, n: int, count: int, *, seed: int = 0) -> Integers:
    """Return `count` of the ranks 0 to n − 1, by the rule called `name`.

    Examples
    --------
    >>> ranks("clustered", 1000, 9, seed=1)
    array([507, 508, 509, 510, 511, 512, 513, 514, 515])
    """
    if name not in RANK_SETS:
        raise UnknownName(f"no set of ranks is called {name!r}: use {choices(RANK_SETS)}")
    if n < 1 or count < 0:
        raise BadOption(f"ranks are 0 or more, of one key or more; not {count} of {n}")
    return RANK_SETS[name](n, count, seed)
