"""The rows of a CuPy array, along any axis: one kernel for all rows wherever that is possible.

| rows | kernel | reads and writes |
|---|---|---|
| of up to 32 keys | row_ranks_by_lanes | one read |
| of up to 1,024 keys, also columns | row_ranks_by_warp | one read |
| longer ones | row_ranks_by_block | one read, and a sample |
| long and few | one_read, a launch for each | one read, and a sample |
| many long columns, up to two ranks | columns_staged | one read, and a sample |

Other long columns are copied to rows first, part by part. Rows whose keys are not neighbours, and
columns whose neighbours have gaps, are copied as a whole. Nothing waits for the device.
"""

from itertools import product
from typing import Any

import cupy
import numpy as np

from modern.launching.launch import room
from modern.primitives import one_read
from modern.rows import cuda_columns as columns
from modern.rows.cuda_layout import (
    LANES,
    MOST_BLOCKS,
    THREADS,
    LaidOut,
    items_for,
    shared_for,
    threads_for,
)
from modern.rows.cuda_shapes import MOST_SAMPLES, WIDE, blocks_for
from modern.rows.cuda_top import MOST, by_blocks, by_sorts, by_warps, places_of, sorted_rows
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.rows.by_count import PlanByCount
from shadersort.selection.rows.protocol import answers_by_counts

RANKS, MEDIAN, NANMEDIAN = one_read.SELECT, one_read.MEDIAN, one_read.NANMEDIAN

WARP = 1 << 10
"""Keys of the longest rows that a warp holds."""


