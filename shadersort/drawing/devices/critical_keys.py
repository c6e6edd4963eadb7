"""Keys at which drivers differ: what a probe compares in pairs."""

from typing import Any

import numpy as np

from shadersort.keys.types import Keys


def finite_keys(dtype: np.dtype[Any]) -> Keys:
    """Return keys that any device must compare exactly.

    Examples
    --------
    >>> float(finite_keys(np.dtype(np.float16)).max())
    65504.0
    """
    if dtype.kind != "f":
        info = np.iinfo(dtype)
        near = [info.min, info.min + 1, info.max // 2, info.max // 2 + 1, info.max - 1, info.max]
        return np.array([*near, 0, 1, 2, 2**24, 2**24 + 1], dtype)
    limits = np.finfo(dtype)
    positive = np.array([limits.tiny, limits.eps, 1, 1 + limits.eps, limits.max], dtype)
    return np.concatenate([-positive, positive, np.zeros(1, dtype)])


def infinite_keys(dtype: np.dtype[Any]) -> Keys:
    """Return both infinities; integers have none."""
    return np.array([-np.inf, np.inf] if dtype.kind == "f" else [], dtype)


def denormal_keys(dtype: np.dtype[Any]) -> Keys:
    """Return denormals, and the keys around them."""
    limits = np.finfo(dtype)
    smallest = limits.smallest_subnormal
    positive = np.array([smallest, 2 * smallest, limits.tiny - smallest, limits.tiny, 1], dtype)
    return np.concatenate([-positive, positive, np.zeros(1, dtype)])
