"""Sorts a CuPy array, NaNs last."""

from typing import Any

from shadersort.keys.in_order import nans_last


def ordered(keys: Any) -> Any:
    """Return a CuPy array in order; CuPy alone puts NaNs with a sign first."""
    import cupy

    found = cupy.sort(keys)
    return nans_last(cupy, found) if keys.dtype.kind == "f" else found
