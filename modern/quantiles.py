"""Medians and quantiles of arrays, as NumPy defines them."""

from collections.abc import Sequence
from typing import Any, overload

import numpy.typing as npt

from modern import unwaited
from modern.arrays import OnDevice, answered, is_on_gpu
from shadersort import selection
from shadersort.keys.types import Keys, Number
from shadersort.names import QuantileMethod, SelectionMethod


@overload
def median(x: npt.ArrayLike, *, method: SelectionMethod = ..., **options: Any) -> Number: ...


@overload
def median(x: OnDevice, **options: Any) -> Any: ...


def median(x: npt.ArrayLike | OnDevice, *, method: SelectionMethod = "auto", **options: Any) -> Any:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    The parameters are those of `select`, `as_printed` among them.

    Examples
    --------
    >>> median([4, 1, 2, 3], method="cutting-plane")
    np.float64(2.5)
    """
    if method in unwaited.METHODS and is_on_gpu(x) and not options:
        return unwaited.median(x, method, nan=False)
    return answered(x, lambda keys: selection.median(keys, method=method, **options))


@overload
def nanmedian(x: npt.ArrayLike, *, method: SelectionMethod = ..., **options: Any) -> Number: ...


@overload
def nanmedian(x: OnDevice, **options: Any) -> Any: ...


def nanmedian(
    x: npt.ArrayLike | OnDevice, *, method: SelectionMethod = "auto", **options: Any
) -> Any:
    """Return the median of the keys that are not NaN, as `np.nanmedian` does.

    The parameters are those of `select`. If all keys are NaN, the result is NaN with a warning;
    without the warning on a GPU, where nothing waits for the result.

    Examples
    --------
    >>> nanmedian([4, 1, float("nan"), 2])
    np.float64(2.0)
    """
    if method in unwaited.METHODS and is_on_gpu(x) and not options:
        return unwaited.median(x, method, nan=True)
    return answered(x, lambda keys: selection.nanmedian(keys, method=method, **options))


@overload
def quantile(
    x: npt.ArrayLike,
    q: float,
    *,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    **options: Any,
) -> Number: ...


@overload
def quantile(
    x: npt.ArrayLike,
    q: Sequence[float] | Keys,
    *,
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

    Raises
    ------
    QuantileOutOfRange, QuantileIsNaN, QuantileNotNumber, UnknownQuantileMethod
        There is no such quantile. The other errors are those of `select`.

    Examples
    --------
    >>> quantile([1, 2, 4, 8], [0, 0.5, 0.9])
    array([1. , 3. , 6.8])
    """
    options |= {"method": method, "selector": selector}
    return answered(x, lambda keys: selection.quantile(keys, q, **options))


@overload
def nanquantile(
    x: npt.ArrayLike,
    q: float,
    *,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    **options: Any,
) -> Number: ...


@overload
def nanquantile(
    x: npt.ArrayLike,
    q: Sequence[float] | Keys,
    *,
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
    options |= {"method": method, "selector": selector}
    return answered(x, lambda keys: selection.nanquantile(keys, q, **options))
