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
from shadersort.keys.key_casts import restore
from shadersort.keys.types import Keys
from shadersort.selection.quantile_plan import ALL_NAN, missing_of


def weighted_quantiles(rows: Any, weights: Any, q: Keys, *, nan: bool, xp: Any = np) -> Any:
    """Return the quantiles q of `HostRows`, whose keys may be an array of `xp`: (*q.shape, *rows).

    A row that has a NaN gets NaN; with `nan`, NaNs are left out with their weights. Raises
    BadWeights or WeightsNeedAxis, in NumPy's words where NumPy has such an error.
    """
    keys, cast, left = rows.keys, rows.key_cast, rows.layout.left
    weights = _weights_in_rows(weights, rows, xp)
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
    found = xp.empty((q.size, *left), keys.dtype)
    # 0 is the smallest share above it, so that it is the first key with a weight
    least = (q if q.dtype.kind == "f" else q.astype(np.float64)).ravel()
    for at, share in enumerate(np.maximum(least, np.finfo(least.dtype).smallest_subnormal)):
        below = (shares.astype(share.dtype, copy=False) < share).sum(axis=-1)
        place = xp.minimum(below, rows.length - 1)[..., None]
        place = xp.take_along_axis(order, place, -1)
        found[at, ...] = xp.take_along_axis(keys, place, -1)[..., 0]
    found = restore(cast, found).reshape(q.shape + left)
    return xp.where(gone, missing_of(found.dtype), found) if gone.any() else found


def _weights_in_rows(weights: Any, rows: Any, xp: Any) -> Any:
    """Return weights of the shape of the keys, or of the axes of the rows, as rows."""
    if weights.dtype.kind not in "biuf":
        raise BadWeights(f"weights are integers or floats, not {weights.dtype}")
    if weights.dtype.kind != "u" and (weights < 0).any():
        raise BadWeights("Weights must be non-negative. A weight of zero leaves a key out")
    shape, theirs = rows.array.shape, weights.shape
    if theirs == shape:
        return weights.transpose(rows.layout.order).reshape(rows.keys.shape)
    if rows.axis is None:
        raise WeightsNeedAxis(
            "Axis must be specified when shapes of a and weights differ. They are "
            f"{shape} and {theirs}"
        )
    axes = normalize_axis_tuple(rows.axis, len(shape))
    if theirs != tuple(shape[each] for each in axes):
        raise BadWeights(
            "Shape of weights must be consistent with shape of a along specified axis. They are "
            f"{theirs} and {shape}"
        )
    order = sorted(range(len(axes)), key=axes.__getitem__)
    return xp.broadcast_to(weights.transpose(order).reshape(-1), rows.keys.shape)
