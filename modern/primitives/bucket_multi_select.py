"""bucketMultiSelect's histogram, copies and ranks on a GPU: three kernels in a row, and one wait.

The device finds the buckets of the ranks (kernels/bucket_multi_select_count.cu), copies each bucket
to a part of its own (…_copy.cu), and selects in all parts at the same time (…_rank.cu). The host
learns nothing before the end. The paper's pivots are the edges in kernels/buckets.cuh.
"""

from typing import Any

import numpy as np

from modern.launching.waiting import room
from modern.primitives.compaction import flagged, room_for_some, tiles_of
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.histograms import check, division_of, shape_of
from shadersort.keys.types import Integers
from shadersort.selection.primitives import Around, Buckets, Primitives

CROWDED = 4
"""Largest allowed load of a bucket with a rank, as a multiple of the mean load."""

PARTS = 1 << 10
"""At most this many buckets are copied to parts of their own."""

MOST = 1 << 32
"""At most this many keys are copied: blocks number their places in 32 bits."""

THREADS = 1024


def around(gpu: GPUKeys, buckets: Buckets, ranks: Integers, most: int) -> Around:
    """Count in open buckets, and find the keys of some ranks, in copies of their buckets.

    Works step by step instead if there was too little room, or if there are very many ranks.
    """
    check(gpu, buckets)
    crowded = CROWDED * ranks.size * gpu.size // buckets.count
    place = min(gpu.size, max(room_for_some(gpu.size), crowded))
    if ranks.size > PARTS or place > MOST or not buckets.open:
        return Primitives.around(gpu, buckets, ranks, most)
    found = _in_parts(gpu, buckets, ranks, most, place)
    copies = int(found[0])
    gpu.traffic.add(gpu.size)
    gpu.traffic.add(gpu.size, min(copies, place))
    if copies > place:
        return Primitives.around(gpu, buckets, ranks, most)
    gpu.traffic.add(copies)
    bucket, before, inside, part, bits, below, equal = found[1:].reshape(7, ranks.size)
    keys = bits.astype(gpu.launcher.raw).view(gpu.dtype)
    return Around(bucket, before, inside, part != 0, keys, below, equal, copies)


def _in_parts(gpu: GPUKeys, buckets: Buckets, ranks: Integers, most: int, place: int) -> Integers:
    """Run the kernels, with room for `place` keys, and return the numbers that they leave."""
    launcher, asked, bits = gpu.launcher, ranks.size, flagged(buckets.count)
    macros, division = division_of(gpu, buckets)
    lent, count = launcher.lent(ranks.astype(np.uint64)), np.uint32(asked)
    starts, parts, flags, passed, table = launcher.scratch(
        2 * buckets.count + 2, PARTS + bits // 32, bits // 64, bits // 64, 5 * asked
    )
    launcher.run(
        launcher.kernel("bucket_multi_select_count", **macros),
        (
            *(*gpu.all, division, np.uint32(buckets.count), lent, count, np.uint64(most)),
            *(starts, parts, flags, passed, table, *launcher.counters, launcher.result(0)),
        ),
        **shape_of(buckets),
    )
    chosen: Any = room(place, gpu.dtype)
    shape, launch = tiles_of(launcher.most_shared)
    launcher.run(
        launcher.kernel("bucket_multi_select_copy", **shape, COUNT=bits, PARTS=PARTS, **macros),
        (*gpu.all, division, flags, passed, chosen, np.uint64(place), parts),
        **launch,
    )
    launcher.run_blocks(
        launcher.kernel("bucket_multi_select_rank", THREADS=THREADS),
        (chosen, np.uint64(place), parts, table, count, launcher.result(1 + 4 * asked)),
        asked,
        threads=THREADS,
    )
    return launcher.results(1 + 7 * asked)
