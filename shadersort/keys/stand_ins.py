"""Stand-ins: keys that selection does not know are replaced by keys of the same order.

Selection knows floats of 16, 32 and 64 bits, and integers. Booleans are selected as integers of 8
bits. Ranks, counts and places are the same; only the keys that are found are turned back.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class StandIn(ABC):
    """What stands in for keys of a type; takes arrays of NumPy or CuPy.

    Attributes
    ----------
    dtype
        The type of the keys, in native byte order.
    """

    dtype: np.dtype[Any]

    @abstractmethod
    def of(self, keys: Any) -> Any:
        """Return the stand-ins of keys, in the same order."""

    @abstractmethod
    def back(self, found: Any) -> Any:
        """Return the keys of stand-ins: an array, or a scalar of NumPy."""


class Booleans(StandIn):
    """Integers of 8 bits, 0 and 1, in the same memory."""

    def of(self, keys: Any) -> Any:
        """Return the bytes of booleans."""
        return keys.view(np.uint8)

    def back(self, found: Any) -> Any:
        """Return bytes as booleans."""
        return found.view(np.bool_)


def stand_in_of(dtype: np.dtype[Any]) -> StandIn | None:
    """Return what stands in for keys of a type; None if selection takes them as they are.

    Examples
    --------
    >>> stand_in_of(np.dtype(np.bool_)).of(np.array([True, False]))
    array([1, 0], dtype=uint8)
    >>> stand_in_of(np.dtype(np.float32)) is None
    True
    """
    return Booleans(dtype) if dtype.kind == "b" else None
