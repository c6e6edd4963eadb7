"""Many ranks on a GPU in one launch that nothing waits for: kernels/one_read/cells.cu.

As a rule two reads find them: one counts the keys in cells, ranges of codes that have about as many
keys of a sample each, and one copies the keys of the cells that hold a rank.
"""

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np

from modern.device_arrays import BY_VALUE, DeviceKeys, write_values
from modern.primitives.device_primitives import DevicePrimitives
from shadersort.keys.types import Integers
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.primitives.values import Ranked

THREADS, UNROLL = 1024, 2

FEW = 4096
"""Keys of a block, if there are few."""

ROOT = 4 * THREADS
"""Entries of the table; the bins of a histogram have as much room in front of it."""

AIMS = 1 << 14, 1 << 13
"""Cells that are aimed at: the first number that fits."""

SHARED, STATIC = 160 << 10, 1 << 10
"""Bytes of shared memory that a block uses at most, and those that it needs of its own."""

LEAST_ROOM = 1 << 20


class Shape(NamedTuple):
    """What a launch needs on a device.

    Cells aimed at, keys that a thread stages, bytes of shared memory, and bytes that launches share
    (`Common` in cells.cu).
    """

    aim: int
    capacity: int
    shared: int
    common: int


@cache
def shape_of(most_shared: int, itemsize: int) -> Shape | None:
    """Return the shape of launches on a device; None if it has too little shared memory.

    Examples
    --------
    >>> shape_of(227 << 10, 4)
    Shape(aim=16384, capacity=28, shared=160784, common=565304)
    >>> shape_of(99 << 10, 8)[:2], shape_of(64 << 10, 8)
    ((8192, 5), None)
    """
    shared = min(SHARED, most_shared - STATIC)
    for aim in AIMS:
        cells = aim + ROOT + 1
        tables = 4 * (2 * ROOT + 2 * (cells // 32 + 2)) + 2 * itemsize * THREADS
        behind, counted = shared - tables, 4 * (2 * ROOT + cells)
        capacity = behind // THREADS // itemsize
        if max(counted, tables + 4 * aim) > shared or capacity <= 2 * LOAD // itemsize:
            continue
        used = max(counted, tables + max(4 * aim, capacity * THREADS * itemsize))
        common = 8 * (5 + ROOT + 2 * max(cells, 2 * THREADS) + 25 * THREADS)
        return Shape(aim, capacity, used, common)
    return None


def is_possible(keys: DeviceKeys) -> bool:
    """Whether the device has enough shared memory."""
    return shape_of(keys.launcher.most_shared, keys.launcher.raw.itemsize) is not None


def room_for(size: int, ranks: int, aim: int) -> int:
    """Return how many keys a launch may copy: twice as many as evenly filled cells have."""
    return min(size, max(LEAST_ROOM, 2 * ranks * size // aim + size // 32))


def launch(
    keys: DeviceKeys,
    ranks: Sequence[int],
    answers: int,
    found: int = 0,
    *,
    unless_nan: bool = False,
) -> None:
    """Launch the kernel; keys are at the address `answers` when the stream gets there.

    Ranks are ascending. `found` is the address where pairs of numbers are written: how many keys
    are below each of them, and how many equal it. With `unless_nan` all keys are NaN if one is.
    """
    launcher, size = keys.launcher, prod(keys.shape)
    itemsize = launcher.raw.itemsize
    shape = shape_of(launcher.most_shared, itemsize)
    assert shape is not None
    room = room_for(size, min(len(ranks), THREADS), shape.aim)
    memory = keys.scratch(room * itemsize), room, keys.zeros("cells", shape.common)
    macros = {"AIM": shape.aim, "CAPACITY": shape.capacity, "COUNT": BY_VALUE}
    kernel = launcher.kernel("cells", THREADS=THREADS, UNROLL=UNROLL, **macros)
    blocks = max(1, min(launcher.processors, -(-size // FEW)))
    for first in range(0, len(ranks), THREADS):
        some = ranks[first : first + THREADS]
        at = write_values(keys, some) if len(some) > BY_VALUE else 0
        results = answers + first * itemsize, found and found + 16 * first
        arguments = (
            *(keys.pointer, size, at, len(some), int(unless_nan)),
            *(*memory, *results, *(() if at else some)),
        )
        launcher.launch(kernel, (blocks,), THREADS, arguments, shape.shared, True)


def cells(gpu: DevicePrimitives, ranks: Integers) -> Ranked:
    """Find ascending ranks; return the keys, how many are below each, and how many equal it."""
    answers, found = gpu.room(ranks.size), gpu.room((ranks.size, 2), np.int64)
    launch(gpu.device_keys, ranks.tolist(), answers.data.ptr, found.data.ptr)
    gpu.traffic.add(2 * gpu.size)
    gpu.launcher.check_not_captured("the search for counted ranks")
    return Ranked(answers.get(), *found.get().T)
