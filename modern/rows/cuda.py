"""The rows of a CuPy array, along any axis: one kernel for all rows wherever that is possible.

| asked for | by |
|---|---|
| the first or the last key | cuda_extremes.py: one read |
| other ranks, medians | cuda_ranks.py: one read, as a rule |
| first keys, and their places | cuda_top.py and the files it names |
| rows in order | cuda_sorts.py |

Rows whose keys are not neighbours, and columns whose neighbours have gaps, are copied as a whole.
Nothing waits for the device.
"""

from typing import Any

import cupy
import numpy as np
from shadersort.selection.rows.by_count import PlanByCount

from modern.launching.waiting import room
from modern.rows import cuda_column_firsts as column_firsts
from modern.rows import cuda_extremes as extremes
from modern.rows import cuda_short as short
from modern.rows.cuda_layout import WARP, LaidOut
from modern.rows.cuda_ranks import MEDIAN, NANMEDIAN, RANKS, RankQuestion
from modern.rows.cuda_sorts import by_sorts, order_codes, sorted_rows
from modern.rows.cuda_top import MOST, by_blocks, by_warps, places_of
from shadersort.selection.rows.protocol import answers_by_counts
from shadersort.selection.top_keys import MAGNITUDE, SMALLEST


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
        if not found.size:
            return found
        if extremes.suits(ks, self.shape[1]):
            extremes.ranks(self, ks, found)
        else:
            RankQuestion(self, RANKS, self.launcher.fixed(ks), ks=ks).answer(found)
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
            own = cupy.ascontiguousarray(cupy.asarray(ks, np.int64))
            RankQuestion(self, RANKS, own, own=True).answer(found)
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
            RankQuestion(self, NANMEDIAN if nan else MEDIAN).answer(found)
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
        if count == 1:
            return extremes.first(self, by, ties)
        highest = ties == "highest"
        if not count or (length > WARP and (highest or count > MOST)):
            return by_sorts(self, self._last_code, by, count, in_order, highest)
        if highest:
            return self._first_from_end(by, count, in_order)
        if short.suits(self):
            return short.first(self, by, count, in_order)
        if length <= WARP:
            return by_warps(self, by, count, in_order)
        if column_firsts.suits(self, by, count):
            return column_firsts.first(self, CUDARows, self.alike, by, count, in_order)
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

    def _first_from_end(self, by: int, count: int, in_order: bool) -> tuple[Any, Any]:
        """Do as `first` does with ties "highest", by a copy whose rows are reversed."""
        values, places = self.alike(self.keys[:, ::-1]).first(by, count, in_order, "lowest")
        places = self.shape[1] - 1 - places
        return (values, places) if in_order else (values[:, ::-1], places[:, ::-1])

    def _last_code(self, by: int, count: int) -> Any:
        """Return the code, in an order, of the last of some first keys: (outer, inner)."""
        if by == MAGNITUDE:
            codes = order_codes(cupy.ascontiguousarray(self.keys), self.launcher, by)
            return CUDARows(codes).ranks(np.array([count - 1]))[:, 0]
        rank = count - 1 if by == SMALLEST else self.shape[1] - count
        return order_codes(self.ranks(np.array([rank])), self.launcher, by)[:, 0]

    def places(self, wanted: Any, ties: str) -> Any:
        """Return where each row has its wanted key: int64; both are of shape (outer, inner)."""
        return places_of(self.bits.same(self.keys, wanted[:, None]), ties == "highest")

    def sorted(self) -> Any:
        """Return each row in ascending order, of the shape of the rows."""
        return sorted_rows(self)

    def shrink(self, values: Any, steps: Any) -> Any:
        """Return values (outer, count, inner) moved towards zero by steps (outer, 1, inner)."""
        values, steps = cupy.ascontiguousarray(values), cupy.ascontiguousarray(steps)
        moved, (_, count, inner) = room(values.shape, self.dtype), values.shape
        if moved.size:
            shape = np.uint64(count), np.uint64(inner)
            arguments = (values, np.uint64(values.size), steps, *shape, moved)
            self.launcher.run(self.launcher.kernel("shrink"), arguments)
        return moved
