"""The types of keys, and what arrays of them are called in annotations."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from shadersort.names import Precision

Key: TypeAlias = Any
"""One key: a NumPy scalar of the type of the keys (annotations cannot say which)."""
Number: TypeAlias = np.number[Any]
"""A key, or a mean of keys, as public functions return it."""

Scalar: TypeAlias = float | np.number[Any]
"""One number, of Python or of NumPy."""
Keys: TypeAlias = npt.NDArray[Any]
"""Keys on the host."""
Integers: TypeAlias = npt.NDArray[np.int64]
"""Ranks, places, or numbers of keys."""
Mask: TypeAlias = npt.NDArray[np.bool_]
"""One flag for each key."""

DTYPES = tuple(np.dtype(name) for name in ("float16", "float32", "int32", "uint32", "uint8"))
"""The types of key that a texture holds."""

BLENDED = tuple(np.dtype(name) for name in ("float16", "float32", "uint8"))
"""Those that blend. Shaders see keys of 8 bits as floats from 0 to 1, in steps of 1/255."""

WIDE = tuple(np.dtype(name) for name in ("float64", "int64", "uint64"))
"""The types of key that are drawn as records of two words."""

PRECISIONS: tuple[Precision, ...] = ("float16", "float32")
"""The precisions in which floats are drawn."""
