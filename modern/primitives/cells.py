"""Many ranks on a GPU in one launch that nothing waits for: kernels/one_read/cells.cu.

As a rule two reads find them: one counts the keys in cells, ranges of codes that have about as many
keys of a sample each, and one copies the keys of the cells that hold a rank.
"""

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

CHOICES = tuple((1 << most, 1 << aim) for most in (11, 10) for aim in (14, 13, 12))
"""Ranks that are found together, at most, and cells that are aimed at: the first that fit."""

CHECKED = 2
"""Loads between two looks for a full list: in kernels/shared/staging.cuh."""

NOTHING = np.zeros(1, f"V{8 * BY_VALUE}")
"""Ranks that nobody reads."""

SHARED, STATIC = 160 << 10, 1 << 10
"""Bytes of shared memory that a block uses at most, and those that it needs of its own."""

LEAST_SAMPLED = 1 << 10
"""Fewer bytes than this are not sampled."""

LEAST_ROOM = 1 << 20


class Shape(NamedTuple):
    """What a launch needs on a device.

    Ranks that it finds, cells aimed at, counters of narrowed ranges, keys that a thread stages,
    bytes of shared memory, and bytes that launches share (`Common` in cells.cu).
    """

    most: int
    aim: int
    bins: int
    capacity: int
    shared: int
    common: int


@cache
def shape_of(most_shared: int, itemsize: int) -> Shape | None:
    """Return the shape of launches on a device; None if it has too little shared memory.

    Examples
    --------
    >>> shape_of(227 << 10, 4)
    Shape(most=2048, aim=16384, bins=16384, capacity=24, shared=160784, common=770096)
    >>> shape_of(99 << 10, 8)[:4], shape_of(64 << 10, 8)
    ((1024, 8192, 8192, 5), None)
    """
    shared = min(SHARED, most_shared - STATIC)
    for most, aim in CHOICES:
        cells = aim + ROOT + 1
        tables = 4 * (2 * ROOT + 2 * (cells // 32 + 1) + most + 2) + 2 * itemsize * most
        behind, counted = shared - tables, 4 * (2 * ROOT + cells)
        capacity = behind // THREADS // itemsize
        if counted > shared or capacity <= CHECKED * LOAD // itemsize:
            continue
        bins = min(aim, 1 << (behind // 4).bit_length() - 1)
        used = max(counted, tables + max(4 * bins, capacity * THREADS * itemsize))
        common = 8 * (4 + ROOT + 2 * max(cells, 2 * most) + 25 * most)
        return Shape(most, aim, bins, capacity, used, common)
    return None


def is_possible(keys: DeviceKeys) -> bool:
    """Whether the device has enough shared memory."""
    return shape_of(keys.launcher.most_shared, keys.launcher.raw.itemsize) is not None


def room_for(size: int, ranks: int, aim: int) -> int:
    """Return how many keys a launch may copy: twice as many as evenly filled cells have."""
    return min(size, max(LEAST_ROOM, 2 * ranks * size // aim + size // 32))


def launch(
    keys: DeviceKeys,
    ranks: Integers | tuple[int, int],
    answers: int,
    found: int = 0,
    *,
    unless_nan: bool = False,
) -> None:
    """Launch the kernel; keys are at the address `answers` when the stream gets there.

    Ranks are ascending, on the host; or an address on the device, and how many there are, at most
    `most` of the shape. `found` is the address where pairs of numbers are written: how many keys
    are below each of them, and how many equal it. With `unless_nan` all keys are NaN if one is.
    """
    launcher, size = keys.launcher, prod(keys.shape)
    itemsize = launcher.raw.itemsize
    shape = shape_of(launcher.most_shared, itemsize)
    assert shape is not None
    given = NOTHING
    if isinstance(ranks, tuple):
        at, count = ranks
    else:
        count = ranks.size
        if count > shape.most:
            for first in range(0, count, shape.most):
                some, at = ranks[first : first + shape.most], answers + first * itemsize
                launch(keys, some, at, found and found + 16 * first, unless_nan=unless_nan)
            return
        at = write_values(keys, ranks) if count > BY_VALUE else 0
        if not at:
            given = NOTHING.copy()
            given.view(np.uint64)[:count] = ranks
    place = room_for(size, count, shape.aim)
    kernel = launcher.kernel(
        "cells", THREADS=THREADS, UNROLL=UNROLL, AIM=shape.aim, MOST=shape.most, COUNT=BY_VALUE
    )
    samples = size * itemsize >= LEAST_SAMPLED
    arguments = (
        *(keys.pointer, size, given, at, count, int(unless_nan), int(samples), shape.bins),
        *(shape.capacity, keys.scratch(place * itemsize), place),
        *(keys.zeroed("cells", shape.common), answers, found),
    )
    blocks = max(1, min(launcher.processors, -(-size // FEW)))
    launcher.launch(kernel, (blocks,), THREADS, arguments, shape.shared, True)


def cells(gpu: DevicePrimitives, ranks: Integers) -> Ranked:
    """Find ascending ranks; return the keys, how many are below each, and how many equal it."""
    answers, found = gpu.room(ranks.size), gpu.room((ranks.size, 2), np.int64)
    if ranks.size:
        launch(gpu.device_keys, ranks, answers.data.ptr, found.data.ptr)
    gpu.traffic.add(2 * gpu.size)
    gpu.launcher.check_not_captured("the search for counted ranks")
    return Ranked(answers.get(), *found.get().T)
