"""Thresholding on a GPU: the array in which only the keys of largest magnitude are kept.

If they are few, one read stages them with their places (kernels/top_k_staged.cu); zeros are written
everywhere, and they are put back. Otherwise the last of them is selected, one more read writes the
result, and of equal magnitudes those that are too many become zero; the host waits for none of it.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher, room
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.one_read import TOLD, launch, outcome
from modern.primitives.top_k import joined, stage
from shadersort.keys.codes import key
from shadersort.keys.types import Key
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.top_keys import MAGNITUDE, TopKeys

FEWER = 128
"""More than 1 in so many keys are not staged."""

NOTED = 1024
"""The places of so many equal magnitudes are noted; of more, the device reads where they are."""

TOGETHER = 1024
"""Threads of a block that drops equal magnitudes."""

COMMON = 16
"""Bytes that launches share, and 8 for each block: `Common` in threshold_ties.cu."""


def cut(gpu: GPUKeys, count: int, soft: bool, written: Any) -> Any:
    """Write the `count` keys of largest magnitude, and zero for all others."""
    if not (count * FEWER <= gpu.size and _cut_staged(gpu, count, soft, written)):
        _cut_selected(gpu, count, soft, written)
    return written


def _cut_selected(gpu: GPUKeys, count: int, soft: bool, written: Any) -> None:
    """Do so in three launches: a selection, a read that keeps all keys of the same magnitude, ties.

    Nothing waits for them. Those of the last magnitude that are too many become zero. The traffic
    is that of a selection whose first bracket has the rank, and of no more ties than are noted.
    """
    launcher, rank = gpu.launcher, gpu.size - count - soft
    told, ties = room(TOLD.size // 8, np.uint64), room(NOTED, np.int64)
    launch(launcher, gpu.keys, rank, room(2, launcher.raw), magnitude=True, told=told)
    common = launcher.kept("threshold_ties", COMMON + 8 * launcher.processors)
    unknown, kept = (gpu.raw(0), np.uint64(0), gpu.raw(0)), np.uint64(count)
    launcher.run_threads(
        launcher.kernel("threshold", BY=MAGNITUDE, SOFT=int(soft), SELECTED=1, MOST=NOTED),
        (*gpu.all, *unknown, written, told, kept, ties, common[8:]),
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


def _cut_staged(gpu: GPUKeys, count: int, soft: bool, written: Any) -> bool:
    """Do so with staged keys; return False, and write nothing, if they do not suffice."""
    staged = stage(gpu, MAGNITUDE, count + soft)
    if staged is None:
        return False
    joined(gpu, staged, False, gpu.launcher.result(64))
    codes = staged.orders if gpu.dtype.itemsize > 2 else staged.orders.astype(np.uint32)
    launcher = Launcher(np.dtype(codes.dtype))  # the staged codes are keys themselves
    told = launcher.result(0)
    launch(launcher, codes, count - 1 + soft, room(2, codes.dtype), told=told)
    launcher.wait()
    (found,) = launcher.left(64, 1).tolist()
    last = outcome(launcher)
    if not count + soft <= found <= staged.places.size or (soft and _is_nan(gpu, last.code)):
        return False
    orders, places = staged.orders[:found], staged.places[:found]
    end = gpu.size
    if not soft and (left := count - last.below) < last.equal:
        end = int(cupy.sort(places[orders == last.code])[left - 1]) + 1
    _put_back(gpu, orders, places, TopKeys(MAGNITUDE, last.code, end, count), soft, written)
    gpu.traffic.add(found, gpu.size)
    return True


def _put_back(gpu: GPUKeys, orders: Any, places: Any, top: TopKeys, soft: bool, to: Any) -> None:
    """Write zeros, and the staged keys at the top; with "soft", those before the pivot."""
    launcher, size = gpu.launcher, np.uint64(orders.size)
    out = gpu.raw(gpu.last_code - top.pivot)  # the code of a magnitude, and its bits
    if gpu.dtype.kind == "f":
        out = np.asarray(key(int(out), gpu.dtype)).view(launcher.raw)[()]
    kernel = launcher.kernel("threshold_staged", BY=MAGNITUDE, SOFT=int(soft))
    bound = gpu.raw(top.pivot), np.uint64(0 if soft else top.end)
    launcher.run(kernel, (gpu.keys, orders, places, size, *bound, out))
    to.data.memset_async(0, to.nbytes)
    launcher.run(launcher.kernel("threshold_put"), (orders, places, size, to))


def _is_nan(gpu: GPUKeys, order: int) -> bool:
    return gpu.dtype.kind == "f" and order == 0


def thresholded(gpu: GPUKeys, top: TopKeys, out: Key | None, written: Any) -> Any:
    """Write the keys at the top, and zero for all others, into an array: perhaps their own.

    If `out` is not None, it is a magnitude by which the kept keys are moved towards zero.
    """
    gpu.traffic.add(gpu.size, gpu.size)
    launcher, soft, none = gpu.launcher, out is not None, np.uint64(0)
    off = np.asarray(out).view(launcher.raw)[()] if soft else gpu.raw(0)
    kernel = launcher.kernel("threshold", BY=top.by, SOFT=int(soft), SELECTED=0)
    bound = gpu.raw(top.pivot), np.uint64(top.end), off
    arguments = *gpu.all, *bound, written, none, none, none, none
    launcher.run_threads(kernel, arguments, loads_of(gpu))
    return written


def loads_of(gpu: GPUKeys) -> int:
    """Return the number of loads of 16 bytes, the last of which may have fewer keys."""
    return -(-gpu.size * gpu.dtype.itemsize // LOAD)
