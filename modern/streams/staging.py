"""Copying keys from the host to a GPU in parts, while other parts are sorted; and copying back.

A GPU copies pinned memory (which the system does not move) without the help of the processor. Keys
in pinned memory are copied directly. Others are first copied into pinned memory by several threads;
each has two buffers and fills one while the other is being copied. Arrays from the GPU stay in the
pinned memory that they are copied into, because another copy would take longer.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import cupy
import numpy as np
from cupy.cuda import runtime

from shadersort.keys.types import Keys

LANES = 8
"""Threads that copy into pinned memory: one alone is slower than the link."""

HALF = 4 << 20
"""Bytes of each of the two buffers of a thread."""

ONE_COPY = 8 << 20
"""Bytes of pinned memory in one copy: small copies for the sort can come in between."""

AHEAD = 3
"""Parts that are copied in advance, so that copying goes on while summaries are merged."""

FEW = 1 << 16
"""Fewer bytes stay on the host: most of them only wait for a window to fill."""

MANY, TOO_MANY = 1 << 20, 1 << 28
"""From `MANY` bytes on an array stays in pinned memory; `TOO_MANY` are too many to stay pinned."""

ROOM = 1 << 30
"""So many bytes are too many for an array that parts of a stream are read into."""

Part = tuple[Any, Callable[[], None]]


def staged(keys: Keys, bounds: Iterable[tuple[int, int]]) -> Iterator[Any]:
    """Yield parts of keys on the current device, or on the host if there are few keys.

    The next parts are copied while one is in use. A part is overwritten once the next one is asked
    for.
    """
    if keys.nbytes < FEW:
        yield from (keys[start:stop] for start, stop in bounds)
        return
    staging = _Staging(np.ascontiguousarray(keys), list(bounds))
    try:
        yield from staging.parts()
    finally:
        staging.close()


def is_pinned(keys: Keys) -> bool:
    """Whether an array lies in pinned memory, from its first byte to its last."""
    first = keys.ctypes.data
    ends = (first, first + max(keys.nbytes, 1) - 1)
    return all(runtime.pointerGetAttributes(end).type == runtime.memoryTypeHost for end in ends)


def room(count: int, dtype: np.dtype[Any]) -> Keys:
    """Return an array on the host, in pinned memory if there is enough."""
    pinned = _pinned(count * dtype.itemsize, ROOM)
    return np.empty(count, dtype) if pinned is None else np.frombuffer(pinned, dtype, count)


def to_host(array: Any) -> Keys:
    """Return a contiguous copy of an array of the device on the host.

    A copy of many bytes stays in pinned memory if there is enough.
    """
    pinned = _pinned(array.nbytes)
    if pinned is None:
        found: Keys = array.get(order="C")
        return found
    found = np.frombuffer(pinned, array.dtype, array.size).reshape(array.shape)
    cupy.ascontiguousarray(array).get(out=found)
    return found if array.nbytes >= MANY else found.copy()


def _pinned(size: int, most: int = TOO_MANY) -> Any:
    """Return bytes of pinned memory, or None if they are too many or not available."""
    if not 0 < size < most:
        return None
    try:
        return cupy.cuda.alloc_pinned_memory(size)
    except runtime.CUDARuntimeError:  # some systems have little: a copy without it is slower
        return None


class _Staging:
    """Buffers on the device, by turns: one is in use, the others are filled."""

    def __init__(self, keys: Keys, bounds: list[tuple[int, int]]) -> None:
        self._keys, self._bounds = keys, bounds
        most = max((stop - start for start, stop in bounds), default=0)
        self._buffers = [cupy.empty(most, keys.dtype) for _ in bounds[: AHEAD + 1]]
        self._device = cupy.cuda.runtime.getDevice()
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._lanes = None if is_pinned(keys) else ThreadPoolExecutor(LANES)

    def parts(self) -> Iterator[Any]:
        """Yield the parts."""
        waiting: list[Part] = []
        for turn, (start, stop) in enumerate(self._bounds):
            buffer = self._buffers[turn % (AHEAD + 1)]
            waiting.append(self._begun(self._keys[start:stop], buffer))
            if len(waiting) > AHEAD:
                yield _arrived(*waiting.pop(0))
        for part in waiting:
            yield _arrived(*part)

    def close(self) -> None:
        """Wait for all copies, so that no memory is freed before they end."""
        if self._lanes:
            self._lanes.shutdown()
        self._stream.synchronize()

    def _begun(self, part: Keys, buffer: Any) -> Part:
        """Start a copy once its buffer is free; return the part and a function that waits."""
        if part.nbytes < FEW:
            return part, lambda: None
        target = buffer[: len(part)]
        self._stream.wait_event(cupy.cuda.get_current_stream().record())
        if self._lanes:
            return target, self._copied_in_lanes(part.view(np.uint8), target.data.ptr)
        for start in range(0, part.nbytes, ONE_COPY):
            count = min(ONE_COPY, part.nbytes - start)
            self._copy(target.data.ptr + start, part.ctypes.data + start, count)
        event = self._stream.record()
        return target, lambda: cupy.cuda.get_current_stream().wait_event(event)

    def _copy(self, target: int, source: int, count: int) -> None:
        kind = runtime.memcpyHostToDevice
        runtime.memcpyAsync(target, source, count, kind, self._stream.ptr)

    def _copied_in_lanes(self, part: Keys, target: int) -> Callable[[], None]:
        assert self._lanes
        each = -(-len(part) // LANES)
        jobs = [
            self._lanes.submit(self._lane, part[start : start + each], target + start)
            for start in range(0, len(part), each)
        ]

        def arrive() -> None:
            wait(jobs)
            for job in jobs:
                job.result()

        return arrive

    def _lane(self, part: Keys, target: int) -> None:
        """Copy bytes through pinned memory; return when they have arrived."""
        cupy.cuda.Device(self._device).use()
        halves = [cupy.cuda.alloc_pinned_memory(HALF) for _ in range(2)]
        under_way: list[Any] = [None, None]
        for turn, start in enumerate(range(0, len(part), HALF)):
            half, some = turn % 2, part[start : start + HALF]
            if under_way[half]:
                under_way[half].synchronize()
            np.frombuffer(halves[half], np.uint8, len(some))[:] = some
            self._copy(target + start, halves[half].ptr, len(some))
            under_way[half] = self._stream.record()
        for event in filter(None, under_way):
            event.synchronize()


def _arrived(part: Any, arrive: Callable[[], None]) -> Any:
    """Return a part once the kernels launched next may use it."""
    arrive()
    return part
