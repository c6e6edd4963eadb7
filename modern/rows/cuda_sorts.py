"""Many first keys of rows on a GPU, in order, and rows in order: radix sorts within rows.

| rows | by |
|---|---|
| that a block can hold: 8,192 keys, or 4,096 of 64 bits | row_firsts_in_block: one read |
| longer ones | a selection of the last key; two reads that take those before it; and a sort |

Only the keys that are taken are sorted, with their places: in a block if it can hold them, or digit
by digit (modern/primitives/row_sort.py). Rows are answered part by part, of 2**26 keys or of one
row, and columns are copied to rows for it. Beside the keys and the answers, this needs 16 bytes and
a half for each key that is taken, or 25 of 64 bits, and a copy of columns, all of one part only;
and for orders of magnitude a code for every key. Nothing waits for the device.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np

from modern.launching.waiting import Launcher, room
from modern.primitives import row_sort
from modern.rows.cuda_layout import LANES, PART, THREADS, LaidOut

ITEMS = 16
"""Keys of each thread of a tile."""

MOST_THREADS = 1 << 10

Last = Callable[[int, int], Any]
"""Returns the code of the last of some first keys of each row in an order: (outer, inner)."""


def by_sorts(
    rows: LaidOut, last: Last, by: int, count: int, in_order: bool, highest: bool
) -> tuple[Any, Any]:
    """Return the first keys of each row in an order, and their places: (outer, count, inner).

    Without `in_order` they come in the order of their places. `last` is asked if rows are long.
    """
    outer, length, inner = rows.shape
    values = room((outer, inner, count), rows.dtype)
    places = room(values.shape, np.int64)
    if values.size:
        inside = in_order and length <= row_sort.tile_of(rows.dtype.itemsize)
        pivots = None if inside else last(by, count)
        sorting = _Sorting(rows.launcher, length, by, count, in_order, int(highest))
        for outers, inners, keys, step in _parts(rows):
            at = outers, inners
            answers = values[at].reshape(-1, count), places[at].reshape(-1, count)
            if pivots is None:
                sorting.in_blocks(keys, step, None, answers)
            else:
                sorting.of_taken(keys, step, pivots[at], answers)
    return values.transpose(0, 2, 1), places.transpose(0, 2, 1)


def order_codes(keys: Any, launcher: Launcher, by: int) -> Any:
    """Return the codes of contiguous keys in an order, whose smallest values come first."""
    codes = room(keys.shape, launcher.raw)
    if keys.size:
        launcher.run(launcher.kernel("order_codes", BY=by), (keys, np.uint64(keys.size), codes))
    return codes


def sorted_rows(rows: LaidOut) -> Any:
    """Return each row in ascending order, NaNs last, of the shape (outer, length, inner)."""
    outer, length, inner = rows.shape
    turned = cupy.ascontiguousarray(rows.keys.transpose(0, 2, 1)).reshape(outer * inner, length)
    found = row_sort.rows_in_order(turned, launcher=rows.launcher)
    return found.reshape(outer, inner, length).transpose(0, 2, 1)


def _parts(rows: LaidOut) -> Iterator[tuple[slice, slice, Any, int]]:
    """Yield outer places, inner places, keys whose first one begins a row, and the rows' step."""
    outer, length, inner = rows.shape
    if inner > 1:
        for outers, inners, copied in rows.turned():
            yield outers, inners, copied, length
        return
    down = max(1, PART // length)
    for start in range(0, outer, down):
        outers = slice(start, min(start + down, outer))
        yield outers, slice(0, 1), rows.keys[outers], rows.outer_step


@dataclass(frozen=True, slots=True)
class _Sorting:
    """What is wanted of rows whose keys are neighbours; answers are pairs of (rows, count)."""

    launcher: Launcher
    length: int
    by: int
    count: int
    in_order: bool
    highest: int

    def in_blocks(self, keys: Any, step: int, taken: Any, answers: tuple[Any, Any]) -> None:
        """Sort whole rows, or codes with places that were taken from them: a block for each."""
        length = self.length if taken is None else self.count
        macros = {"THREADS": row_sort.THREADS, "ITEMS": row_sort.items_for(length), "BY": self.by}
        macros |= {"TAKEN": int(taken is not None), "HIGHEST": self.highest}
        self.launcher.run_blocks(
            self.launcher.kernel("row_firsts_in_block", **macros),
            (
                *(keys, np.uint64(step), np.uint32(length)),
                *((np.uint64(0), np.uint64(0)) if taken is None else taken),
                *(np.uint32(self.count), *answers),
            ),
            len(answers[0]),
            threads=row_sort.THREADS,
        )

    def of_taken(self, keys: Any, step: int, pivots: Any, answers: tuple[Any, Any]) -> None:
        """Take the first keys of rows, given the codes of the last ones; sort them if wanted."""
        if not self.in_order:
            self._take(keys, step, pivots, answers[0], (np.uint64(0), answers[1]), told=True)
            return
        codes = room(answers[0].shape, self.launcher.raw)
        places = room(codes.shape, np.uint32)
        self._take(keys, step, pivots, codes, (places, np.uint64(0)), told=False)
        if self.count <= row_sort.tile_of(codes.itemsize):
            self.in_blocks(keys, step, (codes, places), answers)
        else:
            taken = row_sort.pairs_in_order(Launcher(self.launcher.raw), codes, places)
            self._tell(keys, step, taken, answers)

    def _take(
        self, keys: Any, step: int, pivots: Any, found: Any, places: tuple[Any, Any], *, told: bool
    ) -> None:
        run, kernel, count = self.launcher.run_blocks, self.launcher.kernel, len(found)
        tiles = -(-self.length // (THREADS * ITEMS))
        sizes = np.uint32(self.length), np.uint32(tiles), np.uint32(-(-self.length // tiles))
        given = keys, np.uint64(step), *sizes, cupy.ascontiguousarray(pivots)
        counts, totals = room((count, tiles, 2), np.uint32), room((count, 2), np.uint32)
        macros = {"THREADS": THREADS, "ITEMS": ITEMS, "BY": self.by}
        run(kernel("firsts_counted", **macros), (*given, counts), count * tiles, threads=THREADS)
        threads = max(LANES, min(MOST_THREADS, 1 << (tiles - 1).bit_length()))
        started = kernel("firsts_started", THREADS=threads)
        run(started, (counts, np.uint32(tiles), totals), count, threads=threads)
        run(
            kernel("firsts_taken", **macros, TOLD=int(told), HIGHEST=self.highest),
            (*given, counts, totals, np.uint32(self.count), found, *places),
            count * tiles,
            threads=THREADS,
        )

    def _tell(self, keys: Any, step: int, taken: tuple[Any, Any], answers: tuple[Any, Any]) -> None:
        blocks = -(-self.count // THREADS)
        self.launcher.run_blocks(
            self.launcher.kernel("firsts_told", THREADS=THREADS, BY=self.by),
            (keys, np.uint64(step), *taken, np.uint32(self.count), np.uint32(blocks), *answers),
            len(answers[0]) * blocks,
            threads=THREADS,
        )
