"""Rows in order: a radix sort within each row (modern/kernels/sorting/row_sort_*.cu).

A short row is sorted in the shared memory of one block. Longer rows are cut into tiles, and sorted
digit by digit: count the digits of every tile, find where each tile's keys of each digit go, and
move the keys there. Nothing waits for the device.
"""

from modern.device_arrays import DeviceKeys

THREADS, BINS = 512, 256

ITEMS = {1: 16, 2: 16, 4: 16, 8: 8}
"""Keys of each thread by the bytes of a key: a tile has at most 32 KiB."""

Pair = tuple[int, int]

Moves = tuple[int, int, int]
"""Addresses: where numbers are, where they move first, and where from there and back again."""


def sort_rows(
    keys: DeviceKeys, pointer: int, shape: Pair, to: int, bits: Pair | None = None
) -> None:
    """Sort rows without gaps as `np.sort` does, −0.0 before 0.0, NaNs last with their bits.

    Unsigned keys may be sorted by some bits only, from a multiple of 8 to another: then others keep
    their order.
    """
    launcher, (rows, length) = keys.launcher, shape
    itemsize = launcher.raw.itemsize
    begin, end = bits or (0, 8 * itemsize)
    items = 1 << (-(-length // THREADS) - 1).bit_length()
    if items <= ITEMS[itemsize]:
        kernel = launcher.kernel("row_sort_block", THREADS=THREADS, ITEMS=items)
        launcher.launch(kernel, (rows,), THREADS, (pointer, length, begin, end, to))
        return
    other = keys.scratch(rows * length * itemsize)
    one, other = (to, other) if (end - begin) // 8 % 2 else (other, to)
    sort_digits(keys, shape, (begin, end), (pointer, one, other), raw=True)


def sort_digits(
    keys: DeviceKeys,
    shape: Pair,
    bits: Pair,
    codes: Moves,
    beside: Moves = (0, 0, 0),
    raw: bool = False,
) -> Pair:
    """Sort rows digit by digit, with numbers of 32 bits beside them; return the addresses of both.

    Equal codes keep their order. If they are `raw`, keys are read first, and written at the end.
    """
    (rows, length), (begin, end), launcher = shape, bits, keys.launcher
    items = ITEMS[launcher.raw.itemsize]
    tiles = -(-length // (THREADS * items))
    sizes, blocks = (length, tiles, -(-length // tiles)), (rows * tiles,)
    count = launcher.kernel("row_sort_count", THREADS=THREADS, ITEMS=items)
    scan = launcher.kernel("row_sort_scan", THREADS=1024, ITEMS=1)
    pairs = int(beside[0] > 0)
    move = launcher.kernel("row_sort_move", THREADS=THREADS, ITEMS=items, PAIRS=pairs)
    counts = keys.scratch(4 * rows * tiles * BINS)
    for shift in range(begin, end, 8):
        first, last = int(raw and shift == begin), int(raw and shift == end - 8)
        launcher.launch(count, blocks, THREADS, (codes[0], *sizes, shift, first, counts))
        launcher.launch(scan, (rows,), 1024, (counts, tiles))
        arguments = codes[0], *sizes, shift, first, last, counts, codes[1], *beside[:2]
        launcher.launch(move, blocks, THREADS, arguments)
        codes, beside = (*codes[1:], codes[1]), (*beside[1:], beside[1])
    return codes[0], beside[0]
