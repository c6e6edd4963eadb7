"""Medians and quantiles of primitives: one row, whose ranks a method finds."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.codes import code, key
from shadersort.keys.types import Key
from shadersort.selection.driver import find, select_many
from shadersort.selection.primitives import Primitives
from shadersort.selection.quantile_plan import median_of_none, missing_of, quantiles_of_none
from shadersort.selection.rows.protocol import RankedRows


def median(keys: Primitives, *, nan: bool = False, **options: Any) -> Key:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    With `nan` NaNs are left out, as `np.nanmedian` does. The options are those of `select`,
    `method` and `as_printed` among them.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> median(NumPyPrimitives([4, 1, 2, 3])), median(NumPyPrimitives([1, np.nan, 2, 9]), nan=True)
    (np.float64(2.5), np.float64(2.0))
    """
    row = SearchedRow(keys, **options)
    return row.middle(nan=nan) if keys.size else median_of_none(row.dtype)


def quantile(
    keys: Primitives,
    q: npt.ArrayLike,
    *,
    nan: bool = False,
    method: str = "linear",
    selector: str = "auto",
    **options: Any,
) -> Any:
    """Return the quantiles q as `np.quantile` does: of the shape of q, all NaN if any key is.

    With `nan` NaNs are left out, as `np.nanquantile` does. `method` is how to interpolate between
    neighbours, one of `quantile_plan.QUANTILE_METHODS`, and `selector` how to find them, one of
    `METHODS`; the other options are those of the selector.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> quantile(NumPyPrimitives([1, 2, 4, 8]), [0, 0.5, 0.9])
    array([1. , 3. , 6.8])
    """
    row = SearchedRow(keys, method=selector, **options)
    if not keys.size:
        return quantiles_of_none(row.dtype, q, method)
    return row.quantiles(q, method, nan=nan)


class SearchedRow(RankedRows):
    """All keys of primitives as a row, whose ranks a method finds.

    Far keys are searched before NaNs are counted, as the reads of the search may count them.
    """

    count, xp = 1, np

    def __init__(self, keys: Primitives, **options: Any) -> None:
        self.keys, self.length, self.dtype, self.options = keys, keys.size, keys.own_dtype, options

    def ranks(self, ks: Any) -> Any:
        """Return the keys of some ranks; the second of two neighbours costs one read at most."""
        keys = self.keys
        if keys.tuning.far or len(ks) not in (1, 2) or ks[-1] - ks[0] > 1:
            return select_many(keys, ks, **self.options)
        _, (low,), (upto,) = find(keys, int(ks[0]), **self.options)
        found = [low] * len(ks)
        if upto <= ks[-1]:
            above = keys.at_or_above(key(code(low) + 1, keys.dtype))
            found[1] = np.nan if above is None else above
        return keys.restore(np.array(found, keys.dtype))

    ranks_each = ranks

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Return the keys of some ranks, or NaN for each of them if there is one."""
        found = self.ranks(ks) if self.keys.tuning.far else None
        if self.count_non_nan() < self.length:
            return np.full(len(ks), missing_of(self.dtype))
        return self.ranks(ks) if found is None else found

    def count_non_nan(self) -> Any:
        """Return how many keys are neither NaN nor NaT."""
        cast = self.keys.key_cast
        if cast is not None and cast.none is not None:
            return np.int64(self.length - self.keys.counts(cast.none).equal)
        return np.int64(self.keys.count_numbers())

    def middle(self, *, nan: bool) -> Any:
        """Return the median as `np.median` does; with `nan`, as `np.nanmedian` does."""
        return self._of_numbers(super().middle, nan)

    def quantiles(self, q: npt.ArrayLike, method: str, *, nan: bool) -> Any:
        """Return the quantiles q as `np.quantile` or `np.nanquantile` does."""
        return self._of_numbers(partial(super().quantiles, q, method), nan)

    def _of_numbers(self, ask: Callable[..., Any], nan: bool) -> Any:
        """Ask about all keys, or with `nan` about the numbers; of far keys first about all."""
        if nan and self.keys.tuning.far:
            found = ask(nan=False)
            if self.count_non_nan() == self.length:
                return found
        return ask(nan=nan)
