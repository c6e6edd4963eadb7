"""The values of ranks of a short rolling window: each window is sorted."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from shadersort.keys.in_order import in_order
from shadersort.keys.limits import limits
from shadersort.keys.types import Keys
from shadersort.streams.rolling_steps import Questions

TOGETHER = 1 << 18
"""Values that are sorted at once."""


class SortedWindows:
    """Sorts each window of `length` values; see `RollingRanks`.

    Examples
    --------
    >>> asked = Questions(0, 2, np.array([0, 1]), np.array([0, 1]))
    >>> SortedWindows(3).after(np.array([5, 1, 2, 9]), 1, [asked])[:, 0]
    array([[1, 2],
           [1, 9]])
    """

    def __init__(self, length: int) -> None:
        self._length = length

    def after(self, line: Keys, begin: int, asked: Sequence[Questions]) -> Keys:
        """Return the values of the ranks that are asked for, and of the next ranks."""
        count = len(asked[0].ranks) if asked else 0
        found = np.empty((2, len(asked), count), line.dtype)
        if not found.size:
            return found
        windows = asked[0].of(self._windows(line, begin))
        rows = TOGETHER // self._length
        for start in range(0, count, rows):
            part = slice(start, min(count, start + rows))
            ordered, each = in_order(windows[part]), np.arange(part.stop - start)
            for at, (_, _, ranks, more) in enumerate(asked):
                found[0, at, part] = ordered[each, ranks[part]]
                found[1, at, part] = ordered[each, ranks[part] + more[part]]
        return found

    def _windows(self, line: Keys, begin: int) -> Keys:
        """Return the windows after the values from `begin` on.

        A window that is not full yet begins with NaN, or the largest integer: in order, they come
        after its values.
        """
        largest = np.nan if line.dtype.kind == "f" else limits(line.dtype)[1]
        before = line[max(0, begin - self._length + 1) : begin]
        filling = np.full(self._length - 1 - len(before), largest, line.dtype)
        values = np.concatenate([filling, before, line[begin:]])
        return sliding_window_view(values, self._length)

    def now(self, line: Keys, ranks: Sequence[int]) -> list[Any]:
        """Return the values of ranks in the window at the end of a line."""
        ordered = in_order(line[-self._length :])
        return [ordered[rank] for rank in ranks]
