"""Quickselect by one thread: the definition, in plain Python, of what one GPU thread does.

The kernel of the same name in `modern/kernels/` takes the same steps over the same codes, so both
agree in all that they return, the numbers of reads and writes too.
"""

from typing import Any

import numpy as np

from shadersort.keys.codes import encode, key
from shadersort.keys.types import Key, Keys
from shadersort.selection.primitives.values import Traffic

__all__ = ["OneThreadOfPython", "quickselect_serial"]

MULTIPLIER, INCREMENT = 6364136223846793005, 1442695040888963407
"""Of the random numbers, modulo 2**64 (Knuth's MMIX)."""

WORD = (1 << 64) - 1


class OneThreadOfPython:
    """What NumPy's primitives inherit: a thread of Python."""

    keys: Keys
    dtype: np.dtype[Any]
    traffic: Traffic

    def quickselect_serial(self, k: int, seed: int) -> Key:
        """Return the k-th key by quickselect, in Python."""
        code, read, written = quickselect_serial(encode(self.keys).tolist(), k, seed)
        self.traffic.add(read, written)
        return key(code, self.dtype)


def quickselect_serial(codes: list[int], k: int, seed: int) -> tuple[int, int, int]:
    """Return the k-th code, and how many were read and written; the list is changed.

    Hoare's partition: two places walk towards each other, and exchange what is on the wrong side.
    Both stop at codes equal to the pivot, so equal codes are parted evenly.

    Examples
    --------
    >>> quickselect_serial([30, 10, 20], 1, seed=0)[0]
    20
    """
    low, high, state = 0, len(codes) - 1, seed
    read = written = len(codes)  # the copy
    while low < high:
        state = (state * MULTIPLIER + INCREMENT) & WORD
        pivot = codes[low + (state * (high - low + 1) >> 64)]
        left, right = low, high
        read += 1
        while left <= right:
            while codes[left] < pivot:
                left += 1
                read += 1
            while codes[right] > pivot:
                right -= 1
                read += 1
            read += 2
            if left <= right:
                codes[left], codes[right] = codes[right], codes[left]
                written += 2
                left += 1
                right -= 1
        if k <= right:
            high = right
        elif k >= left:
            low = left
        else:  # between both places, all codes are equal to the pivot
            low = high = k
    return codes[low], read + 1, written
