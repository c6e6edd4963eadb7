"""Rows of an array of NumPy."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from shadersort.errors import BadOption, MethodUnavailable
from shadersort.keys.codes import nans
from shadersort.keys.in_order import rows_in_order
from shadersort.keys.stand_ins import back, stand_in_of
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.quantile_plan import missing_of
from shadersort.selection.rows.axes import Axis, layout_of
from shadersort.selection.rows.first import first_in_rows
from shadersort.selection.rows.protocol import Rows, Ties
from shadersort.selection.rows.ranked import ranked, ranked_each
from shadersort.selection.rows.weighted import weighted_quantiles, weights_in_rows
from shadersort.selection.thresholds import cut
from shadersort.selection.top_keys import MAGNITUDE, SMALLEST, magnitudes


class HostRows(Rows):
    """The rows of an array of NumPy along axes. Each question takes a copy of all keys at most.

    Parameters
    ----------
    array
        Keys of any type that selection knows, in native byte order: `as_rows_of_keys` makes them.
    axis, keepdims, out
        As in NumPy: along which axes the rows lie, and where `result` goes.
    give
        What turns an array of NumPy into one of the caller's library; None for NumPy's own.

    Examples
    --------
    >>> rows = HostRows(np.float32([[3, 1, 2], [6, np.nan, 4]]), 1)
    >>> rows.result(rows.middle(nan=True)), rows.result(rows.ranks([2]), (1,))
    (array([2., 5.], dtype=float32), array([[ 3., nan]], dtype=float32))
    """

    xp = np

    def __init__(
        self,
        array: Keys,
        axis: Axis = -1,
        *,
        keepdims: bool = False,
        out: Any = None,
        give: Callable[[Keys], Any] | None = None,
    ) -> None:
        self.layout = layout = layout_of(array.shape, axis)
        self.array, self.out, self.give, self.dtype = array, out, give, array.dtype
        self.shape = layout.kept if keepdims else layout.left
        self.length, self.count = layout.length, layout.count
        self.stand_in = stand_in_of(array.dtype)
        keys = array if self.stand_in is None else self.stand_in.of(array)
        keys = keys.transpose(layout.order)
        self.keys = keys if len(layout.axes) == 1 else keys.reshape(*layout.left, layout.length)

    def ranks(self, ks: Sequence[int] | Integers) -> Keys:
        """Return the keys of ranks, the same for all rows."""
        found = ranked(self.keys, ks)
        return found if self.stand_in is None else self.stand_in.back(found)

    def ranks_unless_nan(self, ks: Sequence[int] | Integers) -> Keys:
        """Return the keys of ranks; a row that has a NaN gets NaN for every rank."""
        if self.stand_in is None or self.stand_in.none is None:
            return back(self.stand_in, ranked(self.keys, ks, nan_spreads=True))
        return super().ranks_unless_nan(ks)

    def ranks_each(self, ks: Integers) -> Keys:
        """Return the keys of each row's own ranks."""
        return back(self.stand_in, ranked_each(self.keys, ks))

    def first(self, count: int, by: int, *, in_order: bool, ties: Ties) -> tuple[Keys, Integers]:
        """Return the first keys of each row in an order, and their places: (*rows, count)."""
        rows = np.ascontiguousarray(self.keys.reshape(self.count, self.length))
        flat = np.empty((self.count, 0), np.int64)
        if count:
            sizes = magnitudes(rows) if by == MAGNITUDE else rows
            smallest = by == SMALLEST
            flat = first_in_rows(sizes, count, smallest=smallest, in_order=in_order, ties=ties)
        shape = (*self.layout.left, count)
        values = back(self.stand_in, rows.reshape(-1)[flat])
        return values.reshape(shape), (flat % self.length).reshape(shape)

    def count_non_nan(self) -> Integers:
        """Return how many keys of each row are neither NaN nor NaT."""
        none = None if self.stand_in is None else self.stand_in.none
        missing = nans(self.keys) if none is None else self.keys == none
        found: Integers = self.length - np.count_nonzero(missing, axis=-1)
        return found

    def places(self, wanted: Keys, ties: Ties) -> Integers:
        """Return where each row has its wanted key."""
        key = np.asarray(wanted)[..., None]
        key = key if self.stand_in is None else self.stand_in.of(key)
        equal = (self.keys == key) | ((self.keys != self.keys) & (key != key))
        if ties != "highest":
            return equal.argmax(-1)
        return np.asarray(self.length - 1 - equal[..., ::-1].argmax(-1))

    def sort(self) -> Keys:
        """Return each row in ascending order, bit for bit."""
        return back(self.stand_in, rows_in_order(self.keys))

    def threshold(self, count: int, *, soft: bool) -> Keys:
        """Return the rows with zero for all but the `count` keys of largest magnitude."""
        found = cut(self.keys.reshape(self.count, self.length), count, soft)
        return back(self.stand_in, found.reshape(self.keys.shape))

    def weighted(self, weights: Any, q: Any, axis: Axis, *, nan: bool) -> Keys:
        """Return the weighted quantiles q, (*q.shape, *rows); the weights are an array."""
        given = weights_in_rows(weights, self.array.shape, axis)
        none = None if self.stand_in is None else self.stand_in.none
        missing = self.keys != self.keys if none is None else self.keys == none
        found, gone = weighted_quantiles(self.keys, missing, given, q.ravel(), nan=nan)
        keys = back(self.stand_in, found)
        keys = np.where(gone, missing_of(keys.dtype), keys) if gone.any() else keys
        return keys.reshape(q.shape + keys.shape[1:])

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers (*front, *rows) in the shape and the place that the caller wants."""
        shape = (*front, *self.shape)
        return self._deliver(np.asarray(found).reshape(shape), self.out)

    def along(self, found: Keys, out: Any = None) -> Any:
        """Return keys or places (*rows, k) of each row along the axis of the rows."""
        layout = self.layout
        if len(layout.axes) != 1:
            sizes = (self.array.shape[each] for each in layout.axes)
            found = found.reshape(*layout.left, *sizes)
        return self._deliver(found.transpose(layout.back), out)

    def _deliver(self, found: Keys, out: Any) -> Any:
        """Return an array or a scalar, or write it into `out`; raise BadOption if it cannot be."""
        if out is None:
            return found[()] if self.give is None else self.give(found)
        if not isinstance(out, np.ndarray):
            raise BadOption(f"out is an array of NumPy, as the keys are, not {type(out).__name__}")
        if out.shape != found.shape or out.dtype != found.dtype:
            raise BadOption(
                f"the result has the shape {found.shape} and the type {found.dtype}, out has "
                f"{out.shape} and {out.dtype}"
            )
        if not out.flags.writeable:
            raise BadOption("out is read-only")
        out[...] = found
        return out

    def primitives(self) -> NumPyPrimitives:
        """Return the primitives of the only row."""
        if self.count != 1:
            raise MethodUnavailable(
                "rows are selected from by a method of their own: leave out what is not for rows, "
                f"or pass one row, not {self.count}"
            )
        return NumPyPrimitives(self.array.reshape(-1))
