"""Many ranks on a GPU by cells: six kernels in a row that nothing waits for, and two reads.

The kernels build tables from a sample (kernels/cells_built.cu), count the keys in all cells
(…_counted.cu), stage the keys of the cells that hold a rank (…_staged.cu), put each cell's keys
together (…_parted.cu), and select among them (…_ranked.cu). Of rounded data, frequent keys are
counted instead of staged (crowded.cuh). The last kernel tells
the answers (…_told.cu), and narrows what the others left open.
"""

from typing import Any

import numpy as np

from modern.launching.waiting import Launcher, room
from modern.primitives.cells_shape import MANY, THREADS, shape_of
from modern.primitives.counting import NOTHING
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.one_read import BINS
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives.cells import ENTRIES, HEAVY, NODES, SAMPLED
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.primitives.ranks_in_cells import room_for

UNROLL = 4
"""Loads in flight of each thread, beside those that are worked on."""

EACH = {4: 16, 8: 8}
"""Keys of a tile for each thread, while staged keys are put into parts, by the bytes of a key."""

MOST = 1 << 11
"""Ranks that are found together, at most."""

TREE = 16 + 16 * NODES + 4 * ENTRIES + 8 * HEAVY
"""Bytes of the tables, at most: `Tree` in kernels/cells.cuh."""

SHARE = 64
"""A cell with up to 1 in this many keys may be staged: two keys that it often has are not."""

SMALLER = THREADS // 2
"""Threads of a block that selects in a part, if there are more parts than multiprocessors."""

LARGE = 1 << 20
"""A part with more keys than this is not left to one block."""

COMMON = 16 + 6 * 4096 * 8
"""Bytes that launches share: `Common` in kernels/cells_told.cu."""

OPEN = 72 << 10
"""Bytes of shared memory for ranks that are narrowed together: `OpenRanks` in open_ranks.cuh."""


def launch(
    launcher: Launcher, keys: Any, ranks: Integers, answers: Any, found: Any = NOTHING
) -> None:
    """Launch the kernels; the keys of some ranks are in `answers` when the stream gets there.

    `found` gets how many keys are below each, and how many equal it.
    """
    dtype, asked, size = launcher.dtype, ranks.size, np.uint64(keys.size)
    itemsize = dtype.itemsize
    shape = shape_of(launcher.most_shared, itemsize, many=asked > MANY or itemsize == 8)
    assert shape is not None
    sampled = SAMPLED[itemsize]
    macros = {"AIM": shape.aim, "SAMPLED": sampled}
    tree, sample = room(TREE, np.uint8), room(sampled, dtype)
    launcher.run_blocks(
        launcher.kernel("cells_built", **macros),
        (keys, size, sample, tree, launcher.counters[1]),
        sampled * itemsize // 16 // THREADS,
        threads=THREADS,
        shared=shape.tables + 4 * shape.cells + ENTRIES,
    )
    macros = {"AIM": shape.aim, "THREADS": THREADS}
    count = np.uint32(asked)
    place = room_for(keys.size, asked, shape.aim)
    words = shape.cells // 64
    starts, ends, flags, passed, table, result = launcher.scratch(
        2 * shape.cells + 2, MOST + 2 * words, words, words, 7 * asked, 3 * asked
    )
    launcher.run(
        launcher.kernel("cells_counted", UNROLL=UNROLL, **macros),
        (
            *(keys, size, tree, launcher.lent(ranks.astype(np.uint64)), count),
            *(np.uint64(max(place // 2, keys.size // SHARE)), *launcher.counters),
            *(starts, ends, flags, passed, table, result),
        ),
        threads=THREADS,
        blocks=1,
        shared=shape.tables + 4 * shape.cells,
    )
    whole = place + LOAD // itemsize
    staged, parts, limit = room(whole, dtype), room(place, dtype), np.uint64(place)
    number, behind = launcher.kept("cells staged", 8), shape.behind(itemsize, asked)
    options = {"CAPACITY": shape.capacity, "SAMPLED": sampled, "UNROLL": UNROLL}
    launcher.run(
        launcher.kernel("cells_staged", **options, **macros),
        (
            *(keys, size, tree, flags, staged, limit, number, np.uint32(behind), sample, passed),
            *(*launcher.counters, ends, table, result, count),
        ),
        threads=THREADS,
        blocks=1,
        shared=shape.tables + behind,
    )
    each = EACH[itemsize]
    launcher.run(
        launcher.kernel("cells_parted", PARTS=MOST, EACH=each, **macros),
        (staged, limit, number, tree, flags, passed, parts, ends),
        threads=THREADS,
        blocks=1,
        shared=shape.tables + shape.cells // 4 + 12 * MOST + (itemsize + 2) * THREADS * each,
    )
    threads = THREADS if asked <= launcher.processors else SMALLER
    launcher.run_blocks(
        launcher.kernel("cells_ranked", THREADS=threads),
        (parts, limit, np.uint64(LARGE), ends, table, count, result),
        asked,
        threads=threads,
        shared=BINS * threads // THREADS,
    )
    launcher.run_together(
        launcher.kernel("cells_told", THREADS=THREADS),
        (
            *(keys, size, parts, limit, number, ends, table, result, count),
            *(launcher.kept("cells told", COMMON), answers, found),
        ),
        threads=THREADS,
        blocks=launcher.processors,
        shared=2 * BINS + OPEN,
    )


def cells(gpu: GPUKeys, ranks: Integers) -> tuple[Keys, Integers, Integers]:
    """Find some ranks; return the keys, how many are below each, and how many equal it."""
    answers, found = room(ranks.size, gpu.dtype), room((2, ranks.size), np.int64)
    for first in range(0, ranks.size, MOST):
        some = slice(first, first + MOST)
        counts = room((2, ranks[some].size), np.int64)
        launch(gpu.launcher, gpu.keys, ranks[some], answers[some], counts)
        found[:, some] = counts
        gpu.traffic.add(2 * gpu.size)
    below, equal = gpu.launcher.fetched(found)
    return gpu.launcher.fetched(answers), below, equal
