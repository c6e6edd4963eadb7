"""Which keys are accepted for drawing, and in which precision they are drawn."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import KeysNotFlat, UnknownPrecision, UnsupportedKeys, choices
from shadersort.keys.types import DTYPES, PRECISIONS, Keys

__all__ = ["accepted", "random_keys", "rounded"]

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
