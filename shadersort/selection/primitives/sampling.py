"""Random places, the same on every device: a hash of the number of the draw, without state.

The hash is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014): 64 bits, cheap on every device, and random enough for samples.
"""

import numpy as np
import numpy.typing as npt

STEP, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def places(size: int, count: int, seed: int) -> npt.NDArray[np.int64]:
    """Return `count` places below `size`, with replacement."""
    if not count:
        return np.zeros(0, np.int64)
    start = (seed << 32) % 2**64  # each seed has 2**32 draws of its own
    mixed = (np.arange(1, count + 1, dtype=np.uint64) + np.uint64(start)) * np.uint64(STEP)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(SECOND)
    return ((mixed ^ (mixed >> np.uint64(31))) % np.uint64(size)).astype(np.int64)