class CUDARows(LaidOut):
    """The rows of a CuPy array (outer, length, inner), along its middle axis.

    Used on the stream it was made on. The array is not changed.
    """

    xp = cupy

    def numbers(self) -> Any:
        """Return how many keys of each row are not NaN: int64, of shape (outer, inner)."""
        return self.bits.counted(self.keys)

    def ranks(self, ks: Any) -> Any:
        """Return the keys of ranks, the same for all rows: of shape (outer, ks.size, inner)."""
        ks = np.ascontiguousarray(ks, np.int64)
        outer, _, inner = self.shape
        found = room((outer, ks.size, inner), self.dtype)
        if found.size:
            self._ask(RANKS, self.launcher.given(ks), False, found, ks)
        return found

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Do as `ranks` does; a row that has a NaN gets NaN for every rank."""
        if self.bits.infinite is None:
            return self.ranks(ks)
        found = self.ranks(np.union1d(ks, [self.shape[1] - 1]))
        last = found[:, -1:]
        return cupy.where(self.bits.are_nan(last), last, found[:, : len(ks)])

    def ranks_of_rows(self, ks: Any) -> Any:
        """Return the keys of each row's own ranks: int64, of shape (outer, r, inner)."""
        found = room(ks.shape, self.dtype)
        if found.size:
            self._ask(RANKS, cupy.ascontiguousarray(cupy.asarray(ks, np.int64)), True, found)
        return found

    def of_numbers(self, plan: PlanByCount) -> tuple[Any, bool]:
        """Return answers of the numbers in each row, and whether a row has none."""
        return answers_by_counts(self, plan)

    def medians(self, nan: bool) -> Any:
        """Return the medians, of shape (outer, inner), as `np.median` or `np.nanmedian` does."""
        outer, _, inner = self.shape
        kind = np.dtype(np.float64) if self.bits.infinite is None else self.dtype
        found = room((outer, 1, inner), kind)
        if found.size:
            self._ask(NANMEDIAN if nan else MEDIAN, None, False, found)
        return found[:, 0]

    def first(self, by: int, count: int, in_order: bool, ties: str) -> tuple[Any, Any]:
        """Return the first keys of each row in an order, and their places: (outer, count, inner).

        `by` is an order of `shadersort.selection.top_keys`. Without `in_order` they come in the
        order of their places. `ties` says which of equal keys are taken: "lowest", "highest" or
        "any".
        """
        outer, length, inner = self.shape
        if not outer * inner:
            return room((outer, count, inner), self.dtype), room((outer, count, inner), np.int64)
        if ties == "highest" or (length > WARP and count > MOST) or not count:
            return by_sorts(self, by, count, in_order, ties == "highest")
        if length <= WARP:
            return by_warps(self, by, count, in_order)
        values = room((outer, count, inner), self.dtype)
        places = room(values.shape, np.int64)
        if inner == 1:
            by_blocks(self, self.keys, self.outer_step, by, in_order, values, places)
            return values, places
        for outer_part, inner_part, rows in self.turned():
            at = outer_part, slice(None), inner_part
            some, where = room(values[at].shape, self.dtype), room(values[at].shape, np.int64)
            by_blocks(self, rows, length, by, in_order, some, where)
            values[at], places[at] = some, where
        return values, places

    def places(self, wanted: Any, ties: str) -> Any:
        """Return where each row has its wanted key: int64; both are of shape (outer, inner)."""
        return places_of(self.bits.same(self.keys, wanted[:, None]), ties == "highest")

    def sorted(self) -> Any:
        """Return each row in ascending order, of the shape of the rows."""
        if self.dtype == self.launcher.dtype:
            return sorted_rows(self.keys)
        rows = cupy.ascontiguousarray(self.keys.transpose(0, 2, 1))
        return self.bits.in_order(rows).transpose(0, 2, 1)

    def _alike(self, keys: Any) -> "CUDARows":
        """Return rows of other keys of the same type."""
        return CUDARows(keys, self.launcher.dtype)

    def _ask(self, ask: int, ranks: Any, own: bool, found: Any, ks: Any = None) -> None:
        """Answer into `found`, (outer, count, inner); `ks` are the same ranks on the host."""
        _, length, inner = self.shape
        if length <= LANES:
            self._by_lanes(ask, ranks, own, found)
        elif length <= WARP and (inner > 1 or self.step == 1):
            self._by_warps(ask, ranks, own, found)
        elif inner == 1:
            self._by_blocks(self.keys, self.outer_step, ask, ranks, own, found, ks)
        elif columns.suits(self.shape, found.shape[1]):
            self._by_columns(ask, ranks if own else None, found, ks)
        else:
            for outer_part, inner_part, rows in self.turned():
                place = outer_part, slice(None), inner_part
                answers = room(found[place].shape, found.dtype)
                of_part = cupy.ascontiguousarray(ranks[place]) if own else ranks
                self._by_blocks(rows, length, ask, of_part, own, answers, ks)
                found[place] = answers

    def _by_columns(self, ask: int, own: Any, found: Any, ks: Any) -> None:
        """Answer for many long columns; `own` are each column's own ranks."""
        outer, length, inner = self.shape
        if own is not None:
            turned = own.transpose(0, 2, 1).reshape(outer * inner, -1)
            some = columns.of_each(self, self._alike, lambda numbers: turned, False)
        elif ask == NANMEDIAN and self.bits.infinite is not None:
            some = columns.of_each(self, self._alike, middle_of, True)
        else:
            middle = np.array([(length - 1) // 2, length // 2], np.int64)
            some = columns.of_all(self, self._alike, middle if ks is None else ks)
        if ask == RANKS:
            found[...] = some.keys.reshape(outer, inner, -1).transpose(0, 2, 1)
        else:
            columns.medians_of(self, some, ask, found)

    def _arguments(
        self, keys: Any, outer_step: int, step: int, ranks: Any, own: bool, found: Any
    ) -> tuple[Any, ...]:
        outer, count, inner = found.shape
        return (
            *(keys, np.uint64(outer * inner), np.uint32(self.shape[1])),
            *(np.uint64(outer_step), np.uint64(step)),
            *(np.uint64(0) if ranks is None else ranks, np.uint32(count)),
            *(np.uint32(own), np.uint32(inner), found),
        )

    def _by_lanes(self, ask: int, ranks: Any, own: bool, found: Any) -> None:
        """Answer for rows of up to LANES keys: some lanes for each."""
        outer, length, inner = self.shape
        width = 1 << (length - 1).bit_length()
        self.launcher.run_blocks(
            self.launcher.kernel("row_ranks_by_lanes", THREADS=THREADS, WIDTH=width, ASK=ask),
            self._arguments(self.keys, self.outer_step, self.step, ranks, own, found),
            -(-outer * inner * width // THREADS),
            threads=THREADS,
        )

    def _by_warps(self, ask: int, ranks: Any, own: bool, found: Any) -> None:
        """Answer for rows of up to WARP keys: a warp for each."""
        outer, length, inner = self.shape
        items, threads = items_for(length), threads_for(self.dtype.itemsize)
        warps = threads // LANES
        layout, blocks = 2, outer * -(-inner // warps)
        if inner == 1:
            layout, blocks = int(self._is_whole(items)), -(-outer // warps)
        self.launcher.run_blocks(
            self.launcher.kernel(
                "row_ranks_by_warp", THREADS=threads, ITEMS=items, ASK=ask, LAYOUT=layout
            ),
            self._arguments(self.keys, self.outer_step, self.step, ranks, own, found),
            blocks,
            threads=threads,
            shared=shared_for(items, threads, self.dtype.itemsize),
        )

    def _is_whole(self, items: int) -> bool:
        """Whether all rows have as many keys as a warp holds, and begin where loads do."""
        each = LOAD // self.dtype.itemsize
        whole = self.shape[1] == items * LANES and items % each == 0
        begins = self.outer_step % each == 0 and self.keys.data.ptr % LOAD == 0
        return bool(whole and begins)

    def _by_blocks(
        self, keys: Any, row_step: int, ask: int, ranks: Any, own: bool, found: Any, ks: Any
    ) -> None:
        """Answer for longer rows, whose keys are neighbours: a block for each, or all blocks."""
        outer, _, inner = found.shape
        launcher, length, rows = self.launcher, self.shape[1], outer * inner
        shape = blocks_for(
            length, rows, self.dtype.itemsize, launcher.processors, launcher.most_shared
        )
        if not shape.samples and not own:
            self._one_by_one(keys, row_step, ask, found, ks)
            return
        launcher.run_blocks(
            launcher.kernel(
                "row_ranks_by_block", THREADS=shape.threads, CAPACITY=shape.capacity, ASK=ask
            ),
            (
                *self._arguments(keys, row_step, 1, ranks, own, found),
                *(np.uint32(shape.samples or MOST_SAMPLES), np.float32(WIDE)),
            ),
            min(rows, MOST_BLOCKS),
            threads=shape.threads,
            shared=shape.shared,
        )

    def _one_by_one(self, keys: Any, row_step: int, ask: int, found: Any, ks: Any) -> None:
        """Answer for long rows: a launch for each row and rank."""
        outer, _, inner = found.shape
        rows = flat_rows(keys, row_step, outer * inner, self.shape[1])
        for row, (j, rank) in product(range(outer * inner), enumerate([0] if ks is None else ks)):
            answer = found[row // inner, j, row % inner : row % inner + 1]
            one_read.launch(self.launcher, rows[row], int(rank), answer, ask=ask)


def flat_rows(keys: Any, row_step: int, rows: int, length: int) -> Any:
    """Return a view of rows whose keys are neighbours: of shape (rows, length)."""
    steps = row_step * keys.itemsize, keys.itemsize
    return cupy.ndarray((rows, length), keys.dtype, keys.data, steps)


def middle_of(numbers: Any) -> Any:
    """Return the ranks of the two middle keys of rows with some numbers: (rows, 2)."""
    some = cupy.maximum(numbers, 1)
    return cupy.stack([(some - 1) // 2, some // 2], axis=1)
