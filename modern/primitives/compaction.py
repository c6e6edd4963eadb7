"""Compaction on a GPU: copies some of the keys, by one read of all and one write of the copies.

The order of the keys is not kept. If the size of the copy is known, it gets exactly that room, and
the host does not wait. Otherwise there is room for 1 in 16 keys at first; if that is too little,
the kernel runs again with enough room.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from modern.launching.waiting import room
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.histograms import division_of
from shadersort.keys.codes import code
from shadersort.keys.types import Key
from shadersort.selection.primitives import Buckets, Counts, Primitives

SHARE = 16
LEAST_ROOM = 1 << 20

WIDE, NARROW = 4, 2
"""Loads in flight of each thread, if two such tiles fit into shared memory, and if not."""

THREADS = 512
BLOCKS = 2
"""For each multiprocessor, with 64 registers a thread."""

STATIC = 24 << 10
"""Bytes of shared memory that a kernel needs beside its tiles, with buckets of 16 intervals."""


def between(
    gpu: GPUKeys,
    low: Key | None,
    high: Key | None,
    *,
    closed: bool = False,
    count: int | None = None,
) -> GPUKeys:
    """Copy the keys between two keys."""
    first = 0 if low is None else code(low) + (not closed)
    last = gpu.last_code if high is None else code(high) - (not closed)
    if gpu.dtype.kind != "f" or last < gpu.last_code or first > last:
        return _from_to(gpu, first, last, 0, count)
    return _from_to(gpu, first, last, 2 if first > gpu.ends[1] + 1 else 1, count)


def _from_to(gpu: GPUKeys, first: int, last: int, nans: int, count: int | None) -> GPUKeys:
    """Copy the keys with codes from first to last; `nans`: 1 adds NaNs, 2 copies NaNs alone."""
    if gpu.dtype.kind == "f":
        first, last = max(first, gpu.ends[0] - 1), min(last, gpu.ends[1] + 1)  # infinities
    if first > last and nans != 2:
        gpu.traffic.add(0)
        return gpu.of(gpu.keys[:0], True)
    zero = gpu.raw(0)
    bits = (zero, zero) if nans == 2 else tuple(gpu.bits(gpu.key(each)) for each in (first, last))
    kept, _ = _copied(gpu, "between", bits, count, nans == 0, NANS=nans)
    return kept


def parted(gpu: GPUKeys, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
    """Count at two pivots, and copy the keys between."""
    if high != high:
        return Primitives.parted(gpu, low, high)
    kept, counts = _copied(gpu, "parted", (gpu.bits(low), gpu.bits(high)), None, True, HANDED_ON=0)
    return *counts_at_ends(gpu, low, high, *counts[:4]), kept


def parted_and_nans(gpu: GPUKeys, low: Key, high: Key) -> tuple[Counts, Counts, Primitives, int]:
    """Do as `parted` does, and count the NaNs in the same read."""
    if high != high or gpu.numbers:
        return *parted(gpu, low, high), 0 if gpu.numbers else gpu.size - gpu.count_numbers()
    ends = gpu.bits(low), gpu.bits(high)
    kept, counts = _copied(gpu, "parted", ends, None, True, HANDED_ON=0, NANS=1)
    return *counts_at_ends(gpu, low, high, *counts[:4]), kept, counts[4]


def counts_at_ends(
    gpu: GPUKeys, low: Key, high: Key, inside: int, below: int, equal: int, equal_high: int
) -> tuple[Counts, Counts]:
    """Return the counts at two pivots, given the numbers that kernels/parted.cu counts."""
    at_low = Counts.of(below, equal, gpu.size)
    if low == high:
        return at_low, at_low
    below_high = below + equal + inside
    return at_low, Counts.of(below_high, equal_high, gpu.size)


def with_prefixes(
    gpu: GPUKeys, prefixes: Sequence[int], shift: int, *, count: int | None = None
) -> GPUKeys:
    """Copy the keys whose codes begin with one of some prefixes."""
    table = gpu.launcher.given(np.array(prefixes, gpu.launcher.raw))
    sizes = np.uint32(len(prefixes)), np.uint32(shift)
    kept, _ = _copied(gpu, "with_prefixes", (table, *sizes), count, False)
    return kept


def of_buckets(
    gpu: GPUKeys, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
) -> GPUKeys:
    """Copy the keys of some buckets."""
    if len(chosen) > 1 or buckets.open:
        return _flagged(gpu, buckets, _flags(gpu, buckets.count, chosen), count)
    macros, division = division_of(gpu, buckets)
    which = division, np.uint32(chosen[0] if chosen else buckets.count)
    kept, _ = _copied(gpu, "of_bucket", which, count, True, **macros)
    return kept


def _flagged(gpu: GPUKeys, buckets: Buckets, flags: Any, count: int | None) -> GPUKeys:
    """Copy the keys of the buckets that have a flag."""
    macros, division = division_of(gpu, buckets)
    macros = {**macros, "COUNT": flagged(buckets.count)}
    numbers = not buckets.open
    kept, _ = _copied(gpu, "of_buckets", (division, flags), count, numbers, **macros)
    return kept


def _flags(gpu: GPUKeys, count: int, chosen: Sequence[int]) -> Any:
    """Return a bit for each bucket, in words on the device."""
    flags = np.zeros(flagged(count), np.bool_)
    flags[np.asarray(chosen, np.int64)] = True
    return gpu.launcher.given(np.packbits(flags, bitorder="little").view(np.uint32))


def _copied(
    gpu: GPUKeys,
    name: str,
    choice: tuple[Any, ...],
    count: int | None,
    numbers: bool,
    **macros: int,
) -> tuple[GPUKeys, tuple[int, ...]]:
    """Run a copy; run it again if there was too little room."""
    shape, launch = tiles_of(gpu.launcher.most_shared)
    kernel = gpu.launcher.kernel(name, **shape, **macros)
    place = room_for_some(gpu.size) if count is None else count
    while True:
        chosen = room(place, gpu.dtype)
        arguments = (*gpu.all, *choice, chosen, np.uint64(place))
        found = gpu.launcher.copied(kernel, arguments, count, **launch)
        gpu.traffic.add(gpu.size, min(found[0], place))
        if found[0] <= place:
            return gpu.of(chosen[: found[0]], numbers), found
        place = found[0]


@cache
def tiles_of(most_shared: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the macros of a copy, and the shape of its launch: with memory for two tiles of keys.

    Examples
    --------
    >>> tiles_of(64 << 10)
    ({'THREADS': 512, 'UNROLL': 2}, {'threads': 512, 'blocks': 2, 'shared': 32768})
    """
    tiles = 2 * THREADS * 16
    unroll = WIDE if most_shared >= WIDE * tiles + STATIC else NARROW
    launch = {"threads": THREADS, "blocks": BLOCKS, "shared": unroll * tiles}
    return {"THREADS": THREADS, "UNROLL": unroll}, launch


def room_for_some(size: int) -> int:
    """Return for how many of `size` keys there is room, if the number of copies is not known.

    Examples
    --------
    >>> room_for_some(1000), room_for_some(1 << 28)
    (1000, 16777216)
    """
    return min(size, max(LEAST_ROOM, size // SHARE))


def flagged(count: int) -> int:
    """Return the number of flags for `count` buckets: one of a few sizes, so there are few kernels.

    Examples
    --------
    >>> flagged(1000), flagged(8190), flagged(30000)
    (8192, 8192, 32768)
    """
    return max(1 << (count - 1).bit_length(), 1 << 13)
