"""Pairs of numbers, in two arrays that are cut together: what `CorrelatedSum` takes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import NotFinite


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs (x, y), or windows of them; both arrays lie on the host, or on one device."""

    x: Any  # values without NaNs
    y: Any  # a finite mass for each; float64

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

    def drop_nans(self) -> tuple["Pairs", int]:
        """Return the pairs without a NaN and the number of others; NotFinite if a y is infinite."""
        with np.errstate(over="ignore", invalid="ignore"):
            total = self.y.sum() + (self.x.sum(dtype=np.float64) if self.x.dtype.kind == "f" else 0)
            if total - total == 0:  # then each number is finite
                return self, 0
        if (abs(self.y) == np.inf).any():
            raise NotFinite("a y is infinite: every sum with it would be, too")
        present = (self.x == self.x) & (self.y == self.y)
        missing = len(self) - int(present.sum())
        return (self[present] if missing else self), missing


def pair_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of packed pairs, given that of x."""
    return np.dtype([("x", dtype), ("y", np.float64)])
