"""Points that are asked about: the rank of a number, the count up to it, the edges of bins."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import QuantileOutOfRange, UnsupportedKeys
from shadersort.keys.columns import is_typed
from shadersort.keys.types import Keys
from shadersort.streams.values import unrounded


def as_points(x: npt.ArrayLike, dtype: np.dtype[Any]) -> Keys:
    """Return points as an array of numbers, or raise UnsupportedKeys or QuantileOutOfRange.

    Python's floats are rounded to the type of the stream, `dtype`, as an update rounds them; a
    float beyond the range of that type stays as it is. Numbers of NumPy are never changed.
    """
    if isinstance(x, np.ma.MaskedArray):
        raise UnsupportedKeys("masked arrays are no points: pass points.compressed()")
    try:
        points = unrounded(np.asarray(x), x)
    except ValueError as error:
        raise UnsupportedKeys(f"points are a number or an array of numbers: {error}") from error
    if points.dtype.kind not in "iuf":
        raise UnsupportedKeys(f"points are numbers, not {points.dtype}: {x!r:.60}")
    if points.dtype.kind != "f":
        return points
    if np.isnan(points).any():
        raise QuantileOutOfRange("no value is at most NaN, so it has no rank: ask for numbers")
    if is_typed(x) or dtype.kind != "f":
        return points
    with np.errstate(all="ignore"):
        rounded = points.astype(dtype).astype(points.dtype)
    return np.where(np.isinf(rounded), points, rounded)


def gaps(values: Keys, points: Keys, side: str) -> Any:
    """Return what `np.searchsorted` does, but compare integers with other numbers exactly."""
    if values.dtype.kind == "f" and points.dtype.kind != "f":
        points = _nearest_floats(points, side)
    if values.dtype.kind == "f" or points.dtype == values.dtype:
        return np.searchsorted(values, points, side=side)  # type: ignore[call-overload]
    limits = np.iinfo(values.dtype)
    if points.dtype.kind == "f":  # an integer is at most x if it is at most ⌊x⌋
        points = (np.floor if side == "right" else np.ceil)(points.astype(np.float64))
        beyond = points >= float(limits.max) + (limits.bits < 64)
    else:
        beyond = points > int(limits.max)
    before = points < int(limits.min)
    inside = np.where(beyond | before, 0, points).astype(values.dtype)
    gap = np.searchsorted(values, inside, side=side)  # type: ignore[call-overload]
    return np.where(beyond, len(values), np.where(before, 0, gap))


def _nearest_floats(points: Keys, side: str) -> npt.NDArray[np.float64]:
    """Return floats that divide all floats as integers do.

    A float is at most n if it is at most the largest float that is at most n, and it is less than n
    if it is less than the smallest float that is at least n.
    """
    floats, limits = points.astype(np.float64), np.iinfo(points.dtype)
    above = floats >= float(limits.max) + (limits.bits < 64)  # 2**63 or 2**64: no such integer
    back = np.where(above, 0, floats).astype(points.dtype)
    wrong = above | (back > points) if side == "right" else ~above & (back < points)
    return np.where(wrong, np.nextafter(floats, -np.inf if side == "right" else np.inf), floats)
