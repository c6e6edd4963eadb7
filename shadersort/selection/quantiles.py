"""Medians and quantiles of primitives: one row, whose ranks a method finds."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Key
from shadersort.selection.driver import (
    count_of_numbers,
    missing,
    select,
    select_many,
    select_pair,
)
from shadersort.selection.primitives import Primitives
from shadersort.selection.quantile_plan import median_of_none, quantiles_of_none
from shadersort.selection.rows.protocol import RankedRows


def median(keys: Primitives, *, method: str = "auto", **options: Any) -> Key:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    The options are those of `select`, `as_printed` among them.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> median(NumPyPrimitives([4, 1, 2, 3]))
    np.float64(2.5)
    """
    row = OneRow(keys, method, options, pairs=True)
    return row.middle(nan=False) if keys.size else median_of_none(row.dtype)


def nanmedian(keys: Primitives, *, method: str = "auto", **options: Any) -> Key:
    """Return the median of the keys that are not NaN, as `np.nanmedian` does.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> nanmedian(NumPyPrimitives([1, np.nan, 2, 9]))
    np.float64(2.0)
    """
    row = OneRow(keys, method, options, pairs=True)
    if not keys.size:
        return median_of_none(row.dtype)
    return row.of_numbers(lambda nan: row.middle(nan=nan))


def quantile(
    keys: Primitives,
    q: npt.ArrayLike,
    *,
    method: str = "linear",
    selector: str = "auto",
    **options: Any,
) -> Any:
    """Return the quantiles q as `np.quantile` does: of the shape of q, all NaN if any key is.

    `method` is how to interpolate between neighbours, one of `quantile_plan.QUANTILE_METHODS`, and
    `selector` how to find them, one of `METHODS`; the other options are those of the selector.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> quantile(NumPyPrimitives([1, 2, 4, 8]), [0, 0.5, 0.9])
    array([1. , 3. , 6.8])
    """
    row = OneRow(keys, selector, options)
    if not keys.size:
        return quantiles_of_none(row.dtype, q, method)
    return row.quantiles(q, method, nan=False)


def nanquantile(
    keys: Primitives,
    q: npt.ArrayLike,
    *,
    method: str = "linear",
    selector: str = "auto",
    **options: Any,
) -> Any:
    """Return the quantiles of the keys that are not NaN, as `np.nanquantile` does; see `quantile`.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> nanquantile(NumPyPrimitives([1, np.nan, 2]), 0.5, selector="radix")
    np.float64(1.5)
    """
    row = OneRow(keys, selector, options)
    if not keys.size:
        return quantiles_of_none(row.dtype, q, method)
    return row.of_numbers(lambda nan: row.quantiles(q, method, nan=nan))


class OneRow(RankedRows):
    """All keys of primitives as a row, whose ranks a method finds.

    With `pairs`, one rank is found by `select`, and two neighbours by `select_pair`.
    """

    count, xp = 1, np

    def __init__(
        self, keys: Primitives, method: str, options: dict[str, Any], *, pairs: bool = False
    ) -> None:
        self.keys, self.length, self.dtype = keys, keys.size, keys.own_dtype
        self.options, self.pairs = {"method": method, **options}, pairs

    def ranks(self, ks: Any) -> Any:
        """Return the keys of some ranks."""
        if self.pairs and len(ks) == 1:
            return np.array([select(self.keys, ks[0], **self.options)], self.dtype)
        if self.pairs and not self.keys.tuning.far:
            return np.array(select_pair(self.keys, ks[0], **self.options), self.dtype)
        return select_many(self.keys, ks, **self.options)

    ranks_each = ranks

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Return the keys of some ranks, or NaN for each of them if there is one.

        Far keys are searched first, as the reads of the search may count the NaNs.
        """
        found = self.ranks(ks) if self.keys.tuning.far else None
        if self.count_non_nan() < self.length:
            return np.full(len(ks), missing(self.keys))
        return self.ranks(ks) if found is None else found

    def count_non_nan(self) -> Any:
        """Return how many keys are neither NaN nor NaT."""
        return np.int64(count_of_numbers(self.keys))

    def of_numbers(self, ask: Callable[[bool], Any]) -> Any:
        """Ask about the numbers; of far keys first about all, which shows if one is NaN."""
        if self.keys.tuning.far:
            found = ask(False)
            if self.count_non_nan() == self.length:
                return found
        return ask(True)
