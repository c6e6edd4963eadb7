"""Weighted quantiles of rows, as `np.quantile` defines them: keys in order, and sums of weights.

The share of a key is the weight of all keys up to it, divided by the weight of its row. The
quantile q is the first key with a share of at least q. Weights are added in float64, in the order
of the keys: exactly if they are integers with a sum below 2**53, else with a relative error of at
most n · 2**-53.
"""

import warnings
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from shadersort.errors import BadWeights, WeightsNeedAxis
from shadersort.keys.key_casts import key_cast_of, restore
from shadersort.keys.types import Keys
from shadersort.selection.quantile_plan import ALL_NAN, missing_of
from shadersort.selection.rows.axes import Axis, Layout, Sizes, layout_of


def weighted_quantiles(
    array: Any, weights: Any, axis: Axis, q: Keys, *, nan: bool, xp: Any = np
) -> Any:
    """Return the quantiles q of the rows of an array along an axis: (*q.shape, *other axes).

    A row that has a NaN gets NaN; with `nan`, NaNs are left out with their weights. Arrays are of
    `xp`. Raises BadWeights or WeightsNeedAxis, in NumPy's words where NumPy has such an error.

    Examples
    --------
    >>> keys, weights = np.array([[1, 2, 4], [9, 8, 7]]), np.array([[1, 1, 1], [0, 3, 1]])
    >>> weighted_quantiles(keys, weights, 1, np.array([0.5]), nan=False)
    array([[2, 8]])
    """
    layout, cast = layout_of(array.shape, axis), key_cast_of(np.dtype(array.dtype))
    rows = (*layout.left, layout.length)
    weights = _weights_in_rows(weights, array.shape, axis, layout, xp)
    keys = (array if cast is None else cast.cast(array)).transpose(layout.order).reshape(rows)
    missing = keys != keys if cast is None or cast.none is None else keys == cast.none
    gone = missing.all(axis=-1) if nan else missing.any(axis=-1)
    if nan:
        weights = xp.where(missing, weights.dtype.type(0), weights)
        if gone.any():
            warnings.warn(ALL_NAN, RuntimeWarning, stacklevel=4)
    order = keys.argsort(axis=-1, kind="stable") if xp is np else keys.argsort(axis=-1)
    with np.errstate(all="ignore"):
        shares = xp.take_along_axis(weights, order, -1).cumsum(axis=-1, dtype=np.float64)
        total = shares[..., -1:]
        if not (((total > 0) & (total < np.inf))[..., 0] | (nan & gone)).all():
            raise BadWeights("Weights included NaN, inf or were all zero")
        shares /= total
    found = xp.empty((q.size, *layout.left), keys.dtype)
    # 0 is the smallest share above it, so that it is the first key with a weight
    least = (q if q.dtype.kind == "f" else q.astype(np.float64)).ravel()
    for at, share in enumerate(np.maximum(least, np.finfo(least.dtype).smallest_subnormal)):
        below = (shares.astype(share.dtype, copy=False) < share).sum(axis=-1)
        place = xp.minimum(below, layout.length - 1)[..., None]
        place = xp.take_along_axis(order, place, -1)
        found[at, ...] = xp.take_along_axis(keys, place, -1)[..., 0]
    found = restore(cast, found).reshape(q.shape + layout.left)
    return xp.where(gone, missing_of(found.dtype), found) if gone.any() else found


def _weights_in_rows(weights: Any, shape: Sizes, axis: Axis, layout: Layout, xp: Any) -> Any:
    """Return weights of the shape of the keys, or of its axes named by `axis`, as rows."""
    if weights.dtype.kind not in "biuf":
        raise BadWeights(f"weights are integers or floats, not {weights.dtype}")
    if weights.dtype.kind != "u" and (weights < 0).any():
        raise BadWeights("Weights must be non-negative. A weight of zero leaves a key out")
    rows = (*layout.left, layout.length)
    if weights.shape == shape:
        return weights.transpose(layout.order).reshape(rows)
    if axis is None:
        raise WeightsNeedAxis(
            "Axis must be specified when shapes of a and weights differ. They are "
            f"{shape} and {weights.shape}"
        )
    axes = normalize_axis_tuple(axis, len(shape))
    if weights.shape != tuple(shape[each] for each in axes):
        raise BadWeights(
            "Shape of weights must be consistent with shape of a along specified axis. They are "
            f"{weights.shape} and {shape}"
        )
    order = sorted(range(len(axes)), key=axes.__getitem__)
    return xp.broadcast_to(weights.transpose(order).reshape(-1), rows)
