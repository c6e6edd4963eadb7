"""Copies from the host to a GPU on a stream of their own, which threads begin: `CuPyLink`.

A GPU copies pinned memory (which the system does not move) without the help of the processor.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cupy
import numpy as np
from cupy.cuda import runtime

from shadersort.errors import OutOfDeviceMemory
from shadersort.keys.types import Keys

TOO_MANY = 1 << 28
"""So many bytes are too many to be pinned at once."""


class CuPyLink:
    """A link to the current device; work is what is asked for on the current stream.

    Any thread may use it.
    """

    def __init__(self) -> None:
        self._device = cupy.cuda.Device()
        self._work = cupy.cuda.get_current_stream()
        self._copies = cupy.cuda.Stream(non_blocking=True)

    def room(self, size: int) -> Any:
        """Return uninitialised bytes on the device, which work before may still use."""
        self._device.use()
        with self._work, memory_told():
            return cupy.empty(size, np.uint8)

    def slot(self, size: int) -> Keys:
        """Return bytes of the host: pinned, if there are enough."""
        self._device.use()
        pinned = pinned_memory(size)
        return np.empty(size, np.uint8) if pinned is None else np.frombuffer(pinned, np.uint8, size)

    def is_pinned(self, keys: Keys) -> bool:
        """Whether an array of the host is in pinned memory."""
        self._device.use()  # a thread that asks for nothing else would wake the first device
        return is_pinned(keys)

    def copy(self, target: Any, source: Keys) -> Any:
        """Begin a copy of bytes to the device; return the event that follows it."""
        self._device.use()
        to_device = runtime.memcpyHostToDevice
        address = target.data.ptr, source.ctypes.data
        runtime.memcpyAsync(*address, source.nbytes, to_device, self._copies.ptr)
        return self._copies.record(cupy.cuda.Event(block=True, disable_timing=True))

    def await_copy(self, event: Any) -> None:
        """Let the work that is asked for next begin after a copy."""
        self._work.wait_event(event)

    def await_work(self) -> None:
        """Let the next copies begin after all work that was asked for."""
        self._device.use()
        self._copies.wait_event(self._work.record(cupy.cuda.Event(disable_timing=True)))

    def close(self) -> None:
        """Wait for all copies."""
        self._copies.synchronize()


def is_pinned(keys: Keys) -> bool:
    """Whether an array lies in pinned memory, from its first byte to its last."""
    first = keys.ctypes.data
    ends = (first, first + max(keys.nbytes, 1) - 1)
    return all(runtime.pointerGetAttributes(end).type == runtime.memoryTypeHost for end in ends)


def pinned_memory(size: int) -> Any:
    """Return bytes of pinned memory, or None if they are too many or not available."""
    if not 0 < size < TOO_MANY:
        return None
    try:
        return cupy.cuda.alloc_pinned_memory(size)
    except runtime.CUDARuntimeError:  # some systems have little: a copy without it is slower
        return None


@contextmanager
def memory_told() -> Iterator[None]:
    """Raise OutOfDeviceMemory, with advice, where CuPy is out of memory."""
    try:
        yield
    except cupy.cuda.memory.OutOfMemoryError as error:
        raise OutOfDeviceMemory(
            f"the device has too little memory left: {error}. Give modern.Sorter a smaller batch"
        ) from error
