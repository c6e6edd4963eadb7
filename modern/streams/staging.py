"""Keys of the host on their way to a GPU: parts are copied while others are sorted. And back.

A GPU copies by itself what is in pinned memory, which nobody may move meanwhile. Keys that are
there already go straight to the device. Others are copied into pinned memory first, by several
threads, each of which fills one half of its own while the other is under way. What comes back is
waited for, and stays in pinned memory: to copy it from there would take longer.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import cupy
import numpy as np
from cupy.cuda import runtime

from shadersort.keys.types import Keys

__all__ = ["is_pinned", "staged", "to_host"]


LANES = 8
"""Threads that copy into pinned memory: one alone copies more slowly than the link."""

HALF = 4 << 20
"""Bytes that are under way at a time, in each lane."""

ONE_COPY = 8 << 20
"""Bytes of pinned memory that are copied at once: small copies for the sort slip in between."""

AHEAD = 3
"""So many parts are copied before they are needed: copying goes on while summaries are merged."""

FEW = 1 << 16
"""Fewer bytes than this stay on the host: mostly, they only wait for a window to be full."""

MANY, TOO_MANY = 1 << 20, 1 << 28
"""Bytes that take longer to copy than to keep; and so many that they should not stay pinned."""

Part = tuple[Any, Callable[[], None]]


def staged(keys: Keys, bounds: Iterable[tuple[int, int]]) -> Iterator[Any]:
    """Yield parts of keys on the current device, or on the host if they are few.

    While one is in use the next ones are copied. A part is overwritten once the one behind it is
    asked for.
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


def to_host(array: Any) -> Keys:
    """Return an array of the device on the host, contiguous, and nobody else's.

    One of many bytes stays in the pinned memory that it is copied into, if there is enough.
    """
    pinned = _pinned(array.nbytes)
    if pinned is None:
        found: Keys = array.get(order="C")
        return found
    found = np.frombuffer(pinned, array.dtype, array.size).reshape(array.shape)
    cupy.ascontiguousarray(array).get(out=found)
    return found if array.nbytes >= MANY else found.copy()


def _pinned(size: int) -> Any:
    """Return so many bytes of pinned memory, or None if they are too many, or are not there."""
    if not 0 < size < TOO_MANY:
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
        """Wait for what is under way, so that nothing is freed before it has arrived."""
        if self._lanes:
            self._lanes.shutdown()
        self._stream.synchronize()

    def _begun(self, part: Keys, buffer: Any) -> Part:
        """Begin to copy a part, behind all that uses its buffer; return what waits for it, too."""
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
        """Copy bytes by way of pinned memory; they have arrived when this returns."""
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
    """Return a part when what is launched next may use it."""
    arrive()
    return part
