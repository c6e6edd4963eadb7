"""Numbers and NaNs among the keys of a type on a GPU, by their bits.

CuPy takes denormals of float32 for zeros, and does not compute with bfloat16.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import cupy
import numpy as np

from shadersort.keys.limits import limits
from shadersort.keys.stand_ins import is_bfloat16

_is_nan: Any = cupy.ElementwiseKernel(
    "T bits, T size, T infinite",  # size: all bits but the sign
    "bool nan",
    "nan = (bits & size) > infinite",
    "is_nan_by_bits",
)

_numbers: Any = cupy.ReductionKernel(
    "T bits, T size, T infinite",
    "int64 numbers",
    "(bits & size) <= infinite",
    "a + b",
    "numbers = a",
    "0",
    "numbers_by_bits",
)

_same: Any = cupy.ElementwiseKernel(
    "T key, T wanted, T infinite",  # twice: without the sign
    "bool same",
    "T some = key << 1, other = wanted << 1;"
    "same = key == wanted || (some | other) == 0 || (some > infinite && other > infinite)",
    "same_by_bits",
)


@dataclass(frozen=True)
class NumbersOf:
    """What the bits of keys say about them.

    Attributes
    ----------
    stored
        The type of arrays of keys: of bfloat16, that of its bits.
    infinite
        The bits of infinity; None of integers.
    """

    stored: np.dtype[Any]
    infinite: int | None

    @property
    def raw(self) -> np.dtype[Any]:
        """The type of the bits."""
        return np.dtype(f"u{self.stored.itemsize}")

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << 8 * self.stored.itemsize - 1

    @property
    def limits(self) -> tuple[Any, Any]:
        """The least and the largest number of the type, as arrays store them."""
        if self.infinite is None or self.stored.kind == "f":
            return limits(self.stored)
        return self.raw.type(self.infinite | self.sign), self.raw.type(self.infinite)

    def are_nan(self, keys: Any) -> Any:
        """Return which keys are NaN."""
        if self.infinite is None:
            return cupy.zeros(keys.shape, bool)
        return _is_nan(keys.view(self.raw), *self._of_numbers)

    def counted(self, keys: Any) -> Any:
        """Return how many keys are numbers, int64, along axis 1."""
        outer, length, inner = keys.shape
        if self.infinite is None:
            return cupy.full((outer, inner), length, np.int64)
        return _numbers(keys.view(self.raw), *self._of_numbers, axis=1)

    def same(self, keys: Any, wanted: Any) -> Any:
        """Return which keys are the wanted ones: zeros have one value, and so have NaNs."""
        if self.infinite is None:
            return keys == wanted
        twice = self.raw.type(2 * self.infinite)
        return _same(keys.view(self.raw), wanted.view(self.raw), twice)

    @property
    def _of_numbers(self) -> tuple[Any, Any]:
        return self.raw.type(self.sign - 1), self.raw.type(self.infinite or 0)


@cache
def numbers_of(dtype: np.dtype[Any]) -> NumbersOf:
    """Return what the bits of keys of a type say about them.

    Examples
    --------
    >>> numbers_of(np.dtype(np.float16)).limits
    (np.float16(-inf), np.float16(inf))
    """
    if is_bfloat16(dtype):
        return NumbersOf(np.dtype(np.uint16), 0x7F80)
    if dtype.kind != "f":
        return NumbersOf(dtype, None)
    raw = np.dtype(f"u{dtype.itemsize}")
    return NumbersOf(dtype, int(np.array(np.inf, dtype).view(raw)))
