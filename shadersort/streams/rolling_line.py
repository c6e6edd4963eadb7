"""The last values of a stream in one array, with room behind them for those that come."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Integers, Keys

PART = 1 << 16
"""Values that come at once, or as many as a window has if these are more."""
SMALLEST = 64
"""Values for which there is room at first."""


class RollingLine:
    """The last `length` values of a stream, in their order.

    Attributes
    ----------
    length
        The values of a full window.
    dtype
        The type of the values; None until there are some or a type was given.
    n
        How many values have come.
    missing
        How many values of the window are NaN.

    Examples
    --------
    >>> line = RollingLine(3, None)
    >>> for begin in line.parts(np.array([1, 2, 3, 4, 5])):
    ...     print(begin, line.values, line.sizes(begin))
    0 [1 2 3] [1 2 3]
    3 [1 2 3 4 5] [3]
    """

    def __init__(self, length: int, dtype: np.dtype[Any] | None) -> None:
        self.length, self.dtype = length, dtype
        self.n = self.missing = 0
        self._buffer, self._end = np.empty(0, dtype), 0

    @property
    def values(self) -> Keys:
        """All values since the beginning, or at least those of the window."""
        return self._buffer[: self._end]

    @property
    def window(self) -> Keys:
        """The values of the window."""
        return self.values[-self.length :]

    def parts(self, keys: Keys) -> Iterator[int]:
        """Append keys, part by part; yield where in `values` each part begins.

        While a part comes, the window either grows or is full.
        """
        if len(keys):
            self.dtype = keys.dtype
        start = 0
        while start < len(keys):
            room = max(PART, self.length) if self.n >= self.length else self.length - self.n
            part = keys[start : start + room]
            self._make_room(len(part))
            begin = self._end
            self._end += len(part)
            self._buffer[begin : self._end] = part
            self.n += len(part)
            yield begin
            start += len(part)

    def _make_room(self, count: int) -> None:
        """Drop what has left the window if there is no room for so many values."""
        if self._end + count <= len(self._buffer):
            return
        kept = self.window
        self._buffer = np.empty(len(kept) + max(count, len(kept), SMALLEST), self.dtype)
        self._end = len(kept)
        self._buffer[: self._end] = kept

    def sizes(self, begin: int) -> Integers:
        """Return how many values the window has after each value from `begin` on, or after all."""
        if begin >= self.length:
            return np.array([self.length])
        return np.arange(begin + 1, self._end + 1)

    def count_missing(self, begin: int) -> Integers:
        """Return how many NaNs the window has after each value from `begin` on, or after all."""
        new = self.values[begin:]
        if new.dtype.kind != "f" or not (self.missing or np.isnan(new).any()):
            return np.zeros(1, np.int64)
        grown = np.isnan(new).astype(np.int64)
        if begin >= self.length:
            grown -= np.isnan(self.values[begin - self.length :][: len(new)])
        found = self.missing + np.cumsum(grown)
        self.missing = int(found[-1])
        return found
