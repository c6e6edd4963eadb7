"""A counter for every value on a GPU: three kernels in a row.

Each block counts keys of 16 bits, or pairs of 8, in counters of 16 bits in shared memory
(kernels/counting.cu). The counters of all blocks are added up by value (…_summed.cu), and one block
finds the ranks among them (…_found.cu). `launch` does not wait; `counting` does.
"""

from typing import Any

import numpy as np

from modern.launching.waiting import Launcher, room
from modern.primitives.gpu_keys import COUNTERS_OF_SYMBOLS, SYMBOLS, GPUKeys
from modern.primitives.one_read import SELECT
from shadersort.keys.types import Integers, Keys

THREADS, UNROLL = 1024, 2

TILE = THREADS * UNROLL * 16
"""Bytes that a block reads at once; few keys have a block for each tile."""

ACROSS, ROWS = 128, 8
"""Words of counters that a block adds up, and how many blocks' counters it reads at once."""

NOTHING = np.uint64(0)
"""No array, for a kernel."""


def launch(
    launcher: Launcher,
    keys: Any,
    ranks: Integers | int,
    answers: Any,
    found: Any = NOTHING,
    *,
    ask: int = SELECT,
) -> None:
    """Launch the kernels; the keys of some ranks are in `answers` when the stream gets there.

    One rank is an integer. `found` gets how many keys are below each key, and how many equal it.
    With another `ask` of one_read.py, the ranks do not matter, and the answer is a mean.
    """
    size = np.uint64(keys.size)
    blocks = max(1, min(launcher.processors, -(-keys.nbytes // TILE)))
    rows = room((blocks, SYMBOLS // 2), np.uint32)
    full = launcher.kept("counting full", 8 * SYMBOLS)
    counts = launcher.kept("counting", 8 * SYMBOLS)
    launcher.run_blocks(
        launcher.kernel("counting", THREADS=THREADS, UNROLL=UNROLL),
        (keys, size, rows, full),
        blocks,
        threads=THREADS,
        shared=COUNTERS_OF_SYMBOLS,
    )
    launcher.run_blocks(
        launcher.kernel("counting_summed", ACROSS=ACROSS, ROWS=ROWS),
        (keys, size, rows, np.uint32(blocks), full, counts),
        SYMBOLS // 2 // ACROSS,
        threads=ACROSS * ROWS,
    )
    launcher.run_blocks(
        launcher.kernel("counting_found"),
        (counts, size, *_asked(launcher, ranks), np.uint32(ask), answers, found),
        1,
        threads=THREADS,
    )


def _asked(launcher: Launcher, ranks: Integers | int) -> tuple[Any, np.uint64, np.uint64]:
    """Return the ranks in memory, how many there are, and the only one."""
    if isinstance(ranks, int):
        return NOTHING, np.uint64(1), np.uint64(ranks)
    return launcher.given(ranks.astype(np.uint64)), np.uint64(ranks.size), np.uint64(0)


def counting(gpu: GPUKeys, ranks: Integers) -> tuple[Keys, Integers, Integers]:
    """Find some ranks; return the keys, how many are below each, and how many equal it."""
    answers, found = room(ranks.size, gpu.dtype), room((2, ranks.size), np.int64)
    launch(gpu.launcher, gpu.keys, ranks, answers, found)
    gpu.traffic.add(gpu.size)
    below, equal = gpu.launcher.fetched(found)
    return gpu.launcher.fetched(answers), below, equal
