"""Thresholding on a GPU: magnitudes, and the array in which only the keys at the top are kept."""

from typing import Any

import numpy as np

from modern.primitives import top_keys
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.top_keys import TopKeys
from shadersort.keys.types import Key


def magnitudes(gpu: GPUKeys) -> Any:
    """Return primitives of the magnitudes: a copy, unless the keys are unsigned integers."""
    gpu.traffic.add(gpu.size, gpu.size)
    return type(gpu)(top_keys.magnitudes(gpu.keys), gpu.traffic)


def thresholded(gpu: GPUKeys, top: TopKeys, out: Key | None, written: Any) -> Any:
    """Write the keys at the top, and zero for all others, into an array without other use.

    If `out` is not None, it is a magnitude by which the kept keys are moved towards zero.
    """
    gpu.traffic.add(gpu.size, gpu.size)
    soft = out is not None
    off = np.asarray(out).view(gpu.launcher.raw)[()] if soft else gpu.raw(0)
    kernel = gpu.launcher.kernel("threshold", BY=top.by, SOFT=int(soft))
    gpu.launcher.run(kernel, (*gpu.all, gpu.raw(top.pivot), np.uint64(top.end), off, written))
    return written
