"""Medians and quantiles of arrays, as NumPy defines them."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from modern import unwaited
from modern.arrays import OnDevice, answered, is_on_gpu
from modern.rows import one_row, quantiles
from modern.rows.asked import asked, is_flat, shaped
from modern.rows.axes import Axis
from shadersort import selection
from shadersort.keys.accepted import as_keys
from shadersort.keys.types import Keys, Number
from shadersort.names import QuantileMethod, SelectionMethod

Where: TypeAlias = tuple[Axis, bool, Any]
"""axis, keepdims and out."""

FLAT: Where = (None, False, None)


def _median(
    x: Any, where: Where, method: SelectionMethod, options: dict[str, Any], *, nan: bool
) -> Any:
    """Return medians along axes; an array of one dimension takes a short way."""
    named, x = method != "auto" or bool(options), shaped(x)
    if is_flat(x, *where):
        on_gpu = is_on_gpu(x)
        if on_gpu and method in unwaited.METHODS and not options:
            return unwaited.median(x, nan=nan)
        if not (on_gpu or named):
            return one_row.median(as_keys(x), nan=nan)
        ask = selection.nanmedian if nan else selection.median
        return answered(x, lambda keys: ask(keys, method=method, **options))
    with asked(x, *where) as call:
        found = call.by_one_row(lambda row: _median(row, FLAT, method, options, nan=nan), named)
        if found is not None:
            return found
        return call.reduced(lambda rows: rows.medians(nan))


@overload
def median(
    x: npt.ArrayLike,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
    method: SelectionMethod = ...,
    **options: Any,
) -> Number: ...


@overload
def median(
    x: npt.ArrayLike,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Keys | None = ...,
    method: SelectionMethod = ...,
    **options: Any,
) -> Keys: ...


@overload
def median(x: OnDevice, **options: Any) -> Any: ...


def median(
    x: npt.ArrayLike | OnDevice,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: SelectionMethod = "auto",
    **options: Any,
) -> Any:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    The parameters are those of `select`, `as_printed` among them. Without an axis, the median is
    that of all keys.

    Examples
    --------
    >>> median([4, 1, 2, 3], method="cutting-plane")
    np.float64(2.5)
    >>> median([[4, 1, 2], [9, 7, 8]], axis=1, keepdims=True)
    array([[2.],
           [8.]])
    """
    return _median(x, (axis, keepdims, out), method, options, nan=False)


@overload
def nanmedian(
    x: npt.ArrayLike,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
    method: SelectionMethod = ...,
    **options: Any,
) -> Number: ...


@overload
def nanmedian(
    x: npt.ArrayLike,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Keys | None = ...,
    method: SelectionMethod = ...,
    **options: Any,
) -> Keys: ...


@overload
def nanmedian(x: OnDevice, **options: Any) -> Any: ...


def nanmedian(
    x: npt.ArrayLike | OnDevice,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: SelectionMethod = "auto",
    **options: Any,
) -> Any:
    """Return the median of the keys that are not NaN, as `np.nanmedian` does.

    The parameters are those of `median`. If all keys are NaN, the result is NaN with a warning;
    without the warning on a GPU, where nothing waits for the result.

    Examples
    --------
    >>> nanmedian([4, 1, float("nan"), 2])
    np.float64(2.0)
    """
    return _median(x, (axis, keepdims, out), method, options, nan=True)


def _quantile(
    x: Any,
    q: npt.ArrayLike,
    where: Where,
    method: QuantileMethod,
    selector: SelectionMethod,
    options: dict[str, Any],
    *,
    nan: bool,
) -> Any:
    """Return quantiles along axes; an array of one dimension takes a short way."""
    named, x = selector != "auto" or bool(options), shaped(x)
    if is_flat(x, *where):
        if not (named or is_on_gpu(x)):
            return one_row.quantile(as_keys(x), q, method, nan=nan)
        ask = selection.nanquantile if nan else selection.quantile
        return answered(x, lambda keys: ask(keys, q, method=method, selector=selector, **options))
    with asked(x, *where) as call:
        found = call.by_one_row(
            lambda row: _quantile(row, q, FLAT, method, selector, options, nan=nan), named
        )
        if found is not None:
            return found
        return call.reduced(lambda rows: quantiles.quantiles(rows, q, method, nan=nan), np.shape(q))


@overload
def quantile(
    x: npt.ArrayLike,
    q: float,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    **options: Any,
) -> Number: ...


@overload
def quantile(
    x: npt.ArrayLike,
    q: Sequence[float] | Keys,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    **options: Any,
) -> Keys: ...


@overload
def quantile(
    x: npt.ArrayLike,
    q: float | Sequence[float] | Keys,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Keys | None = ...,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    **options: Any,
) -> Keys: ...


@overload
def quantile(x: OnDevice, q: npt.ArrayLike, **options: Any) -> Any: ...


def quantile(
    x: npt.ArrayLike | OnDevice,
    q: npt.ArrayLike,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: QuantileMethod = "linear",
    selector: SelectionMethod = "auto",
    **options: Any,
) -> Any:
    """Return the quantiles q as `np.quantile` does: of the shape of q, all NaN if any key is.

    Parameters
    ----------
    x, **options
        As for `select`.
    q
        A number from 0 to 1, or an array of such numbers.
    method
        How to interpolate between neighbours: one of NumPy's 13 methods.
    selector
        How to find the neighbours: one of `METHODS`.
    axis, keepdims, out
        As for `median`. Of rows, the result has the shape of q in front of the axes that are left.

    Raises
    ------
    QuantileOutOfRange, QuantileIsNaN, QuantileNotNumber, UnknownQuantileMethod
        There is no such quantile. The other errors are those of `select`.

    Examples
    --------
    >>> quantile([1, 2, 4, 8], [0, 0.5, 0.9])
    array([1. , 3. , 6.8])
    >>> quantile([[1, 2, 4, 8], [0, 1, 2, 3]], [0, 0.5], axis=1)
    array([[1. , 0. ],
           [3. , 1.5]])
    """
    return _quantile(x, q, (axis, keepdims, out), method, selector, options, nan=False)


@overload
def nanquantile(
    x: npt.ArrayLike,
    q: float,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    **options: Any,
) -> Number: ...


@overload
def nanquantile(
    x: npt.ArrayLike,
    q: Sequence[float] | Keys,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    **options: Any,
) -> Keys: ...


@overload
def nanquantile(
    x: npt.ArrayLike,
    q: float | Sequence[float] | Keys,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Keys | None = ...,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    **options: Any,
) -> Keys: ...


@overload
def nanquantile(x: OnDevice, q: npt.ArrayLike, **options: Any) -> Any: ...


def nanquantile(
    x: npt.ArrayLike | OnDevice,
    q: npt.ArrayLike,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: QuantileMethod = "linear",
    selector: SelectionMethod = "auto",
    **options: Any,
) -> Any:
    """Return the quantiles of the keys that are not NaN, as `np.nanquantile` does.

    The parameters are those of `quantile`. If all keys are NaN, so is the result, with a warning.

    Examples
    --------
    >>> nanquantile([1, float("nan"), 2], 0.5, method="lower")
    np.float64(1.0)
    """
    return _quantile(x, q, (axis, keepdims, out), method, selector, options, nan=True)
