"""Sorts arrays, NaNs last: by CuPy on a GPU, by NumPy on the host."""

from typing import Any

import numpy as np

from shadersort.keys.codes import from_ordinals, ordinals
from shadersort.keys.in_order import in_order
from shadersort.keys.types import Keys


def ordered(keys: Any) -> Any:
    """Return a CuPy array in order; CuPy alone puts NaNs with a sign first."""
    import cupy

    found = cupy.sort(keys)
    return _nans_last(cupy, found) if keys.dtype.kind == "f" else found


def host_ordered(keys: Keys) -> Keys:
    """Return a NumPy array in order along its last axis.

    Floats are sorted by their bits, as `np.sort` makes all NaNs alike.
    """
    numbers = ordinals(keys)
    found = from_ordinals(in_order(numbers), keys.dtype, in_place=True)
    if keys.dtype.kind == "f" and found.size:
        rows = found.reshape(-1, found.shape[-1])
        for row in np.flatnonzero(np.isnan(rows[:, 0])):
            rows[row] = _nans_last(np, rows[row])
    return found


def _nans_last(xp: Any, found: Any) -> Any:
    """Move the NaNs at the front, which have a sign, to the end."""
    if not found.size or not bool(xp.isnan(found[0])):
        return found
    signed = xp.count_nonzero(xp.isnan(found) & xp.signbit(found))
    return xp.roll(found, -int(signed))
