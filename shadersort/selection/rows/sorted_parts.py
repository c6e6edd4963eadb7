"""Many ranks of one long row: threads sort parts of it, and a search for each rank counts in all.

NumPy sorts a row in one thread. The search halves the codes between the least and the largest
value, so it takes as many rounds as a key has bits, for all ranks together.
"""

import numpy as np

from shadersort.keys.codes import decode, encode
from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows.chunks import in_threads, threads_for
from shadersort.selection.rows.ordered import in_rows, is_sorted_for


def is_sorted_in_parts(row: Keys, ks: Integers) -> bool:
    """Whether threads that sort parts of a row are the fastest way to some ranks."""
    return threads_for(row.size) > 1 and is_sorted_for(row[None], ks)


def ranked_in_parts(row: Keys, ks: Integers) -> Keys:
    """Return the keys of ascending distinct ranks in a row, which is not changed.

    Examples
    --------
    >>> ranked_in_parts(np.array([30, 10, 20, 10]), np.array([0, 3]))
    array([10, 30])
    """
    count = min(row.size, threads_for(row.size))
    parts = [part.copy() for part in np.array_split(row, count)]

    def put_in_order(place: int) -> None:
        parts[place] = in_rows(parts[place][None])[0]

    in_threads(iter(range(len(parts))), put_in_order, row.size)
    return _ranked_in_sorted(parts, ks)


def _ranked_in_sorted(parts: list[Keys], ks: Integers) -> Keys:
    """Return the keys of ranks in all parts together, each of which is in order."""
    dtype = parts[0].dtype
    first, last = (encode(np.stack([part[end] for part in parts])) for end in (0, -1))
    low, high = np.repeat(first.min(), ks.size), np.repeat(last.max(), ks.size)
    for _ in range(int(high[0] - low[0]).bit_length()):
        middle = low + (high - low) // 2
        keys = decode(middle, dtype)
        enough = sum(part.searchsorted(keys, side="right") for part in parts) > ks
        high = np.where(enough, middle, high)
        low = np.where(enough, low, middle + 1)
    return _as_they_are(parts, decode(high, dtype))


def _as_they_are(parts: list[Keys], keys: Keys) -> Keys:
    """Return keys with the bits that they have in a part: no code tells −0.0 from 0.0."""
    for part in parts:
        there = part.take(part.searchsorted(keys), mode="clip")
        keys = np.where(there == keys, there, keys)
    return keys
