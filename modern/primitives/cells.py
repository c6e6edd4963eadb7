"""Many ranks on a GPU by cells: six kernels in a row that nothing waits for, and two reads.

The kernels build tables from a sample (kernels/cells_built.cu), count the keys in all cells
(…_counted.cu), stage the keys of the cells that hold a rank (…_staged.cu), put each cell's keys
together (…_parted.cu), and select among them (…_ranked.cu). The last kernel tells
the answers (…_told.cu), and narrows what the others left open.
"""

from functools import cache
from typing import Any

import numpy as np

from modern.launching.launch import Launcher, room
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.one_read import BINS, STATIC
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives.cells import AIM, ENTRIES, NODES

THREADS = 1024

UNROLL = 2
"""Loads in flight of each thread, beside those that are worked on."""

SAMPLED = {4: 1 << 15, 8: 1 << 14}
"""Keys of the sample, by the bytes of a key."""

EACH = 8
"""Keys of a tile for each thread, while staged keys are put into parts."""

CELLS = AIM + ENTRIES
"""Cells, at most."""

MOST = 1 << 11
"""Ranks that are found together, at most."""

TREE = 16 + 16 * NODES + 4 * ENTRIES
"""Bytes of the tables, at most: `Tree` in kernels/cells.cuh."""

TABLES = 4 * ENTRIES + 16 * NODES
"""Bytes of the tables in shared memory."""

LISTS = 96 << 10
"""Bytes of the lists of staged keys in shared memory, at most."""

LARGE = 1 << 20
"""A part with more keys than this is not left to one block."""

COMMON = 16 + 6 * 4096 * 8
"""Bytes that launches share: `Common` in kernels/cells_told.cu."""

LEAST_ROOM, CROWDED = 1 << 20, 4
"""Room for staged keys: this many, or so many times as many as evenly spread keys need."""


@cache
def capacity_of(most_shared: int, itemsize: int) -> int:
    """Return how many keys a thread can stage.

    Examples
    --------
    >>> capacity_of(227 << 10, 4), capacity_of(99 << 10, 8)
    (24, 7)
    """
    return min(LISTS, most_shared - TABLES - CELLS // 8 - STATIC) // THREADS // itemsize


def is_possible(launcher: Launcher, size: int, asked: int) -> bool:
    """Whether the kernels can find so many ranks among so many keys on this device."""
    itemsize = launcher.dtype.itemsize
    if itemsize not in SAMPLED or not 0 < asked <= MOST or size < 4 * SAMPLED[itemsize]:
        return False
    return launcher.most_shared >= 4 * CELLS + TABLES + STATIC


def room_for(size: int, asked: int) -> int:
    """Return for how many staged keys there is room.

    Examples
    --------
    >>> room_for(1 << 28, 101), room_for(1 << 23, 1)
    (6619136, 1048576)
    """
    return min(size // 4, max(LEAST_ROOM, CROWDED * asked * (size // AIM)), (1 << 32) - 1)


def launch(launcher: Launcher, keys: Any, ranks: Integers, answers: Any, found: Any) -> None:
    """Launch the kernels; the keys of some ranks are in `answers` when the stream gets there.

    `found` gets how many keys are below each, and how many equal it; 0 for neither.
    """
    asked, size, dtype = ranks.size, np.uint64(keys.size), launcher.dtype
    count, sampled = np.uint32(asked), SAMPLED[dtype.itemsize]
    place = room_for(keys.size, asked)
    limit, large = np.uint64(place), np.uint64(LARGE)
    tree, sample = room(TREE, np.uint8), room(sampled, dtype)
    staged, parts = room(place, dtype), room(place, dtype)
    number = launcher.kept("cells staged", 8)
    given = launcher.given(ranks.astype(np.uint64))
    starts, ends, flags, passed, table, result = launcher.scratch(
        2 * CELLS + 2, MOST + CELLS // 32, CELLS // 64, CELLS // 64, 7 * asked, 3 * asked
    )
    launcher.run_blocks(
        launcher.kernel("cells_built", SAMPLED=sampled),
        (keys, size, sample, tree, launcher.counters[1]),
        sampled * dtype.itemsize // 16 // THREADS,
        threads=THREADS,
        shared=4 * CELLS,
    )
    launcher.run(
        launcher.kernel("cells_counted", THREADS=THREADS, UNROLL=UNROLL),
        (
            *(keys, size, tree, given, count, np.uint64(place // 2), *launcher.counters),
            *(starts, ends, flags, passed, table, result),
        ),
        threads=THREADS,
        blocks=1,
        shared=4 * CELLS,
    )
    capacity = capacity_of(launcher.most_shared, dtype.itemsize)
    launcher.run(
        launcher.kernel("cells_staged", THREADS=THREADS, CAPACITY=capacity, UNROLL=UNROLL),
        (keys, size, tree, flags, staged, limit, number),
        threads=THREADS,
        blocks=1,
        shared=capacity * THREADS * dtype.itemsize,
    )
    launcher.run(
        launcher.kernel("cells_parted", THREADS=THREADS, PARTS=MOST, EACH=EACH),
        (staged, limit, number, tree, flags, passed, parts, ends),
        threads=THREADS,
        blocks=1,
        shared=(dtype.itemsize + 2) * THREADS * EACH + 12 * MOST,
    )
    launcher.run_blocks(
        launcher.kernel("cells_ranked", THREADS=THREADS),
        (parts, limit, large, ends, table, count, result),
        asked,
        threads=THREADS,
        shared=BINS,
    )
    launcher.run_together(
        launcher.kernel("cells_told", THREADS=THREADS),
        (
            *(keys, size, parts, limit, number, ends, table, result, count),
            *(launcher.kept("cells told", COMMON), answers, found),
        ),
        threads=THREADS,
        blocks=launcher.processors,
        shared=BINS,
    )


def cells(gpu: GPUKeys, ranks: Integers) -> tuple[Keys, Integers, Integers]:
    """Find some ranks; return the keys, how many are below each, and how many equal it."""
    answers, found = room(ranks.size, gpu.dtype), room((2, ranks.size), np.int64)
    launch(gpu.launcher, gpu.keys, ranks, answers, found)
    gpu.traffic.add(2 * gpu.size)
    below, equal = gpu.launcher.fetched(found)
    return gpu.launcher.fetched(answers), below, equal
