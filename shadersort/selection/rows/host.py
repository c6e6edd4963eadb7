"""Rows of an array of NumPy."""

from functools import partial
from typing import Any

import numpy as np

from shadersort.drawing.networks import apply_padded
from shadersort.errors import BadOption
from shadersort.keys.codes import magnitudes, nans
from shadersort.keys.key_casts import key_cast_of, restore
from shadersort.keys.numpy_sort import sort_keys, sort_rows
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.values import Ranks
from shadersort.selection.rows.axes import Axis, layout_of
from shadersort.selection.rows.partition import find_first, find_ranks, find_ranks_each
from shadersort.selection.rows.protocol import Rows, Ties, check_fit
from shadersort.selection.top_keys import MAGNITUDE, SMALLEST, cut
from shadersort.selection.weighted_quantiles import weighted_quantiles


def deliver(found: Keys, out: Any) -> Any:
    """Return an array or a scalar, or write it into `out`; raise BadOption if it cannot be."""
    if out is None:
        return found[()]
    if not isinstance(out, np.ndarray):
        raise BadOption(f"out is an array of NumPy, as the keys are, not {type(out).__name__}")
    check_fit(found, out)
    if not out.flags.writeable:
        raise BadOption("out is read-only")
    out[...] = found
    return out


class HostRows(Rows):
    """The rows of an array of NumPy along axes; `axis`, `keepdims` and `out` are as in NumPy.

    The keys are as `as_rows_of_keys` returns them. An answer takes the memory of a copy of the
    keys, or two, and of a few flags for each key.

    Examples
    --------
    >>> rows = HostRows(np.float32([[3, 1, 2], [6, np.nan, 4]]), 1)
    >>> rows.result(rows.middle(nan=True)), rows.result(rows.ranks([2]), (1,))
    (array([2., 5.], dtype=float32), array([[ 3., nan]], dtype=float32))
    """

    xp = np

    def __init__(
        self, array: Keys, axis: Axis = -1, *, keepdims: bool = False, out: Any = None
    ) -> None:
        self.layout = layout = layout_of(array.shape, axis)
        self.array, self.axis, self.out, self.dtype = array, axis, out, array.dtype
        self.shape = layout.kept if keepdims else layout.left
        self.length, self.count = layout.length, layout.rows
        self.key_cast = key_cast_of(array.dtype)
        keys = array if self.key_cast is None else self.key_cast.cast(array)
        keys = keys.transpose(layout.order)
        self.keys = keys if len(layout.axes) == 1 else keys.reshape(*layout.left, layout.length)

    def ranks(self, ks: Ranks) -> Any:
        """Return the keys of ranks, the same for all rows."""
        return restore(self.key_cast, find_ranks(self.keys, ks))

    def ranks_each(self, ks: Integers) -> Any:
        """Return the keys of each row's own ranks."""
        return restore(self.key_cast, find_ranks_each(self.keys, ks))

    def first(self, count: int, by: int, *, in_order: bool, ties: Ties) -> tuple[Keys, Integers]:
        """Return the first keys of each row in an order, and their places: (*rows, count)."""
        rows = np.ascontiguousarray(self.keys.reshape(self.count, self.length))
        sizes, smallest = magnitudes(rows) if by == MAGNITUDE else rows, by == SMALLEST
        flat = find_first(sizes, count, smallest=smallest, in_order=in_order, ties=ties)
        flat, shape = flat.reshape(-1), (*self.layout.left, count)
        values, places = restore(self.key_cast, rows.reshape(-1)[flat]), flat % self.length
        return values.reshape(shape), places.reshape(shape)

    def count_non_nan(self) -> Any:
        """Return how many keys of each row are neither NaN nor NaT."""
        none = None if self.key_cast is None else self.key_cast.none
        missing = nans(self.keys) if none is None else self.keys == none
        return self.length - np.count_nonzero(missing, axis=-1)

    def places(self, wanted: Keys, ties: Ties) -> Any:
        """Return where each row has its wanted key."""
        key = np.asarray(wanted)[..., None]
        key = key if self.key_cast is None else self.key_cast.cast(key)
        equal = (self.keys == key) | ((self.keys != self.keys) & (key != key))
        highest = ties == "highest"
        return self.length - 1 - equal[..., ::-1].argmax(-1) if highest else equal.argmax(-1)

    def sort(self, network: str | None = None) -> Any:
        """Return each row in ascending order, bit for bit; by a network's comparators if named."""
        sort = partial(apply_padded, network) if network else sort_keys
        return restore(self.key_cast, sort_rows(self.keys, sort))

    def argsort(self, *, descending: bool) -> Integers:
        """Return the places of each row's keys in stable order; NaNs and NaTs come last."""
        keys = self.keys
        if descending:
            keys = -keys if keys.dtype.kind == "f" else ~keys
            if self.key_cast is not None and self.key_cast.none is not None:
                keys -= 1  # NaT is the largest one again
        return keys.argsort(-1, kind="stable").astype(np.int64, copy=False)

    def threshold(self, count: int, *, soft: bool) -> Any:
        """Return the rows with zero for all but the `count` keys of largest magnitude."""
        found = cut(self.keys.reshape(self.count, self.length), count, soft)
        return restore(self.key_cast, found.reshape(self.keys.shape))

    def weighted_quantiles(self, weights: Keys, q: Keys, *, nan: bool) -> Any:
        """Return the weighted quantiles q, (*q.shape, *rows)."""
        return weighted_quantiles(self, weights, q, nan=nan)

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers (*front, *rows) in the shape and the place that the caller wants."""
        return self._deliver(np.asarray(found).reshape(front + self.shape), self.out)

    def axis_result(self, found: Keys, out: Any = None) -> Any:
        """Return keys or places (*rows, k) of each row along the axis of the rows."""
        if len(self.layout.axes) != 1:
            found = found.reshape([self.array.shape[each] for each in self.layout.order])
        return self._deliver(found.transpose(self.layout.back), out)

    _deliver = staticmethod(deliver)  # rows of tensors have another

    def primitives(self) -> NumPyPrimitives:
        """Return the primitives of the only row."""
        return NumPyPrimitives(self.array.reshape(-1))
