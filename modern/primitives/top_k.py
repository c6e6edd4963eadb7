"""Top-k on a GPU: where the keys at the top are, and these keys in order.

Each call is one kernel, except that CuPy sorts if there are many keys.
"""

import struct
from typing import Any

import cupy
import numpy as np

from modern.launching.launch import THREADS
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.top_keys import TopKeys
from shadersort.selection.primitives import check_count

FEW_IN_ORDER = 1 << 12
"""Up to this many keys are compared each with each, in one launch; a sort takes many launches."""

PLACE = struct.Struct("=Q")


def order_codes(gpu: GPUKeys, by: int) -> Any:
    """Return the codes of the keys in an order."""
    gpu.traffic.add(gpu.size, gpu.size)
    found = cupy.empty(gpu.size, gpu.launcher.raw)
    gpu.launcher.run(gpu.launcher.kernel("order_codes", BY=by), (*gpu.all, found))
    return found


def nth_equal(gpu: GPUKeys, by: int, pivot: int, nth: int) -> int:
    """Return the place of the nth key, from zero, among the keys that have a code."""
    gpu.traffic.add(gpu.size)
    kernel = gpu.launcher.kernel("nth_equal", BY=by, THREADS=THREADS)
    arguments = (*gpu.all, gpu.raw(pivot), np.uint64(nth))
    (place,) = gpu.launcher.reduced(kernel, arguments, PLACE)
    return int(place)


def top_places(gpu: GPUKeys, top: TopKeys) -> Any:
    """Return the places of the keys at the top, in any order."""
    gpu.traffic.add(gpu.size)
    places, bound = cupy.empty(top.count, np.int64), (gpu.raw(top.pivot), np.uint64(top.end))
    arguments = (*gpu.all, *bound, places, np.uint64(top.count))
    kernel = gpu.launcher.kernel("top_k_places", BY=top.by)
    # the wait makes sure that all places are written before anything reads keys at them
    found, *_ = gpu.launcher.copied(kernel, arguments, None)
    check_count(found, top.count)
    return places


def in_order(gpu: GPUKeys, places: Any, by: int) -> tuple[Any, Any]:
    """Return the keys at some places in order, and their places: of equal keys, the first.

    The array of places is overwritten.
    """
    if places.size <= FEW_IN_ORDER:
        return _few_in_order(gpu, places, by)
    places.sort()
    codes = order_codes(gpu.of(gpu.keys[places], False), by)
    places = places[cupy.argsort(codes)]
    return gpu.keys[places], places


def _few_in_order(gpu: GPUKeys, places: Any, by: int) -> tuple[Any, Any]:
    count = places.size
    values, ordered = cupy.empty(count, gpu.dtype), cupy.empty(count, np.int64)
    if count:
        kernel = gpu.launcher.kernel("top_k_in_order", BY=by, THREADS=THREADS)
        arguments = (gpu.keys, places, np.uint32(count), values, ordered)
        gpu.launcher.run_threads(kernel, arguments, count)
    return values, ordered
