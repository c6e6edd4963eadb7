"""What may be sorted, and which keys are never drawn.

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

from shadersort.devices.base import DTYPES
from shadersort.errors import KeysNotFlat, UnknownPrecision, UnsupportedKeys, choices

__all__ = [
    "PRECISIONS",
    "Aside",
    "accepted",
    "exceptional",
    "padding",
    "random_keys",
    "rounded",
    "set_aside",
]

Keys = npt.NDArray[Any]

PRECISIONS = ("float16", "float32")

NAMES = choices(map(str, DTYPES)).replace("'", "")


def accepted(keys: npt.ArrayLike, ndim: int = 1) -> Keys:
    """Return keys as an array of native byte order, or raise an error that says what is accepted.

    Examples
    --------
    >>> accepted(np.arange(3.0))
    Traceback (most recent call last):
    ...
    shadersort.errors.UnsupportedKeys: keys of float64 fit no texture: convert them to float32, ...
    """
    if isinstance(keys, np.ma.MaskedArray):
        raise UnsupportedKeys("masked arrays cannot be sorted: pass keys.compressed()")
    try:
        array = np.asarray(keys)
    except ValueError as error:
        raise KeysNotFlat(f"keys are no array: {error}") from error
    native = array.dtype.newbyteorder("=") if array.dtype.kind in "fiu" else array.dtype
    if native not in DTYPES:
        raise UnsupportedKeys(_why_not(native))
    if array.ndim != ndim:
        advice = "pass keys.ravel()" if ndim == 1 else "pass an array of shape (count, length)"
        raise KeysNotFlat(f"keys must have {ndim} dimension(s), not {array.ndim}: {advice}")
    return array.astype(native, copy=False)


def _why_not(dtype: np.dtype[Any]) -> str:
    """Say why keys of a type are not accepted, and what to do."""
    if dtype.kind == "f":
        advice = "convert them to float32, keys.astype(np.float32), if rounding is acceptable"
    elif dtype.kind in "iub":
        advice = "convert them to int32 or uint32, keys.astype(np.int32), if they fit"
    elif dtype.kind == "c":
        advice = "complex numbers have no order that a GPU knows: sort keys.real, or abs(keys)"
    else:
        advice = "map them to numbers first, as np.unique(keys, return_inverse=True) does"
    return f"keys of {dtype} fit no texture: {advice}. Accepted: {NAMES}"


def rounded(keys: Keys, precision: str | None) -> Keys:
    """Return keys in the precision that textures shall have; None keeps them as they are."""
    if precision is None:
        return keys
    if precision not in PRECISIONS:
        raise UnknownPrecision(f"no precision is called {precision!r}: use {choices(PRECISIONS)}")
    if keys.dtype.kind != "f":
        raise UnknownPrecision(
            f"precision={precision!r} is for floats; these keys are {keys.dtype}"
        )
    with np.errstate(all="ignore"):  # a key beyond the range of halves becomes infinite, as in 2005
        return keys.astype(precision)


def random_keys(count: int, dtype: npt.DTypeLike, *, seed: int | np.random.Generator) -> Keys:
    """Return random keys: floats from 0 to 1, integers from the whole range of their type.

    Examples
    --------
    >>> random_keys(4, "int32", seed=2005).dtype
    dtype('int32')
    """
    random, dtype = np.random.default_rng(seed), np.dtype(dtype)
    if dtype.kind == "f":
        return random.random(count, np.float32).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, count, dtype, endpoint=True)


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
    special = keys[apart]
    nans, zeros = np.isnan(special), special == 0
    count = int(np.count_nonzero(zeros))
    drawn = np.concatenate([keys[~apart], np.zeros(count, keys.dtype)])
    return drawn, Aside(special[nans], np.sort(special[~(nans | zeros)]), count)


def _tiny(dtype: np.dtype[Any]) -> float:
    """Return the smallest normal number."""
    return float(np.finfo(dtype).tiny)
