"""Medians of arrays, as NumPy defines them."""

from typing import Any, Literal, overload

import numpy.typing as npt

from modern import unwaited
from modern.arrays import Elsewhere, Tensor, answered, is_on_gpu
from modern.gradients import of_median
from modern.homes import answers_at_home
from modern.rows.asked import Where, asked, by_name, is_flat, shaped
from shadersort import selection
from shadersort.keys.types import Keys, Number
from shadersort.names import SelectionMethod
from shadersort.selection.driver import median_of_none
from shadersort.selection.rows.axes import Axis


@overload
def median(x: Tensor, **options: Any) -> Tensor: ...


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
def median(x: Elsewhere, **options: Any) -> Any: ...


@answers_at_home(gradient=of_median)
def median(
    x: npt.ArrayLike | Elsewhere,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: SelectionMethod = "auto",
    **options: Any,
) -> Any:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    The parameters are those of `select`, `as_printed` among them. Without an axis, the median is
    that of all keys. The median of no keys is NaN, with a RuntimeWarning. In PyTorch the median has
    a gradient: half goes to each middle key. The errors are those of `select`.

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
def nanmedian(x: Tensor, **options: Any) -> Tensor: ...


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
def nanmedian(x: Elsewhere, **options: Any) -> Any: ...


@answers_at_home()
def nanmedian(
    x: npt.ArrayLike | Elsewhere,
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


def _median(
    x: Any, where: Where, method: SelectionMethod, options: dict[str, Any], *, nan: bool
) -> Any:
    """Return medians along axes; an array of one dimension takes a short way."""
    named, x = by_name(options, method=method), shaped(x)
    if (named or is_on_gpu(x)) and is_flat(x, *where) and 0 not in x.shape:
        return _of_one_row(x, method, options, nan=nan)
    with asked(x, *where) as call:
        if not call.rows.length:
            return call.filled(median_of_none(call.array.dtype))
        found = call.by_one_row(lambda row: _of_one_row(row, method, options, nan=nan), named)
        return call.rows.result(call.rows.middle(nan=nan)) if found is None else found


def _of_one_row(x: Any, method: SelectionMethod, options: dict[str, Any], *, nan: bool) -> Any:
    """Return the median of an array of one dimension."""
    on_gpu = is_on_gpu(x)
    if on_gpu and method in unwaited.METHODS and not options:
        return unwaited.median(x, method, nan=nan)
    ask = selection.nanmedian if nan else selection.median
    return answered(x, lambda keys: ask(keys, method=method, **options))
