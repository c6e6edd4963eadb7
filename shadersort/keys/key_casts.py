"""Casts of keys: keys of types that selection does not know become keys in the same order.

Selection knows floats of 16, 32 and 64 bits, and integers. Ranks, counts and places of other keys
are those of the cast keys; only the keys that are found are cast back:

==============  =========================================================
booleans        integers of 8 bits
bfloat16        float32, which has the same exponents and a longer mantissa
datetime64,     integers of 64 bits, less one: so NaT, the least integer,
timedelta64     becomes the largest one, and comes last as in `np.sort`
==============  =========================================================
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np


@dataclass(frozen=True)
class KeyCast(ABC):
    """Casts keys of a type, and back; takes arrays of NumPy or CuPy, and scalars of NumPy.

    Attributes
    ----------
    dtype
        The type of the keys, in native byte order.
    none
        The cast NaT; None if cast keys are NaN where keys are.
    """

    dtype: np.dtype[Any]
    none: ClassVar[Any] = None

    @abstractmethod
    def cast(self, keys: Any) -> Any:
        """Return cast keys, in the same order."""

    @abstractmethod
    def restore(self, found: Any) -> Any:
        """Return the keys of cast ones."""


class Booleans(KeyCast):
    """Integers of 8 bits, 0 and 1."""

    def cast(self, keys: Any) -> Any:
        """Return the bytes of booleans."""
        return keys.view(np.uint8)

    def restore(self, found: Any) -> Any:
        """Return bytes as booleans."""
        return found.view(np.bool_)


class Bfloats(KeyCast):
    """float32, whose first 16 bits are those of a bfloat16."""

    def cast(self, keys: Any) -> Any:
        """Return keys as float32, exactly; a NaN keeps its bits."""
        return (keys.view(np.uint16).astype(np.uint32) << 16).view(np.float32)

    def restore(self, found: Any) -> Any:
        """Return the nearest bfloat16; of two equally near ones, the even one."""
        bits = found.view(np.uint32)
        up = (0x7FFF + (bits >> 16 & 1)) * (found == found)  # a NaN keeps its first bits
        return (bits + up >> 16).astype(np.uint16).view(self.dtype)


class Times(KeyCast):
    """Integers of 64 bits, less one."""

    none = np.int64(np.iinfo(np.int64).max)

    def cast(self, keys: Any) -> Any:
        """Return times as integers; a difference beyond the range wraps, as that of NaT should."""
        return keys.view(np.int64) - 1

    def restore(self, found: Any) -> Any:
        """Return integers as times."""
        with np.errstate(over="ignore"):
            return (found + 1).view(self.dtype)


def is_bfloat16(dtype: np.dtype[Any]) -> bool:
    """Whether a type is bfloat16, as the package ml_dtypes adds it to NumPy.

    Examples
    --------
    >>> is_bfloat16(np.dtype(np.float16))
    False
    """
    # asked of every array: the name of a type takes longer than a selection from a few keys
    return dtype.itemsize == 2 and dtype.kind not in "fiu" and dtype.name == "bfloat16"


def may_be_missing(dtype: np.dtype[Any]) -> bool:
    """Whether keys of a type may be NaN or NaT.

    Examples
    --------
    >>> may_be_missing(np.dtype(np.int8)), may_be_missing(np.dtype("datetime64[D]"))
    (False, True)
    """
    return dtype.kind in "fmM" or is_bfloat16(dtype)


def key_cast_of(dtype: np.dtype[Any]) -> KeyCast | None:
    """Return the cast for keys of a type; None if selection takes them as they are.

    Examples
    --------
    >>> times = key_cast_of(np.dtype("datetime64[D]"))
    >>> times.cast(np.array(["1970-01-02", "NaT"], "datetime64[D]"))
    array([                  0, 9223372036854775807])
    >>> times.restore(np.array([0]))
    array(['1970-01-02'], dtype='datetime64[D]')
    >>> key_cast_of(np.dtype(np.float32)) is None
    True
    """
    if dtype.kind in "fiu":  # the usual case
        return None
    if dtype.kind == "b":
        return Booleans(dtype)
    if dtype.kind in "mM":
        return Times(dtype)
    if is_bfloat16(dtype):
        return Bfloats(dtype)
    return None


def restore(key_cast: KeyCast | None, found: Any) -> Any:
    """Return the keys of cast ones; what was found as it is, if there is no cast.

    Examples
    --------
    >>> restore(key_cast_of(np.dtype(bool)), np.array([1, 0], np.uint8))
    array([ True, False])
    """
    return found if key_cast is None else key_cast.restore(found)
