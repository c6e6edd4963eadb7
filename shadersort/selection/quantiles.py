"""Quantiles of keys: a plan names the ranks, a selection finds the keys, the plan combines them."""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Key
from shadersort.selection.driver import (
    check_mean,
    count_of_numbers,
    counts_on_the_way,
    median_of_none,
    middle,
    middle_ranks,
    missing,
    select_many,
)
from shadersort.selection.primitives import Primitives
from shadersort.selection.quantile_plan import ALL_NAN, QuantilePlan, plan, quantiles_of_none


def quantile(
    keys: Primitives,
    q: npt.ArrayLike,
    *,
    method: str = "linear",
    selector: str = "auto",
    **options: Any,
) -> Any:
    """Return the quantiles q as `np.quantile` does: of the shape of q, all NaN if any key is.

    Parameters
    ----------
    keys
        Any implementation of the primitives.
    q
        A number from 0 to 1, or an array of such numbers.
    method
        How to interpolate between neighbours: one of `quantile_plan.QUANTILE_METHODS`.
    selector
        How to find the neighbours: one of `METHODS`.
    **options
        Options of that method of selection.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> quantile(NumPyPrimitives([1, 2, 4, 8]), [0, 0.5, 0.9])
    array([1. , 3. , 6.8])
    """
    if not keys.size:
        return quantiles_of_none(keys.own_dtype, q, method)
    planned = plan(keys.size, q, method, nan=False)
    if (found := _of_numbers_only(keys, planned, selector)) is not None:
        return found
    if count_of_numbers(keys) < keys.size:
        shown = plan(keys.size, q, method, nan=True)
        return shown.combine(np.full(shown.ranks.shape, missing(keys)))
    return planned.combine(select_many(keys, planned.ranks, method=selector, **options))


def nanquantile(
    keys: Primitives,
    q: npt.ArrayLike,
    *,
    method: str = "linear",
    selector: str = "auto",
    **options: Any,
) -> Any:
    """Return the quantiles of the keys that are not NaN, as `np.nanquantile` does.

    The parameters are those of `quantile`. If all keys are NaN, so is the result, with a warning.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> nanquantile(NumPyPrimitives([1, np.nan, 2]), 0.5, selector="radix")
    np.float64(1.5)
    """
    if not keys.size:
        return quantiles_of_none(keys.own_dtype, q, method)
    planned = plan(keys.size, q, method, nan=False)  # raises errors before any key is read
    if (found := _of_numbers_only(keys, planned, selector)) is not None:
        return found
    count = count_of_numbers(keys)
    if not count:
        _warn()
        return np.full(np.shape(q), missing(keys))[()]
    planned = plan(count, q, method, nan=False)
    return planned.combine(select_many(keys, planned.ranks, method=selector, **options))


def _of_numbers_only(keys: Primitives, planned: QuantilePlan, selector: str) -> Any:
    """Return quantiles if the reads that find their ranks count the NaNs, and there is none.

    Returns None otherwise.
    """
    if not counts_on_the_way(keys, selector, planned.ranks):
        return None
    found = select_many(keys, planned.ranks)
    return planned.combine(found) if count_of_numbers(keys) == keys.size else None


def nanmedian(keys: Primitives, *, method: str = "auto", **options: Any) -> Key:
    """Return the median of the keys that are not NaN, as `np.nanmedian` does.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> nanmedian(NumPyPrimitives([1, np.nan, 2, 9]))
    np.float64(2.0)
    """
    check_mean(keys.own_dtype)
    if not keys.size:
        return median_of_none(keys.own_dtype)
    if counts_on_the_way(keys, method, middle_ranks(keys.size)):
        found = middle(keys, keys.size, method, options)
        if count_of_numbers(keys) == keys.size:
            return found
    count = count_of_numbers(keys)
    if count:
        return middle(keys, count, method, options)
    _warn()
    return missing(keys)


def _warn() -> None:
    warnings.warn(ALL_NAN, RuntimeWarning, stacklevel=3)
