"""Rows in order: a radix sort within each row (modern/kernels/streams/row_sort_*.cu).

A short row is sorted in the shared memory of one block. Longer rows are cut into tiles, and sorted
digit by digit: count the digits of every tile, find where each tile's keys of each digit go, and
move the keys there. Nothing waits for the device.
"""

from modern.device_arrays import DeviceKeys
from modern.launching.launch import Launcher

THREADS, BINS = 512, 256

ITEMS = {1: 16, 2: 16, 4: 16, 8: 8}
"""Keys of each thread by the bytes of a key: a tile has at most 32 KiB."""

Bits = tuple[int, int]
"""The first bit that rows are sorted by, and the end; both are multiples of 8."""


class Pairs:
    """Two pieces of memory that keys, or numbers beside them, are moved between."""

    def __init__(self, keys: DeviceKeys, count: int, itemsize: int) -> None:
        self.keys = keys
        self.one, self.other = keys.scratch(count * itemsize), keys.scratch(count * itemsize)


def sort_rows(
    keys: DeviceKeys, pointer: int, rows: int, length: int, to: int, bits: Bits | None = None
) -> None:
    """Sort rows without gaps as `np.sort` does, −0.0 before 0.0, NaNs last with their bits.

    Unsigned keys may be sorted by some bits only: then others keep their order.
    """
    launcher = keys.launcher
    itemsize = launcher.raw.itemsize
    bits = bits or (0, 8 * itemsize)
    items = 1 << (-(-length // THREADS) - 1).bit_length()
    if items <= ITEMS[itemsize]:
        kernel = launcher.kernel("row_sort_block", THREADS=THREADS, ITEMS=items)
        launcher.launch(kernel, (rows,), THREADS, (pointer, length, *bits, to))
        return
    moved, ends = Pairs(keys, rows * length, itemsize), (pointer, to)
    found, _ = sort_digits(launcher, (rows, length), moved, None, bits, ends)
    assert found == to


def sort_digits(
    launcher: Launcher,
    shape: tuple[int, int],
    codes: Pairs,
    beside: Pairs | None,
    bits: Bits,
    raw: tuple[int, int] = (0, 0),
) -> tuple[int, int]:
    """Sort rows digit by digit, with numbers of 32 bits beside them; return the addresses of both.

    Equal codes keep their order. Codes are in `codes.one`; or raw keys, and where they get to, at
    the addresses `raw`.
    """
    (rows, length), (begin, end), (source, to) = shape, bits, raw
    items, are_raw = ITEMS[launcher.raw.itemsize], int(source > 0)
    tiles = -(-length // (THREADS * items))
    sizes, blocks = (length, tiles, -(-length // tiles)), (rows * tiles,)
    count, scan, move = (
        launcher.kernel(f"row_sort_{name}", THREADS=threads, **macros)
        for name, threads, macros in (
            ("count", THREADS, {"ITEMS": items}),
            ("scan", 1024, {"ITEMS": 1}),
            ("move", THREADS, {"ITEMS": items, "PAIRS": int(beside is not None)}),
        )
    )
    counts = codes.keys.scratch(4 * rows * tiles * BINS)
    here, there = source or codes.one, codes.other
    numbers, moved = (beside.one, beside.other) if beside else (0, 0)
    for shift in range(begin, end, 8):
        first, last = are_raw * (shift == begin), are_raw * (shift == end - 8)
        there = to if last else there
        launcher.launch(count, blocks, THREADS, (here, *sizes, shift, first, counts))
        launcher.launch(scan, (rows,), 1024, (counts, tiles))
        arguments = here, *sizes, shift, first, last, counts, there, numbers, moved
        launcher.launch(move, blocks, THREADS, arguments)
        here, there = there, codes.one if there == codes.other else codes.other
        numbers, moved = moved, numbers
    return here, numbers
