"""Sorting the rows of a matrix on a GPU, all at once: kernels/streams/row_sort_*.cu.

A radix sort within each row. A short row is sorted in the shared memory of one block. Longer rows
are cut into tiles and sorted digit by digit: count the digits of every tile, find the places in the
row of each tile's keys, and move the keys there.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher, room
from modern.primitives.gpu_keys import CHARACTERS
from shadersort.errors import KeysNotFlat, UnsupportedKeys

THREADS = 512
ITEMS = {1: 16, 2: 16, 4: 16, 8: 8}
"""Keys of each thread by the bytes of a key; a tile has at most 32 KiB."""

BINS = 256
LONGEST = 1 << 32


def rows_in_order(
    rows: Any, bits: tuple[int, int] | None = None, launcher: Launcher | None = None
) -> Any:
    """Return a CuPy matrix with each row in the order of `np.sort`, −0.0 before 0.0.

    The kernels must know the type of the keys. NaNs come last, with all their bits. Rows have fewer
    than 2³² keys. With `bits`, the first one and the end, unsigned keys are in the order of these
    bits only, and keys that agree in them keep their order: both are multiples of 8. A launcher
    tells the type of keys that are given by their bits. Besides the result, this needs 1.125 times
    the memory of the keys.
    """
    if rows.dtype.char not in CHARACTERS:
        raise UnsupportedKeys(f"rows of {rows.dtype} cannot be sorted on a GPU")
    if rows.ndim != 2 or rows.shape[1] >= LONGEST:
        raise KeysNotFlat(f"rows are a matrix with fewer than 2**32 columns, not {rows.shape}")
    rows = cupy.ascontiguousarray(rows)
    if rows.shape[1] < 2 or not rows.size:
        return rows.copy()
    launcher, bits = launcher or Launcher(np.dtype(rows.dtype)), bits or (0, 8 * rows.itemsize)
    if rows.shape[1] <= tile_of(rows.itemsize):
        return _sort_in_blocks(launcher, rows, bits)
    return _sort_digits(launcher, rows, None, bits, raw=True)[0]


def pairs_in_order(launcher: Launcher, codes: Any, places: Any) -> tuple[Any, Any]:
    """Return unsigned codes with each row in order, and numbers of 32 bits that go with them.

    Equal codes keep their order. Rows are longer than a tile. This overwrites both arrays, which
    are contiguous matrices, and needs as much memory again, and 1/8 of that of the codes.
    """
    return _sort_digits(launcher, codes, places, (0, 8 * codes.itemsize), raw=False)


def tile_of(itemsize: int) -> int:
    """Return how many keys of some bytes a block sorts.

    Examples
    --------
    >>> tile_of(4), tile_of(8)
    (8192, 4096)
    """
    return THREADS * ITEMS[itemsize]


def items_for(length: int) -> int:
    """Return how many keys of a short row a thread has: a power of two, so that kernels are few.

    Examples
    --------
    >>> items_for(3), items_for(1025)
    (1, 4)
    """
    return 1 << (-(-length // THREADS) - 1).bit_length()


def _sort_in_blocks(launcher: Launcher, rows: Any, bits: tuple[int, int]) -> Any:
    count, length = rows.shape
    found = room(rows.shape, rows.dtype)
    kernel = launcher.kernel("row_sort_block", THREADS=THREADS, ITEMS=items_for(length))
    arguments = rows, np.uint32(length), *map(np.uint32, bits), found
    launcher.run_blocks(kernel, arguments, count, threads=THREADS)
    return found


def _sort_digits(
    launcher: Launcher, rows: Any, beside: Any, bits: tuple[int, int], *, raw: bool
) -> tuple[Any, Any]:
    """Sort keys, and numbers beside them if there are any; return the arrays that have them.

    Raw keys are as in the array, and stay there; others are codes, and are overwritten.
    """
    (count, length), (begin, end), items = rows.shape, bits, ITEMS[rows.itemsize]
    tiles = -(-length // (THREADS * items))
    sizes = np.uint32(length), np.uint32(tiles), np.uint32(-(-length // tiles))
    macros = {"THREADS": THREADS, "ITEMS": items}
    count_digits = launcher.kernel("row_sort_count", **macros)
    move = launcher.kernel("row_sort_move", **macros, PAIRS=int(not raw))
    scan = launcher.kernel("row_sort_scan", THREADS=1024, ITEMS=1)
    counts = room(count * tiles * BINS, np.uint32)
    source, other = (rows, beside), _room_like(rows, beside)
    spare = _room_like(rows, beside) if raw else source
    for shift in range(begin, end, 8):
        from_raw, to_raw = np.uint32(raw and shift == begin), np.uint32(raw and shift == end - 8)
        given = source[0], *sizes, np.uint32(shift), from_raw
        launcher.run_blocks(count_digits, (*given, counts), count * tiles, threads=THREADS)
        launcher.run_blocks(scan, (counts, np.uint32(tiles)), count, threads=1024)
        numbers = (0, 0) if beside is None else (source[1], other[1])
        arguments = *given, to_raw, counts, other[0], *numbers
        launcher.run_blocks(move, arguments, count * tiles, threads=THREADS)
        source, other, spare = other, spare, other
    return source


def _room_like(rows: Any, beside: Any) -> tuple[Any, Any]:
    return room(rows.shape, rows.dtype), None if beside is None else room(rows.shape, np.uint32)
