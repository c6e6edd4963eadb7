"""Medians and quantiles: a plan names the ranks, a selection finds the keys, the plan combines."""

import warnings
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
from shadersort.selection.quantile_plan import (
    ALL_NAN,
    average_middle,
    check_mean,
    median_of_none,
    plan,
    quantiles_of_none,
)


def median(keys: Primitives, *, method: str = "auto", **options: Any) -> Key:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    The options are those of `select`, `as_printed` among them.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> median(NumPyPrimitives([4, 1, 2, 3]))
    np.float64(2.5)
    """
    return _median(keys, method, options, nan=False)


def nanmedian(keys: Primitives, *, method: str = "auto", **options: Any) -> Key:
    """Return the median of the keys that are not NaN, as `np.nanmedian` does.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> nanmedian(NumPyPrimitives([1, np.nan, 2, 9]))
    np.float64(2.0)
    """
    return _median(keys, method, options, nan=True)


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
    found = _quantiles(keys, q, method, selector, options, nan=False)
    if found is None:
        all_nan = plan(keys.size, q, method, nan=True)
        return all_nan.combine(np.full(all_nan.ranks.shape, missing(keys)))
    return found


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
    found = _quantiles(keys, q, method, selector, options, nan=True)
    if found is None:
        warnings.warn(ALL_NAN, RuntimeWarning, stacklevel=2)
        return np.full(np.shape(q), missing(keys))[()]
    return found


def _median(keys: Primitives, method: str, options: dict[str, Any], *, nan: bool) -> Key:
    check_mean(keys.own_dtype)
    if not keys.size:
        return median_of_none(keys.own_dtype)
    found = _of_numbers(keys, lambda count: _middle(keys, count, method, options), nan=nan)
    if found is None and nan:
        warnings.warn(ALL_NAN, RuntimeWarning, stacklevel=3)
    return missing(keys) if found is None else found


def _middle(keys: Primitives, count: int, method: str, options: dict[str, Any]) -> Key:
    """Return the median of the first `count` keys in sorted order."""
    lower = (count - 1) // 2
    if count % 2:
        found = [select(keys, lower, method=method, **options)]
    elif keys.tuning.far:
        found = select_many(keys, [lower, lower + 1], method=method, **options)
    else:
        found = list(select_pair(keys, lower, method=method, **options))
    return average_middle(np.array(found, keys.own_dtype))


def _quantiles(
    keys: Primitives,
    q: npt.ArrayLike,
    method: str,
    selector: str,
    options: dict[str, Any],
    *,
    nan: bool,
) -> Any:
    if not keys.size:
        return quantiles_of_none(keys.own_dtype, q, method)
    plan(keys.size, q, method, nan=False)  # raises errors before any key is read

    def find(count: int) -> Any:
        planned = plan(count, q, method, nan=False)
        return planned.combine(select_many(keys, planned.ranks, method=selector, **options))

    return _of_numbers(keys, find, nan=nan)


def _of_numbers(keys: Primitives, find: Callable[[int], Any], *, nan: bool) -> Any:
    """Return what `find` finds among the keys that are not NaN.

    Returns None if there are none, or if some key is NaN without `nan`. Far keys are counted after
    they are searched, as the reads of the search may have counted the NaNs.
    """
    found = find(keys.size) if keys.tuning.far else None
    count = count_of_numbers(keys)
    if count == 0 or not (nan or count == keys.size):
        return None
    return find(count) if found is None or count < keys.size else found
