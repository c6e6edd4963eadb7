"""Medians of arrays, as NumPy defines them, and weighted medians."""

from typing import Any, Literal, overload

import numpy.typing as npt

from modern import row_calls
from modern.arrays import Elsewhere, Tensor
from modern.gradients import of_median
from modern.homes import answers_at_home
from modern.quantile_calls import Where, median_along
from modern.row_calls import RowCall
from modern.rows.asked import by_name
from modern.rows.nan_policies import NanPolicy, omits
from shadersort.keys.types import Keys, Number
from shadersort.names import SelectionMethod
from shadersort.selection.rows.axes import Axis


@overload
def median(x: Tensor, **options: Any) -> Tensor: ...


@overload
def median(x: npt.ArrayLike, *, segments: npt.ArrayLike, **options: Any) -> Keys: ...


@overload
def median(
    x: npt.ArrayLike,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
    method: SelectionMethod = ...,
    segments: None = ...,
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
    weights: npt.ArrayLike | None = None,
    segments: npt.ArrayLike | None = None,
    nan_policy: NanPolicy = "propagate",
    **options: Any,
) -> Any:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    The parameters are those of `select`, `as_printed` among them. Without an axis, the median is
    that of all keys. In PyTorch it has a gradient, unless there are weights, segments or a policy
    for NaNs: half goes to each middle key.

    Parameters
    ----------
    weights
        As for `quantile`. The weighted median is the quantile 0.5 by "averaged_inverted_cdf": the
        mean of two keys if those up to the lower one have exactly half of the weight. So equal
        weights give the unweighted median, and "inverted_cdf" would give the lower key.
    segments
        As for `select`. A row without keys has the median NaN.
    nan_policy
        What a NaN does, in SciPy's words: "propagate" makes the median NaN, "omit" leaves NaNs out
        with their weights, as `nanmedian` does, and "raise" raises NaNRefused.

    Raises
    ------
    BadWeights, WeightsNeedAxis, BadSegments, NaNRefused
        The weights, segments or keys are not as above. The other errors are those of `select`.

    Examples
    --------
    >>> median([4, 1, 2, 3], method="cutting-plane")
    np.float64(2.5)
    >>> median([[4, 1, 2], [9, 7, 8]], axis=1, keepdims=True)
    array([[2.],
           [8.]])
    >>> median([10, 20, 30], weights=[1, 1, 2])
    np.float64(25.0)
    >>> median([4, 1, 2, 9, 7], segments=[0, 3, 5])
    array([2., 8.])
    """
    nan = omits(x, nan_policy)
    return _median(x, (axis, keepdims, out), method, options, weights, segments, nan=nan)


@overload
def nanmedian(x: Tensor, **options: Any) -> Tensor: ...


@overload
def nanmedian(x: npt.ArrayLike, *, segments: npt.ArrayLike, **options: Any) -> Keys: ...


@overload
def nanmedian(
    x: npt.ArrayLike,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
    method: SelectionMethod = ...,
    segments: None = ...,
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
    weights: npt.ArrayLike | None = None,
    segments: npt.ArrayLike | None = None,
    **options: Any,
) -> Any:
    """Return the median of the keys that are not NaN, as `np.nanmedian` does.

    The parameters are those of `median`, and NaNs are left out with their weights. If all keys are
    NaN, the result is NaN with a warning; without the warning on a GPU, where nothing waits for the
    result. A segment without keys also has NaN with a warning.

    Examples
    --------
    >>> nanmedian([4, 1, float("nan"), 2])
    np.float64(2.0)
    """
    return _median(x, (axis, keepdims, out), method, options, weights, segments, nan=True)


def _median(
    x: Any, where: Where, method: Any, options: Any, weights: Any, segments: Any, *, nan: bool
) -> Any:
    """Return medians by the way that weights and segments need, or by the usual one."""
    if weights is None and segments is None:
        return median_along(x, where, method, options, nan=nan)
    named = by_name(options, method=method)
    call = RowCall(x, *where, None, segments, weights, named=named, nan=nan)
    return row_calls.median(call)
