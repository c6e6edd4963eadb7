"""Reductions on a GPU: one kernel reads all keys, and a few numbers come back."""

import struct
from typing import Any

import numpy as np

from modern.primitives.device_primitives import DevicePrimitives, finite_ends
from shadersort.keys.codes import code, encode
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives.values import Counts, Extent, Objective

EXTENT = struct.Struct("=QQQQQd")
OBJECTIVE = struct.Struct("=QQdd")
NEAREST = struct.Struct("=QQQQ")

PIVOTS = 2048
"""Up to this many pivots are counted at in one read: they fit into the shared memory of any GPU."""


def extent(gpu: DevicePrimitives) -> Extent:
    """Return smallest, largest, sum and kinds of the keys."""
    low, inverse, minus, plus, nans, total = gpu.reduce("extent", (), EXTENT)
    gpu.known_numbers = gpu.size - nans
    finite, zero = gpu.size - minus - plus - nans, gpu.dtype.type(0)
    ends = (gpu.key(low), gpu.key((1 << 64) - 1 - inverse)) if finite else (zero, zero)
    return Extent(*ends, total, finite, minus, plus, nans)


def counts(gpu: DevicePrimitives, pivot: Key) -> Counts:
    """Count the keys below, equal to and above a pivot."""
    zero = gpu.raw(0)
    return _objective(gpu, pivot, (zero, zero, zero), SUMS=0, LOGS=0).counts


def count_numbers(gpu: DevicePrimitives) -> int:
    """Return how many keys are not NaN; a read that counted them is remembered."""
    if gpu.known_numbers is None:
        gpu.known_numbers = gpu.size - counts(gpu, gpu.dtype.type("inf")).above
    return gpu.known_numbers


def counts_at(gpu: DevicePrimitives, pivots: Keys) -> Integers:
    """Count at several pivots, with one read for each 2,048 of them."""
    lots = [pivots[i : i + PIVOTS] for i in range(0, len(pivots), PIVOTS)]
    found = [_counts_at(gpu, np.asarray(lot, gpu.dtype)) for lot in lots]
    return np.concatenate(found, axis=1) if found else np.zeros((2, 0), np.int64)


def _counts_at(gpu: DevicePrimitives, pivots: Keys) -> Integers:
    codes, places = np.unique(encode(pivots), return_inverse=True)
    count = len(codes)
    if count == 1:
        at = counts(gpu, gpu.key(int(codes[0])))
        return np.repeat([[at.below], [at.equal]], places.size, axis=1)
    bins = gpu.totals(
        "counts_at",
        (gpu.table(codes, gpu.launcher.raw), count),
        2 * count + 1,
        shared=8 * count + 4 * (2 * count + 2),
    )
    return np.stack([np.cumsum(bins)[0:-1:2], bins[1::2]])[:, places.ravel()]


def objective(
    gpu: DevicePrimitives, pivot: Key, low: Key | None = None, high: Key | None = None
) -> Objective:
    """Count at a pivot, and sum the distances to it within a window."""
    window = (*_window(gpu, low, high), gpu.raw(0))
    return _objective(gpu, pivot, window, SUMS=1, LOGS=0)


def log_objective(
    gpu: DevicePrimitives, pivot: Key, low: Key | None, high: Key | None, origin: Key
) -> Objective:
    """Return the objective with distances of log(1 + x − origin)."""
    window = (*_window(gpu, low, high), gpu.bits(origin))
    return _objective(gpu, pivot, window, SUMS=1, LOGS=1)


def _window(gpu: DevicePrimitives, low: Key | None, high: Key | None) -> tuple[Any, Any]:
    """Return the bits of the first and the last finite key strictly between two keys."""
    least, most = finite_ends(gpu.dtype)
    first = least if low is None else max(least, code(low) + 1)
    last = most if high is None else min(most, code(high) - 1)
    return gpu.bits(gpu.key(first)), gpu.bits(gpu.key(last))


def _objective(
    gpu: DevicePrimitives, pivot: Key, window: tuple[Any, ...], **macros: int
) -> Objective:
    nan = pivot != pivot
    bits = gpu.bits(np.inf if nan else pivot)
    below, equal, *sums = gpu.reduce("objective", (bits, *window), OBJECTIVE, **macros)
    if nan:  # all numbers are below, infinity included
        below, equal = below + equal, gpu.size - below - equal
    return Objective(Counts.complete(below, equal, gpu.size), *sums)


def at_or_above(gpu: DevicePrimitives, pivot: Key) -> Key | None:
    """Return the smallest number that is not below a pivot."""
    above, _, exists, _ = gpu.reduce("nearest", (gpu.raw(code(pivot)),), NEAREST)
    return gpu.key(above) if exists else None


def at_or_below(gpu: DevicePrimitives, pivot: Key) -> Key | None:
    """Return the largest key that is not above a pivot."""
    _, below, _, exists = gpu.reduce("nearest", (gpu.raw(code(pivot)),), NEAREST)
    return gpu.key(below) if exists else None
