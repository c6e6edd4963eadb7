"""Steps of thresholding several arrays on a GPU: a launch for each array, and one wait for all."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher, room
from modern.primitives.one_read import BINS, FEW, LEAST_ROOM, THREADS, UNROLL, capacity_of
from shadersort.keys.stand_ins import is_bfloat16

PART = 32
"""There is room for 1 in so many keys inside a bracket, and for `LEAST_ROOM`."""

MOST_TIES = 1 << 16
"""The places of so many equal magnitudes are noted."""


def sampled(arrays: Sequence[Any], count: int) -> Any | None:
    """Return the codes of the magnitudes of a sample of all arrays."""
    if not _is_alike(arrays):
        return None
    launcher = Launcher(np.dtype(arrays[0].dtype))
    found = room(count, launcher.raw)
    starts = launcher.given(np.array([*_starts(arrays), _size(arrays)], np.uint64))
    addresses = launcher.given(np.array([each.data.ptr for each in arrays], np.uint64))
    sizes = np.uint32(len(arrays)), np.uint32(count)
    kernel = launcher.kernel("magnitudes_sampled")
    launcher.run_threads(kernel, (addresses, starts, *sizes, found), count)
    return _compared(launcher, found)


def counted(
    arrays: Sequence[Any], first: int, last: int, nan: int
) -> tuple[int, int, int, Any] | None:
    """Count the codes above a bracket and at its ends; return those inside, too."""
    if not _is_alike(arrays):
        return None
    launcher, size = Launcher(np.dtype(arrays[0].dtype)), _size(arrays)
    spilled = room(max(LEAST_ROOM, size // PART), launcher.raw)
    totals = cupy.zeros(5, np.uint64)
    # magnitudes of numbers: infinity stands for NaNs, which are counted apart
    low, high = (min(each, nan - 1) >> _shift(launcher) for each in (first, last))
    _count(launcher, arrays, low, high, spilled, totals)
    below, upto_low, upto_high, numbers, inside = totals.get().tolist()
    at_low, at_high = upto_low - below, upto_high - upto_low - inside
    if inside > spilled.size or (last == nan and at_high):
        return None
    codes = spilled[:inside]
    codes &= launcher.raw.type((1 << 8 * launcher.dtype.itemsize - 1) - 1)
    codes = _compared(launcher, codes)
    if last == nan:
        return 0, size - numbers, at_low * (first < last), codes
    return size - upto_high, at_high if first < last else at_low, at_low * (first < last), codes


def _count(
    launcher: Launcher, arrays: Sequence[Any], low: int, high: int, spilled: Any, totals: Any
) -> None:
    """Launch the kernel for each array."""
    itemsize = launcher.dtype.itemsize
    capacity = capacity_of(launcher.most_shared, itemsize)
    kernel = launcher.kernel(
        "magnitudes_between", THREADS=THREADS, CAPACITY=capacity, UNROLL=UNROLL, MAGNITUDE=1
    )
    ends = launcher.raw.type(low), launcher.raw.type(high)
    for array in arrays:
        launcher.run_blocks(
            kernel,
            (
                *(array.reshape(-1), np.uint64(array.size), *ends),
                *(spilled, np.uint64(spilled.size), totals),
            ),
            max(1, min(launcher.processors, -(-array.size // FEW))),
            threads=THREADS,
            shared=BINS + capacity * THREADS * itemsize,
        )


def kept(
    arrays: Sequence[Any], results: Sequence[Any], code: int, equal: tuple[int, int], soft: bool
) -> bool:
    """Write the keys above a magnitude, and the first ones of those that equal it."""
    left, every = equal
    some = 0 < left < every
    whole = all(each.flags.c_contiguous for each in results)
    if not (_is_alike(arrays) and whole) or (some and every > MOST_TIES):
        return False
    launcher = Launcher(np.dtype(arrays[0].dtype))
    level, last = _magnitudes_of(launcher, code)
    bounds = level, last, level if left else last + 1
    ties, noted = room(every if some else 1, np.int64), cupy.zeros(1, np.uint64)
    kernel = launcher.kernel("magnitudes_kept", SOFT=int(soft), TIES=int(some))
    for start, array, result in zip(_starts(arrays), arrays, results, strict=True):
        keys = array.reshape(-1), np.uint64(array.size), *map(launcher.raw.type, bounds)
        rest = ties, noted, np.uint64(ties.size), np.uint64(start)
        launcher.run(kernel, (*keys, result.reshape(-1), *rest))
    if some:
        _drop(launcher, cupy.sort(ties)[left:], results)
    return True


def _drop(launcher: Launcher, places: Any, results: Sequence[Any]) -> None:
    """Write zeros at some places of all arrays."""
    kernel, count = launcher.kernel("magnitudes_dropped"), int(places.size)
    for start, result in zip(_starts(results), results, strict=True):
        where = np.uint64(start), np.uint64(result.size)
        launcher.run_threads(kernel, (places, np.uint64(count), *where, result.reshape(-1)), count)


def _magnitudes_of(launcher: Launcher, code: int) -> tuple[int, int]:
    """Return the first and the last magnitude of keys that have a code: those of NaNs are equal."""
    infinity = int(np.array(np.inf, launcher.dtype).view(launcher.raw))
    if code > infinity << _shift(launcher):
        return infinity + 1, (1 << 8 * launcher.dtype.itemsize - 1) - 1
    return code >> _shift(launcher), code >> _shift(launcher)


def _shift(launcher: Launcher) -> int:
    """Return by how many bits codes are longer than keys: those of bfloat16 are of float32."""
    return 16 if is_bfloat16(launcher.dtype) else 0


def _compared(launcher: Launcher, magnitudes: Any) -> Any:
    """Return magnitudes as codes."""
    return magnitudes.astype(np.uint32) << 16 if _shift(launcher) else magnitudes


def _is_alike(arrays: Sequence[Any]) -> bool:
    """Whether all arrays are contiguous floats of one type, which kernels read."""
    kinds = {each.dtype for each in arrays}
    return (
        len(kinds) == 1
        and all(each.char in "efd" or is_bfloat16(each) for each in kinds)
        and all(each.flags.c_contiguous for each in arrays)
    )


def _starts(arrays: Sequence[Any]) -> list[int]:
    """Return the place of each array's first key among all keys."""
    return list(accumulate((each.size for each in arrays[:-1]), initial=0))


def _size(arrays: Sequence[Any]) -> int:
    return sum(each.size for each in arrays)
