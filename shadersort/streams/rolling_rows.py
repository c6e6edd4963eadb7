"""The value of one rank of a short rolling window: each window is sorted."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from shadersort.keys.in_order import in_order
from shadersort.keys.types import Keys
from shadersort.streams.rolling_bracket import limits
from shadersort.streams.rolling_steps import Questions

TOGETHER = 1 << 18
"""Values that are sorted at once."""


def of_sorted_windows(line: Keys, begin: int, length: int, asked: Questions) -> Keys:
    """Return the values of the ranks that are asked for, and of the next ranks, in two rows.

    Step t is that at which the value of the line at `begin` + t comes; see `RollingRank.after`. A
    window that is not full yet is filled with NaN, or the largest integer, which come last in it.

    Examples
    --------
    >>> asked = Questions(0, 2, np.array([0, 1]), np.array([0, 1]))
    >>> of_sorted_windows(np.array([5, 1, 2, 9]), 1, 3, asked)
    array([[1, 2],
           [1, 9]])
    """
    count, rows = len(asked.ranks), TOGETHER // length
    found = np.empty((2, count), line.dtype)
    if not count:
        return found
    largest = np.nan if line.dtype.kind == "f" else limits(line.dtype)[1]
    before = line[max(0, begin - length + 1) : begin]
    filling = np.full(length - 1 - len(before), largest, line.dtype)
    windows = sliding_window_view(np.concatenate([filling, before, line[begin:]]), length)
    windows = windows[asked.first :: asked.every]
    for start in range(0, count, rows):
        part = slice(start, min(count, start + rows))
        ordered, each = in_order(windows[part]), np.arange(part.stop - start)
        found[0, part] = ordered[each, asked.ranks[part]]
        found[1, part] = ordered[each, asked.ranks[part] + asked.more[part]]
    return found
