"""Quantiles of arrays, as NumPy defines them, and weighted quantiles."""

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy.typing as npt

from modern import row_calls
from modern.arrays import Elsewhere, Tensor
from modern.homes import answers_at_home
from modern.quantile_calls import Where, quantile_along
from modern.row_calls import RowCall
from modern.rows.asked import by_name
from modern.rows.nan_policies import NanPolicy, omits
from shadersort.keys.types import Keys, Number
from shadersort.names import QuantileMethod, SelectionMethod
from shadersort.selection.rows.axes import Axis


@overload
def quantile(x: Tensor, q: npt.ArrayLike, **options: Any) -> Tensor: ...


@overload
def quantile(
    x: npt.ArrayLike, q: npt.ArrayLike, *, segments: npt.ArrayLike, **options: Any
) -> Keys: ...


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
    segments: None = ...,
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
    segments: None = ...,
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
    segments: npt.ArrayLike | None = None,
    nan_policy: NanPolicy = "propagate",
    q_per_row: bool = False,
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
    weights
        How much each key counts: of the shape of x, or of its axes named by `axis`. The methods
        "inverted_cdf", as in `np.quantile`, and "averaged_inverted_cdf" take weights. The share of
        a key is the weight of all keys up to it, divided by that of all; the quantile is the first
        key with a share of at least q, or with "averaged_inverted_cdf" the mean of it and of the
        first with a share above q. A weight of zero leaves a key out. Integers are added exactly.
        Floats are added in float64 in the order of the keys, equal keys by their weights. A sum of
        n has a relative error of at most n · 2**-53, so a share may miss q by twice that.
    segments, nan_policy
        As for `median`. The result has the shape of q in front of the axis of the segments.
    q_per_row
        Whether each row has its own q. The last axes of q are then those of the result without
        `keepdims`, and the result has no further axes.

    Raises
    ------
    QuantileOutOfRange, QuantileIsNaN, QuantileNotNumber, UnknownQuantileMethod
        There is no such quantile.
    BadWeights, WeightsNeedAxis, BadSegments, NaNRefused, ValuesMismatch
        The weights, segments, keys or the q of each row are not as above. The other errors are
        those of `select`.

    Examples
    --------
    >>> quantile([1, 2, 4, 8], [0, 0.5, 0.9])
    array([1. , 3. , 6.8])
    >>> quantile([[1, 2, 4, 8], [0, 1, 2, 3]], [0, 0.5], axis=1)
    array([[1. , 0. ],
           [3. , 1.5]])
    >>> quantile([10, 20, 30], 0.5, weights=[1, 1, 3], method="inverted_cdf")
    np.int64(30)
    >>> quantile([[1, 2, 4, 8], [0, 1, 2, 3]], [0.5, 1], axis=1, q_per_row=True)
    array([3., 3.])
    """
    more = {"weights": weights, "segments": segments, "q_per_row": q_per_row}
    nan = omits(x, nan_policy)
    return _quantile(x, q, (axis, keepdims, out), method, selector, options, more, nan=nan)


@overload
def nanquantile(x: Tensor, q: npt.ArrayLike, **options: Any) -> Tensor: ...


@overload
def nanquantile(
    x: npt.ArrayLike, q: npt.ArrayLike, *, segments: npt.ArrayLike, **options: Any
) -> Keys: ...


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
    segments: None = ...,
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
    segments: None = ...,
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
    segments: npt.ArrayLike | None = None,
    q_per_row: bool = False,
    **options: Any,
) -> Any:
    """Return the quantiles of the keys that are not NaN, as `np.nanquantile` does.

    The parameters are those of `quantile`, and NaNs are left out with their weights. If all keys
    are NaN, or a segment has none, so is the result, with a warning.

    Examples
    --------
    >>> nanquantile([1, float("nan"), 2], 0.5, method="lower")
    np.float64(1.0)
    """
    more = {"weights": weights, "segments": segments, "q_per_row": q_per_row}
    return _quantile(x, q, (axis, keepdims, out), method, selector, options, more, nan=True)


def _quantile(
    x: Any,
    q: npt.ArrayLike,
    where: Where,
    method: QuantileMethod,
    selector: SelectionMethod,
    options: dict[str, Any],
    more: dict[str, Any],
    *,
    nan: bool,
) -> Any:
    """Return quantiles by the way that weights, segments or a q of each row need, or as usual."""
    per_row, weights, segments = more["q_per_row"], more["weights"], more["segments"]
    if weights is None and segments is None and not per_row:
        return quantile_along(x, q, where, method, selector, options, nan=nan)
    named = by_name(options, selector=selector)
    own = q if per_row else None
    call = RowCall(x, *where, None, segments, weights, own, named=named, nan=nan)
    return row_calls.quantile(call, q, method)
