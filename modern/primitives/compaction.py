"""Compaction on a GPU: copies some of the keys, by one read of all and one write of the copies.

The order of the keys is not kept. A copy of a known size gets exactly that room. Otherwise there is
room for 1 in 16 keys at first; if that is too little, the kernel runs again with enough room.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from modern.primitives.device_primitives import DevicePrimitives
from modern.primitives.histograms import division_of
from shadersort.keys.codes import code
from shadersort.keys.types import Integers, Key
from shadersort.selection.primitives import Buckets, Primitives
from shadersort.selection.primitives.values import Counts, check_count

SHARE, LEAST_ROOM = 16, 1 << 20

THREADS, UNROLL = 1024, 2

LISTS, STATIC = 144 << 10, 30 << 10
"""Bytes of the lists in shared memory at most, and those that a kernel needs beside them."""


def between(
    gpu: DevicePrimitives,
    low: Key | None,
    high: Key | None,
    *,
    closed: bool = False,
    count: int | None = None,
) -> Primitives:
    """Copy the keys between two keys."""
    first = 0 if low is None else code(low) + (not closed)
    last = gpu.last_code if high is None else code(high) - (not closed)
    if first > last:
        check_count(0, count)
        gpu.traffic.add(0)
        return gpu.wrap(gpu.array[:0], True)
    ends = np.uint64(first), np.uint64(last), 0, 0
    return _copy(gpu, "between", ends, count, last < gpu.last_code, PARTED=0, RANGES=0)[0]


def split(gpu: DevicePrimitives, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
    """Count at two pivots, and copy the keys between."""
    if code(low) == code(high):
        at = gpu.counts(low)
        return at, at, gpu.wrap(gpu.array[:0], True)
    ends = np.uint64(code(low) + 1), np.uint64(code(high) - 1), 0, 0
    kept, found = _copy(gpu, "between", ends, None, True, PARTED=1, RANGES=0)
    inside, upto, equal, equal_high, nans = found.tolist()
    if gpu.known_numbers is None:
        gpu.known_numbers = gpu.size - nans
    at_low, at_high = (upto - equal, equal), (upto + inside, equal_high)
    return Counts.complete(*at_low, gpu.size), Counts.complete(*at_high, gpu.size), kept


def with_prefixes(
    gpu: DevicePrimitives, prefixes: Sequence[int], shift: int, *, count: int | None = None
) -> Primitives:
    """Copy the keys whose codes begin with one of some prefixes."""
    firsts, width = [int(prefix) << shift for prefix in prefixes], 1 << shift
    if len(firsts) == 1:
        ends = np.uint64(firsts[0]), np.uint64(firsts[0] + width - 1), 0, 0
        return _copy(gpu, "between", ends, count, False, PARTED=0, RANGES=0)[0]
    ranges = 0, np.uint64(width - 1), gpu.table(firsts, gpu.launcher.raw), len(firsts)
    return _copy(gpu, "between", ranges, count, False, PARTED=0, RANGES=1)[0]


def of_buckets(
    gpu: DevicePrimitives, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
) -> Primitives:
    """Copy the keys of some buckets."""
    bits = flag_count(buckets.count)
    flags = np.zeros(bits, np.bool_)
    flags[np.asarray(chosen, np.int64)] = True
    words = gpu.table(np.packbits(flags, bitorder="little").view(np.uint32), np.uint32)
    which, macros = (*division_of(gpu, buckets), words), {"COUNT": bits, "OPEN": int(buckets.open)}
    return _copy(gpu, "of_buckets", which, count, not buckets.open, **macros)[0]


def _copy(
    gpu: DevicePrimitives,
    name: str,
    choice: tuple[Any, ...],
    count: int | None,
    numbers: bool,
    **macros: int,
) -> tuple[DevicePrimitives, Integers]:
    """Run a copy, again if there was too little room; return it, and what the kernel counted."""
    shape, launch = lists_of(gpu.launcher.most_shared, gpu.dtype.itemsize)
    place = min(gpu.size, max(LEAST_ROOM, gpu.size // SHARE)) if count is None else count
    while True:
        chosen = gpu.room(place)
        arguments = (*gpu.all, *choice, chosen, place, *gpu.counters())
        gpu.run(name, arguments, **launch, **shape, **macros)
        found = gpu.numbers(5)
        size = int(found[0])
        check_count(size, count)
        gpu.traffic.add(gpu.size, min(size, place))
        if size <= place:
            return gpu.wrap(chosen[:size], numbers), found
        place = size


@cache
def lists_of(most_shared: int, itemsize: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the macros of a copy, and the shape of its launch: with a list of keys a thread.

    Examples
    --------
    >>> lists_of(99 << 10, 4)[1]
    {'threads': 1024, 'blocks': 1, 'shared': 69632}
    """
    capacity = min(LISTS, most_shared - STATIC) // THREADS // itemsize
    launch = {"threads": THREADS, "blocks": 1, "shared": capacity * THREADS * itemsize}
    return {"THREADS": THREADS, "UNROLL": UNROLL, "CAPACITY": capacity}, launch


def flag_count(count: int) -> int:
    """Return the number of flags for `count` buckets: one of a few sizes, so there are few kernels.

    Examples
    --------
    >>> flag_count(1000), flag_count(8190), flag_count(30000)
    (8192, 8192, 32768)
    """
    return max(1 << (count - 1).bit_length(), 1 << 13)
