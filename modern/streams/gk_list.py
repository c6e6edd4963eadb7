"""Batches in order on a GPU, and long lists of entries beside them.

The same as `shadersort/streams/sorted_batch.py` and `gk_list.py`, byte for byte. The device has the
order-preserving codes of keys in their place, because CuPy's comparisons flush denormals, and
because integers are sorted faster. A short list stays on the host, which asks the batch: its few
entries are copied faster than many small kernels are launched.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np

from modern.primitives.cupy import CuPyPrimitives
from modern.streams.row_sort import widened
from modern.streams.staging import read_there, to_host
from shadersort.keys.codes import decode, encode
from shadersort.keys.types import Keys
from shadersort.selection.top_keys import SMALLEST
from shadersort.streams.gk_list import GKList, repeats_of

LONG = 1 << 15
"""A list with more entries than this is brought to the device, or one that may get so many more."""

URGENT = -5
"""The priority of lists; a device that has fewer priorities takes its highest one."""

_local = threading.local()


@dataclass(frozen=True, slots=True, eq=False)
class BatchOnGPU:
    """Values in order on a GPU, for a list that is there.

    Attributes
    ----------
    codes
        The codes of the values.
    dtype
        The type of the values.
    """

    codes: Any
    dtype: np.dtype[Any]

    @property
    def xp(self) -> Any:
        """CuPy."""
        return cupy

    def __len__(self) -> int:
        return int(self.codes.size)

    def below(self, points: Any) -> Any:
        """Return how many values are less than each point, given by codes."""
        return cupy.searchsorted(self.codes, points)

    def through(self, points: Any) -> Any:
        """Return how many values are at most each point, given by codes."""
        return cupy.searchsorted(self.codes, points, side="right")

    def at(self, places: Any) -> Any:
        """Return the codes of the values at some places."""
        return self.codes[places]

    def working(self) -> AbstractContextManager[object]:
        """Return the stream in which a list takes in this batch."""
        stream: AbstractContextManager[object] = _asking_stream()
        return stream

    def beside(self, entries: GKList, limit: int) -> "tuple[BatchOnGPU | BatchAsked, GKList]":
        """Return this batch and a list of entries, where the two can work together."""
        if max(len(entries), len(self) // (limit + 1)) > LONG:
            return self, on_gpu(entries, self.dtype)
        return BatchAsked(self.codes, self.dtype), entries.on_host()

    def values(self) -> Keys:
        """Return all values on the host."""
        with self.working():
            return decoded(to_host(self.codes), self.dtype)


class BatchAsked(BatchOnGPU):
    """The same for a list on the host: kernels read questions there, and answers are copied."""

    __slots__ = ()

    @property
    def xp(self) -> Any:
        """NumPy."""
        return np

    def below(self, points: Keys) -> Any:
        """Return how many values are less than each point."""
        there = self._there(points)
        return to_host(super().below(there))

    def through(self, points: Keys) -> Any:
        """Return how many values are at most each point."""
        there = self._there(points)
        return to_host(super().through(there))

    def at(self, places: Any) -> Keys:
        """Return the values at some places."""
        there = read_there(places)
        return decoded(to_host(super().at(there)), self.dtype)

    def _there(self, points: Keys) -> Any:
        return read_there(encoded(points))


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
        with _asking_stream():
            return GKList.compressed(self, limit, allowed)

    def on_host(self) -> GKList:
        """Return the list in arrays of NumPy."""
        with _asking_stream():
            values = decoded(to_host(self.values), self.dtype)
            ranks = to_host(self.smallest), to_host(self.before)
        return GKList(values, *ranks, repeats_of(np, values), self.size, self.limit)

    def _of(
        self, values: Any, smallest: Any, before: Any, repeats: Any, size: int, limit: int
    ) -> "GKListOnGPU":
        return GKListOnGPU(values, smallest, before, repeats, size, limit, self.dtype)


def _sorting_stream() -> Any:
    """Return the stream of this thread for sorting on the current device."""
    return _stream("sorting", 0)


def _asking_stream() -> Any:
    """Return the stream of this thread for lists: urgent, as the next keys are sorted meanwhile.

    Otherwise the few blocks of each kernel would wait until all blocks of a sort had begun.
    """
    return _stream("asking", URGENT)


def _stream(name: str, priority: int) -> Any:
    """Return a stream of this thread on the current device.

    It is kept, because memory that was freed is used again only on the stream that had it.
    """
    kept: dict[tuple[str, int], Any] = _local.__dict__.setdefault("streams", {})
    key = name, cupy.cuda.runtime.getDevice()
    if key not in kept:
        kept[key] = cupy.cuda.Stream(non_blocking=True, priority=priority)
    return kept[key]


def on_gpu(entries: GKList, dtype: np.dtype[Any]) -> GKListOnGPU:
    """Return a list of values of a type on the current device."""
    if isinstance(entries, GKListOnGPU):
        return entries
    columns = encoded(entries.values), entries.smallest, entries.before, entries.repeats
    with _asking_stream() as stream:
        there = list(map(read_there, columns))
        values, smallest, before, repeats = (each | 0 for each in there)  # copies, by kernels
        stream.synchronize()
    return GKListOnGPU(values, smallest, before, repeats, entries.size, entries.limit, dtype)


class Sorting:
    """Keys of a CuPy array that are being sorted on a stream of their own.

    The next keys are sorted while a list takes in these: the list waits for answers more often than
    the device works for it.
    """

    def __init__(self, keys: Any, stream: Any) -> None:
        self._dtype, self._stream = np.dtype(keys.dtype), stream
        self._codes = CuPyPrimitives(widened(keys)).order_codes(SMALLEST)
        self._codes.sort()
        self._numbers: Any = None
        if self._dtype.kind == "f":
            last = cupy.full(1, np.iinfo(self._codes.dtype).max, self._codes.dtype)
            self._numbers = cupy.searchsorted(self._codes, last)  # every NaN has this code
        self._done = stream.record()

    def batch(self) -> tuple[BatchOnGPU, int]:
        """Return the keys in order, without NaNs, and the number of NaNs."""
        count = self._codes.size
        with _asking_stream() as stream:
            stream.wait_event(self._done)
            numbers = count if self._numbers is None else int(self._numbers[0])
        return BatchOnGPU(self._codes[:numbers], self._dtype), count - numbers


def in_order(parts: Iterator[Any], on_host: Callable[[Keys], Any]) -> Iterator[Any]:
    """Yield each part in order, and its number of NaNs; `on_host` sorts the parts on the host.

    Parts are asked for, and sorted, on a stream that waits for all that was asked of the batches
    before: so their memory is free when another batch gets it.
    """
    stream, before = _sorting_stream(), None
    while True:
        for other in (cupy.cuda.get_current_stream(), _asking_stream()):
            stream.wait_event(other.record())
        with stream:
            part = next(parts, None)
            here = part is None or isinstance(part, np.ndarray)
            begun = None if here else Sorting(part, stream)
        if before is not None:
            yield before.batch()
        if part is None:
            break
        if here:
            yield on_host(part)
        before = begun
    stream.synchronize()


def encoded(values: Keys) -> Keys:
    """Return the codes of values on the host, as wide as they are on the device.

    Examples
    --------
    >>> encoded(np.int8([-1, 0])), encoded(np.float16([0])).dtype
    (array([2147483647, 2147483648], dtype=uint32), dtype('uint16'))
    """
    return encode(widened(values))


def decoded(codes: Keys, dtype: np.dtype[Any]) -> Keys:
    """Return the values of a type that have these codes.

    Examples
    --------
    >>> decoded(encoded(np.int8([-1, 0])), np.dtype(np.int8))
    array([-1,  0], dtype=int8)
    """
    wide = widened(np.empty(0, dtype)).dtype
    return decode(codes, wide).astype(dtype, copy=False)
