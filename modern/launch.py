"""Launching kernels: what they need beside the keys, and how their few results come back.

A reduction writes its result into pinned memory, so the host has it when the stream is done: no
copy, and one wait. What a launch needs is kept for each device and stream, and never shared between
threads.
"""

import threading
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt
from cupy.cuda import driver

from modern.compiling import compiled

__all__ = ["Launcher"]

THREADS = 256
BLOCKS_PER_PROCESSOR = 5
"""As many as fit at once: 48 registers a thread. One wave has no tail."""

PART_BYTES = 64
"""At least what a block of a reduction leaves."""

RESULT_BYTES = 64

SHARED_UNASKED = 48 << 10
"""Bytes of shared memory that a block may have without asking for more."""

_kernels: dict[tuple[Any, ...], Any] = {}
_local = threading.local()


class Launcher:
    """Launches kernels for one type of key, on the current device and stream."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.raw = np.dtype(f"u{dtype.itemsize}")
        device = cupy.cuda.Device()
        stream = cupy.cuda.get_current_stream()
        self._device, self._stream = device.id, stream
        self.processors: int = device.attributes["MultiProcessorCount"]
        self.most_shared: int = device.attributes["MaxSharedMemoryPerBlockOptin"]
        workspaces = _local.__dict__.setdefault("workspaces", {})
        key = device.id, stream.ptr
        if key not in workspaces:
            workspaces[key] = _Workspace(self.processors * BLOCKS_PER_PROCESSOR)
        self._workspace: _Workspace = workspaces[key]

    def kernel(self, name: str, **macros: int) -> Any:
        """Return a compiled kernel; it is compiled once for a device."""
        key = (name, self.dtype.name, self._device, *sorted(macros.items()))
        if key not in _kernels:
            capability = cupy.cuda.Device(self._device).compute_capability
            given = tuple(sorted(macros.items()))
            module = cupy.cuda.function.Module()
            module.load(compiled(name, self.dtype.name, f"sm_{capability}", given))
            _kernels[key] = module.get_function(name)
        return _kernels[key]

    def run(
        self,
        kernel: Any,
        arguments: tuple[Any, ...],
        *,
        threads: int = THREADS,
        blocks: int = BLOCKS_PER_PROCESSOR,
        shared: int = 0,
    ) -> None:
        """Launch a kernel with so many blocks for each multiprocessor; it may run later."""
        if shared > SHARED_UNASKED:
            driver.funcSetAttribute(
                kernel.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared
            )
        kernel((self.processors * blocks,), (threads,), arguments, shared_mem=shared)

    def reduced(self, kernel: Any, arguments: tuple[Any, ...], fields: str) -> tuple[Any, ...]:
        """Launch a reduction, wait for it, and return its result, of the struct module's fields."""
        space = self._workspace
        self.run(kernel, (*arguments, space.parts, space.ticket, space.result))
        self._stream.synchronize()
        layout = np.dtype([(f"f{i}", kind) for i, kind in enumerate(fields.split())])
        found: tuple[Any, ...] = space.view[: layout.itemsize].view(layout)[0].item()
        return found

    def fetched(self, array: Any) -> npt.NDArray[Any]:
        """Return a device array on the host."""
        host: npt.NDArray[Any] = array.get(stream=self._stream)
        return host


class _Workspace:
    """What reductions share: parts of blocks, a ticket that is 0 between runs, a pinned result."""

    def __init__(self, blocks: int) -> None:
        self.parts = cupy.empty(blocks * PART_BYTES, cupy.uint8)
        self.ticket = cupy.zeros(1, cupy.uint32)
        self._pinned = cupy.cuda.alloc_pinned_memory(RESULT_BYTES)
        self.result = np.uint64(self._pinned.ptr)
        self.view = np.frombuffer(self._pinned, np.uint8, RESULT_BYTES)
