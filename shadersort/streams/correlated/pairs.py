"""Pairs of numbers, in two arrays that are cut together: what `CorrelatedSum` takes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs (x, y), or windows of them; both arrays lie on the host, or on one device.

    Attributes
    ----------
    x
        Values, without NaNs.
    y
        A finite mass for each; float64.

    Examples
    --------
    >>> pairs = Pairs(np.arange(4), np.ones(4))
    >>> len(pairs[:3]), pairs.reshape(-1, 2).x.tolist()
    (3, [[0, 1], [2, 3]])
    """

    x: Any
    y: Any

    @classmethod
    def unpack(cls, packed: npt.NDArray[Any]) -> "Pairs":
        """Return pairs from an array with the fields "x" and "y"."""
        return cls(*(np.ascontiguousarray(packed[name]) for name in ("x", "y")))

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, which: Any) -> "Pairs":
        return Pairs(self.x[which], self.y[which])

    def reshape(self, *shape: int) -> "Pairs":
        """Return windows of the pairs."""
        return Pairs(self.x.reshape(*shape), self.y.reshape(*shape))

    def packed(self) -> npt.NDArray[Any]:
        """Return pairs of the host as one array with the fields "x" and "y"."""
        found = np.empty(self.x.shape, pair_type(self.x.dtype))
        found["x"], found["y"] = self.x, self.y
        return found


def pair_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of packed pairs, given that of x."""
    return np.dtype([("x", dtype), ("y", np.float64)])
