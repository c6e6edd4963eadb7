"""What launches on one stream of one device share: what blocks leave, and pinned memory.

Counters and tickets are 0 between launches: the last block of each launch sees to it.
"""

import struct
import threading
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from shadersort.selection.primitives import counted

__all__ = ["BLOCKS_PER_PROCESSOR", "SCRATCH", "SLOT", "Lease", "Workspace", "workspace"]

BLOCKS_PER_PROCESSOR = 5
"""As many as fit at once: 48 registers a thread. One wave has no tail."""

PART_BYTES = 64
"""At least what a block of a reduction leaves."""

COUNTERS = 1 << 16
"""Totals of the largest histogram."""

SLOTS = 64
"""Copies that nobody has waited for."""

SLOT = struct.Struct("=QQQQ")
"""What a copy leaves."""

STAGING = 64 << 10
"""Bytes of pinned memory for small tables on their way to the device."""

SCRATCH = 1 << 17
"""Words of 64 bits that kernels hand on to those after them."""

_local = threading.local()

_left: dict[tuple[int, int], list["Workspace"]] = {}
"""Workspaces that nobody has, by device and stream."""


class Lease:
    """A workspace as long as it is used; after that, when its thread has ended, others may have it.

    Its memory is never freed: the device may not be done with it. What another thread launches on
    the same stream comes later.
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
            space.expected = []  # those who would have asked are gone
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
        self._staging = cupy.cuda.alloc_pinned_memory(STAGING)

    def slot(self) -> int:
        """Return a slot that no copy has, after a wait if all have one."""
        if len(self.expected) >= SLOTS - 1:
            cupy.cuda.get_current_stream().synchronize()
            self.check()
        self._last = (self._last + 1) % SLOTS
        return self._last

    def address(self, slot: int) -> np.uint64:
        """Return where a slot begins."""
        return np.uint64(self._slots.ptr + slot * SLOT.size)

    def staged(self, array: npt.NDArray[Any]) -> np.uint64 | None:
        """Put an array into pinned memory, if there is room, and return where."""
        first, size = self._lent, array.nbytes
        if first + size > STAGING:
            return None
        np.frombuffer(self._staging, array.dtype, array.size, first)[:] = array.ravel()
        self._lent += -(-size // 16) * 16
        return np.uint64(self._staging.ptr + first)

    def check(self) -> None:
        """After a wait: compare what copies have counted with what was expected."""
        self._lent = 0
        expected, self.expected = self.expected, []
        for slot, count in expected:
            found, *_ = SLOT.unpack_from(self.slots, slot * SLOT.size)
            counted(found, count)
