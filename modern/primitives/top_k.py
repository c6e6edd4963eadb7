"""Top-k on a GPU: the keys at the top in order, and their places: kernels/one_read/top_k.cu.

Up to `MOST` keys are one launch, for which nothing waits: a sample gives a bound, one read stages
the keys up to it, and one block sorts them. Of more keys the last one is selected first; one more
read gathers those at the top, and CuPy sorts them.
"""

from functools import cache
from math import prod
from typing import Any, NamedTuple

import cupy
import numpy as np

from modern.device_arrays import DeviceKeys
from modern.primitives.device_primitives import DevicePrimitives
from modern.primitives.one_read import BINS, LISTS, STATIC, TOLD, WIDTH
from modern.primitives.one_read import launch as launch_one_read
from shadersort.keys.codes import encode
from shadersort.selection.primitives.one_read import LOAD, WIDE, sample_rank
from shadersort.selection.top_keys import MAGNITUDE, SMALLEST

MOST = 1 << 12
"""Up to this many keys are sorted by the block that finds them among the staged ones."""

THREADS = 1024

SLACK = 16
"""Keys of a sample that may be staged beside those needed; and 1 in this many of these."""

ALL = 1 << 14
"""Up to this many keys are all staged, without a sample."""

COMMON = 32 + 2 * 1024 * 8 + 24 * 4096 * 8
"""Bytes that launches share: `Common` in top_k.cu."""

SAMPLE, EVERY, PIVOT = range(3)
"""Where the bound comes from: a sample; no bound; or it is known."""

NO, YES = range(2)


class Shape(NamedTuple):
    """How a launch is made: blocks, how many keys may be staged, bytes of shared memory, macros."""

    blocks: tuple[int]
    room: int
    shared: int
    macros: dict[str, int]


@cache
def shape_of(
    size: int, count: int, by: int, itemsize: int, processors: int, most_shared: int
) -> Shape:
    """Return the shape of a launch: it stages a few more keys than are expected up to the bound.

    Examples
    --------
    >>> shape_of(1 << 28, 1000, 0, 4, 132, 227 << 10)[:3]
    ((132,), 49698, 163840)
    """
    each, behind = LOAD // itemsize, most_shared - BINS - STATIC
    blocks = min(processors, -(-size // (4 * each * THREADS)))
    room, sampled = size, blocks * THREADS * each
    if size > ALL:
        place = sample_rank(count - 1, size, sampled, WIDE, 1)
        expected = (place + 2 * SLACK + place // SLACK) * size / sampled
        room = min(size, int(1.1 * expected) + ALL)
    capacity = min(LISTS, behind) // THREADS // 4
    most = 1 << min(behind // 16, 2 * MOST).bit_length() - 1
    macros = {"BY": by, "THREADS": THREADS, "CAPACITY": capacity, "UNROLL": 2}
    macros |= {"SLACK": SLACK, "MOST": most}
    return Shape((blocks,), room, BINS + max(capacity * THREADS * 4, 16 * most), macros)


def launch(keys: DeviceKeys, by: int, count: int, values: int, places: int) -> None:
    """Launch the kernel: it writes up to `MOST` keys at the top in order, and their places."""
    size, itemsize = prod(keys.shape), keys.launcher.raw.itemsize
    shape = _shape(keys, by, count)
    orders = keys.scratch(shape.room * itemsize)
    staged = orders, keys.scratch(8 * shape.room), shape.room, YES
    source = EVERY if size <= ALL else SAMPLE
    _launch(keys, shape, (count, source, 0), staged, (values, places))


def _shape(keys: DeviceKeys, by: int, count: int) -> Shape:
    size, launcher = prod(keys.shape), keys.launcher
    limits = launcher.raw.itemsize, launcher.processors, launcher.most_shared
    return shape_of(size, count, by, *limits)


def _launch(
    keys: DeviceKeys,
    shape: Shape,
    wanted: tuple[int, int, Any],
    staged: tuple[int, int, int, int],
    result: tuple[int, int],
) -> None:
    launcher, common = keys.launcher, keys.zeroed("top_k", COMMON)
    arguments = (keys.pointer, prod(keys.shape), *wanted, WIDTH, *staged, common, *result)
    kernel = launcher.kernel("top_k", **shape.macros)
    launcher.launch(kernel, shape.blocks, THREADS, arguments, shape.shared, True)


def first(gpu: DevicePrimitives, by: int, count: int) -> tuple[Any, Any]:
    """Return the first `count` keys of an order, and their places: of equal keys, the lowest."""
    keys, values, places = gpu.device_keys, gpu.room(count), gpu.room(count, np.int64)
    gpu.traffic.add(gpu.size, count)
    if not count:
        return values, places
    if count <= MOST:
        launch(keys, by, count, values.data.ptr, places.data.ptr)
        return values, places
    told, orders = gpu.room(TOLD.size, np.uint8), gpu.room(count, gpu.launcher.raw)
    rank = count - 1 if by == SMALLEST else gpu.size - count
    launch_one_read(keys, rank, values.data.ptr, magnitude=by == MAGNITUDE, told=told.data.ptr)
    gpu.launcher.check_not_captured("topk of so many keys")
    gpu.traffic.add(gpu.size)
    pivot = gpu.raw(_order_of(gpu, int(told[:8].view(np.uint64).get()[0]), by))
    staged = orders.data.ptr, places.data.ptr, count, NO
    _launch(keys, _shape(keys, by, count), (count, PIVOT, pivot), staged, (0, 0))
    by_place = cupy.argsort(places)
    places = places[by_place]
    places = places[cupy.argsort(orders[by_place], kind="stable")]
    return gpu.array[places], places


def _order_of(gpu: DevicePrimitives, bits: int, by: int) -> int:
    """Return the code in an order of a key, or of a magnitude, given its bits."""
    if by == MAGNITUDE and gpu.dtype.kind == "i":
        return gpu.last_code - bits
    one = np.array([bits], np.uint64).astype(gpu.launcher.raw).view(gpu.dtype)
    found = int(encode(one)[0])
    return found if by == SMALLEST else gpu.last_code - found
