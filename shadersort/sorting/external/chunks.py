"""Chunks of keys: the CPU and a device sort one side by side while the next is read."""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from shadersort.drawing.progress import Advance
from shadersort.keys.files import Source
from shadersort.keys.types import Keys
from shadersort.sorting.balance import Balance
from shadersort.sorting.external.runs import Spool
from shadersort.sorting.sorted_ordinals import (
    PIECE,
    complemented,
    ordinals_of_sorted,
    sort_ordinals,
)

SAMPLE = 1 << 16
"""Keys sorted to measure the speeds of CPU and device, before the first chunk is shared."""


@dataclass(frozen=True, slots=True)
class ChunkSorter:
    """Turns a source into sorted runs, and separate NaNs."""

    # the keys to sort, and how many are sorted at a time
    source: Source
    chunk: int
    balance: Balance  # how a chunk is shared
    draw: Callable[[Keys], Keys]  # sorts keys on the device, and returns them as a new array
    # the threads in which the CPU sorts, beside one that reads; and in how many parts it sorts
    pool: Executor
    threads: int
    # where the runs are written, and the NaNs in the order of the source
    runs: Spool
    nans: Spool
    # whether runs hold `complemented` ordinals, so that the largest key comes first
    descending: bool

    def sort_all(self, advance: Advance) -> None:
        """Sort the whole source, chunk by chunk, through two buffers in turn."""
        if not self.source.count:
            return
        chunks = range(0, self.source.count, self.chunk)
        size = min(self.chunk, self.source.count)
        buffers = [np.empty(size, self.source.dtype) for _ in chunks[:2]]
        upcoming = self.pool.submit(self._read, 0, buffers[0])
        for i, first in enumerate(chunks):
            keys = upcoming.result()
            if first + self.chunk < self.source.count:
                upcoming = self.pool.submit(self._read, chunks[i + 1], buffers[(i + 1) % 2])
            self._sort(keys)
            advance(min(self.chunk, self.source.count - first) * keys.itemsize)

    def _read(self, first: int, buffer: Keys) -> Keys:
        """Read the chunk that begins at a position into a buffer; return it without its NaNs."""
        last, filled = min(first + self.chunk, self.source.count), 0
        for position in range(first, last, PIECE):
            keys = self._without_nans(self.source.read(position, min(position + PIECE, last)))
            buffer[filled : filled + len(keys)] = keys
            filled += len(keys)
        return buffer[:filled]

    def _without_nans(self, keys: Keys) -> Keys:
        """Write NaNs to their spool, and return the other keys."""
        if keys.dtype.kind != "f":
            return keys
        is_nan = np.isnan(keys)
        if not is_nan.any():
            return keys
        self.nans.add(keys[is_nan])
        return keys[~is_nan]

    def _sort(self, keys: Keys) -> None:
        """Sort a chunk into runs: one by the device, one by each thread of the CPU."""
        if self.balance.unmeasured and len(keys):
            self._measure(keys[:SAMPLE])
        drawn = self.balance.for_device(len(keys)) if len(keys) else 0
        parts = np.array_split(keys[drawn:], self.threads)
        others = [self.pool.submit(self._by_cpu, part) for part in parts if len(part)]
        on_device = self._by_device(keys[:drawn])
        on_cpu = max((other.result() for other in others), default=0.0)
        self.balance.measured((drawn, on_device), (len(keys) - drawn, on_cpu))

    def _by_cpu(self, keys: Keys) -> float:
        """Sort keys in place into a run, and return the seconds that the sort took."""
        started = time.perf_counter()
        ordered = sort_ordinals(keys)
        seconds = time.perf_counter() - started
        self._add_run(ordered)
        return seconds

    def _by_device(self, keys: Keys) -> float:
        """Sort keys into a run by drawing, and return the seconds that the sort took."""
        if not len(keys):
            return 0.0
        started = time.perf_counter()
        ordered = self.draw(keys)
        seconds = time.perf_counter() - started
        self._add_run(ordinals_of_sorted(ordered))
        return seconds

    def _add_run(self, numbers: Keys) -> None:
        self.runs.add_run(complemented(numbers) if self.descending else numbers)

    def _measure(self, sample: Keys) -> None:
        """Measure both speeds on copies of some keys."""
        self.draw(sample)  # links shaders
        started = time.perf_counter()
        self.draw(sample)
        drawn = time.perf_counter()
        sort_ordinals(sample.copy())
        sorted_by_one = time.perf_counter()
        on_cpu = (sorted_by_one - drawn) / self.threads
        self.balance.measured((len(sample), drawn - started), (len(sample), on_cpu))
