"""Thresholding on a GPU: the array in which only the keys of largest magnitude are kept.

If they are few, one read stages them with their places (kernels/top_k_staged.cu); zeros are written
everywhere, and they are put back. Otherwise the last of them is selected, and one more read writes
the result.
"""

from typing import Any

import numpy as np

from modern.launching.launch import Launcher, room
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.one_read import launch, one_read, outcome
from modern.primitives.top_k import joined, stage
from modern.primitives.top_keys import MAGNITUDE, TopKeys, selected_cut
from shadersort.keys.codes import key
from shadersort.keys.types import Key
from shadersort.selection.primitives import Counts

FEWER = 16
"""More than 1 in so many keys are not staged."""


def magnitude(gpu: GPUKeys, rank: int) -> tuple[Key, Counts]:
    """Return the magnitude of a rank, and the counts of the magnitudes at it."""
    found = one_read(gpu, rank, magnitude=True)
    dtype = gpu.launcher.raw if gpu.dtype.kind == "i" else gpu.dtype
    return key(found.code, dtype), Counts.of(found.below, found.equal, gpu.size)


def cut(gpu: GPUKeys, count: int, soft: bool, written: Any) -> Any:
    """Write the `count` keys of largest magnitude, and zero for all others."""
    if count * FEWER <= gpu.size and _cut_staged(gpu, count, soft, written):
        return written
    return selected_cut(gpu, count, soft, written)


def _cut_staged(gpu: GPUKeys, count: int, soft: bool, written: Any) -> bool:
    """Do so with staged keys; return False, and write nothing, if they do not tell which to keep."""
    staged = stage(gpu, MAGNITUDE, count + soft)
    if staged is None:
        return False
    joined(gpu, staged, False, gpu.launcher.result(64))
    codes = Launcher(gpu.launcher.raw)  # the staged codes are keys themselves
    launch(codes, staged.orders, count - 1 + soft, room(2, codes.dtype), told=codes.result(0))
    codes.wait()
    (found,) = gpu.launcher.left(64, 1).tolist()
    last = outcome(codes)
    # of equal magnitudes all are kept, or with "soft" none: otherwise places would decide
    whole = not _is_nan(gpu, last.code) if soft else last.below + last.equal == count
    if not (count + soft <= found <= staged.places.size and whole):
        return False
    _write(gpu, staged.orders[:found], staged.places[:found], last.code, soft, written)
    gpu.traffic.add(found, gpu.size)
    return True


def _write(gpu: GPUKeys, orders: Any, places: Any, pivot: int, soft: bool, written: Any) -> None:
    """Write zeros, and the keys with codes up to the pivot; with "soft", those before it."""
    launcher, size = gpu.launcher, np.uint64(orders.size)
    out = gpu.raw(gpu.last_code - pivot)  # the code of a magnitude, and its bits
    if gpu.dtype.kind == "f":
        out = np.asarray(key(int(out), gpu.dtype)).view(launcher.raw)[()]
    launcher.run(
        launcher.kernel("threshold_staged", BY=MAGNITUDE, SOFT=int(soft), EQUAL=int(not soft)),
        (gpu.keys, orders, places, size, gpu.raw(pivot), out),
    )
    written.data.memset_async(0, written.nbytes)
    launcher.run(launcher.kernel("threshold_put"), (orders, places, size, written))


def _is_nan(gpu: GPUKeys, order: int) -> bool:
    return gpu.dtype.kind == "f" and order == 0


def thresholded(gpu: GPUKeys, top: TopKeys, out: Key | None, written: Any) -> Any:
    """Write the keys at the top, and zero for all others, into an array: perhaps their own.

    If `out` is not None, it is a magnitude by which the kept keys are moved towards zero.
    """
    gpu.traffic.add(gpu.size, gpu.size)
    soft = out is not None
    off = np.asarray(out).view(gpu.launcher.raw)[()] if soft else gpu.raw(0)
    kernel = gpu.launcher.kernel("threshold", BY=top.by, SOFT=int(soft))
    gpu.launcher.run(kernel, (*gpu.all, gpu.raw(top.pivot), np.uint64(top.end), off, written))
    return written
