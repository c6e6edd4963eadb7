"""Keys with their places, as one unsigned integer each: no two are equal, so no tie is left.

The code of a key is in the upper bits, and its place in the lower ones. So NumPy's sorts and
partitions of integers, which are its fastest, find the first keys; equal keys come by their places.
"""

import numpy as np

from shadersort.keys.codes import encode
from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows.ordered import is_short

WORDS = {32: np.uint32, 64: np.uint64}
"""The integers, by their bits."""


def first_by_codes(
    rows: Keys, count: int, smallest: bool, in_order: bool, highest: bool
) -> Integers:
    """Return the places of the first keys of each row; of equal keys the lowest or highest places.

    Examples
    --------
    >>> rows = np.float32([[10, 30, 20, 30]])
    >>> first_by_codes(rows, 3, smallest=False, in_order=True, highest=False)
    array([[1, 3, 2]])
    """
    length = rows.shape[1]
    placed, bits = _placed(rows, turned := smallest == highest)
    first = slice(None, count) if smallest else slice(length - count, None)
    if is_short(placed):
        placed.sort(axis=1)
        placed = placed[:, first]
    elif count < length:
        placed.partition(count - 1 if smallest else length - count, axis=1)
        placed = placed[:, first]
        if in_order:
            placed = np.sort(placed, axis=1)
    elif in_order:
        placed.sort(axis=1)
    placed = placed & placed.dtype.type((1 << bits) - 1)
    places: Integers = placed.view(np.int64) if placed.itemsize == 8 else placed.astype(np.int64)
    if turned:
        places = length - 1 - places
    return places if smallest else places[:, ::-1]


def fit_with_places(rows: Keys) -> bool:
    """Whether a key and its place fit into 64 bits.

    Examples
    --------
    >>> fit_with_places(np.zeros((1, 3))), fit_with_places(np.zeros((1, 3), np.float32))
    (False, True)
    """
    return 8 * rows.itemsize + _bits(rows.shape[1]) <= max(WORDS)


def _placed(rows: Keys, turned: bool) -> tuple[Keys, int]:
    """Return integers for keys with their places, which are `turned` to descend, and their bits."""
    bits = _bits(rows.shape[1])
    word = WORDS[32 if 8 * rows.itemsize + bits <= 32 else 64]
    placed = encode(rows).astype(word)
    placed <<= word(bits)
    last = rows.shape[1] - 1
    placed |= np.arange(last, -1, -1, dtype=word) if turned else np.arange(last + 1, dtype=word)
    return placed, bits


def _bits(length: int) -> int:
    return (length - 1).bit_length()
