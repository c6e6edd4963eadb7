"""Keys on their way to a texture, and keys that stay on the host.

A driver may flush denormals to zero, and may order NaN and −0.0 in its own way. So only zero,
infinity and normal numbers are drawn. A NaN or a denormal is drawn as padding, +∞, and the host
adds its part to each answer; −0.0 is drawn as 0.0. A denormal pivot is replaced by the next number
that may be drawn: the same drawn keys are below both.
"""

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS, texture_size, window_texels
from shadersort.keys.types import Key, Keys
from shadersort.keys.undrawable import Undrawable, undrawable_mask

TINY = np.finfo(np.float32).tiny
"""The smallest positive normal number."""


@dataclass(frozen=True, eq=False)
class Packing:
    """How float keys lie in a texture: key i in channel i % 4 of texel i // 4, row by row."""

    keys: npt.NDArray[np.float32]  # 32-bit floats, one-dimensional
    places: npt.NDArray[np.intp]  # the places of the keys that are not drawn unchanged, ascending

    @classmethod
    def of(cls, keys: Keys) -> "Packing":
        """Return the packing of float keys of at most 32 bits.

        Examples
        --------
        >>> packing = Packing.of(np.float32([1, np.nan, -0.0]))
        >>> packing.texels()
        array([[[ 1., inf,  0., inf]]], dtype=float32)
        >>> packing.places, packing.pads
        (array([1, 2]), 2)
        """
        wide = keys.astype(np.float32, copy=False)
        return cls(wide, np.flatnonzero(undrawable_mask(wide)))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the texture, powers of two."""
        return texture_size(window_texels(len(self.keys)))

    @cached_property
    def undrawable(self) -> Undrawable:
        """The keys that are not drawn unchanged."""
        return Undrawable.divide(self.keys[self.places])

    @property
    def drawn(self) -> int:
        """Number of keys in the texture, without padding."""
        return len(self.keys) - self.undrawable.holes

    @property
    def pads(self) -> int:
        """Number of channels that only fill the texture, all of them +∞."""
        return prod(self.size) * CHANNELS - self.drawn

    def texels(self) -> Texels:
        """Return the texels, an array of shape (height, width, 4)."""
        texels = np.full((*self.size[::-1], CHANNELS), np.inf, np.float32)
        flat, others = texels.reshape(-1), self.keys[self.places]
        flat[: len(self.keys)] = self.keys
        flat[self.places] = np.where(others == 0, np.float32(0), np.inf)
        return texels


def drawn_above(pivot: Key) -> float:
    """Return the smallest number that may be drawn and is not below a pivot.

    Examples
    --------
    >>> drawn_above(np.float32(1e-40)), drawn_above(np.float32(-1e-40)), drawn_above(np.float32(3))
    (1.1754943508222875e-38, 0.0, 3.0)
    """
    if 0 < abs(pivot) < TINY:  # denormal
        return float(TINY) if pivot > 0 else 0.0
    return float(pivot)


def drawn_below(pivot: Key) -> float:
    """Return the largest number that may be drawn and is not above a pivot."""
    return -drawn_above(-pivot)
