"""What launches on one stream of one device share: results of blocks, and pinned memory.

Counters and tickets are 0 between launches: the last block of each launch resets them.
"""

import struct
import threading
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from shadersort.selection.primitives import check_count

BLOCKS_PER_PROCESSOR = 5
"""This many blocks run at once, with 48 registers a thread. One wave of blocks has no tail."""

PART_BYTES = 64
"""At least the size of the result of one block of a reduction."""

COUNTERS = 1 << 16
"""Counters of the largest histogram."""

SLOTS = 64
"""Results of copies that the host has not waited for."""

SLOT = struct.Struct("=5Q")
"""The result of a copy."""

STAGING = 64 << 10
"""Bytes of pinned memory for small tables on their way to the device."""

SCRATCH = 1 << 17
"""Words of 64 bits that kernels pass on to later kernels."""

_local = threading.local()

_left: dict[tuple[int, int], list["Workspace"]] = {}
"""Workspaces that no thread has, by device and stream."""


class Lease:
    """A workspace while a thread uses it; after the thread ends, another thread may get it.

    The memory is never freed, as the device may still use it. Later launches of another thread on
    the same stream run after the earlier ones.
    """

    def __init__(self, space: "Workspace", left: list["Workspace"]) -> None:
        self.space, self._left = space, left

    def __del__(self) -> None:
        self._left.append(self.space)


def workspace(stream: Any) -> Lease:
    """Return the workspace of a stream of the current device, for this thread only."""
    leases: dict[tuple[int, int], Lease] = _local.__dict__.setdefault("leases", {})
    device = cupy.cuda.runtime.getDevice()
    key = device, stream.ptr
    if key not in leases:
        left = _left.setdefault(key, [])
        try:
            space = left.pop()
            space.expected = []  # the thread that expected them has ended
        except IndexError:
            space = Workspace(device)
        leases[key] = Lease(space, left)
    return leases[key]


class Workspace:
    """What launches on a stream share."""

    def __init__(self, device: int) -> None:
        known = cupy.cuda.Device(device)
        self.device, self.architecture = device, f"sm_{known.compute_capability}"
        self.processors: int = known.attributes["MultiProcessorCount"]
        self.most_shared: int = known.attributes["MaxSharedMemoryPerBlockOptin"]
        self.parts = cupy.empty(self.processors * BLOCKS_PER_PROCESSOR * PART_BYTES, cupy.uint8)
        self.ticket = cupy.zeros(1, cupy.uint32)
        self.counters = cupy.zeros(COUNTERS, cupy.uint64), cupy.zeros(1, cupy.uint32)
        self.scratch = cupy.empty(SCRATCH, cupy.uint64)
        self._results = cupy.cuda.alloc_pinned_memory(8 * COUNTERS)
        self.result = np.uint64(self._results.ptr)
        self.view = memoryview(self._results).cast("B")[: 8 * COUNTERS]
        self._slots = cupy.cuda.alloc_pinned_memory(SLOTS * SLOT.size)
        self.slots = memoryview(self._slots).cast("B")
        self.expected: list[tuple[int, int]] = []
        self._last = self._lent = 0
        self._kept: dict[str, Any] = {}
        self.fixed: dict[tuple[Any, ...], Any] = {}
        self._staging = cupy.cuda.alloc_pinned_memory(STAGING)

    def kept(self, name: str, size: int) -> Any:
        """Return bytes that a kernel keeps between its launches; they are 0 at first."""
        if name not in self._kept:
            self._kept[name] = cupy.zeros(size, cupy.uint8)
        return self._kept[name]

    def slot(self) -> int:
        """Return a free slot, after a wait if there is none."""
        if len(self.expected) >= SLOTS - 1:
            cupy.cuda.get_current_stream().synchronize()
            self.check()
        self._last = (self._last + 1) % SLOTS
        return self._last

    def address(self, slot: int) -> np.uint64:
        """Return the address of a slot."""
        return np.uint64(self._slots.ptr + slot * SLOT.size)

    def staged(self, array: npt.NDArray[Any]) -> np.uint64 | None:
        """Put an array into pinned memory if there is room, and return its address."""
        first, size = self._lent, array.nbytes
        if first + size > STAGING:
            return None
        np.frombuffer(self._staging, array.dtype, array.size, first)[:] = array.ravel()
        self._lent += -(-size // 16) * 16
        return np.uint64(self._staging.ptr + first)

    def check(self) -> None:
        """After a wait, compare the counts of copies with the expected counts."""
        self._lent = 0
        expected, self.expected = self.expected, []
        for slot, count in expected:
            found, *_ = SLOT.unpack_from(self.slots, slot * SLOT.size)
            check_count(found, count)
