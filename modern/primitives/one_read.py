"""one-read on a GPU: a rank, or the two middle keys, in one launch (kernels/one_read/one_read.cu).

`launch` does not wait, and leaves the answer on the device. `one_read` waits, and returns what
`shadersort.selection.primitives.one_read` defines.
"""

import struct
from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np

from modern.device_arrays import DeviceKeys
from modern.primitives.device_primitives import DevicePrimitives, results_of
from shadersort.keys.codes import code
from shadersort.selection.primitives.one_read import LOAD, WIDE, Bracket, OneRead

SELECT, MEDIAN, NANMEDIAN = range(3)
"""What is asked: a rank; the mean of the middle keys, NaN if any key is; or that of the numbers."""

THREADS, FEW = 1024, 4096

UNROLL = 2
"""Loads in flight of each thread, beside those that are worked on."""

LARGE = 1 << 31
"""From so many bytes on, each thread samples two loads: the lists overflow otherwise."""

BINS = 16 << 10
"""Bytes of the bins in shared memory."""

LISTS = 144 << 10
"""Bytes of the lists behind them, at most: with more, all loads get slower."""

STATIC = 2 << 10
"""Bytes of shared memory that a block needs beside both."""

COMMON = 2 * 16 + 2 * 2 * 64 + FEW * 8 + 2 * 24 * 4096 * 8
"""Bytes that launches share: `Common` in one_read.cu."""

TOLD = struct.Struct("=2Q2Q2Q6Q8Q")

LEAST_ROOM, PART = 1 << 20, 64
"""Room for staged keys beside the lists: this many, or 1 in so many keys."""

WIDTH = int(np.float32(WIDE).view(np.uint32))
"""The bits of a float."""


class Shape(NamedTuple):
    """How a launch is made: blocks, whether there is a sample, bytes of shared memory, room."""

    blocks: tuple[int]
    samples: int
    shared: int
    room: int
    macros: dict[str, int]


@cache
def capacity_of(most_shared: int, itemsize: int) -> int:
    """Return how many keys a thread can stage.

    Examples
    --------
    >>> capacity_of(227 << 10, 4), capacity_of(99 << 10, 8)
    (36, 10)
    """
    return min(LISTS, most_shared - BINS - STATIC) // THREADS // itemsize


def loads_of_thread(size: int, itemsize: int) -> int:
    """Return how many loads each thread samples.

    Examples
    --------
    >>> loads_of_thread(1 << 28, 4), loads_of_thread(1 << 28, 8)
    (1, 2)
    """
    return 2 if itemsize == 8 or size * itemsize >= LARGE else 1


def room_for(size: int) -> int:
    """Return the room for staged keys beside the lists.

    Examples
    --------
    >>> room_for(1000), room_for(1 << 28)
    (1000, 4194304)
    """
    return min(size, max(LEAST_ROOM, size // PART))


@cache
def shape_of(
    size: int, itemsize: int, processors: int, most_shared: int, magnitude: bool = False
) -> Shape:
    """Return the shape of a launch for some keys.

    Examples
    --------
    >>> shape_of(1000, 4, 132, 227 << 10)[:4]
    ((1,), 0, 40960, 0)
    >>> shape_of(1 << 28, 4, 132, 227 << 10)[:4]
    ((132,), 1, 163840, 4194304)
    """
    capacity, sampled = capacity_of(most_shared, itemsize), loads_of_thread(size, itemsize)
    macros = {"THREADS": THREADS, "CAPACITY": capacity, "UNROLL": UNROLL}
    macros |= {"MAGNITUDE": int(magnitude), "SAMPLED": sampled}
    blocks = max(1, min(processors, -(-size // FEW)))
    each = LOAD // itemsize
    rows = -(-size // (each * blocks * THREADS)) * each + 2
    if rows <= capacity:
        shared = BINS + max(rows, FEW // THREADS) * THREADS * itemsize
        return Shape((blocks,), 0, shared, 0, macros)
    shared = BINS + capacity * THREADS * itemsize
    return Shape((blocks,), 1, shared, room_for(size), macros)


def launch(
    keys: DeviceKeys,
    rank: int,
    answer: int,
    *,
    pair: bool = False,
    unless_nan: bool = False,
    ask: int = SELECT,
    magnitude: bool = False,
    told: int = 0,
) -> None:
    """Launch the kernel; the answer, one key or two, is at an address when the stream gets there.

    With `unless_nan`, the answer is NaN if any key is. With `ask`, the rank and `pair` do not
    matter, and the answer is a mean. With `magnitude`, every key stands for its magnitude. `told`
    is the address where what was done is written.
    """
    launcher, size = keys.launcher, prod(keys.shape)
    itemsize = launcher.raw.itemsize
    shape = shape_of(size, itemsize, launcher.processors, launcher.most_shared, magnitude)
    spill = keys.scratch(shape.room * itemsize) if shape.room else 0
    arguments = (
        *(keys.pointer, size, rank, int(pair), int(unless_nan), ask, shape.samples, WIDTH),
        *(spill, shape.room, keys.zeros("one_read", COMMON), answer, told),
    )
    kernel = launcher.kernel("one_read", **shape.macros)
    launcher.launch(kernel, shape.blocks, THREADS, arguments, shape.shared, True)


def one_read(gpu: DevicePrimitives, rank: int) -> OneRead:
    """Return the code of a rank, and how it was found."""
    answer = gpu.room(2)
    launch(gpu.device_keys, rank, answer.data.ptr, told=results_of(gpu.launcher.device)[0])
    numbers = TOLD.unpack_from(gpu.wait())
    (bits, _), (below, _), (equal, _) = numbers[0:2], numbers[2:4], numbers[4:6]
    readings, attempts, sampled, first, last, tied = numbers[6:12]
    gpu.traffic.add(sampled + readings * gpu.size, numbers[14])
    found = np.array([bits], np.uint64).astype(gpu.launcher.raw).view(gpu.dtype)[0]
    bracket = Bracket(first, last, bool(tied)) if sampled else None
    return OneRead(code(found), below, equal, sampled, bracket, numbers[14], attempts, readings)
