"""Copying keys from the host to a GPU in parts, while other parts are sorted; and copying back.

Keys in pinned memory are copied directly. Others are first copied into slots by several threads
(`device_rooms.py`). Arrays from the GPU stay in the pinned memory that they are copied into,
because another copy would take longer.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

import cupy
import numpy as np

from modern.streams.device_rooms import FEW, LANES, SLOT, DeviceRooms, Job, filled
from modern.streams.link import CuPyLink, is_pinned, pinned_memory
from shadersort.keys.types import Keys

AHEAD, AHEAD_PINNED = 3, 1
"""Parts that are copied in advance, so that copying goes on while summaries are merged.

From pinned memory few, since the host waits in CUDA while some dozens of copies are under way.
"""

COPIES = 8
"""Copies of a part in pinned memory, at most."""

WORTH_A_THREAD = 1 << 19
"""Bytes for which a copy takes longer than starting a thread."""

MANY = 1 << 20
"""From so many bytes on an array stays in pinned memory."""


def staged(keys: Keys, bounds: Iterable[tuple[int, int]]) -> Iterator[Any]:
    """Yield parts of keys on the current device, or on the host if there are few keys.

    The next parts are copied while one is in use. A part is overwritten once the next one is asked
    for.
    """
    parts = [keys[start:stop] for start, stop in bounds]
    if keys.nbytes < FEW:
        yield from parts
        return
    pinned = is_pinned(keys)
    turns = min(len(parts), (AHEAD_PINNED if pinned else AHEAD) + 1)
    lanes = 0 if pinned else min(LANES, keys.nbytes // WORTH_A_THREAD)
    longest = max(map(len, parts))
    slot = max(SLOT, longest * keys.itemsize // COPIES) if pinned else SLOT // 2
    rooms = DeviceRooms(CuPyLink(), turns, longest, keys.dtype, slot, lanes)
    jobs = (_jobs(part, rooms.piece, max(lanes, 1)) for part in parts)
    with closing(filled(rooms, jobs, lanes)) as arrays:
        for (turn, copied), part in zip(arrays, parts, strict=True):
            yield rooms.array(turn)[: len(part)] if copied else part


def _jobs(part: Keys, piece: int, lanes: int) -> list[Job]:
    """Return what brings a part to a room: as much for each thread; nothing if there are few keys.

    Then the part stays on the host.
    """
    if part.nbytes < FEW:
        return []
    each = min(piece, -(-len(part) // lanes))
    return [partial(_bring, part, begin, each) for begin in range(0, len(part), each)]


def _bring(part: Keys, begin: int, count: int, rooms: DeviceRooms, turn: int) -> None:
    """Bring some keys of a part to a room."""
    rooms.bring(turn, begin, part[begin : begin + count])


def read_there(array: Keys) -> Any:
    """Return an array of the host that kernels read where it is: for small ones.

    A copy would wait for all large copies to the device that were begun before. The memory is used
    again once the result is gone: keep it until the kernels have ended.
    """
    pinned = pinned_memory(array.nbytes)
    if pinned is None:
        return cupy.asarray(array)
    np.frombuffer(pinned, array.dtype, array.size)[:] = array.ravel()
    device = cupy.cuda.runtime.getDevice()
    memory = cupy.cuda.UnownedMemory(pinned.ptr, array.nbytes, pinned, device)
    return cupy.ndarray(array.shape, array.dtype, cupy.cuda.MemoryPointer(memory, 0))


def to_host(array: Any) -> Keys:
    """Return a contiguous copy of an array of the device on the host.

    A copy of many bytes stays in pinned memory if there is enough.
    """
    pinned = pinned_memory(array.nbytes)
    if pinned is None:
        found: Keys = array.get(order="C")
        return found
    found = np.frombuffer(pinned, array.dtype, array.size).reshape(array.shape)
    cupy.ascontiguousarray(array).get(out=found)
    return found if array.nbytes >= MANY else found.copy()
