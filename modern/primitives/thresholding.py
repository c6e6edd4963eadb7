"""Thresholding on a GPU: the array in which only the keys of largest magnitude are kept.

If they are few, one read stages them with their places (kernels/top_k_staged.cu); zeros are written
everywhere, and they are put back. Otherwise the last of them is selected, and one more read writes
the result.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher, room
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.one_read import launch, one_read, outcome
from modern.primitives.top_k import joined, stage
from modern.primitives.top_keys import MAGNITUDE, TopKeys, selected_cut
from shadersort.keys.codes import code, key
from shadersort.keys.types import Key
from shadersort.selection.primitives import Counts

FEWER = 16
"""More than 1 in so many keys are not staged."""

MOST_TIES = 1 << 16
"""The places of so many equal magnitudes are noted; with more, one read counts them instead."""


def magnitude(gpu: GPUKeys, rank: int) -> tuple[Key, Counts]:
    """Return the magnitude of a rank, and the counts of the magnitudes at it."""
    found = one_read(gpu, rank, magnitude=True)
    dtype = gpu.launcher.raw if gpu.dtype.kind == "i" else gpu.dtype
    return key(found.code, dtype), Counts.of(found.below, found.equal, gpu.size)


def cut(gpu: GPUKeys, count: int, soft: bool, written: Any) -> Any:
    """Write the `count` keys of largest magnitude, and zero for all others."""
    if count * FEWER <= gpu.size and _cut_staged(gpu, count, soft, written):
        return written
    others = gpu.size - count
    last, counts = magnitude(gpu, others - 1 if soft else others)
    surplus = counts.above + counts.equal - count
    if soft or last != last or not surplus or counts.equal > MOST_TIES:
        return selected_cut(gpu, count, soft, written, last, counts)
    # all equal magnitudes are kept at first, and their places noted
    top = TopKeys(MAGNITUDE, gpu.last_code - code(last), gpu.size, counts.above + counts.equal)
    ties, noted = room(counts.equal, np.int64), gpu.launcher.kept("threshold", 8)
    _thresholded(gpu, top, None, written, (ties, noted))
    ties.sort()
    written[ties[counts.equal - surplus :]] = 0
    return written


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
    return _thresholded(gpu, top, out, written, None)


def _thresholded(
    gpu: GPUKeys, top: TopKeys, out: Key | None, written: Any, noted: tuple[Any, Any] | None
) -> Any:
    """Do so; note the places of the keys that have the pivot's code, and how many there are."""
    gpu.traffic.add(gpu.size, gpu.size)
    launcher, soft = gpu.launcher, out is not None
    off = np.asarray(out).view(launcher.raw)[()] if soft else gpu.raw(0)
    zero = np.uint64(0)
    kernel = launcher.kernel("threshold", BY=top.by, SOFT=int(soft), NOTED=int(noted is not None))
    bound = gpu.raw(top.pivot), np.uint64(top.end)
    launcher.run(
        kernel, (*gpu.all, *bound, off, written, *(noted or (zero, zero)), launcher.ticket)
    )
    return written
