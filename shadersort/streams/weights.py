"""Weights of values: integers, how often each value counts.

Values of small weights are repeated, a part at a time. A value that fills two windows and more is
not: its full windows are all alike, and a summary adds any number of them in a few steps. The state
is, to the byte, that of the stream `np.repeat(values, weights)`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.errors import BadWeights, TooManyKeys, UnsupportedKeys
from shadersort.keys.types import Integers, Keys
from shadersort.streams.summary import LONGEST

TOGETHER = 1 << 20  # copies of values that are made at once, about


def split_nans(keys: Keys, weights: Any) -> tuple[Keys, Integers, int]:
    """Return the numbers that count at all, their 64-bit weights, and how often NaNs count.

    Raises BadWeights, UnsupportedKeys or TooManyKeys unless they are weights of these keys.
    """
    if isinstance(weights, np.ma.MaskedArray):
        raise UnsupportedKeys("masked arrays are no weights: pass weights.filled(0)")
    array = np.atleast_1d(np.asarray(weights.get() if hasattr(weights, "get") else weights))
    if array.shape != keys.shape:
        raise BadWeights(
            f"{len(keys)} values need as many weights, not those of shape {array.shape}"
        )
    if array.dtype.kind not in "iu" and array.size:
        raise BadWeights(f"weights are integers, how often each value counts, not {array.dtype}")
    if array.size and int(array.min()) < 0:
        raise BadWeights(f"weights are at least 0, not {array.min()}")
    if float(array.sum(dtype=np.float64)) >= LONGEST:
        raise TooManyKeys(f"a summary counts fewer than {LONGEST:,} values")
    counts, nan = array.astype(np.int64), keys != keys
    kept = ~nan & (counts > 0)
    return keys[kept], counts[kept], int(counts[nan].sum())


def window_parts(
    keys: Keys, counts: Integers, window: int, filled: int
) -> Iterator[tuple[Keys, int]]:
    """Yield copies of keys to feed, and 0; or one key, and how many whole windows it fills.

    `filled` values wait for their window before the first part.
    """
    begin = 0
    for place in np.flatnonzero(counts >= 2 * window).tolist():
        yield from _copies(keys[begin:place], counts[begin:place])
        first = -(filled + int(counts[begin:place].sum())) % window
        windows, filled = divmod(int(counts[place]) - first, window)
        value = keys[place : place + 1]
        yield np.repeat(value, first), 0
        yield value, windows
        yield np.repeat(value, filled), 0
        begin = place + 1
    yield from _copies(keys[begin:], counts[begin:])


def _copies(keys: Keys, counts: Integers) -> Iterator[tuple[Keys, int]]:
    """Yield each key as often as its count says, in parts."""
    ends, begin, done = np.cumsum(counts), 0, 0
    while begin < len(keys):
        end = max(begin + 1, int(np.searchsorted(ends, done + TOGETHER, side="right")))
        yield np.repeat(keys[begin:end], counts[begin:end]), 0
        begin, done = end, int(ends[end - 1])
