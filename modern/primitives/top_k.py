"""Top-k on a GPU: the keys at the top in order, and their places: kernels/one_read/top_k.cu.

Up to `MOST` keys are one launch, for which nothing waits: a sample gives a bound, one read stages
the keys up to it, and one block sorts them. Of more keys the last one is selected first; one more
read gathers those at the top, and CuPy sorts them.
"""

from typing import Any

import cupy
import numpy as np

from modern.device_arrays import DeviceKeys
from modern.primitives.device_primitives import DevicePrimitives
from modern.primitives.one_read import BINS, LISTS, STATIC, TOLD, WIDTH
from modern.primitives.one_read import launch as launch_one_read
from shadersort.keys.codes import encode
from shadersort.selection.primitives.one_read import LOAD, WIDE
from shadersort.selection.top_keys import MAGNITUDE, SLACK, SMALLEST, rank_behind

MOST = 1 << 12
"""Up to this many keys are sorted by the block that finds them among the staged ones."""

THREADS = 1024

ALL = 1 << 14
"""Up to this many keys are all staged, without a sample."""

COMMON = 8 + 16 + 2 * 1024 * 8 + 24 * 4096 * 8
"""Bytes that launches share: `Common` in top_k.cu."""

SAMPLE, EVERY, PIVOT = map(np.uint32, range(3))
"""Where the bound comes from: a sample; no bound; or it is known."""

SORTS = np.uint32(1), np.uint32(0)


def room_for(size: int, count: int, sampled: int) -> int:
    """Return how many keys may be staged: all, or a few more than are expected behind the bound."""
    if size <= ALL:
        return size
    behind = rank_behind(count - 1, size, sampled, WIDE)
    expected = (behind + 2 * SLACK + behind // SLACK) * size / sampled
    return min(size, int(1.1 * expected) + ALL)


def launch(keys: DeviceKeys, by: int, count: int, values: int, places: int) -> None:
    """Launch the kernel: it writes up to `MOST` keys at the top in order, and their places."""
    (size,) = keys.shape
    sampled = _blocks(keys) * THREADS * (LOAD // keys.launcher.raw.itemsize)
    staged = room_for(size, count, sampled)
    orders = keys.scratch(staged * keys.launcher.raw.itemsize), keys.scratch(8 * staged)
    source = EVERY if size <= ALL else SAMPLE
    _launch(keys, by, count, source, 0, (*orders, staged, SORTS[0]), (values, places))


def _blocks(keys: DeviceKeys) -> int:
    each = LOAD // keys.launcher.raw.itemsize
    return min(keys.launcher.processors, -(-keys.shape[0] // (4 * each * THREADS)))


def _launch(
    keys: DeviceKeys,
    by: int,
    count: int,
    source: np.uint32,
    pivot: int,
    staged: tuple[Any, ...],
    result: tuple[int, int],
) -> None:
    launcher = keys.launcher
    capacity = min(LISTS, launcher.most_shared - BINS - STATIC) // THREADS // 4
    most = 1 << min((launcher.most_shared - BINS - STATIC) // 16, 2 * MOST).bit_length() - 1
    kernel = launcher.kernel(
        "top_k", BY=by, THREADS=THREADS, CAPACITY=capacity, UNROLL=2, SLACK=SLACK, MOST=most
    )
    arguments = (
        *(keys.pointer, keys.shape[0], count, source, launcher.raw.type(pivot), WIDTH),
        *(*staged, keys.zeroed("top_k", COMMON), *result),
    )
    shared = BINS + max(capacity * THREADS * 4, 16 * most)
    launcher.launch(kernel, (_blocks(keys),), THREADS, arguments, shared, True)


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
    pivot = _order_of(gpu, int(told[:8].view(np.uint64).get()[0]), by)
    staged = orders.data.ptr, places.data.ptr, count, SORTS[1]
    _launch(keys, by, count, PIVOT, pivot, staged, (values.data.ptr, places.data.ptr))
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
