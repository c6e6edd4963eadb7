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
LONGEST = 1 << 31


def sorted_rows(rows: Any) -> Any:
    """Return a CuPy matrix of any type of number with each row in the order of `np.sort`.

    No key may be a NaN. −0.0 and 0.0 come in any order.
    """
    return rows_in_order(widened(rows)).astype(rows.dtype, copy=False)


def rows_in_order(rows: Any) -> Any:
    """Return a CuPy matrix with each row in the order of `np.sort`, −0.0 before 0.0.

    The kernels must know the type of the keys, and no key may be a NaN. Rows have fewer than 2³¹
    keys. Besides the result, this needs 1.125 times the memory of the keys.
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
        return _inside(launcher, rows)
    return _digit_by_digit(launcher, rows)


def _inside(launcher: Launcher, rows: Any) -> Any:
    count, length = rows.shape
    found = room(rows.shape, rows.dtype)
    items = 1 << (-(-length // THREADS) - 1).bit_length()  # a power of two: few kernels
    kernel = launcher.kernel("rows_inside", THREADS=THREADS, ITEMS=items)
    launcher.run_blocks(kernel, (rows, np.uint32(length), found), count, threads=THREADS)
    return found


def _digit_by_digit(launcher: Launcher, rows: Any) -> Any:
    count, length = rows.shape
    shape = {"THREADS": THREADS, "ITEMS": ITEMS[rows.itemsize]}
    tiles = -(-length // (THREADS * ITEMS[rows.itemsize]))
    sizes = np.uint32(length), np.uint32(tiles), np.uint32(-(-length // tiles))
    counted, moved = (launcher.kernel(name, **shape) for name in ("rows_counted", "rows_moved"))
    started = launcher.kernel("rows_started", THREADS=1024, ITEMS=1)
    counts = room(count * tiles * BINS, np.uint32)
    one, other = room(rows.shape, rows.dtype), room(rows.shape, rows.dtype)
    source, bits = rows, 8 * rows.itemsize
    for shift in range(0, bits, 8):
        digit, first, last = np.uint32(shift), np.uint32(shift == 0), np.uint32(shift == bits - 8)
        blocks = {"blocks": count * tiles, "threads": THREADS}
        launcher.run_blocks(counted, (source, *sizes, digit, first, counts), **blocks)
        launcher.run_blocks(started, (counts, np.uint32(tiles)), blocks=count, threads=1024)
        launcher.run_blocks(moved, (source, *sizes, digit, first, last, counts, one), **blocks)
        source, one, other = one, other, one
    return source


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
