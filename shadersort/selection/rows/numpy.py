"""The rows of a NumPy array, chunk by chunk: the reference for every other implementation."""

from collections.abc import Callable

import numpy as np

from shadersort.keys.codes import nans
from shadersort.keys.in_order import rows_in_order
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.selection.rows.by_count import PlanByCount
from shadersort.selection.rows.chunks import Chunk, each_chunk, each_part, put, rows_in, rows_of
from shadersort.selection.rows.columns import (
    columns_of,
    in_columns,
    ranked_columns,
)
from shadersort.selection.rows.crowded import ranked_in_crowd
from shadersort.selection.rows.means import MedianByCount, mean_of
from shadersort.selection.rows.numbers import answers_in_columns, answers_of_numbers
from shadersort.selection.rows.ordered import ordered_for, ranked, ranked_each, taken
from shadersort.selection.rows.partitions import ranked_by_partitions
from shadersort.selection.rows.protocol import Rows, Ties, place_in
from shadersort.selection.rows.quantiles import warn_of_nan
from shadersort.selection.rows.sixteen_bits import is_widened, narrowed, widened
from shadersort.selection.rows.top import first_of_rows
from shadersort.selection.top_keys import MAGNITUDE, SMALLEST, magnitudes


class NumPyRows(Rows):
    """The rows of a NumPy array (outer, length, inner) of any strides, along its middle axis.

    Beside the results, the calls need a few copies of a chunk for each thread. A chunk has 2**17
    keys, or up to 2**20 if there are several threads; or one row, if that is longer; or 64 bytes of
    each of its columns.

    Examples
    --------
    >>> rows = NumPyRows(np.float32([[3, 1, 2], [6, np.nan, 4]])[:, :, None])
    >>> rows.numbers().ravel(), rows.medians(nan=True).ravel()
    (array([3, 2]), array([2., 5.], dtype=float32))
    """

    xp = np

    def __init__(self, keys: Keys) -> None:
        self.keys, self.dtype = keys, keys.dtype
        outer, length, inner = keys.shape
        self.shape = outer, length, inner

    def numbers(self) -> Integers:
        """Return how many keys of each row are not NaN."""
        outer, length, inner = self.shape
        found = np.full((outer, inner), length, np.int64)
        if self.dtype.kind == "f":
            each_part(self.keys, lambda chunk, part: _count(~nans(part), found[chunk]))
        return found

    def ranks(self, ks: Integers) -> Keys:
        """Return the keys of ranks, the same for all rows."""
        if in_columns(self.shape, self.dtype, ks):
            return self._found_in_parts(
                ks.size, lambda part: ranked_columns(columns_of(part), ks, nan_last=True)
            )
        return self._found(ks.size, lambda chunk, rows: ranked(rows, ks))

    def ranks_unless_nan(self, ks: Integers) -> Keys:
        """Return the keys of ranks, or NaNs for a row that has one."""
        if self.dtype.kind != "f":
            return self.ranks(ks)
        if in_columns(self.shape, self.dtype, ks):
            return self._found_in_parts(ks.size, lambda part: ranked_columns(columns_of(part), ks))
        return self._found(ks.size, lambda chunk, rows: _ranked_unless_nan(rows, ks))

    def ranks_of_rows(self, ks: Integers) -> Keys:
        """Return the keys of each row's own ranks, which may come in any order."""
        return self._found(ks.shape[1], lambda chunk, rows: _ranked_each(rows, rows_in(ks, chunk)))

    def of_numbers(self, plan: PlanByCount) -> tuple[Keys, bool]:
        """Return answers of the numbers in each row, and whether a row has none."""
        outer, _, inner = self.shape
        answers = np.empty((plan.answers, outer, inner), plan.dtype)
        rooms, none = answers.transpose(1, 0, 2), []

        columns = in_columns(self.shape, self.dtype, plan.ranks)
        answer = answers_in_columns if columns else answers_of_numbers

        def do(chunk: Chunk, part: Keys) -> None:
            found, empty = answer(part, plan)
            put(rooms, chunk, found.T)
            none.append(empty)

        if plan.answers:
            each_part(self.keys, do, short_calls=columns)
        return answers, any(none)

    def medians(self, nan: bool) -> Keys:
        """Return the medians, of the numbers only if `nan`."""
        plan = MedianByCount(self.shape[1], self.dtype)
        if not nan or self.dtype.kind != "f":
            return mean_of(self.ranks_unless_nan(plan.ranks).transpose(1, 0, 2))
        found, none = self.of_numbers(plan)
        if none:
            warn_of_nan()
        medians: Keys = found[0]
        return medians

    def first(self, by: int, count: int, in_order: bool, ties: Ties) -> tuple[Keys, Integers]:
        """Return the first keys of each row in an order, and their places."""
        outer, _, inner = self.shape
        values = np.empty((outer, count, inner), self.dtype)
        places = np.empty((outer, count, inner), np.int64)

        def do(chunk: Chunk, rows: Keys) -> None:
            sizes = magnitudes(rows) if by == MAGNITUDE else rows
            found = first_of_rows(sizes, count, by == SMALLEST, in_order, ties)
            put(places, chunk, found)
            put(values, chunk, taken(rows, found))

        if count:
            each_chunk(self.keys, do)
        return values, places

    def places(self, wanted: Keys, ties: Ties) -> Integers:
        """Return where each row has its wanted key."""
        found = np.empty((self.shape[0], 1, self.shape[2]), np.int64)

        def do(chunk: Chunk, rows: Keys) -> None:
            place = place_in(rows, rows_in(wanted[:, None], chunk), ties)
            put(found, chunk, place[:, None])

        each_chunk(self.keys, do)
        return found[:, 0]

    def sorted(self) -> Keys:
        """Return each row in ascending order."""
        return self._found(self.shape[1], lambda chunk, rows: rows_in_order(rows))

    def _found(self, r: int, find: Callable[[Chunk, Keys], Keys]) -> Keys:
        """Return r keys of each row, which a function finds in copies of some rows."""
        found = np.empty((self.shape[0], r, self.shape[2]), self.dtype)
        if r:
            each_part(
                self.keys,
                lambda chunk, part: put(found, chunk, find(chunk, rows_of(part, own=True))),
            )
        return found

    def _found_in_parts(self, r: int, find: Callable[[Keys], Keys]) -> Keys:
        """Return r keys of each row, (r, rows), which a function finds in parts by short calls."""
        found = np.empty((self.shape[0], r, self.shape[2]), self.dtype)
        each_part(self.keys, lambda chunk, part: put(found, chunk, find(part).T), short_calls=True)
        return found


