"""Batches in order on a GPU, and long lists of entries beside them.

The same as in `shadersort/streams/quantiles`, byte for byte. The device has the order-preserving
codes of keys: CuPy's comparisons flush denormals, and integers are sorted faster. A short list
stays on the host: its few entries are copied faster than many small kernels are launched.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import cupy
import numpy as np

from modern.streams.transfers import to_host, zero_copy
from modern.streams.windows import codes_of, widen
from shadersort.keys.codes import decode, encode
from shadersort.keys.types import Keys
from shadersort.streams.quantiles.greenwald_khanna import GKList, repeats_of

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
class BatchOnGPU:
    """The codes of values of a type, in order on a GPU."""

    codes: Any
    dtype: np.dtype[Any]
    xp: Any = cupy  # a list on the GPU asks with codes and gets codes; one on the host, values

    def __len__(self) -> int:
        return int(self.codes.size)

    def below(self, points: Any) -> Any:
        """Return how many values are less than each point."""
        return self._count(points, "left")

    def through(self, points: Any) -> Any:
        """Return how many values are at most each point."""
        return self._count(points, "right")

    def _count(self, points: Any, side: str) -> Any:
        if self.xp is cupy:
            return cupy.searchsorted(self.codes, points, side)
        there = zero_copy(encode(widen(points)))  # kept until the copy has ended
        return to_host(cupy.searchsorted(self.codes, there, side))

    def at(self, places: Any) -> Any:
        """Return the values at some places."""
        if self.xp is cupy:
            return self.codes[places]
        there = zero_copy(places)
        return decode_narrow(to_host(self.codes[there]), self.dtype)

    def working(self) -> Any:
        """Return the stream in which a list takes in this batch."""
        return stream_of(LISTS)

    def beside(self, entries: GKList, limit: int) -> "tuple[BatchOnGPU, GKList]":
        """Return this batch and a list of entries, where the two can work together."""
        if max(len(entries), len(self) // (limit + 1)) > LONG:
            return self, to_device(entries, self.dtype)
        return replace(self, xp=np), entries.on_host()

    def values(self) -> Keys:
        """Return all values on the host."""
        with self.working():
            return decode_narrow(to_host(self.codes), self.dtype)


@dataclass(frozen=True, slots=True, eq=False)
class GKListOnGPU(GKList):
    """A list whose arrays are on a GPU; its values are codes of a type."""

    dtype: np.dtype[Any]

    @property
    def xp(self) -> Any:
        """CuPy."""
        return cupy

    def compressed(self, limit: int, allowed: int) -> GKList:
        """Return the list without entries that a limit for gaps makes superfluous."""
        with stream_of(LISTS):
            return GKList.compressed(self, limit, allowed)

    def on_host(self) -> GKList:
        """Return the list in arrays of NumPy."""
        with stream_of(LISTS):
            values = decode_narrow(to_host(self.values), self.dtype)
            ranks = to_host(self.smallest), to_host(self.before)
        return GKList(values, *ranks, repeats_of(np, values), self.size, self.limit)

    def _of(
        self, values: Any, smallest: Any, before: Any, repeats: Any, size: int, limit: int
    ) -> "GKListOnGPU":
        return GKListOnGPU(values, smallest, before, repeats, size, limit, self.dtype)


def to_device(entries: GKList, dtype: np.dtype[Any]) -> GKListOnGPU:
    """Return a list of values of a type on the current device."""
    if isinstance(entries, GKListOnGPU):
        return entries
    columns = encode(widen(entries.values)), entries.smallest, entries.before, entries.repeats
    with stream_of(LISTS) as stream:
        there = list(map(zero_copy, columns))
        values, smallest, before, repeats = (each | 0 for each in there)  # copies, by kernels
        stream.synchronize()
    return GKListOnGPU(values, smallest, before, repeats, entries.size, entries.limit, dtype)


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
            count = codes.size if numbers is None else int(numbers[0])
        return BatchOnGPU(codes[:count], dtype), codes.size - count

    return batch


def in_order(parts: Iterator[Any], sort_host: Callable[[Keys], Any]) -> Iterator[Any]:
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
