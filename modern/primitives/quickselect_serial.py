"""Quickselect by one thread of the GPU: launches kernels/quickselect_serial.cu."""

import numpy as np

from modern.launching.waiting import room
from modern.primitives.gpu_keys import GPUKeys
from shadersort.keys.types import Key


def quickselect_serial(gpu: GPUKeys, k: int, seed: int) -> Key:
    """Return the k-th key by quickselect in one thread, over a copy of the codes."""
    codes, found = room(gpu.size, gpu.launcher.raw), room(3, np.uint64)
    kernel = gpu.launcher.kernel("quickselect_serial")
    kernel((1,), (1,), (*gpu.all, np.uint64(k), np.uint64(seed), codes, found))
    code, read, written = gpu.launcher.fetched(found).tolist()
    gpu.traffic.add(read, written)
    return gpu.key(code)
