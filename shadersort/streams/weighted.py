"""`WeightedSummary`: values with weights, which change a summary as so many equal values would.

Values of small weights are repeated, a part at a time. A value that fills two windows and more is
not: its full windows are all alike, and a subclass adds any number of them in a few steps. So the
time grows with the sum of the weights only up to two windows for each value, and the state is, to
the byte, that of the stream `np.repeat(values, weights)`, with any sorter.
"""

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.streams.given_weights import checked_weights
from shadersort.streams.locked import locked
from shadersort.streams.values import plain_zeros
from shadersort.streams.windowed import WindowedSummary

TOGETHER = 1 << 20
"""About so many copies of values are made at once."""


class WeightedSummary(WindowedSummary):
    """A `WindowedSummary` whose values may have weights."""

    @abstractmethod
    def _absorb_equal(self, value: Keys, windows: int) -> None:
        """Add some full windows as `_absorb` does; all their values equal the one in an array."""

    @locked
    def _update_weighted(self, values: Any, weights: Any) -> Self:
        with self._or_as_before():
            self._answers = None
            self._take_weighted(values, weights)
            self._settle()
        return self

    def _take_weighted(self, values: Any, weights: Any) -> None:
        """Take values with weights, as they were given."""
        keys = self.sorter.on_host(self._accepted(values))
        self._take_often(keys, checked_weights(weights, len(keys)))

    def _take_often(self, keys: Keys, counts: Integers) -> None:
        """Take keys, each so often as its count says."""
        nan, some = keys != keys, counts > 0
        kept = some & ~nan
        if not some.any():
            return
        self._adopt(keys.dtype)
        keys, nans = plain_zeros(keys[kept]), int(counts[nan].sum())
        counts = counts[kept]
        self._see(int(counts.sum()), nans)
        begin = 0
        for place in np.flatnonzero(counts >= 2 * self._window).tolist():
            self._feed_copies(keys[begin:place], counts[begin:place])
            begin = place + 1
            self._feed_equal(keys[place:begin], int(counts[place]))
        self._feed_copies(keys[begin:], counts[begin:])

    def _feed_copies(self, keys: Keys, counts: Integers) -> None:
        """Let copies of keys fill windows, a part at a time."""
        ends, begin, done = np.cumsum(counts), 0, 0
        while begin < len(keys):
            end = max(begin + 1, int(np.searchsorted(ends, done + TOGETHER, side="right")))
            self._feed_staged(np.repeat(keys[begin:end], counts[begin:end]))
            begin, done = end, int(ends[end - 1])

    def _feed_equal(self, value: Keys, count: int) -> None:
        """Let copies of one value fill windows; all full ones are added at once."""
        first = (self._window - self._filled) % self._window
        windows, rest = divmod(count - first, self._window)
        self._feed_staged(np.repeat(value, first))
        self._absorb_equal(value, windows)
        self._feed_staged(np.repeat(value, rest))

    def _feed_staged(self, keys: Keys) -> None:
        first = (self._window - self._filled) % self._window
        for part in self.sorter.staged(keys, first, self._window):
            self._feed(part)
