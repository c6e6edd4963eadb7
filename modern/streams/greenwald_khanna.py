"""Batches in order on a GPU, and long lists of entries beside them.

The same as in `shadersort/streams/quantiles`, byte for byte. The device has the order-preserving
codes of keys: CuPy's comparisons flush denormals, and integers are sorted faster. A short list
stays on the host: its few entries are copied faster than many small kernels are launched.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import cupy
import numpy as np

from modern.streams.transfers import to_host, zero_copy
from modern.streams.windows import codes_of, widen
from shadersort.keys.codes import decode, encode
from shadersort.keys.types import Keys
from shadersort.streams.quantiles.greenwald_khanna import GKList, SortedBatch

LONG = 1 << 15
"""A list goes to the device if it has more entries than this, or may get so many more."""
SORTS, LISTS = 0, -5
"""The priorities of streams. Lists are urgent: the few blocks of their kernels would otherwise wait
until all blocks of the sort of the next keys had begun."""

_local = threading.local()


def stream_of(priority: int) -> Any:
    """Return the stream of this thread with a priority on the current device."""
    kept: dict[Any, Any] = _local.__dict__  # freed memory is used again only on its stream
    key = f"{priority} on {cupy.cuda.runtime.getDevice()}"
    if key not in kept:
        kept[key] = cupy.cuda.Stream(non_blocking=True, priority=priority)
    return kept[key]


@dataclass(frozen=True, slots=True, eq=False)
class BatchOnGPU(SortedBatch):
    """The codes of values of a type, in order on a GPU."""

    xp: Any = None  # a list on the GPU asks with codes and gets codes; one on the host, values
    dtype: Any = None

    def starts(self, values: Any, repeats: Any) -> Any:
        """Return where each gap of a list begins, as `SortedBatch` does."""
        starts = self.xp.zeros(len(values) + 2, np.int64)
        starts[1:-1] = self._count(values, "left")
        if len(repeats):
            starts[1 + repeats] = self._count(values[repeats], "right")
        starts[-1] = self.size
        return starts

    def _count(self, values: Any, side: str) -> Any:
        """Return how many values are less than others, or at most each if the side is "right"."""
        if self.xp is cupy:
            return cupy.searchsorted(self.ordered, values, side)
        there = zero_copy(encode(widen(values)))  # kept until the copy has ended
        return to_host(cupy.searchsorted(self.ordered, there, side))

    def values_at(self, places: Any) -> Any:
        """Return the values at some places."""
        if self.xp is cupy:
            return self.ordered[places]
        there = zero_copy(places)
        return decode_narrow(to_host(self.ordered[there]), self.dtype)

    def insert_into(self, entries: GKList, limit: int) -> GKList:
        """Return a list with this batch added: on the GPU if the list is long or becomes so."""
        with stream_of(LISTS):
            if max(len(entries.values), self.size // (limit + 1)) > LONG:
                there = to_device(entries, self.dtype)
                return GKList.with_batch(there, replace(self, xp=cupy), limit)
            return entries.to_host().with_batch(replace(self, xp=np), limit)

    def values(self) -> Keys:
        """Return all values on the host."""
        with stream_of(LISTS):
            return decode_narrow(to_host(self.ordered), self.dtype)


class GKListOnGPU(GKList):
    """A list whose arrays are on a GPU; its values are codes of a type."""

    __slots__ = ()
    xp: ClassVar[Any] = cupy

    def compress(self, limit: int, allowed: int) -> GKList:
        """Return the list without entries that a limit for gaps makes superfluous."""
        with stream_of(LISTS):
            return GKList.compress(self, limit, allowed)

    def to_host(self) -> GKList:
        """Return the list in arrays of NumPy."""
        with stream_of(LISTS):
            values = decode_narrow(to_host(self.values), self.dtype)
            ranks = to_host(self.smallest), to_host(self.before)
        return GKList(values, *ranks, self.size, self.limit)


def to_device(entries: GKList, dtype: np.dtype[Any]) -> GKListOnGPU:
    """Return a list of values of a type on the current device."""
    if isinstance(entries, GKListOnGPU):
        return entries
    columns = encode(widen(entries.values)), entries.smallest, entries.before
    with stream_of(LISTS) as stream:
        there = list(map(zero_copy, columns))
        values, smallest, before = (each | 0 for each in there)  # copies, by kernels
        stream.synchronize()
    return GKListOnGPU(values, smallest, before, entries.size, entries.limit, dtype)


def begin_sort(keys: Any, stream: Any) -> Callable[[], tuple[BatchOnGPU, int]]:
    """Begin to sort a CuPy array; return a function that waits for its batch and number of NaNs.

    The next keys are sorted while a list takes in these: the list waits for answers more often than
    the device works for it.
    """
    dtype, codes = np.dtype(keys.dtype), codes_of(cupy.ascontiguousarray(widen(keys)))
    codes.sort()
    numbers = None
    if dtype.kind == "f":
        last = cupy.full(1, np.iinfo(codes.dtype).max, codes.dtype)
        numbers = cupy.searchsorted(codes, last)  # every NaN has this code
    done = stream.record()

    def batch() -> tuple[BatchOnGPU, int]:
        with stream_of(LISTS) as lists:
            lists.wait_event(done)
            count = int(codes.size if numbers is None else numbers[0])
        return BatchOnGPU(codes[:count], count, dtype=dtype), codes.size - count

    return batch


def sort_parts(parts: Iterator[Any], sort_host: Callable[[Keys], Any]) -> Iterator[Any]:
    """Yield each part in order, and its number of NaNs; `sort_host` sorts the parts on the host.

    The stream of sorts waits for all that was asked of batches before it gets their memory.
    """
    stream, waiting = stream_of(SORTS), None
    while True:
        for other in (cupy.cuda.get_current_stream(), stream_of(LISTS)):
            stream.wait_event(other.record())
        with stream:
            part = next(parts, None)
            here = part is None or isinstance(part, np.ndarray)
            begun = None if here else begin_sort(part, stream)
        if waiting is not None:
            yield waiting()
        if part is None:
            break
        if here:
            yield sort_host(part)
        waiting = begun
    stream.synchronize()


def decode_narrow(codes: Keys, dtype: np.dtype[Any]) -> Keys:
    """Return the values of a type that have these codes, which are those of its wider type."""
    return decode(codes, widen(np.empty(0, dtype)).dtype).astype(dtype, copy=False)