def _count(flags: Mask, counts: Integers) -> None:
    """Count the flags along the middle axis."""
    if flags.shape[1] < 256:
        np.einsum("oli->oi", flags.view(np.uint8), out=counts, casting="unsafe", dtype=np.uint8)
    else:
        counts[...] = flags.view(np.uint8).sum(axis=1, dtype=np.uint32)


def _ranked_unless_nan(rows: Keys, ks: Integers) -> Keys:
    """Return the keys of some ranks in each row, or NaNs; the rows may be put in another order."""
    if is_widened(rows):
        found, last = (narrowed(each, rows.dtype) for each in _ranked_and_last(widened(rows), ks))
    else:
        found, last = _ranked_and_last(rows, ks)
    found[last != last] = np.nan
    return found


def _ranked_and_last(rows: Keys, ks: Integers) -> tuple[Keys, Keys]:
    """Return the keys of some ranks in each row, and its last key; may reorder the rows."""
    ordered = ordered_for(rows, ks)
    if ordered is not None:
        return ordered[:, ks], ordered[:, -1]
    crowd = ranked_in_crowd(rows, ks)
    if crowd is not None:
        return crowd, rows.max(axis=1)
    found = ranked_by_partitions(rows, ks)
    return found, rows[:, int(ks[-1]) :].max(axis=1)  # behind the last rank are all NaNs


def _ranked_each(rows: Keys, ks: Integers) -> Keys:
    """Return the keys of each row's own ranks; the rows may be put in another order."""
    if (ks == ks[0]).all():
        distinct, places = np.unique(ks[0], return_inverse=True)
        return ranked(rows, distinct)[:, places]
    return ranked_each(rows, ks)
