"""Keys that are never drawn: they are set aside before a sort, and put back after it.

Graphics hardware is free to change some floating-point keys: it may flush denormals to zero, lose
or duplicate a NaN, and swap the signs of two zeros. Such keys are set aside before anything is
drawn, and put back where they belong afterwards. Everything else the probe has shown to be kept, so
a sort is a permutation of its input, bit for bit, on every device.

The order is that of `np.sort`, with its ties settled: −0.0 comes before 0.0, and NaNs come last, in
the order in which they came.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Keys

__all__ = ["Aside", "exceptional", "padding", "set_aside"]


def padding(dtype: np.dtype[Any]) -> Any:
    """Return the key that fills a texture up: none sorts after it."""
    return dtype.type(np.inf) if dtype.kind == "f" else np.iinfo(dtype).max


@dataclass(frozen=True, slots=True)
class Aside:
    """Keys that were set aside, to be put back.

    Attributes
    ----------
    nans
        In the order in which they came.
    denormals
        Sorted.
    negative_zeros
        How many: 0.0 was drawn in their place.
    """

    nans: Keys
    denormals: Keys
    negative_zeros: int

    @classmethod
    def of(cls, keys: Keys) -> "Aside":
        """Sort out keys that must not be drawn, all of them `exceptional`."""
        nans, zeros = np.isnan(keys), keys == 0
        denormals = np.sort(keys[~(nans | zeros)])
        return cls(keys[nans], denormals, int(np.count_nonzero(zeros)))

    @property
    def undrawn(self) -> int:
        """Number of keys that are not drawn, nor another in their place."""
        return len(self.nans) + len(self.denormals)

    def put_back(self, ordered: Keys) -> Keys:
        """Return all keys in order, given the sorted rest, which it may change."""
        zero = ordered.dtype.type(0)  # with a Python integer, NumPy would convert all keys
        zeros = int(np.searchsorted(ordered, zero, side="left"))
        above = int(np.searchsorted(ordered, zero, side="right"))
        ordered[zeros : zeros + self.negative_zeros] = -0.0
        if not self.undrawn:
            return ordered
        middle = int(np.searchsorted(self.denormals, zero))
        return np.concatenate(
            [
                ordered[:zeros],
                self.denormals[:middle],
                ordered[zeros:above],
                self.denormals[middle:],
                ordered[above:],
                self.nans,
            ]
        )


def exceptional(keys: Keys, *, keeps_denormals: bool) -> npt.NDArray[np.bool_]:
    """Return where keys lie that must not be drawn: NaN, −0.0, and denormals unless kept."""
    if keys.dtype.kind != "f":
        return np.zeros(keys.shape, np.bool_)
    bits = keys.view(f"u{keys.itemsize}")
    sign = bits.dtype.type(1 << (8 * keys.itemsize - 1))
    magnitude = bits & ~sign
    infinity, tiny = (keys.dtype.type(x).view(bits.dtype) for x in (np.inf, _tiny(keys.dtype)))
    found = np.asarray((magnitude > infinity) | (bits == sign))
    if not keeps_denormals:
        found |= (magnitude > 0) & (magnitude < tiny)
    return found


def set_aside(keys: Keys, *, keeps_denormals: bool) -> tuple[Keys, Aside | None]:
    """Split keys into those that may be drawn and those that may not; None if all may.

    Examples
    --------
    >>> drawn, aside = set_aside(np.float32([1, np.nan, -0.0]), keeps_denormals=True)
    >>> drawn, aside.put_back(np.sort(drawn))
    (array([1., 0.], dtype=float32), array([-0.,  1., nan], dtype=float32))
    """
    apart = exceptional(keys, keeps_denormals=keeps_denormals)
    if not apart.any():
        return keys, None
    aside = Aside.of(keys[apart])
    return np.concatenate([keys[~apart], np.zeros(aside.negative_zeros, keys.dtype)]), aside


def _tiny(dtype: np.dtype[Any]) -> float:
    """Return the smallest normal number."""
    return float(np.finfo(dtype).tiny)
