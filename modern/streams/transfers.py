"""Copies between the host and a GPU, which copies pinned memory without the processor's help."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import cupy
import numpy as np
from cupy.cuda import runtime

from shadersort.errors import OutOfDeviceMemory
from shadersort.keys.types import Keys

TOO_MANY, MANY = 1 << 28, 1 << 20
"""From so many bytes on memory is not pinned, and an array stays where it was copied, pinned."""


class CuPyLink:
    """Copies, by any thread, to the device and beside the work on the stream that are current."""

    def __init__(self) -> None:
        self._device = cupy.cuda.Device()
        self._work = cupy.cuda.get_current_stream()
        self._copies = cupy.cuda.Stream(non_blocking=True)

    def buffer(self, size: int) -> Any:
        """Return uninitialised bytes on the device, which earlier work may still use."""
        self._device.use()
        with self._work:
            return cupy.empty(size, np.uint8)

    def slot(self, size: int) -> Keys:
        """Return bytes of the host: pinned, if there are enough."""
        self._device.use()
        memory = pinned_memory(size)
        return np.empty(size, np.uint8) if memory is None else memory

    def is_pinned(self, keys: Keys) -> bool:
        """Whether an array of the host lies in pinned memory, from its first byte to its last."""
        self._device.use()  # a thread that asks for nothing else would wake the first device
        first, last = keys.ctypes.data, keys.ctypes.data + max(keys.nbytes, 1) - 1
        kinds = (runtime.pointerGetAttributes(end).type for end in (first, last))
        return all(kind == runtime.memoryTypeHost for kind in kinds)

    def copy(self, target: Any, source: Keys) -> Any:
        """Begin a copy of bytes to the device; return the event that follows it."""
        self._device.use()
        to_device = runtime.memcpyHostToDevice
        address = target.data.ptr, source.ctypes.data
        runtime.memcpyAsync(*address, source.nbytes, to_device, self._copies.ptr)
        return self._copies.record(cupy.cuda.Event(block=True, disable_timing=True))

    def await_copy(self, event: Any) -> None:
        """Let later work begin after a copy."""
        self._work.wait_event(event)

    def await_work(self) -> None:
        """Let later copies begin after all work so far."""
        self._device.use()
        self._copies.wait_event(self._work.record(cupy.cuda.Event(disable_timing=True)))

    def close(self) -> None:
        """Wait for all copies."""
        self._copies.synchronize()


def pinned_memory(size: int) -> Keys | None:
    """Return bytes of pinned memory, or None if they are too many or not available."""
    if not 0 < size < TOO_MANY:
        return None
    try:
        return np.frombuffer(cupy.cuda.alloc_pinned_memory(size), np.uint8, size)
    except runtime.CUDARuntimeError:  # some systems have little: a copy without it is slower
        return None


def zero_copy(array: Keys) -> Any:
    """Return an array of the host as one that kernels read there, at once: keep it."""
    memory = pinned_memory(array.nbytes)
    if memory is None:
        return cupy.asarray(array)
    memory.view(array.dtype)[:] = array.ravel()
    device = runtime.getDevice()
    here = cupy.cuda.UnownedMemory(memory.ctypes.data, array.nbytes, memory, device)
    return cupy.ndarray(array.shape, array.dtype, cupy.cuda.MemoryPointer(here, 0))


def to_host(array: Any) -> Keys:
    """Return a contiguous copy of an array of the device on the host."""
    memory = pinned_memory(array.nbytes)
    if memory is None:
        found: Keys = array.get(order="C")
        return found
    found = memory.view(array.dtype).reshape(array.shape)
    cupy.ascontiguousarray(array).get(out=found)
    return found if array.nbytes >= MANY else found.copy()


def copy_together(arrays: Sequence[Any], copy: Callable[[list[Any]], Any]) -> list[Any]:
    """Copy arrays by one transfer: `copy` takes the bytes of each and returns all elsewhere."""
    order = sorted(range(len(arrays)), key=lambda number: -arrays[number].itemsize)  # aligned
    data = copy([arrays[number].ravel().view(np.uint8) for number in order])
    found, end = list(arrays), 0
    for number in order:
        each = arrays[number]
        part = data[end : (end := end + each.nbytes)]
        found[number] = part.view(each.dtype).reshape(each.shape)
    return found


def join(arrays: Sequence[Any]) -> Any:
    """Concatenate arrays along their last axis but one, or their only one; repeated rows stay so.

    CuPy's function copies pointers to the device, which waits for all large copies begun before.
    """
    first, axis = arrays[0], max(0, arrays[0].ndim - 2)
    shape = [*first.shape]
    shape[axis] = sum(each.shape[axis] for each in arrays)
    row = first.data.ptr, first.strides
    if not first.strides[0] and all((each.data.ptr, each.strides) == row for each in arrays):
        return cupy.broadcast_to(first[:1], shape)
    found, end = cupy.empty(shape, first.dtype), 0
    for each in arrays:
        begin, end = end, end + each.shape[axis]
        found[(slice(None),) * axis + (slice(begin, end),)] = each
    return found


@contextmanager
def explain_lack_of_memory() -> Iterator[None]:
    """Raise OutOfDeviceMemory, with advice, where CuPy is out of memory."""
    try:
        yield
    except (cupy.cuda.memory.OutOfMemoryError, OutOfDeviceMemory) as error:
        cause = error.__cause__ or error
        raise OutOfDeviceMemory(
            f"the device has too little memory left: {cause}. Give modern.Sorter a smaller batch"
        ) from cause
