"""How the rows of a CuPy array lie in memory, and copies of those that lie otherwise."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Self

import cupy
import numpy as np

from modern.launching.waiting import Launcher, room
from modern.primitives.gpu_keys import CHARACTERS
from modern.rows.cuda_numbers import numbers_of
from shadersort.errors import UnsupportedKeys

LANES, THREADS = 32, 256

WARP = 1 << 10
"""Keys of the longest rows that a warp holds."""

BINNED = 8
"""Warps make histograms if each lane holds this many keys: see warp_select.cuh."""

SLOT_ROWS = 16
"""Keys of each lane that have a place in the bins of a histogram, as in warp_select.cuh."""

MANY = 1 << 9
"""More entries than so many need many registers, and much of the shared memory of a warp."""

MOST_BLOCKS = 1 << 30
"""Blocks of one launch, at most; each takes more rows then."""

TURNED = 64
"""Keys of each column that a block copies, as in turned_tile.cuh."""

PART = 1 << 26
"""Keys of columns that are copied to rows at a time, or one column of each outer place."""


def items_for(length: int) -> int:
    """Return how many keys of a row a lane holds: up to 8 a power of two, then a multiple of 4.

    Examples
    --------
    >>> items_for(32), items_for(33), items_for(300), items_for(1000)
    (1, 2, 12, 32)
    """
    items = -(-length // LANES)
    return 1 << (items - 1).bit_length() if items <= 8 else -(-items // 4) * 4


def shared_for(items: int, threads: int, itemsize: int, entries: int = 0) -> int:
    """Return the bytes of shared memory of warps that select: lists, histograms, and places.

    Examples
    --------
    >>> shared_for(32, 256, 4), shared_for(4, 256, 4), shared_for(4, 256, 4, 64)
    (38912, 6144, 8320)
    """
    places = (threads // LANES * entries + LANES) * 4 if entries else 0
    if items < BINNED:
        return (items + 2) * threads * itemsize + places
    rows = max(items + 1, items // 2 + 1 + SLOT_ROWS)
    return (rows + 1) * threads * itemsize + 4 * threads * 4 + places


def threads_for(itemsize: int, entries: int = 0) -> int:
    """Return the threads of blocks whose warps have rows: few if they need much memory.

    Examples
    --------
    >>> threads_for(4), threads_for(8), threads_for(4, 1024)
    (256, 128, 128)
    """
    return 128 if itemsize > 4 or entries > MANY else 256


def column_threads_for(inner: int, items: int, itemsize: int, most: int, entries: int = 0) -> int:
    """Return the threads of blocks whose warps have columns: as many warps as there are columns.

    There are twice as many as blocks with rows have, at most: keys of at least 4 bytes are then
    read by 64 neighbouring bytes. `most` is the most shared memory that a block may have.

    Examples
    --------
    >>> column_threads_for(100, 32, 4, 227 << 10), column_threads_for(100, 32, 4, 64 << 10)
    (512, 256)
    >>> column_threads_for(3, 32, 4, 227 << 10)
    128
    """
    threads = threads_for(itemsize, entries)
    if shared_for(items, 2 * threads, itemsize, entries) <= most:
        threads *= 2
    return min(threads, LANES << (inner - 1).bit_length())


def staged_for(length: int) -> int:
    """Return how many staged keys a lane has room for, of a row that its warp reads in memory.

    Nearly a fifth of the keys are staged for a rank in the middle.

    Examples
    --------
    >>> staged_for(1025), staged_for(4096), staged_for(8192)
    (48, 48, 64)
    """
    return 48 if length <= 5000 else 64


class LaidOut:
    """The keys of rows, so that rows or columns have no gaps between neighbouring keys.

    Attributes
    ----------
    keys
        A CuPy array (outer, length, inner): the given one, or a copy without gaps.
    dtype
        The type of this array. That of the keys is the type of the launcher.
    bits
        What the bits of the keys say about numbers and NaNs.
    outer_step, step
        How far outer places, and keys of a row, are apart in memory: in keys.
    """

    def __init__(self, keys: Any, key_type: np.dtype[Any] | None = None) -> None:
        """Take keys (outer, length, inner), or their bits if the type is bfloat16.

        Answers are then bits, too.
        """
        if keys.dtype.char not in CHARACTERS:
            raise UnsupportedKeys(f"keys of {keys.dtype} cannot be selected from on a GPU")
        outer, length, inner = keys.shape
        self.shape, self.dtype = (outer, length, inner), np.dtype(keys.dtype)
        self.launcher = Launcher(key_type or self.dtype)
        self.bits = numbers_of(self.launcher.dtype)
        self.keys = keys if _is_near(keys) else cupy.ascontiguousarray(keys)
        steps = [step // keys.itemsize for step in self.keys.strides]
        self.outer_step, self.step = steps[0], steps[1] if length > 1 else 1

    def alike(self, keys: Any) -> Self:
        """Return rows of other keys of the same type: an array (outer, length, inner)."""
        return type(self)(keys, self.launcher.dtype)

    def turned(self) -> Iterator[tuple[slice, slice, Any]]:
        """Copy columns to rows, part by part; yield outer places, inner places, and the copy."""
        outer, length, inner = self.shape
        across = max(1, min(inner, PART // length))
        down = max(1, min(outer, PART // (length * across)))
        for start, first in product(range(0, outer, down), range(0, inner, across)):
            outers = slice(start, min(start + down, outer))
            inners = slice(first, min(first + across, inner))
            yield outers, inners, self._copied(self.keys[outers, :, inners])

    def _copied(self, part: Any) -> Any:
        outer, length, inner = part.shape
        rows = room((outer * inner, length), self.dtype)
        self.launcher.run_blocks(
            self.launcher.kernel("rows_turned"),
            (
                *(part, np.uint64(self.outer_step), np.uint64(self.step)),
                *(np.uint32(length), np.uint32(inner), rows),
            ),
            outer * -(-inner // LANES) * -(-length // TURNED),
            threads=THREADS,
        )
        return rows


def _is_near(keys: Any) -> bool:
    """Whether the keys of rows are neighbours; or those of columns, if there are several."""
    _, length, inner = keys.shape
    fits = all(step >= 0 and step % keys.itemsize == 0 for step in keys.strides)
    row, column = keys.strides[1:]
    return fits and bool(
        column == keys.itemsize if inner > 1 else length == 1 or row == keys.itemsize
    )
