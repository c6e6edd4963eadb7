"""Random places, the same on every device: a hash of the number of the draw, without state.

The hash is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014): 64 bits, cheap on every device, and random enough for samples.
"""

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Key, Keys

STEP, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def places(size: int, count: int, seed: int) -> npt.NDArray[np.int64]:
    """Return `count` places below `size`, with replacement.

    Examples
    --------
    >>> places(10, 6, seed=0)
    array([5, 0, 9, 4, 7, 0])
    """
    if not count:
        return np.zeros(0, np.int64)
    start = (seed << 32) % 2**64  # each seed has 2**32 draws of its own
    mixed = (np.arange(1, count + 1, dtype=np.uint64) + np.uint64(start)) * np.uint64(STEP)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(SECOND)
    return ((mixed ^ (mixed >> np.uint64(31))) % np.uint64(size)).astype(np.int64)


NEARLY = 1.1
"""Of so many keys more, a sample of independent keys is as good: the estimate is no better."""

SEEN = 16
"""With fewer runs on one side of a key, how alike neighbours are is not seen."""


def independent(runs: Keys, key: Key) -> int:
    """Return how many independent keys say as much about the share of keys below a given one.

    Neighbours may be alike: then the shares in runs differ more than those of independent keys
    would, and the sample says less. The answer is between the number of runs and that of keys, and
    as often twice the number of runs.

    Examples
    --------
    >>> keys = np.random.default_rng(1).random((1024, 16))
    >>> independent(keys, np.float64(0.3)), independent(np.sort(keys, axis=None).reshape(1024, 16),
    ...                                                 np.float64(0.3))
    (16384, 1024)
    """
    count, run = map(int, runs.shape)
    if run == 1:
        return count
    below = (runs < key).sum(axis=1)
    share = float(below.mean()) / run
    if min(share, 1 - share) * count < SEEN:
        return count
    alike = float(below.var()) / (run * share * (1 - share))  # 1 if independent, `run` if all are
    times = int(np.log2(max(NEARLY * run / max(alike, 1 / run), 1)))
    return int(min(count << times, runs.size))
