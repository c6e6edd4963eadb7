"""The rows of a NumPy array, chunk by chunk: the reference for every other implementation."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.keys.in_order import rows_in_order
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.selection.rows.chunks import Chunk, each_chunk, each_part, put, rows_in
from shadersort.selection.rows.numbers import OfNumbers, RanksOf
from shadersort.selection.rows.ordered import in_rows, is_sorted_for, ranked, ranked_each, taken
from shadersort.selection.rows.protocol import Rows, Ties, place_in
from shadersort.selection.rows.quantiles import warn_of_nan
from shadersort.selection.rows.top import first_of_rows
from shadersort.selection.top_keys import MAGNITUDE, SMALLEST, magnitudes


class NumPyRows(Rows):
    """The rows of a NumPy array (outer, length, inner) of any strides, along its middle axis.

    Beside the results, the calls need a few copies of a chunk for each thread. A chunk has 2**17
    keys; or one row, if that is longer; or 64 bytes of each of its columns.

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
            each_part(self.keys, lambda chunk, part: _count(part == part, found[chunk]))
        return found

    def ranks(self, ks: Integers) -> Keys:
        """Return the keys of ranks, the same for all rows."""
        return self._found(ks.size, lambda chunk, rows: ranked(rows, ks))

    def ranks_unless_nan(self, ks: Integers) -> Keys:
        """Return the keys of ranks, or NaNs for a row that has one."""
        if self.dtype.kind != "f":
            return self.ranks(ks)
        return self._found(ks.size, lambda chunk, rows: _ranked_unless_nan(rows, ks))

    def ranks_of_rows(self, ks: Integers) -> Keys:
        """Return the keys of each row's own ranks, which may come in any order."""
        return self._found(ks.shape[1], lambda chunk, rows: _ranked_each(rows, rows_in(ks, chunk)))

    def ranks_of_numbers(self, whole: Integers, ranks_of: RanksOf) -> tuple[Keys, Integers]:
        """Return keys of ranks that depend on how many numbers a row has, and these numbers."""
        outer, length, inner = self.shape
        counts = np.full((outer, 1, inner), length, np.int64)
        of_numbers = OfNumbers(length, whole, ranks_of)

        def find(chunk: Chunk, rows: Keys) -> Keys:
            found, numbers = of_numbers.found(rows)
            if numbers is not None:
                put(counts, chunk, numbers)
            return found

        return self._found(whole.size, find), counts[:, 0]

    def medians(self, nan: bool) -> Keys:
        """Return the medians, of the numbers only if `nan`."""
        if nan and self.dtype.kind == "f":
            whole = _middle_of(np.array(self.shape[1]))
            middle, counts = self.ranks_of_numbers(whole, _middle_of)
            warn_of_nan(counts)
            odd = (counts % 2 == 1)[:, None]
            return np.where(odd, mean_of(middle[:, :1]), mean_of(middle))[:, 0]
        length = self.shape[1]
        return mean_of(self.ranks_unless_nan(np.unique([(length - 1) // 2, length // 2])))[:, 0]

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
            each_chunk(self.keys, do, own=False)
        return values, places

    def places(self, wanted: Keys, ties: Ties) -> Integers:
        """Return where each row has its wanted key."""
        found = np.empty((self.shape[0], 1, self.shape[2]), np.int64)

        def do(chunk: Chunk, rows: Keys) -> None:
            place = place_in(rows, rows_in(wanted[:, None], chunk), ties)
            put(found, chunk, place[:, None])

        each_chunk(self.keys, do, own=False)
        return found[:, 0]

    def sorted(self) -> Keys:
        """Return each row in ascending order."""
        return self._found(self.shape[1], lambda chunk, rows: rows_in_order(rows))

    def _found(self, r: int, find: Callable[[Chunk, Keys], Keys]) -> Keys:
        """Return r keys of each row, which a function finds in copies of some rows."""
        found = np.empty((self.shape[0], r, self.shape[2]), self.dtype)
        if r:
            each_chunk(self.keys, lambda chunk, rows: put(found, chunk, find(chunk, rows)))
        return found


def _middle_of(counts: Integers) -> Integers:
    """Return the two ranks of the median of so many numbers."""
    return np.stack([(counts - 1) // 2, counts // 2], axis=-1)


def mean_of(middle: Keys) -> Keys:
    """Return the mean along the middle axis, which stays: floats keep their type.

    Examples
    --------
    >>> mean_of(np.array([[[1], [4]]])).tolist()
    [[[2.5]]]
    """
    wide = middle.astype(sum_type(middle.dtype), copy=False)
    lower, upper = wide[:, :1], wide[:, -1:]
    if wide.shape[1] == 1:
        return lower.astype(mean_type(middle.dtype), copy=False)
    with np.errstate(all="ignore"):  # the mean of −inf and inf is NaN, without a warning
        mean = (lower + upper) / 2
        return np.asarray(mean.astype(mean_type(middle.dtype), copy=False))


def sum_type(dtype: np.dtype[Any]) -> Any:
    """Return the type in which NumPy's mean adds keys of a type."""
    return {"e": np.float32}.get(dtype.char, mean_type(dtype))


def mean_type(dtype: np.dtype[Any]) -> Any:
    """Return the type of a mean of keys of a type."""
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


def _count(flags: Mask, counts: Integers) -> None:
    """Count the flags along the middle axis."""
    if flags.shape[1] < 256:
        np.einsum("oli->oi", flags.view(np.uint8), out=counts, casting="unsafe", dtype=np.uint8)
    else:
        counts[...] = flags.view(np.uint8).sum(axis=1, dtype=np.uint32)


def _ranked_unless_nan(rows: Keys, ks: Integers) -> Keys:
    """Return the keys of some ranks in each row, or NaNs; the rows may be put in another order."""
    if is_sorted_for(rows, ks):
        ordered = in_rows(rows)
        found, last = ordered[:, ks], ordered[:, -1]
    else:
        found = ranked(rows, ks)
        last = rows[:, int(ks[-1]) :].max(axis=1)  # behind the last rank are all NaNs
    found[last != last] = np.nan
    return found


def _ranked_each(rows: Keys, ks: Integers) -> Keys:
    """Return the keys of each row's own ranks; the rows may be put in another order."""
    if (ks == ks[0]).all():
        distinct, places = np.unique(ks[0], return_inverse=True)
        return ranked(rows, distinct)[:, places]
    return ranked_each(rows, ks)
