"""Merging sorted runs on the CPU, in linear time."""

from collections.abc import Sequence

import numpy as np

from shadersort.keys.types import Keys


def merge(runs: Keys | Sequence[Keys]) -> Keys:
    """Merge sorted runs, the rows of an array or arrays of any lengths, into one sorted array.

    NumPy's stable sort of these keys is timsort, which finds sorted runs and merges them. For r
    runs of n keys together it needs at most n · ⌈log2 r⌉ comparisons, and n to find the runs.

    Examples
    --------
    >>> merge(np.array([[1, 4], [2, 8], [0, 9], [3, 5]]))
    array([0, 1, 2, 3, 4, 5, 8, 9])
    >>> merge([np.array([2, 8]), np.array([5])])
    array([2, 5, 8])
    """
    merged = np.concatenate(list(runs))
    merged.sort(kind="stable")
    return merged
