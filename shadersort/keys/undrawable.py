"""Undrawable keys: they are set aside before a sort, and put back after it.

Graphics hardware may change some floating-point keys: it may flush denormals to zero, lose or
duplicate a NaN, and swap the signs of two zeros. Such keys are set aside before others are drawn,
and put back in their places afterwards. A device that changes other keys fails its probe. So a sort
is a permutation of its input, bit for bit, on every device.

The order is that of `np.sort`. Among equal keys, −0.0 comes before 0.0, and NaNs keep the order of
the input, at the end.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Integers, Key, Keys, Mask

PIECE = 1 << 16
"""Number of keys in a piece, which stays in a cache of the CPU."""


def padding(dtype: np.dtype[Any]) -> Any:
    """Return the key that fills up a texture: no key sorts after it."""
    return dtype.type(np.inf) if dtype.kind == "f" else np.iinfo(dtype).max


@dataclass(frozen=True, slots=True)
class Undrawable:
    """Keys that are not drawn, to be put back among the others."""

    nans: Keys  # in the order of the input
    denormals: Keys  # in order
    negative_zeros: int  # how many; a 0.0 is drawn in place of each

    @classmethod
    def divide(cls, keys: Keys) -> "Undrawable":
        """Divide undrawable keys into NaNs, denormals and negative zeros."""
        nans, zeros = np.isnan(keys), keys == 0
        denormals = sort_keys(keys[~(nans | zeros)])
        return cls(keys[nans], denormals, int(np.count_nonzero(zeros)))

    @property
    def holes(self) -> int:
        """Number of keys for which nothing was drawn."""
        return len(self.nans) + len(self.denormals)

    def put_back(self, ordered: Keys) -> Keys:
        """Return all keys in order, given the drawn keys in order; may change that array."""
        zero = ordered.dtype.type(0)  # a Python integer would make NumPy convert all keys
        zeros = int(np.searchsorted(ordered, zero, side="left"))
        above = int(np.searchsorted(ordered, zero, side="right"))
        ordered[zeros : zeros + self.negative_zeros] = -0.0
        if not self.holes:
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


def undrawable_mask(keys: Keys) -> Mask:
    """Return which keys are undrawable: NaN, −0.0 and denormals."""
    if keys.dtype.kind != "f":
        return np.zeros(keys.shape, np.bool_)
    bits = keys.view(f"u{keys.itemsize}")
    sign = bits.dtype.type(1 << (8 * keys.itemsize - 1))
    magnitude = bits & ~sign
    infinity, tiny = (keys.dtype.type(x).view(bits.dtype) for x in (np.inf, _tiny(keys.dtype)))
    denormal = (magnitude > 0) & (magnitude < tiny)
    return np.asarray((magnitude > infinity) | (bits == sign) | denormal)


def undrawable_places(keys: Keys) -> Integers:
    """Return where the undrawable keys are; reads the keys once, a piece at a time.

    Examples
    --------
    >>> undrawable_places(np.float32([1, np.nan, 0.0, -0.0]))
    array([1, 3])
    """
    found = [np.empty(0, np.int64)]
    if keys.dtype.kind == "f":
        scratch = np.empty(min(len(keys), PIECE), f"u{keys.itemsize}")
        for first in range(0, len(keys), PIECE):
            piece = keys[first : first + PIECE]
            if _has_undrawable(piece, scratch):
                found.append(np.flatnonzero(undrawable_mask(piece)) + first)
    return np.concatenate(found)


def _has_undrawable(keys: Keys, scratch: Keys) -> bool:
    """Return whether any key of a piece is undrawable, by the extremes of integers."""
    signed, bits = keys.view(f"i{keys.itemsize}"), keys.view(scratch.dtype)
    if signed.min() == np.iinfo(signed.dtype).min:  # −0.0: only the sign is set
        return True
    doubled = np.add(bits, bits, out=scratch[: len(keys)])  # magnitudes: the sign is shifted out
    infinity, tiny = (keys.dtype.type(x).view(bits.dtype) for x in (np.inf, _tiny(keys.dtype)))
    if doubled.max() > 2 * int(infinity):
        return True
    doubled -= bits.dtype.type(1)  # zero becomes the largest integer
    return bool(doubled.min() < 2 * int(tiny) - 1)


def split_undrawable(keys: Keys) -> tuple[Keys, Undrawable | None]:
    """Divide keys into those to be drawn and undrawable ones; None if there are none of these.

    Examples
    --------
    >>> drawn, undrawable = split_undrawable(np.float32([1, np.nan, -0.0]))
    >>> drawn, undrawable.put_back(np.sort(drawn))
    (array([1., 0.], dtype=float32), array([-0.,  1., nan], dtype=float32))
    """
    places = undrawable_places(keys)
    if not len(places):
        return keys, None
    apart, drawn = keys[places], keys.copy()
    drawn[places[apart == 0]] = 0.0
    holes = places[apart != 0]  # the last keys move there
    count = len(keys) - len(holes)
    moved = np.delete(drawn[count:], holes[holes >= count] - count)
    drawn[holes[: len(moved)]] = moved
    return drawn[:count], Undrawable.divide(apart)


def next_drawable(pivot: Key) -> float:
    """Return the smallest number that may be drawn and is not below a pivot.

    Examples
    --------
    >>> [next_drawable(np.float32(each)) for each in (1e-40, -1e-40, 3)]
    [1.1754943508222875e-38, 0.0, 3.0]
    """
    tiny = _tiny(np.dtype(np.float32))
    if 0 < abs(pivot) < tiny:  # denormal
        return tiny if pivot > 0 else 0.0
    return float(pivot)


def previous_drawable(pivot: Key) -> float:
    """Return the largest number that may be drawn and is not above a pivot."""
    return -next_drawable(-pivot)


def _tiny(dtype: np.dtype[Any]) -> float:
    """Return the smallest normal number."""
    return float(np.finfo(dtype).tiny)
