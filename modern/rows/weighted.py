"""Weighted quantiles of rows, as `np.quantile` defines them: keys in order, and sums of weights.

The share of a key is the weight of all keys up to it, divided by the weight of its row. The
quantile q is the first key with a share of at least q. Weights are added in float64, in the order
of the keys. Integers whose sum is below 2**53 are therefore added exactly; a sum of n floats has a
relative error of at most n · 2**-53.
"""

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.arrays import as_cupy, is_on_gpu, module_of
from shadersort.errors import BadWeights, WeightsNeedAxis
from shadersort.keys.stand_ins import StandIn, back
from shadersort.selection.quantile_plan import missing_of
from shadersort.selection.rows.axes import Axis, Layout
from shadersort.selection.rows.protocol import Rows
from shadersort.selection.rows.quantiles import warn_of_nan


def quantiles(rows: Rows, stand_in: StandIn | None, weights: Any, q: Any, *, nan: bool) -> Any:
    """Return the quantiles q, which are flat: of shape (q.size, outer, inner).

    The rows may be those of stand-ins. The weights have the shape of the rows. With `nan`, NaNs are
    left out with their weights. Raises BadWeights for a row without a finite weight above zero.

    Examples
    --------
    >>> from shadersort.selection.rows.numpy import NumPyRows
    >>> rows = NumPyRows(np.array([[1, 2, 4, 8], [9, 8, 7, 6]])[:, :, None])
    >>> weights = np.array([[1, 1, 1, 1], [0, 3, 1, 0]])[:, :, None]
    >>> quantiles(rows, None, weights, np.array([0.5]), nan=False).tolist()
    [[[2], [8]]]
    """
    xp, keys = rows.xp, rows.keys
    none = None if stand_in is None else stand_in.none
    missing = keys != keys if none is None else keys == none
    gone = missing.all(axis=1) if nan else missing.any(axis=1)
    if nan:
        weights = xp.where(missing, weights.dtype.type(0), weights)
        if gone.any():
            warn_of_nan()
    order = keys.argsort(axis=1, kind="stable") if xp is np else keys.argsort(axis=1)
    with np.errstate(all="ignore"):
        shares = xp.take_along_axis(weights, order, 1).cumsum(axis=1, dtype=np.float64)
        total = shares[:, -1:]
        if not (((total > 0) & (total < np.inf))[:, 0] | (nan & gone)).all():
            raise BadWeights("Weights included NaN, inf or were all zero")
        shares /= total
    found = xp.empty((q.size, keys.shape[0], keys.shape[2]), keys.dtype)
    for answers, share in zip(found, _above_zero(q), strict=True):
        below = (shares.astype(share.dtype, copy=False) < share).sum(axis=1)
        place = xp.minimum(below, keys.shape[1] - 1)[:, None]
        answers[...] = xp.take_along_axis(keys, xp.take_along_axis(order, place, 1), 1)[:, 0]
    found = back(stand_in, found)
    return xp.where(gone, missing_of(found.dtype), found) if gone.any() else found


def _above_zero(q: Any) -> Any:
    """Return shares as floats, 0 as the smallest above it: so it is the first key with a weight."""
    shares = q if q.dtype.kind == "f" else q.astype(np.float64)
    return np.maximum(shares, np.finfo(shares.dtype).smallest_subnormal)


def weights_of(weights: Any, x: Any, axis: Axis, layout: Layout) -> Any:
    """Return weights where x is, in the shape of its rows (outer, length, inner).

    They have the shape of x, or of its axes that are named by `axis`. Raises BadWeights or
    WeightsNeedAxis, with NumPy's words where NumPy has such an error.

    Examples
    --------
    >>> from shadersort.selection.rows.axes import layout_of
    >>> x = np.zeros((2, 3))
    >>> weights_of([1, 2, 3], x, 1, layout_of(x, 1))[:, :, 0]
    array([[1, 2, 3],
           [1, 2, 3]])
    """
    given = _array(weights, x)
    if given.dtype.kind != "u" and (given < 0).any():
        raise BadWeights("Weights must be non-negative. A weight of zero leaves a key out")
    if given.shape == x.shape:
        return layout.rows(given)
    if axis is None:
        raise WeightsNeedAxis(
            "Axis must be specified when shapes of a and weights differ. They are "
            f"{x.shape} and {given.shape}"
        )
    named: Any = axis
    axes = normalize_axis_tuple(named, x.ndim)
    if given.shape != tuple(x.shape[each] for each in axes):
        raise BadWeights(
            "Shape of weights must be consistent with shape of a along specified axis. They are "
            f"{given.shape} and {x.shape}"
        )
    order = sorted(range(len(axes)), key=axes.__getitem__)
    joined = given.transpose(order).reshape(-1, 1)
    return module_of(joined).broadcast_to(joined, layout.seen)


def _array(weights: Any, x: Any) -> Any:
    """Return weights as an array in the memory of x."""
    if isinstance(weights, np.ma.MaskedArray):
        raise BadWeights("weights are masked: give masked keys the weight 0")
    if is_on_gpu(weights) and not is_on_gpu(x):
        raise BadWeights("the weights are in the memory of a GPU, and the keys are not")
    try:
        given = as_cupy(weights) if is_on_gpu(weights) else np.asarray(weights)
    except ValueError as error:
        raise BadWeights(f"weights are no array of numbers: {error}") from error
    if given.dtype.kind not in "biuf":
        raise BadWeights(f"weights are integers or floats, not {given.dtype}")
    return module_of(x).asarray(given)
