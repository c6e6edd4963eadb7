"""Ranks and medians of the rows of a CuPy array: which kernel answers, and how it is launched.

| rows | kernel | reads and writes |
|---|---|---|
| of up to 32 keys, columns of up to 64 | column_ranks_by_thread | one read |
| of up to 1,024 keys, also columns | row_ranks_by_warp | one read |
| of up to 8,192 keys, and many | row_ranks_streamed | one read, and a sample |
| of up to 48 KiB, and fewer | row_ranks_in_block | one read |
| longer ones | row_ranks_by_block | one read, and a sample |
| long and few | long_ranks, three launches for all | one read, and a sample |
| of 512 MiB, or up to 3 rows | one_read, a launch for each | one read, and a sample |
| long columns, few ranks | columns_staged | one read, and a sample |

Other long columns are copied to rows first, part by part.
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import cupy
import numpy as np

from modern.launching.waiting import room
from modern.primitives import one_read
from modern.rows import cuda_columns as columns
from modern.rows import cuda_long as long_rows
from modern.rows import cuda_short as short
from modern.rows.cuda_layout import (
    LANES,
    MOST_BLOCKS,
    WARP,
    LaidOut,
    column_threads_for,
    items_for,
    shared_for,
    staged_for,
    threads_for,
)
from modern.rows.cuda_long_shapes import suits
from modern.rows.cuda_shapes import WIDE, blocks_for
from shadersort.selection.primitives.one_read import LOAD

RANKS, MEDIAN, NANMEDIAN = one_read.SELECT, one_read.MEDIAN, one_read.NANMEDIAN

FEW = 3
"""So few answers from long rows have a launch each."""

STREAMED, WARPS = 1 << 13, 16
"""Keys of the longest rows that warps read in memory, if each multiprocessor has so many rows."""

HELD = 48 << 10
"""Bytes of the longest rows that blocks hold: of others, they hold what a sample tells."""

EACH = 16
"""Keys that each thread of a block holds, if there are threads enough."""


@dataclass(frozen=True, slots=True)
class RankQuestion:
    """Which keys of each row are wanted: those of ranks, or medians.

    Attributes
    ----------
    rows
        The rows that are asked.
    ask
        RANKS, MEDIAN or NANMEDIAN.
    ranks
        Ranks on the device: (count,) of all rows, or `own` ones of each row, (outer, count, inner).
    ks
        The ranks of all rows on the host; None if rows have their own, or medians are wanted.
    """

    rows: LaidOut
    ask: int
    ranks: Any = None
    own: bool = False
    ks: Any = None

    def answer(self, found: Any) -> None:
        """Put the wanted keys into `found`, (outer, count, inner)."""
        rows, (_, length, inner) = self.rows, self.rows.shape
        if short.suits_ranks(rows):
            short.ranks(rows, self.ask, self._of_all(found))
        elif length <= WARP and (inner > 1 or rows.step == 1):
            self._by_warps(found)
        elif inner == 1:
            self._by_blocks(rows.keys, rows.outer_step, found)
        elif parts := columns.parts_of(rows.shape, found.shape[1], self.ks):
            for part in parts:
                self._part(part)._by_columns(found[:, part])
        else:
            self._by_turning(found)

    def _part(self, part: slice) -> "RankQuestion":
        """Return the question for some of the ranks."""
        ks = None if self.ks is None else self.ks[part]
        return replace(self, ranks=self.ranks[:, part] if self.own else None, ks=ks)

    def _by_turning(self, found: Any) -> None:
        """Answer for long columns by a copy to rows, part by part."""
        for outer_part, inner_part, keys in self.rows.turned():
            place = outer_part, slice(None), inner_part
            answers = room(found[place].shape, found.dtype)
            ranks = cupy.ascontiguousarray(self.ranks[place]) if self.own else self.ranks
            replace(self, ranks=ranks)._by_blocks(keys, self.rows.shape[1], answers)
            found[place] = answers

    def _by_columns(self, found: Any) -> None:
        """Answer for many long columns."""
        rows, (outer, length, inner) = self.rows, self.rows.shape
        if self.own:
            turned = self.ranks.transpose(0, 2, 1).reshape(outer * inner, -1)
            some = columns.of_each(rows, rows.alike, cupy.ascontiguousarray(turned))
        elif self.ask == NANMEDIAN and rows.bits.infinite is not None:
            some = columns.of_each(rows, rows.alike, None)
        else:
            middle = np.array([(length - 1) // 2, length // 2], np.int64)
            ks = middle if self.ks is None else self.ks
            some = columns.of_all(rows, rows.alike, ks, self.ask != RANKS)
        if self.ask == RANKS:
            found[...] = some.keys.reshape(outer, inner, -1).transpose(0, 2, 1)
        else:
            columns.medians_of(rows, some, self.ask, found)

    def _of_all(self, found: Any) -> tuple[Any, ...]:
        """Return the arguments of kernels that read the keys where they are."""
        return self._arguments(self.rows.keys, self.rows.outer_step, self.rows.step, found)

    def _arguments(self, keys: Any, outer_step: int, step: int, found: Any) -> tuple[Any, ...]:
        outer, count, inner = found.shape
        return (
            *(keys, np.uint64(outer * inner), np.uint32(self.rows.shape[1])),
            *(np.uint64(outer_step), np.uint64(step)),
            *(np.uint64(0) if self.ranks is None else self.ranks, np.uint32(count)),
            *(np.uint32(self.own), np.uint32(inner), found),
        )

    def _by_warps(self, found: Any) -> None:
        """Answer for rows of up to WARP keys: a warp for each."""
        launcher, (outer, length, inner) = self.rows.launcher, self.rows.shape
        items, itemsize = items_for(length), self.rows.dtype.itemsize
        if inner == 1:
            threads, layout = threads_for(itemsize), int(self._is_whole(items))
            blocks = -(-outer // (threads // LANES))
        else:
            threads = column_threads_for(inner, items, itemsize, launcher.most_shared)
            layout, blocks = 2, outer * -(-inner // (threads // LANES))
        launcher.run_blocks(
            launcher.kernel(
                "row_ranks_by_warp", THREADS=threads, ITEMS=items, ASK=self.ask, LAYOUT=layout
            ),
            self._of_all(found),
            blocks,
            threads=threads,
            shared=shared_for(items, threads, itemsize),
        )

    def _is_whole(self, items: int) -> bool:
        """Whether all rows have as many keys as a warp holds, and begin where loads do."""
        rows, each = self.rows, LOAD // self.rows.dtype.itemsize
        whole = rows.shape[1] == items * LANES and items % each == 0
        begins = rows.outer_step % each == 0 and rows.keys.data.ptr % LOAD == 0
        return bool(whole and begins)

    def _by_blocks(self, keys: Any, row_step: int, found: Any) -> None:
        """Answer for longer rows, whose keys are neighbours: a block for each, or all blocks."""
        outer, _, inner = found.shape
        launcher, length, rows = self.rows.launcher, self.rows.shape[1], outer * inner
        size, processors = self.rows.dtype.itemsize, launcher.processors
        if length <= STREAMED and rows >= WARPS * processors:
            self._by_streams(keys, row_step, found)
            return
        if length * max(size, 4) <= HELD and rows < WARPS * processors:
            self._in_blocks(keys, row_step, found)
            return
        shape = blocks_for(length, rows, size, processors, launcher.most_shared)
        if not shape.samples or suits(length, rows, size, processors):
            self._by_all_blocks(keys, row_step, found)
            return
        launcher.run_blocks(
            launcher.kernel(
                "row_ranks_by_block", THREADS=shape.threads, CAPACITY=shape.capacity, ASK=self.ask
            ),
            (
                *self._arguments(keys, row_step, 1, found),
                *(np.uint32(shape.samples), np.float32(WIDE)),
            ),
            min(rows, MOST_BLOCKS),
            threads=shape.threads,
            shared=shape.shared,
        )

    def _by_streams(self, keys: Any, row_step: int, found: Any) -> None:
        """Answer for many rows of some thousand keys: a warp for each, which reads it in memory."""
        outer, _, inner = found.shape
        launcher, itemsize = self.rows.launcher, self.rows.dtype.itemsize
        threads, items = threads_for(itemsize), staged_for(self.rows.shape[1])
        launcher.run_blocks(
            launcher.kernel("row_ranks_streamed", THREADS=threads, ITEMS=items, ASK=self.ask),
            self._arguments(keys, row_step, 1, found),
            -(-outer * inner * LANES // threads),
            threads=threads,
            shared=shared_for(items, threads, itemsize),
        )

    def _in_blocks(self, keys: Any, row_step: int, found: Any) -> None:
        """Answer for rows of some thousand keys that are fewer: a block holds each."""
        outer, _, inner = found.shape
        launcher, length = self.rows.launcher, self.rows.shape[1]
        threads = threads_holding(length)
        launcher.run_blocks(
            launcher.kernel("row_ranks_in_block", THREADS=threads, ASK=self.ask),
            self._arguments(keys, row_step, 1, found),
            outer * inner,
            threads=threads,
            shared=16 * threads + length * self.rows.dtype.itemsize,
        )

    def _by_all_blocks(self, keys: Any, row_step: int, found: Any) -> None:
        """Answer for long rows that are few: all blocks share them, or each of them."""
        outer, _, inner = found.shape
        size = self.rows.shape[1] * self.rows.dtype.itemsize
        if not self.own and (found.size <= FEW or size >= long_rows.LARGE):
            self._one_by_one(keys, row_step, found)
            return
        some = long_rows.given(self.rows, keys, row_step, outer * inner, inner)
        long_rows.ranks(some, self.ask, self.ranks, self.own, found)

    def _one_by_one(self, keys: Any, row_step: int, found: Any) -> None:
        """Answer for very long rows: a launch for each row and rank."""
        outer, _, inner = found.shape
        rows = flat_rows(keys, row_step, outer * inner, self.rows.shape[1])
        ranks = enumerate([0] if self.ks is None else self.ks)
        for row, (j, rank) in product(range(outer * inner), ranks):
            answer = found[row // inner, j, row % inner : row % inner + 1]
            one_read.launch(self.rows.launcher, rows[row], int(rank), answer, ask=self.ask)


def threads_holding(length: int) -> int:
    """Return how many threads hold a row of so many keys.

    Examples
    --------
    >>> threads_holding(1025), threads_holding(6000), threads_holding(12_000)
    (128, 512, 512)
    """
    return min(max(128, 1 << (-(-length // EACH) - 1).bit_length()), 512)


def flat_rows(keys: Any, row_step: int, rows: int, length: int) -> Any:
    """Return a view of rows whose keys are neighbours: of shape (rows, length)."""
    steps = row_step * keys.itemsize, keys.itemsize
    return cupy.ndarray((rows, length), keys.dtype, keys.data, steps)
