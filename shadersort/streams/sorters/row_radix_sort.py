"""Sorting rows on the CPU by a radix sort over NumPy's stable argsort of 16-bit integers.

The code of a key is an unsigned integer of the same order. Its digits of 16 bits are sorted one
after the other, the lowest first: one stable argsort for each digit. If only some ranks are wanted,
the last pass looks up only those. On some processors this is twice as fast as `np.sort`, on others
slower: `pays` tries both, once for each type and length. The result is the same.
"""

from collections.abc import Callable
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np

from shadersort.keys.codes import ordinals, unsigned
from shadersort.keys.types import Integers, Keys

DIGIT = 16
"""Bits of a digit, which one pass sorts."""
SHORTEST, LONGEST = 1 << 12, 1 << 20
"""Lengths of rows for which it may pay: for shorter ones calls take too long; longer ones do not
fit the caches."""
TRIALS = 5
TRIED = 1 << 18
"""Keys of the longest row in a trial."""


def sorted_rows(windows: Keys, ranks: Integers | None = None) -> Keys:
    """Return the keys of each row in order, or the keys at some ranks; no key may be a NaN.

    Examples
    --------
    >>> sorted_rows(np.float16([[0.5, -2, -0.0, -np.inf, 0.0]]))
    array([[-inf, -2. , -0. ,  0. ,  0.5]], dtype=float16)
    """
    wide = windows.itemsize > DIGIT // 8
    if wide and windows.dtype.kind != "S" and pays(windows.dtype, windows.shape[1]):
        return np.stack([sorted_row(row, ranks) for row in windows])
    if windows.dtype == np.float16:  # np.sort is slow, and NumPy 2.4 sorts many of them wrongly
        order = np.argsort(ordinals(windows), axis=1, kind="stable")
        return np.take_along_axis(windows, order if ranks is None else order[:, ranks], axis=1)
    ordered = np.sort(windows, axis=1, kind=None if wide else "stable")
    return ordered if ranks is None else np.take(ordered, ranks, axis=1)


def sorted_row(row: Keys, ranks: Integers | None = None) -> Keys:
    """Return the keys of a row in order, or the keys at some ranks; no key may be a NaN.

    −0.0 comes before 0.0. A key has a multiple of 16 bits.

    Examples
    --------
    >>> sorted_row(np.float32([3, -1, 2, -0.0, 0.0]))
    array([-1., -0.,  0.,  2.,  3.], dtype=float32)
    >>> sorted_row(np.array([30, -10, 20]), np.array([0, 2]))
    array([-10,  30])
    """
    codes = unsigned(ordinals(row))
    last = 8 * row.itemsize - DIGIT
    order: Any = None
    for shift in range(0, last + 1, DIGIT):
        digits = (codes >> codes.dtype.type(shift)).astype(np.uint16)
        step = np.argsort(digits if order is None else digits[order], kind="stable")
        if shift == last and ranks is not None:
            step = step[ranks]
        order = step if order is None else order[step]
    chosen: Keys = row[order]
    return chosen


def pays(dtype: np.dtype[Any], length: int) -> bool:
    """Whether `sorted_row` sorts rows of a length faster than `np.sort` on this machine."""
    if not SHORTEST <= length <= LONGEST:
        return False
    return _tried(dtype, min(1 << (length.bit_length() - 1), TRIED))


@lru_cache(maxsize=256)
def _tried(dtype: np.dtype[Any], length: int) -> bool:
    """Sort some keys both ways, and return whether `sorted_row` was faster."""
    row = np.random.default_rng(2005).integers(0, 1 << 30, length).astype(dtype)
    return _seconds(lambda: sorted_row(row)) < _seconds(lambda: np.sort(row))


def _seconds(run: Callable[[], Any]) -> float:
    """Return the seconds of the fastest trial."""
    took = []
    for _ in range(TRIALS):
        started = perf_counter()
        run()
        took.append(perf_counter() - started)
    return min(took)
