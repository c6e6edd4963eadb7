"""Rows in order: a radix sort within each row (modern/kernels/streams/row_sort_*.cu).

A short row is sorted in the shared memory of one block. Longer rows are cut into tiles, and sorted
digit by digit: count the digits of every tile, find where each tile's keys of each digit go, and
move the keys there. Nothing waits for the device.
"""

from dataclasses import dataclass

import numpy as np

from modern.device_arrays import DeviceKeys
from modern.launching.launch import Launcher

THREADS, BINS = 512, 256

ITEMS = {1: 16, 2: 16, 4: 16, 8: 8}
"""Keys of each thread by the bytes of a key: a tile has at most 32 KiB."""

COUNT, SCAN, MOVE, BLOCK = "row_sort_count", "row_sort_scan", "row_sort_move", "row_sort_block"
"""The kernels."""

Bits = tuple[int, int]
"""The first bit that rows are sorted by, and the end; both are multiples of 8."""


class Pairs:
    """Two pieces of memory that keys, or numbers beside them, are moved between."""

    def __init__(self, keys: DeviceKeys, count: int, itemsize: int) -> None:
        self.keys, self.size = keys, count * itemsize
        self.one, self.other = keys.scratch(self.size), keys.scratch(self.size)


@dataclass(frozen=True)
class Tiles:
    """How rows are cut into tiles."""

    rows: int
    length: int
    items: int

    @property
    def count(self) -> int:
        """How many tiles a row has."""
        return -(-self.length // (THREADS * self.items))

    @property
    def sizes(self) -> tuple[np.uint32, ...]:
        """The length of a row, its tiles, and the keys of a tile."""
        return tuple(map(np.uint32, (self.length, self.count, -(-self.length // self.count))))


def sort_rows(
    keys: DeviceKeys, pointer: int, rows: int, length: int, to: int, bits: Bits | None = None
) -> None:
    """Sort rows without gaps as `np.sort` does, −0.0 before 0.0, NaNs last with their bits.

    Unsigned keys may be sorted by some bits only: then others keep their order.
    """
    launcher = keys.launcher
    itemsize = launcher.raw.itemsize
    items = 1 << (-(-length // THREADS) - 1).bit_length()
    if items <= ITEMS[itemsize]:
        kernel = launcher.kernel(BLOCK, THREADS=THREADS, ITEMS=items)
        sizes = tuple(map(np.uint32, (length, *(bits or (0, 8 * itemsize)))))
        launcher.launch(kernel, (rows,), THREADS, (pointer, *sizes, to))
        return
    moved = Pairs(keys, rows * length, itemsize)
    shape, ends = (rows, length), {"source": pointer, "to": to}
    found, _ = sort_digits(launcher, shape, moved, None, raw=True, bits=bits, **ends)
    assert found == to


def sort_digits(
    launcher: Launcher,
    shape: tuple[int, int],
    codes: Pairs,
    beside: Pairs | None,
    *,
    raw: bool,
    source: int = 0,
    to: int = 0,
    bits: Bits | None = None,
) -> tuple[int, int]:
    """Sort rows digit by digit, with numbers of 32 bits beside them; return the addresses of both.

    Equal codes keep their order. Codes are in `codes.one`; raw keys are in `source`, and get to
    `to`.
    """
    itemsize = launcher.raw.itemsize
    tiles = Tiles(*shape, ITEMS[itemsize])
    macros = {"THREADS": THREADS, "ITEMS": tiles.items}
    pairs = int(beside is not None)
    count, move = launcher.kernel(COUNT, **macros), launcher.kernel(MOVE, **macros, PAIRS=pairs)
    scan = launcher.kernel(SCAN, THREADS=1024, ITEMS=1)
    blocks, (begin, end) = tiles.rows * tiles.count, bits or (0, 8 * itemsize)
    counts = codes.keys.scratch(4 * blocks * BINS)
    here, there = source or codes.one, codes.other
    numbers, moved = (beside.one, beside.other) if beside else (0, 0)
    for shift in range(begin, end, 8):
        last = shift == end - 8
        digit, first = np.uint32(shift), np.uint32(raw and shift == begin)
        there = to if last and to else there
        launcher.launch(count, (blocks,), THREADS, (here, *tiles.sizes, digit, first, counts))
        launcher.launch(scan, (tiles.rows,), 1024, (counts, np.uint32(tiles.count)))
        raws = first, np.uint32(raw and last)
        arguments = here, *tiles.sizes, digit, *raws, counts, there, numbers, moved
        launcher.launch(move, (blocks,), THREADS, arguments)
        here, there = there, codes.one if there == codes.other else codes.other
        numbers, moved = moved, numbers
    return here, numbers
