"""Reductions on a GPU: one kernel reads all keys, and a few numbers come back."""

import struct
from typing import Any

import numpy as np

from modern.primitives.gpu_keys import GPUKeys
from shadersort.keys.codes import code, encode
from shadersort.keys.types import Key, Keys
from shadersort.selection.primitives import Counts, Extent, Objective

EXTENT = struct.Struct("=QQdQQQ")
OBJECTIVE = struct.Struct("=QQdd")
NEAREST = struct.Struct("=QQQQ")

PIVOTS = 2048
"""Up to this many pivots are counted at in one read: they fit into the shared memory of any GPU."""


def extent(gpu: GPUKeys) -> Extent:
    """Return smallest, largest, sum and kinds of the keys."""
    gpu.traffic.add(gpu.size)
    kernel = gpu.launcher.kernel("extent")
    return extent_of(gpu, gpu.launcher.reduced(kernel, gpu.all, EXTENT))


def extent_of(gpu: GPUKeys, found: tuple[Any, ...]) -> Extent:
    """Return the extent that kernels/extent.cu has left."""
    low, high, total, minus, plus, nans = found
    finite = gpu.size - minus - plus - nans
    zero = gpu.dtype.type(0)
    ends = (gpu.key(low), gpu.key(high)) if finite else (zero, zero)
    return Extent(*ends, total, finite, minus, plus, nans)


def counts(gpu: GPUKeys, pivot: Key) -> Counts:
    """Count the keys below, equal to and above a pivot."""
    zero = gpu.raw(0)
    return _objective(gpu, pivot, (zero, zero, zero), SUMS=0, LOGS=0).counts


def counts_at(gpu: GPUKeys, pivots: Keys) -> list[Counts]:
    """Count at several pivots, with one read for each 2,048 of them."""
    lots = [pivots[i : i + PIVOTS] for i in range(0, len(pivots), PIVOTS)]
    return [each for lot in lots for each in _counts_at(gpu, np.asarray(lot, gpu.dtype))]


def _counts_at(gpu: GPUKeys, pivots: Keys) -> list[Counts]:
    gpu.traffic.add(gpu.size)
    codes, places = np.unique(encode(pivots), return_inverse=True)
    bins = gpu.launcher.totals(
        gpu.launcher.kernel("counts_at"),
        (*gpu.all, gpu.launcher.given(codes), np.uint32(len(codes))),
        2 * len(codes) + 1,
        shared=8 * len(codes) + 4 * (2 * len(codes) + 2),
    )
    below, equal = np.cumsum(bins)[0::2].tolist(), bins[1::2].tolist()
    return [Counts.of(below[place], equal[place], gpu.size) for place in places.ravel().tolist()]


def objective(
    gpu: GPUKeys, pivot: Key, low: Key | None = None, high: Key | None = None
) -> Objective:
    """Count at a pivot, and sum the distances to it within a window."""
    window = (*_closed(gpu, low, high), gpu.raw(0))
    return _objective(gpu, pivot, window, SUMS=1, LOGS=0)


def log_objective(
    gpu: GPUKeys, pivot: Key, low: Key | None, high: Key | None, origin: Key
) -> Objective:
    """Do as `objective` does, with distances of log(1 + x − origin)."""
    window = (*_closed(gpu, low, high), gpu.bits(origin))
    return _objective(gpu, pivot, window, SUMS=1, LOGS=1)


def _closed(gpu: GPUKeys, low: Key | None, high: Key | None) -> tuple[Any, Any]:
    """Return the bits of the first and the last finite key strictly between two keys."""
    least, most = gpu.ends
    first = least if low is None else max(least, code(low) + 1)
    last = most if high is None else min(most, code(high) - 1)
    return gpu.bits(gpu.key(first)), gpu.bits(gpu.key(last))


def _objective(gpu: GPUKeys, pivot: Key, window: tuple[Any, ...], **macros: int) -> Objective:
    gpu.traffic.add(gpu.size)
    nan = pivot != pivot
    bits = gpu.bits(np.inf if nan else pivot)
    kernel = gpu.launcher.kernel("objective", **macros)
    arguments = (*gpu.all, bits, *window)
    below, equal, *sums = gpu.launcher.reduced(kernel, arguments, OBJECTIVE)
    if nan:  # all numbers are below, infinity included
        below, equal = below + equal, gpu.size - below - equal
    return Objective(Counts.of(below, equal, gpu.size), *sums)


def at_or_above(gpu: GPUKeys, pivot: Key) -> Key | None:
    """Return the smallest number that is not below a pivot."""
    above, _ = _nearest(gpu, pivot)
    return above


def at_or_below(gpu: GPUKeys, pivot: Key) -> Key | None:
    """Return the largest key that is not above a pivot."""
    _, below = _nearest(gpu, pivot)
    return below


def _nearest(gpu: GPUKeys, pivot: Key) -> tuple[Key | None, Key | None]:
    gpu.traffic.add(gpu.size)
    kernel = gpu.launcher.kernel("nearest")
    above, below, any_above, any_below = gpu.launcher.reduced(
        kernel, (*gpu.all, gpu.raw(code(pivot))), NEAREST
    )
    return (gpu.key(above) if any_above else None, gpu.key(below) if any_below else None)
