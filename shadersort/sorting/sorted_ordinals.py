"""Keys as sorted integers: what sorted runs hold before they are merged.

The ordinal of a key is an integer in the order of the keys. No key here is a NaN, and the two zeros
have different ordinals. So equal keys are equal bits, and a merge may take either of them first.
"""

from bisect import bisect_left
from typing import Any

import numpy as np

from shadersort.keys.codes import from_ordinals, ordinals
from shadersort.keys.types import Keys

PIECE = 1 << 18
"""Keys that are read, moved or written at a time where the number does not matter."""


def sort_ordinals(keys: Keys) -> Keys:
    """Sort keys without NaNs by NumPy, in place, and return their ordinals.

    Integers are sorted, because some of NumPy's sorts of floats lose the sign of a zero.
    """
    numbers = keys.view(f"i{keys.itemsize}") if keys.dtype.kind == "f" else keys
    numbers.sort(kind="stable" if keys.itemsize == 2 else None)  # radix sort, faster for 16 bits
    if keys.dtype.kind == "f":
        _reverse(numbers[: _negatives(numbers)])
    return ordinals_of_sorted(keys)


def ordinals_of_sorted(ordered: Keys) -> Keys:
    """Replace sorted keys without NaNs by their ordinals, in place; positive ones do not change."""
    if ordered.dtype.kind != "f":
        return ordered
    numbers = ordered.view(f"i{ordered.itemsize}")
    first = bisect_left(range(len(numbers)), True, key=lambda i: bool(numbers[i] >= 0))
    ordinals(ordered[:first], in_place=True)
    return numbers


def keys_of_sorted(numbers: Keys, dtype: np.dtype[Any]) -> Keys:
    """Replace sorted ordinals by their keys, in place; positive ones do not change."""
    if dtype.kind == "f":
        from_ordinals(numbers[: _negatives(numbers)], dtype, in_place=True)
    return numbers.view(dtype)


def _negatives(numbers: Keys) -> int:
    """Count the negative ones of ordered integers; a zero of their type keeps them as they are."""
    return int(np.searchsorted(numbers, numbers.dtype.type(0)))


def complemented(numbers: Keys) -> Keys:
    """Replace ordered integers by others whose order is the reverse, in place, and order those."""
    np.invert(numbers, out=numbers)
    _reverse(numbers)
    return numbers


def _reverse(keys: Keys) -> None:
    """Reverse an array in place, with little memory beside it."""
    count, half = len(keys), len(keys) // 2
    for first in range(0, half, PIECE):
        last = min(first + PIECE, half)
        low, high = keys[first:last], keys[count - last : count - first]
        kept = low.copy()
        low[:] = high[::-1]
        high[:] = kept[::-1]
