"""A counter for every value on a GPU: three kernels in a row, and one wait.

Each block counts keys of 16 bits, or pairs of 8, in counters of 16 bits in shared memory
(kernels/counting.cu). The counters of all blocks are added up by value (…_summed.cu), and one block
finds the ranks among them (…_found.cu).
"""

import numpy as np

from modern.launching.launch import room
from modern.primitives.gpu_keys import GPUKeys
from shadersort.keys.types import Integers, Keys

THREADS, UNROLL = 1024, 2

SYMBOLS = 1 << 16

ACROSS, ROWS = 128, 8
"""Words of counters that a block adds up, and how many blocks' counters it reads at once."""


def counting(gpu: GPUKeys, ranks: Integers) -> tuple[Keys, Integers, Integers]:
    """Find ascending ranks; return the keys, how many are below each, and how many equal it."""
    launcher, blocks = gpu.launcher, gpu.launcher.processors
    rows = room((blocks, SYMBOLS // 2), np.uint32)
    full = launcher.kept("counting full", 8 * SYMBOLS)
    counts = launcher.kept("counting", 8 * SYMBOLS)
    launcher.run(
        launcher.kernel("counting", THREADS=THREADS, UNROLL=UNROLL),
        (*gpu.all, rows, full),
        threads=THREADS,
        blocks=1,
        shared=2 * SYMBOLS,
    )
    launcher.run_blocks(
        launcher.kernel("counting_summed", ACROSS=ACROSS, ROWS=ROWS),
        (*gpu.all, rows, np.uint32(blocks), full, counts),
        SYMBOLS // 2 // ACROSS,
        threads=ACROSS * ROWS,
    )
    found = room((3, ranks.size), np.uint64)
    given = launcher.given(ranks.astype(np.uint64))
    launcher.run_blocks(
        launcher.kernel("counting_found"),
        (counts, given, np.uint64(ranks.size), found),
        1,
        threads=1024,
    )
    gpu.traffic.add(gpu.size)
    bits, below, equal = launcher.fetched(found)
    keys = bits.astype(launcher.raw).view(gpu.dtype)
    return keys, below.astype(np.int64), equal.astype(np.int64)
