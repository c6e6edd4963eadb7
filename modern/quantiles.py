"""Quantiles of arrays, as NumPy defines them, and weighted quantiles."""

from typing import Any

import numpy as np
import numpy.typing as npt

from modern.opening import fill_result, is_on_gpu, open_rows
from modern.selection import named_options, search
from modern.tensors import as_numpy
from shadersort import selection
from shadersort.errors import BadWeights, MethodUnavailable
from shadersort.names import QuantileMethod, SelectionMethod
from shadersort.selection.quantile_plan import quantiles_of_none, shares_of
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.protocol import Rows


def quantile(
    x: Any,
    q: npt.ArrayLike,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: QuantileMethod = "linear",
    selector: SelectionMethod = "auto",
    weights: Any = None,
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
        A weight of zero leaves a key out. Weights are added in float64, on the host in the order of
        the keys.

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
    rows = open_rows("quantile", x, axis, keepdims=keepdims, out=out, options=options)
    return _quantiles(rows, q, method, weights, {"selector": selector, **options}, nan=False)


def nanquantile(
    x: Any,
    q: npt.ArrayLike,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: QuantileMethod = "linear",
    selector: SelectionMethod = "auto",
    weights: Any = None,
    **options: Any,
) -> Any:
    """Return the quantiles of the keys that are not NaN, as `np.nanquantile` does.

    The parameters are those of `quantile`, and NaNs are left out with their weights. If all keys
    are NaN, so is the result, with a warning; without the warning on a GPU.

    Examples
    --------
    >>> nanquantile([1, float("nan"), 2], 0.5, method="lower")
    np.float64(1.0)
    """
    rows = open_rows("nanquantile", x, axis, keepdims=keepdims, out=out, options=options)
    return _quantiles(rows, q, method, weights, {"selector": selector, **options}, nan=True)


def _quantiles(
    rows: Rows, q: Any, method: str, weights: Any, options: dict[str, Any], *, nan: bool
) -> Any:
    """Return the quantiles of rows; `options` are those of the search, `selector` among them."""
    q = q if type(q) is float else as_numpy(q)
    shape = () if type(q) is float else np.shape(q)
    if weights is not None:
        if method != "inverted_cdf":
            shares_of(0, method)  # raises an error if there is no such method
            raise BadWeights(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
        if named := named_options(options):
            raise MethodUnavailable(
                f"weights have a method of their own, without {named}: leave that out"
            )
    if not rows.length:
        return fill_result(rows, quantiles_of_none(rows.dtype, q, method))
    if weights is not None:
        weights = _check_weights(weights, on_gpu=rows.xp is not np)
        found = rows.weighted_quantiles(weights, shares_of(q, method), nan=nan)
        return rows.result(found, shape)
    if len(options) > 1 or options["selector"] != "auto":
        return search(rows, selection.quantile, q, nan=nan, method=method, **options)
    return rows.result(rows.quantiles(q, method, nan=nan), shape)


def _check_weights(weights: Any, *, on_gpu: bool) -> Any:
    """Return weights on a GPU as they are, others as an array of NumPy; or raise BadWeights."""
    if isinstance(weights, np.ma.MaskedArray):
        raise BadWeights("weights are masked: give masked keys the weight 0")
    if is_on_gpu(weights):
        if not on_gpu:
            raise BadWeights("the weights are in the memory of a GPU, and the keys are not")
        return weights
    try:
        return np.asarray(as_numpy(weights))
    except ValueError as error:
        raise BadWeights(f"weights are no array of numbers: {error}") from error
