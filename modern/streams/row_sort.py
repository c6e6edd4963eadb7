"""Sorting all rows of a matrix on a GPU at once, as stream summaries sort windows: rows_*.cu.

A radix sort within each row. A short row is sorted in the shared memory of one block. Longer rows
are cut into tiles and sorted digit by digit: count the digits of every tile, find the places in the
row of each tile's keys, and move the keys there.
"""

from typing import Any

import cupy
import numpy as np

from modern.kernels import DTYPES
from modern.launching.launch import Launcher, room
from shadersort.errors import KeysNotFlat, UnsupportedKeys

THREADS = 512
ITEMS = {2: 16, 4: 16, 8: 8}
"""Keys of each thread by the bytes of a key; a tile has at most 32 KiB."""

BINS = 256
HALF = 32
"""Bits of a column."""
LONGEST = 1 << 31


def sorted_rows(rows: Any) -> Any:
    """Return a CuPy matrix of any type of number with each row in the order of `np.sort`.

    No key may be a NaN. −0.0 and 0.0 come in any order.
    """
    return rows_in_order(widened(rows)).astype(rows.dtype, copy=False)


def rows_in_order(rows: Any, bits: tuple[int, int] | None = None) -> Any:
    """Return a CuPy matrix with each row in the order of `np.sort`, −0.0 before 0.0.

    The kernels must know the type of the keys, and no key may be a NaN. Rows have fewer than 2³¹
    keys. With `bits`, the first one and the end, unsigned keys are in the order of these bits only,
    and keys that agree in them keep their order: both are multiples of 8. Besides the result, this
    needs 1.125 times the memory of the keys.
    """
    if rows.dtype not in DTYPES or rows.itemsize not in ITEMS:
        raise UnsupportedKeys(f"rows of {rows.dtype} cannot be sorted on a GPU")
    if rows.ndim != 2 or rows.shape[1] >= LONGEST:
        raise KeysNotFlat(f"rows are a matrix with fewer than 2**31 columns, not {rows.shape}")
    rows = cupy.ascontiguousarray(rows)
    if rows.shape[1] < 2 or not rows.size:
        return rows.copy()
    threads, items = THREADS, ITEMS[rows.itemsize]
    launcher = Launcher(np.dtype(rows.dtype))
    if rows.shape[1] <= threads * items:
        return _inside(launcher, rows, bits or (0, 8 * rows.itemsize))
    return _digit_by_digit(launcher, rows, bits or (0, 8 * rows.itemsize))


def _inside(launcher: Launcher, rows: Any, bits: tuple[int, int]) -> Any:
    count, length = rows.shape
    found = room(rows.shape, rows.dtype)
    items = 1 << (-(-length // THREADS) - 1).bit_length()  # a power of two: few kernels
    kernel = launcher.kernel("rows_inside", THREADS=THREADS, ITEMS=items)
    launcher.run_blocks(
        kernel, (rows, np.uint32(length), *map(np.uint32, bits), found), count, threads=THREADS
    )
    return found


def _digit_by_digit(launcher: Launcher, rows: Any, bits: tuple[int, int]) -> Any:
    count, length = rows.shape
    shape = {"THREADS": THREADS, "ITEMS": ITEMS[rows.itemsize]}
    tiles = -(-length // (THREADS * ITEMS[rows.itemsize]))
    sizes = np.uint32(length), np.uint32(tiles), np.uint32(-(-length // tiles))
    counted, moved = (launcher.kernel(name, **shape) for name in ("rows_counted", "rows_moved"))
    started = launcher.kernel("rows_started", THREADS=1024, ITEMS=1)
    counts = room(count * tiles * BINS, np.uint32)
    one, other = room(rows.shape, rows.dtype), room(rows.shape, rows.dtype)
    source, (begin, end) = rows, bits
    for shift in range(begin, end, 8):
        digit = np.uint32(shift)
        first, last = np.uint32(shift == begin), np.uint32(shift == end - 8)
        blocks = {"blocks": count * tiles, "threads": THREADS}
        launcher.run_blocks(counted, (source, *sizes, digit, first, counts), **blocks)
        launcher.run_blocks(started, (counts, np.uint32(tiles)), blocks=count, threads=1024)
        launcher.run_blocks(moved, (source, *sizes, digit, first, last, counts, one), **blocks)
        source, one, other = one, other, one
    return source


def order_of_rows(rows: Any) -> Any:
    """Return numbers of 64 bits whose lower halves are the columns that sort each row.

    Equal keys keep their order, as both zeros do. No key may be a NaN, and the kernels must know
    the type of the keys. A code of 64 bits is sorted by its lower half first.
    """
    launcher, rows = Launcher(np.dtype(rows.dtype)), cupy.ascontiguousarray(rows)
    kernel = launcher.kernel("rows_numbered")
    sizes, order = (np.uint64(rows.size), np.uint64(rows.shape[1])), np.uint64(0)
    for shift in range(0, 8 * rows.itemsize, HALF):
        numbers = room(rows.shape, np.uint64)
        given = rows, *sizes, np.uint32(shift), order, numbers
        launcher.run_threads(kernel, given, rows.size)
        order = rows_in_order(numbers, (HALF, HALF + min(HALF, 8 * rows.itemsize)))
    return order


def widened(keys: Any) -> Any:
    """Return keys of a type that kernels know: integers of 8 and 16 bits become 32 bits wide.

    Examples
    --------
    >>> import numpy as np
    >>> widened(np.int8([-3])).dtype, widened(np.float16([1])).dtype
    (dtype('int32'), dtype('float16'))
    """
    if keys.dtype.kind == "f" or keys.dtype.itemsize >= 4:
        return keys
    return keys.astype(f"{keys.dtype.kind}4")
