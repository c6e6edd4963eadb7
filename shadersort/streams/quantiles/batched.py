"""Taking a stream in batches: large updates are sorted as they are, small ones wait together."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from shadersort.streams.cuts import batch_cuts
from shadersort.streams.locked import locked
from shadersort.streams.quantiles.sorted_batch import Batch
from shadersort.streams.windowed import WindowedSummary


class BatchedSummary(WindowedSummary):
    """A `WindowedSummary` whose windows may have any length from `window` on.

    An update with at least two windows of values is sorted in large batches. Otherwise values wait
    until a window is full. So the state depends on how updates cut a stream, unless all of them are
    shorter than the window; what the summary guarantees does not.
    """

    _in_batches: bool
    """Whether windows may have any length; otherwise they are equally long."""

    @abstractmethod
    def _batch(self, count: int) -> int:
        """Return how many of `count` values are sorted at once."""

    @abstractmethod
    def _add(self, batch: Batch) -> None:
        """Add a batch to the state."""

    @locked
    def update(self, values: Any, weights: Any = None) -> Self:
        """Take in values, which may have weights; return this summary."""
        if weights is not None or not self._is_short(values):
            return super().update(values, weights)
        filled = self._filled + len(values)
        if filled < self._window:
            self._see(len(values), 0)
            if filled > len(self._buffer):
                self._grow(filled)
            self._buffer[self._filled : filled] = values
            self._filled, self._answers = filled, None
            return self
        with self._or_as_before():
            self._see(len(values), 0)
            self._feed(values)
            self._answers = None
            self._settle()
        return self

    def _is_short(self, values: Any) -> bool:
        """Whether values are an array of the right type, shorter than a window, without NaNs.

        Many updates are such, and would take much longer if they were looked at more closely.
        """
        if not (type(values) is np.ndarray and self._filled and values.dtype == self._dtype):
            return False
        if values.ndim != 1 or len(values) >= self._window or not self._in_batches:
            return False
        return values.dtype.kind != "f" or not np.count_nonzero(np.isnan(values))

    def _take(self, keys: Any) -> None:
        """Take a flat array, in batches or in windows."""
        if not (self._in_batches and len(keys)):
            super()._take(keys)
            return
        self._adopt(np.dtype(keys.dtype))
        if self._filled + len(keys) < 2 * self._window:
            numbers, nans = self.sorter.without_nans(self.sorter.on_host(keys))
            self._see(len(numbers), nans)
            self._feed(numbers)
            return
        for part, nans in self._in_order(keys, batch_cuts(len(keys), self._batch(len(keys)))):
            self._see(len(part), nans)
            self._take_batch(part)

    def _in_order(
        self, keys: Any, bounds: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[Batch, int]]:
        """Yield sorted parts of keys; the time spent waiting for them counts as sorting."""
        parts = self.sorter.in_order(keys, bounds)
        for _ in bounds:
            with self._timed("sort"):
                part = next(parts)
            yield part
        next(parts, None)  # lets the sorter end its threads and copies

    def _take_batch(self, batch: Batch) -> None:
        """Add a batch, or let its values wait if they are fewer than a window."""
        if len(batch) < self._window:
            self._feed(batch.values())
            return
        self._add(batch)
        self._feed(self._buffer[:0])  # the next window may be shorter than what waits

    def _feed(self, numbers: Any) -> None:
        """Let values wait; each time they are a window, add it."""
        if not self._in_batches:
            super()._feed(numbers)
            return
        while self._filled + len(numbers) >= self._window:
            wanted = max(0, self._window - self._filled)
            waited, last = self._buffer[: self._filled], self.sorter.on_host(numbers[:wanted])
            full, numbers = np.concatenate([waited, last]), numbers[wanted:]
            self._buffer, self._filled = waited[:0].copy(), 0
            parts = self.sorter.in_order(full, [(0, len(full))])
            with self._timed("sort"):
                batch, _ = next(parts)
            self._add(batch)
            next(parts, None)  # lets the sorter end its threads and copies
        self._wait(numbers)
