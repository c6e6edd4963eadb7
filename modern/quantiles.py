"""Quantiles of arrays, as NumPy defines them, and weighted quantiles."""

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from modern.arrays import Elsewhere, Tensor, answered, is_on_gpu
from modern.homes import answers_at_home
from modern.rows.asked import Where, asked, by_name, is_flat, shaped
from shadersort import selection
from shadersort.errors import BadWeights, MethodUnavailable
from shadersort.keys.types import Keys, Number
from shadersort.names import QuantileMethod, SelectionMethod
from shadersort.selection.quantile_plan import quantiles_of_none, shares_of
from shadersort.selection.rows.axes import Axis


@overload
def quantile(x: Tensor, q: npt.ArrayLike, **options: Any) -> Tensor: ...


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
def quantile(x: Elsewhere, q: npt.ArrayLike, **options: Any) -> Any: ...


@answers_at_home(front="q")
def quantile(
    x: npt.ArrayLike | Elsewhere,
    q: npt.ArrayLike,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: QuantileMethod = "linear",
    selector: SelectionMethod = "auto",
    weights: npt.ArrayLike | None = None,
    **options: Any,
) -> Any:
    """Return the quantiles q as `np.quantile` does: of the shape of q, all NaN if any key is.

    The quantiles of no keys are NaN, with a RuntimeWarning.

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
    weights
        How much each key counts: of the shape of x, or of its axes named by `axis`. As in NumPy,
        only the method "inverted_cdf" takes weights. The share of a key is the weight of all keys
        up to it, divided by that of all; the quantile is the first key with a share of at least q.
        A weight of zero leaves a key out. Weights are added in float64 in the order of the keys.

    Raises
    ------
    QuantileOutOfRange, QuantileNotNumber, UnknownName
        There is no such quantile.
    BadWeights, WeightsNeedAxis
        The weights are not as above. The other errors are those of `select`.

    Examples
    --------
    >>> quantile([1, 2, 4, 8], [0, 0.5, 0.9])
    array([1. , 3. , 6.8])
    >>> quantile([[1, 2, 4, 8], [0, 1, 2, 3]], [0, 0.5], axis=1)
    array([[1. , 0. ],
           [3. , 1.5]])
    >>> quantile([10, 20, 30], 0.5, weights=[1, 1, 3], method="inverted_cdf")
    np.int64(30)
    """
    where = axis, keepdims, out
    if weights is not None:
        _check_weighted(method, by_name(options, selector=selector))
        return _weighted(x, q, where, weights, nan=False)
    return _quantile(x, q, where, method, selector, options, nan=False)


@overload
def nanquantile(x: Tensor, q: npt.ArrayLike, **options: Any) -> Tensor: ...


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
def nanquantile(x: Elsewhere, q: npt.ArrayLike, **options: Any) -> Any: ...


@answers_at_home(front="q")
def nanquantile(
    x: npt.ArrayLike | Elsewhere,
    q: npt.ArrayLike,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: QuantileMethod = "linear",
    selector: SelectionMethod = "auto",
    weights: npt.ArrayLike | None = None,
    **options: Any,
) -> Any:
    """Return the quantiles of the keys that are not NaN, as `np.nanquantile` does.

    The parameters are those of `quantile`, and NaNs are left out with their weights. If all keys
    are NaN, so is the result, with a warning.

    Examples
    --------
    >>> nanquantile([1, float("nan"), 2], 0.5, method="lower")
    np.float64(1.0)
    """
    where = axis, keepdims, out
    if weights is not None:
        _check_weighted(method, by_name(options, selector=selector))
        return _weighted(x, q, where, weights, nan=True)
    return _quantile(x, q, where, method, selector, options, nan=True)


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
    named, x = by_name(options, selector=selector), shaped(x)

    def of_one_row(row: Any, q: npt.ArrayLike) -> Any:
        ask = selection.nanquantile if nan else selection.quantile
        return answered(row, lambda keys: ask(keys, q, method=method, selector=selector, **options))

    if (named or is_on_gpu(x)) and is_flat(x, *where) and 0 not in x.shape:
        return of_one_row(x, q)
    with asked(x, *where) as call:
        if not call.rows.length:
            return call.filled(quantiles_of_none(call.array.dtype, q, method))
        # Only without an axis left, NumPy's NaN for an array without dimensions has the keys' type.
        single = isinstance(q, np.ndarray) and not q.ndim and call.rows.layout.left
        wanted = np.reshape(q, 1) if single else q
        found = call.by_one_row(
            lambda row: of_one_row(row, wanted)[0] if single else of_one_row(row, q), named
        )
        if found is not None:
            return found
        return call.rows.result(call.rows.quantiles(q, method, nan=nan), np.shape(q))


def _check_weighted(method: str, named: str) -> None:
    """Raise an error unless weights go with a method of quantiles and with what `named` names."""
    if method != "inverted_cdf":
        shares_of(0, method)
        raise BadWeights(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if named:
        raise MethodUnavailable(
            f"weights have a method of their own, without {named}: leave that out"
        )


def _weighted(x: Any, q: npt.ArrayLike, where: Where, weights: Any, *, nan: bool) -> Any:
    """Return weighted quantiles along axes, by the method "inverted_cdf"."""
    if isinstance(weights, np.ma.MaskedArray):
        raise BadWeights("weights are masked: give masked keys the weight 0")
    shares, x = shares_of(q, "inverted_cdf"), shaped(x)
    with asked(x, *where) as call:
        if not call.rows.length:
            return call.filled(quantiles_of_none(call.array.dtype, q, "inverted_cdf"))
        try:
            given = np.asarray(weights)
        except ValueError as error:
            raise BadWeights(f"weights are no array of numbers: {error}") from error
        found = call.rows.weighted(given, shares, where[0], nan=nan)
        return call.rows.result(found, shares.shape)
