"""Sorting by CuPy, and keys at some places or at random ones."""

from collections.abc import Sequence
from typing import Any

import cupy
import numpy as np

from modern.device_arrays import out_of_memory
from modern.primitives.device_primitives import DevicePrimitives
from shadersort.keys.numpy_sort import move_nans_last
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives.sampling import places


def sort_array(keys: Any) -> Any:
    """Return a CuPy array in order; CuPy alone puts NaNs with a sign first."""
    found = cupy.sort(keys)
    return move_nans_last(cupy, found) if keys.dtype.kind == "f" else found


def sort(gpu: DevicePrimitives) -> DevicePrimitives:
    """Return the keys in order."""
    moves = gpu.size * gpu.dtype.itemsize  # a radix sort moves every key once a byte
    gpu.traffic.add(moves, moves)
    gpu.launcher.check_not_captured("CuPy's sort")
    try:
        return gpu.wrap(sort_array(gpu.array), False)
    except cupy.cuda.memory.OutOfMemoryError as error:
        raise out_of_memory(error) from error


def sample(gpu: DevicePrimitives, count: int, seed: int) -> Keys:
    """Return keys from random places."""
    return take(gpu, places(gpu.size, count, seed))


def take(gpu: DevicePrimitives, indices: Sequence[int] | Integers) -> Keys:
    """Return the keys at some places."""
    gpu.traffic.read += len(indices)
    keys: Keys = gpu.array[gpu.table(indices, np.int64)].get()
    return keys


def quickselect_serial(gpu: DevicePrimitives, k: int, seed: int) -> Key:
    """Return the k-th key by quickselect in one thread, over a copy of the codes."""
    codes, found = gpu.room(gpu.size, gpu.launcher.raw), gpu.room(3, np.uint64)
    kernel = gpu.launcher.kernel("quickselect_serial")
    gpu.launcher.launch(kernel, (1,), 1, (*gpu.all, k, np.uint64(seed), codes, found))
    code, read, written = found.get().tolist()
    gpu.traffic.add(read, written)
    return gpu.key(code)
