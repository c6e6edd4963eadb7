"""Steps of thresholding several arrays on a GPU: one launch for all arrays."""

from collections.abc import Sequence
from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher, room
from modern.primitives.one_read import (
    BINS,
    FEW,
    LEAST_ROOM,
    THREADS,
    UNROLL,
    capacity_of,
    launch,
    outcome,
)
from shadersort.keys.stand_ins import is_bfloat16
from shadersort.selection.primitives.one_read import LOAD

MOST_TIES = 1 << 16
"""The places of so many equal magnitudes are noted and sorted; with more, `kept` writes nothing."""

BLOCK = 256
"""Threads of a block that writes: each has one load."""

PART = 32
"""There is room for 1 in so many keys inside a bracket, and for `LEAST_ROOM`."""


def sampled(arrays: Sequence[Any], count: int) -> Any | None:
    """Return the codes of the magnitudes of a sample of all arrays."""
    if not _is_alike(arrays):
        return None
    launcher = Launcher(np.dtype(arrays[0].dtype))
    found = room(count, launcher.raw)
    arguments = _addresses(launcher, arrays), *_places(launcher, arrays), np.uint32(count), found
    launcher.run_threads(launcher.kernel("magnitudes_sampled"), arguments, count)
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
    """Launch the kernel that counts and stages."""
    itemsize = launcher.dtype.itemsize
    capacity = capacity_of(launcher.most_shared, itemsize)
    ends = launcher.raw.type(low), launcher.raw.type(high)
    launcher.run_blocks(
        launcher.kernel(
            "magnitudes_between", THREADS=THREADS, CAPACITY=capacity, UNROLL=UNROLL, MAGNITUDE=1
        ),
        (
            *(_addresses(launcher, arrays), *_places(launcher, arrays), *ends),
            *(spilled, np.uint64(spilled.size), totals),
        ),
        max(1, min(launcher.processors, -(-_size(arrays) // FEW))),
        threads=THREADS,
        shared=BINS + capacity * THREADS * itemsize,
    )


def ranked(codes: Any, rank: int) -> tuple[int, int, int]:
    """Return the code of a rank, and how many codes are above it and equal it."""
    launcher = Launcher(np.dtype(codes.dtype))
    launch(launcher, codes, rank, room(2, codes.dtype), told=launcher.result(0))
    launcher.wait()
    found = outcome(launcher)
    return found.code, codes.size - found.below - found.equal, found.equal


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
    to, places = _addresses(launcher, results), _places(launcher, arrays)
    level, last = _magnitudes_of(launcher, code)
    bounds = level, last, level if left else last + 1
    ties, noted = room(every if some else 1, np.int64), cupy.zeros(1, np.uint64)
    blocks, count = _blocks(launcher, arrays)
    launcher.run_blocks(
        launcher.kernel("magnitudes_kept", SOFT=int(soft), TIES=int(some)),
        (
            *(_addresses(launcher, arrays), to, places[0], blocks, places[1]),
            *(*map(launcher.raw.type, bounds), ties, noted, np.uint64(ties.size)),
        ),
        count,
        threads=BLOCK,
    )
    if some:
        dropped = cupy.sort(ties)[left:]
        arguments = dropped, np.uint64(dropped.size), to, *places
        launcher.run_threads(launcher.kernel("magnitudes_dropped"), arguments, dropped.size)
    return True


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


def _addresses(launcher: Launcher, arrays: Sequence[Any]) -> Any:
    """Return where the arrays begin, on the device."""
    return launcher.given(np.array([each.data.ptr for each in arrays], np.uint64))


def _places(launcher: Launcher, arrays: Sequence[Any]) -> tuple[Any, np.uint32]:
    """Return the place of each array's first key and the number of keys, on the device; a count."""
    starts = np.cumsum([0, *(each.size for each in arrays)], dtype=np.uint64)
    return launcher.given(starts), np.uint32(len(arrays))


def _blocks(launcher: Launcher, arrays: Sequence[Any]) -> tuple[Any, int]:
    """Return the number of each array's first block on the device, and the number of all blocks."""
    each = [-(-array.nbytes // (LOAD * BLOCK)) for array in arrays]
    firsts = np.cumsum([0, *each], dtype=np.uint64)
    return launcher.given(firsts), int(firsts[-1])


def _size(arrays: Sequence[Any]) -> int:
    return sum(each.size for each in arrays)
