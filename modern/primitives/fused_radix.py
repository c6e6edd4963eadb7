"""Fused radix selection on a GPU, where one launch finds a rank; and a round of `randomized`.

A round of randomized selection is three kernels in a row: the device finds two keys of a sample
(kernels/sample_bracket.cu), copies the keys between (parted.cu), and finds the rank in the copy
(fused_radix.cu). The host learns nothing before the end.
"""

import struct
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from modern.launching.waiting import room
from modern.primitives.compaction import between, counts_at_ends, room_for_some, tiles_of
from modern.primitives.gpu_keys import FEW, SAMPLES, GPUKeys
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives import Bracketed, Counts, Primitives

RANKED = struct.Struct("=QQQQQQ")
COUNTED, ENDS = 6, 16
"""Places in the results where parted.cu leaves its counts, and sample_bracket.cu two keys."""

THREADS = 1024

LOADS = 4, 2, 1
"""Loads in flight of each thread: the first for which two tiles fit into shared memory."""

EACH = 1 << 14
"""A block for each this many keys; more blocks would have too little to do."""

STATIC = 17 << 10
"""Bytes of shared memory that a block needs beside the tiles."""


def fused_radix(gpu: GPUKeys, rank: int) -> tuple[Keys, Integers, Integers]:
    """Return the key of a rank, how many keys are below it, and how many equal it."""
    place = room_for_some(gpu.size) if gpu.size > FEW else 0
    tiles = 2 * 16 * THREADS
    unroll = next(n for n in LOADS if gpu.launcher.most_shared >= n * tiles + STATIC)
    chosen = room(place, gpu.dtype)
    bits, below, equal, *readings, copied = gpu.launcher.together(
        gpu.launcher.kernel("fused_radix", THREADS=THREADS, UNROLL=unroll, HANDED_ON=0),
        (*gpu.all, np.uint64(rank), chosen, np.uint64(place)),
        RANKED,
        threads=THREADS,
        blocks=-(-gpu.size // EACH),
        shared=unroll * tiles if place else 0,
    )
    gpu.traffic.add(readings[0] * gpu.size + readings[1] * copied, copied)
    return _keys(gpu, [bits]), np.array([below]), np.array([equal])


def _keys(gpu: GPUKeys, bits: Sequence[int] | npt.NDArray[np.uint64]) -> Keys:
    return np.asarray(bits, np.uint64).astype(gpu.launcher.raw).view(gpu.dtype)


def bracketed(
    gpu: GPUKeys, rank: int, samples: int, seed: int, lower: int, upper: int
) -> Bracketed:
    """Look for the key of a rank between two keys of a sample.

    Takes separate steps for samples of another size, and if the upper key is NaN, because NaN is no
    pivot. If the room was too small for the keys between, a second copy is made.
    """
    if samples != SAMPLES:
        return Primitives.bracketed(gpu, rank, samples, seed, lower, upper)
    launcher, place = gpu.launcher, room_for_some(gpu.size)
    pivots, counted = launcher.scratch(2, 4)
    drawn = np.uint64((seed << 32) % 2**64), np.uint32(lower), np.uint32(upper)
    launcher.run(
        launcher.kernel("sample_bracket", THREADS=THREADS, SAMPLES=SAMPLES),
        (*gpu.all, *drawn, pivots, launcher.result(ENDS)),
        threads=THREADS,
        blocks=1,
    )
    chosen = room(place, gpu.dtype)
    shape, launch = tiles_of(launcher.most_shared)
    launcher.run(
        launcher.kernel("parted", **shape, HANDED_ON=1),
        (*gpu.all, pivots, chosen, np.uint64(place), *launcher.counters, counted),
        **launch,
    )
    bits, below, equal, readings, _, _ = launcher.together(
        launcher.kernel("fused_radix", THREADS=THREADS, UNROLL=2, HANDED_ON=1),
        (chosen, np.uint64(place), np.uint64(rank), chosen, np.uint64(0), counted),
        RANKED,
        threads=THREADS,
        blocks=-(-place // EACH),
    )
    counts = launcher.left(COUNTED, 4).tolist()
    inside, before = counts[0], counts[1] + counts[2]
    low, high = _keys(gpu, launcher.left(ENDS, 2).view(np.uint64))
    gpu.traffic.read += samples
    gpu.traffic.add(gpu.size, min(inside, place))
    if high != high:
        return Primitives.bracketed(gpu, rank, samples, seed, lower, upper)
    ends, at_ends = (low, high), counts_at_ends(gpu, low, high, *counts)
    if not before <= rank < before + inside:
        return Bracketed(ends, at_ends, inside)
    if inside > place:
        del chosen
        keys, (below,), (equal,) = fused_radix(between(gpu, low, high, count=inside), rank - before)
    else:
        gpu.traffic.add(readings * inside)
        keys = _keys(gpu, [bits])
    below += before
    at_key = Counts.of(int(below), int(equal), gpu.size)
    return Bracketed(ends, at_ends, inside, keys[0], at_key)
