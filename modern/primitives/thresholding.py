"""Thresholding on a GPU: the array in which only the keys of largest magnitude are kept.

The last of them is selected, one more read writes the result, and of equal magnitudes those that
are too many become zero; the host waits for none of it.
"""

from typing import Any

import numpy as np

from modern.launching.waiting import room
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.one_read import TOLD, launch
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.top_keys import MAGNITUDE

NOTED = 1024
"""The places of so many equal magnitudes are noted; of more, the device reads where they are."""

TOGETHER = 1024
"""Threads of a block that drops equal magnitudes."""

COMMON = 16
"""Bytes that launches share, and 8 for each block: `Common` in threshold_ties.cu."""


def cut(gpu: GPUKeys, count: int, soft: bool, written: Any) -> Any:
    """Write the `count` keys of largest magnitude, and zero for all others.

    Three launches, for which nothing waits: a selection, a read that keeps all keys of the last
    magnitude, and ties. Those of the last magnitude that are too many become zero. The traffic
    is that of a selection whose first bracket has the rank, and of no more ties than are noted.
    """
    launcher, rank = gpu.launcher, gpu.size - count - soft
    told, ties = room(TOLD.size // 8, np.uint64), room(NOTED, np.int64)
    launch(launcher, gpu.keys, rank, room(2, launcher.raw), magnitude=True, told=told)
    common = launcher.kept("threshold_ties", COMMON + 8 * launcher.processors)
    kept = np.uint64(count)
    launcher.run_threads(
        launcher.kernel("threshold", BY=MAGNITUDE, SOFT=int(soft), MOST=NOTED),
        (*gpu.all, written, told, kept, ties, common + 8),
        loads_of(gpu),
    )
    launcher.run_together(
        launcher.kernel(
            "threshold_ties", BY=MAGNITUDE, SOFT=int(soft), MOST=NOTED, THREADS=TOGETHER
        ),
        (told, np.uint64(gpu.size), kept, ties, written, common),
        threads=TOGETHER,
        blocks=min(launcher.processors, -(-loads_of(gpu) // TOGETHER)),
    )
    gpu.traffic.add(gpu.size)
    gpu.traffic.add(gpu.size, gpu.size)
    return written


def loads_of(gpu: GPUKeys) -> int:
    """Return the number of loads of 16 bytes, the last of which may have fewer keys."""
    return -(-gpu.size * gpu.dtype.itemsize // LOAD)
