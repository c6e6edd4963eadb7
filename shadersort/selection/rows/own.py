"""Rows of keys that others stand in for: asked are rows of stand-ins, and answered is in keys.

Booleans, bfloat16 and times are replaced by keys of the same order (`shadersort.keys.stand_ins`),
so places and ranks are those of the stand-ins. For bfloat16 on a GPU these are its bits, which the
rows there take in the order of the keys.
"""

from typing import Any

import numpy as np

from shadersort.keys.stand_ins import StandIn
from shadersort.selection.driver import check_mean
from shadersort.selection.rows.protocol import Rows, Ties
from shadersort.selection.rows.quantiles import warn_of_nan


class OwnRows(Rows):
    """The rows of keys of their own type, answered by the rows of their stand-ins, the `keys`.

    Examples
    --------
    >>> from shadersort.selection.rows.numpy import NumPyRows
    >>> from shadersort.keys.stand_ins import stand_in_of
    >>> keys = np.array([[[3], ["NaT"], [1]]], "m8[s]")
    >>> stand_in = stand_in_of(keys.dtype)
    >>> rows = OwnRows(NumPyRows(stand_in.of(keys)), stand_in)
    >>> rows.numbers().item(), rows.ranks(np.array([1])).ravel()
    (2, array([3], dtype='timedelta64[s]'))
    """

    def __init__(self, rows: Rows, stand_in: StandIn) -> None:
        self.keys, self.shape, self.xp = rows.keys, rows.shape, rows.xp
        self.dtype = stand_in.dtype
        self._rows, self._stand_in = rows, stand_in

    def numbers(self) -> Any:
        """Return how many keys of each row are neither NaN nor NaT."""
        none = self._stand_in.none
        if none is None:
            return self._rows.numbers()
        return np.count_nonzero(self.keys != none, axis=1)

    def ranks(self, ks: Any) -> Any:
        """Return the keys of ranks, the same for all rows."""
        return self._stand_in.back(self._rows.ranks(ks))

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Return the keys of ranks, or NaNs or NaTs for a row that has one."""
        if self._stand_in.none is None:
            return self._stand_in.back(self._rows.ranks_unless_nan(ks))
        found = self.ranks(np.union1d(ks, [self.shape[1] - 1]))
        last = found[:, -1:]
        return np.where(np.isnat(last), last, found[:, : len(ks)])

    def ranks_of_rows(self, ks: Any) -> Any:
        """Return the keys of each row's own ranks."""
        return self._stand_in.back(self._rows.ranks_of_rows(ks))

    def medians(self, nan: bool) -> Any:
        """Return the medians, of the numbers only if `nan`; of booleans as float64."""
        check_mean(self.dtype)
        if self.dtype.kind == "m":
            return self._medians_of_times(nan)
        found = self._rows.medians(nan)
        return found if self.dtype.kind == "b" else self._stand_in.back(found)

    def _medians_of_times(self, nan: bool) -> Any:
        counts = self.numbers()
        if nan and not counts.all():
            warn_of_nan()
        upto = np.maximum(counts if nan else self.shape[1], 1) + np.zeros_like(counts)
        middle = self.ranks_of_rows(np.stack([(upto - 1) // 2, upto // 2], axis=1))
        mean = np.where(upto % 2 == 1, middle[:, 0], middle.mean(axis=1))
        return mean if nan else np.where(counts < upto, np.array("NaT", self.dtype), mean)

    def first(self, by: int, count: int, in_order: bool, ties: Ties) -> tuple[Any, Any]:
        """Return the first keys of each row in an order, and their places."""
        values, places = self._rows.first(by, count, in_order, ties)
        return self._stand_in.back(values), places

    def places(self, wanted: Any, ties: Ties) -> Any:
        """Return where each row has its wanted key."""
        return self._rows.places(self._stand_in.of(wanted), ties)

    def sorted(self) -> Any:
        """Return each row in ascending order."""
        return self._stand_in.back(self._rows.sorted())
