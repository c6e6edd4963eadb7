"""Sorting by CuPy, and keys at places: by rank among the sorted keys, at random, or as asked."""

from collections.abc import Callable, Sequence
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from modern.launching.waiting import guarded
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.ordering import ordered
from shadersort.keys.types import Integers, Keys

PROBES, SOME = 32, 1 << 14
"""Keys that a search reads at once, for up to `SOME` searches: more searches fill the GPU."""


def sort(gpu: GPUKeys) -> GPUKeys:
    """Return the keys in order."""
    return gpu.of(_sorted(gpu, cupy.sort if gpu.numbers else ordered), gpu.numbers)


def ranked(gpu: GPUKeys, ranks: Sequence[int] | Integers) -> tuple[Keys, Integers, Integers]:
    """Sort; return the keys of some ranks, how many keys are below each, and how many equal it."""
    count = len(ranks)
    found = _looked_up(gpu, _sorted(gpu, cupy.sort), ranks)
    if found[-1]:  # a NaN with a sign, which CuPy puts first
        found = _looked_up(gpu, _sorted(gpu, ordered), ranks)
    gpu.traffic.read += count
    keys, below, equal = found[:count], found[count : 2 * count], found[2 * count : 3 * count]
    return keys.astype(gpu.launcher.raw).view(gpu.dtype), below, equal


def _sorted(gpu: GPUKeys, sort: Callable[[Any], Any]) -> Any:
    moves = gpu.size * gpu.dtype.itemsize  # a radix sort moves every key once a byte
    gpu.traffic.add(moves, moves)
    with guarded(2 * gpu.size, gpu.dtype):
        return sort(gpu.keys)


def _looked_up(gpu: GPUKeys, keys: Any, ranks: Sequence[int] | Integers) -> Integers:
    """Return what kernels/sort_choose.cu finds in keys that are in order."""
    table = gpu.launcher.lent(np.asarray(ranks, np.uint64))
    arguments = (keys, np.uint64(gpu.size), table, np.uint32(len(ranks)))
    probes = PROBES if len(ranks) <= SOME else 1
    kernel = gpu.launcher.kernel("sort_choose", PROBES=probes)
    return gpu.launcher.listed(kernel, arguments, probes * len(ranks), 3 * len(ranks) + 1)


def sample(gpu: GPUKeys, count: int, seed: int) -> Keys:
    """Return keys from random places."""
    gpu.traffic.read += count
    start = np.uint64((seed << 32) % 2**64)
    arguments = (*gpu.all, start, np.uint32(count))
    return gpu.launcher.gathered(gpu.launcher.kernel("sample"), arguments, count)


def take(gpu: GPUKeys, indices: Sequence[int] | Integers) -> Keys:
    """Return the keys at some places."""
    gpu.traffic.read += len(indices)
    return gpu.launcher.fetched(gpu.keys[cupy.asarray(np.asarray(indices, np.int64))])


def given(gpu: GPUKeys, found: npt.ArrayLike) -> Any:
    """Return numbers of the host, an answer for example, as an array on the device."""
    return gpu.launcher.given(np.asarray(found))
