"""one-read on a GPU: a rank, or the two middle keys, in one launch (kernels/one_read.cu).

`launch` does not wait, and leaves the answer on the device. `one_read` waits, and returns what
`shadersort.selection.primitives.one_read` defines.
"""

import struct
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from modern.launching.waiting import Launcher, room
from modern.primitives.gpu_keys import GPUKeys
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


class Shape(NamedTuple):
    """How a launch is made: blocks, whether there is a sample, bytes of shared memory, room."""

    blocks: int
    samples: int
    shared: int
    room: int


@cache
def capacity_of(most_shared: int, itemsize: int) -> int:
    """Return how many keys a thread can stage.

    Examples
    --------
    >>> capacity_of(227 << 10, 4), capacity_of(99 << 10, 8)
    (36, 10)
    """
    return min(LISTS, most_shared - BINS - STATIC) // THREADS // itemsize


@cache
def shape_of(size: int, itemsize: int, processors: int, capacity: int) -> Shape:
    """Return the shape of a launch for some keys.

    Examples
    --------
    >>> shape_of(1000, 4, 132, 36)
    Shape(blocks=1, samples=0, shared=40960, room=0)
    >>> shape_of(1 << 28, 4, 132, 36)
    Shape(blocks=132, samples=1, shared=163840, room=4194304)
    """
    blocks = max(1, min(processors, -(-size // FEW)))
    each = LOAD // itemsize
    rows = -(-size // (each * blocks * THREADS)) * each + 2
    if rows <= capacity:
        return Shape(blocks, 0, BINS + max(rows, FEW // THREADS) * THREADS * itemsize, 0)
    place = min(size, max(LEAST_ROOM, size // PART))
    return Shape(blocks, 1, BINS + capacity * THREADS * itemsize, place)


def sampled_for(size: int, itemsize: int) -> int:
    """Return how many loads of 16 bytes each thread samples.

    Examples
    --------
    >>> sampled_for(1 << 28, 4), sampled_for(1 << 30, 4), sampled_for(1 << 20, 8)
    (1, 2, 2)
    """
    return 2 if itemsize == 8 or size * itemsize >= LARGE else 1


def launch(
    launcher: Launcher,
    keys: Any,
    rank: int,
    answer: Any,
    *,
    pair: bool = False,
    ask: int = SELECT,
    magnitude: bool = False,
    told: Any = None,
) -> Shape:
    """Launch the kernel; the answer, one key or two, is in `answer` when the stream gets there.

    With `ask`, the rank and `pair` do not matter, and the answer is a mean. With `magnitude`, every
    key stands for its magnitude. `told` is where what was done is written: an array, or the address
    of pinned memory.
    """
    itemsize = launcher.dtype.itemsize
    capacity = capacity_of(launcher.most_shared, itemsize)
    shape = shape_of(keys.size, itemsize, launcher.processors, capacity)
    spill = room(shape.room, launcher.raw)
    launcher.run_together(
        launcher.kernel(
            "one_read",
            THREADS=THREADS,
            CAPACITY=capacity,
            UNROLL=UNROLL,
            MAGNITUDE=int(magnitude),
            SAMPLED=sampled_for(keys.size, itemsize),
        ),
        (
            keys,
            np.uint64(keys.size),
            np.uint64(rank),
            np.uint32(pair),
            np.uint32(ask),
            np.uint32(shape.samples),
            np.float32(WIDE),
            spill,
            np.uint64(shape.room),
            launcher.kept("one_read", COMMON),
            answer,
            np.uint64(0) if told is None else told,
        ),
        threads=THREADS,
        blocks=shape.blocks,
        shared=shape.shared,
    )
    return shape


def one_read(gpu: GPUKeys, rank: int) -> OneRead:
    """Return the code of a rank, and how it was found."""
    launcher = gpu.launcher
    launch(launcher, gpu.keys, rank, room(2, gpu.dtype), told=launcher.result(0))
    launcher.wait()
    found = outcome(launcher)
    gpu.traffic.add(found.sampled + found.readings * gpu.size, found.inside)
    return found


def outcome(launcher: Launcher) -> OneRead:
    """Return what a launch has told in the first results, after a wait."""
    numbers = TOLD.unpack(launcher.left(0, TOLD.size // 8).tobytes())
    (bits, _), (below, _), (equal, _) = numbers[0:2], numbers[2:4], numbers[4:6]
    readings, attempts, sampled, first, last, tied = numbers[6:12]
    found = np.array([bits], np.uint64).astype(launcher.raw).view(launcher.dtype)[0]
    bracket = Bracket(first, last, bool(tied)) if sampled else None
    return OneRead(code(found), below, equal, sampled, bracket, numbers[14], attempts, readings)
