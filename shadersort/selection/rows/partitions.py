"""The keys of some ranks in each row by NumPy's partition, which is introselect (Musser 1997).

It finds one rank at a time fast, so ranks are found by dividing: the middle one first, and then the
others on its two sides. Of two neighbours, the lower is the largest key before the upper.
"""

import numpy as np

from shadersort.keys.types import Integers, Keys


def ranked_by_partitions(work: Keys, ks: Integers) -> Keys:
    """Return the keys of ascending distinct ranks in each row; reorders the rows.

    Examples
    --------
    >>> ranked_by_partitions(np.array([[30, 10, 20], [3, 1, 2]]), np.array([0, 2]))
    array([[10, 30],
           [ 1,  3]])
    """
    if ks.size == 1:
        k = int(ks[0])
        work.partition(k, axis=1)
        return work[:, k : k + 1]
    found = np.empty((len(work), ks.size), work.dtype)
    _divide(work, ks, found)
    return found


def _divide(work: Keys, ks: Integers, found: Keys) -> None:
    """Find ranks by partitions: the middle rank first, then those on its two sides."""
    if not ks.size:
        return
    half = ks.size // 2
    k = int(ks[half])
    work.partition(k, axis=1)
    found[:, half] = work[:, k]
    below = half
    if half and ks[half - 1] == k - 1:
        below = half - 1
        found[:, below] = work[:, :k].max(axis=1)
    _divide(work[:, :k], ks[:below], found[:, :below])
    _divide(work[:, k + 1 :], ks[half + 1 :] - (k + 1), found[:, half + 1 :])
