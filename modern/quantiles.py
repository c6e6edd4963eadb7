"""Medians and quantiles of arrays, as NumPy defines them."""

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy.typing as npt

from modern.arrays import OnDevice
from modern.gradients import of_median
from modern.homes import answers_at_home
from modern.quantile_calls import median_along, quantile_along
from modern.rows.axes import Axis
from shadersort.keys.types import Keys, Number
from shadersort.names import QuantileMethod, SelectionMethod


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


@answers_at_home(gradient=of_median)
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
    that of all keys. In PyTorch it has a gradient: half goes to each middle key.

    Examples
    --------
    >>> median([4, 1, 2, 3], method="cutting-plane")
    np.float64(2.5)
    >>> median([[4, 1, 2], [9, 7, 8]], axis=1, keepdims=True)
    array([[2.],
           [8.]])
    """
    return median_along(x, (axis, keepdims, out), method, options, nan=False)


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


@answers_at_home()
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
    return median_along(x, (axis, keepdims, out), method, options, nan=True)


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


@answers_at_home(front="q")
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
    return quantile_along(x, q, (axis, keepdims, out), method, selector, options, nan=False)


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


@answers_at_home(front="q")
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
    return quantile_along(x, q, (axis, keepdims, out), method, selector, options, nan=True)
