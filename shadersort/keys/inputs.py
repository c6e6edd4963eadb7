"""Checks of what a caller gives as keys: to be drawn, to be selected from, or as a stream."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import (
    KeysNotFlat,
    ShadersortError,
    UnknownName,
    UnsupportedKeys,
    choices,
)
from shadersort.keys.columns import has_missing_integers
from shadersort.keys.key_casts import KeyCast, key_cast_of
from shadersort.keys.types import DTYPES, PRECISIONS, WIDE, Keys

NAMES = choices(sorted(map(str, (*DTYPES, *WIDE)))).replace("'", "")


@dataclass(frozen=True, slots=True)
class Use:
    """What keys are wanted for, and the words in which messages refuse what cannot serve."""

    name: str  # what the keys are called: "keys" or "values"
    masked: str  # why masked arrays are refused
    no_array: str = "no array"  # what is said of something that NumPy makes no array of
    # what is raised then, and which of NumPy's errors say so
    error: type[ShadersortError] = KeysNotFlat
    caught: tuple[type[Exception], ...] = (ValueError,)
    gaps: bool = False  # whether missing integers may become NaN

    def array(self, given: Any) -> Keys:
        """Return what was given as an array, of any type and shape."""
        if is_masked(given):
            raise UnsupportedKeys(f"masked arrays {self.masked}: pass {self.name}.compressed()")
        if not self.gaps and has_missing_integers(given):
            raise UnsupportedKeys(
                f"some of these integers are missing, and {self.name} {self.masked} with gaps: "
                "drop the missing ones, fill them, or pass floats, whose gaps are NaN"
            )
        try:
            return np.asarray(given)
        except self.caught as error:
            raise self.error(f"{self.name} are {self.no_array}: {error}") from error


def is_masked(given: Any) -> bool:
    """Whether something is a masked array, or a list of arrays of which one is: masks get lost.

    Examples
    --------
    >>> masked = np.ma.masked_array([1, 2], [0, 1])
    >>> is_masked(masked), is_masked([np.array([3, 4]), masked]), is_masked([[3, 4], [1, 2]])
    (True, True, False)
    """
    if isinstance(given, np.ndarray):
        return isinstance(given, np.ma.MaskedArray)
    if isinstance(given, list | tuple) and len(given) and isinstance(given[0], np.ndarray):
        return any(isinstance(each, np.ma.MaskedArray) for each in given)
    return False


DRAWN = Use("keys", "cannot be sorted")
SELECTED = Use("keys", "cannot be selected from")
STREAMED = Use(
    "values",
    "are no stream of values",
    "no array of numbers",
    UnsupportedKeys,
    (TypeError, ValueError),
    gaps=True,
)


def is_number(dtype: np.dtype[Any]) -> bool:
    """Whether a type of NumPy is one of integers, or of floats of at most 64 bits.

    Types of other packages, those of 8-bit floats say, may have the same kinds.
    """
    return dtype.kind in "fiu" and dtype.itemsize <= 8 and issubclass(dtype.type, np.number)


def as_drawable(keys: npt.ArrayLike, ndim: int = 1) -> Keys:
    """Return keys to be drawn, in native byte order, or raise an error that says why not.

    Examples
    --------
    >>> as_drawable(np.int8([1, 2]))
    Traceback (most recent call last):
    ...
    shadersort.errors.UnsupportedKeys: keys of int8 fit no texture: pass keys.astype...
    """
    array = DRAWN.array(keys)
    native = array.dtype.newbyteorder("=") if array.dtype.kind in "fiu" else array.dtype
    if native not in (*DTYPES, *WIDE):
        raise UnsupportedKeys(_why_not_drawn(native))
    if array.ndim != ndim:
        advice = "pass keys.ravel()" if ndim == 1 else "pass an array of shape (count, length)"
        raise KeysNotFlat(f"keys must have {ndim} dimension(s), not {array.ndim}: {advice}")
    return array.astype(native, copy=False)


def as_rows_of_keys(keys: npt.ArrayLike) -> Keys:
    """Return keys of any type that selection knows, in native byte order: of any dimensions.

    No key is cast to another type.

    Examples
    --------
    >>> as_rows_of_keys(np.zeros((2, 3), ">f4")).dtype == np.float32
    True
    >>> as_rows_of_keys(["a", "b"])
    Traceback (most recent call last):
    ...
    shadersort.errors.UnsupportedKeys: keys of <U1 cannot be selected from: pass floats of ...
    """
    array = SELECTED.array(keys)
    if not is_number(array.dtype) and key_cast_of(array.dtype) is None:
        raise UnsupportedKeys(
            f"keys of {array.dtype} cannot be selected from: pass floats of at most 64 bits, "
            "integers, booleans or times"
        )
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def as_selectable(keys: npt.ArrayLike) -> tuple[Keys, KeyCast | None]:
    """Return keys to be selected from, perhaps cast, and the cast, if there is one.

    Raises KeysNotFlat unless they have one dimension, and what `as_rows_of_keys` does.

    Examples
    --------
    >>> as_selectable([True, False])[0]
    array([1, 0], dtype=uint8)
    """
    array = as_rows_of_keys(keys)
    if array.ndim != 1:
        raise KeysNotFlat(f"keys must have 1 dimension, not {array.ndim}: pass keys.ravel()")
    key_cast = key_cast_of(array.dtype)
    return (array if key_cast is None else key_cast.cast(array)), key_cast


def _why_not_drawn(dtype: np.dtype[Any]) -> str:
    """Say why keys of a type are not accepted, and what to do."""
    if dtype.kind == "f":
        advice = "pass keys.astype(np.float64), if rounding is acceptable"
    elif dtype.kind in "iub":
        advice = "pass keys.astype(np.float32), which holds them exactly"
    elif dtype.kind == "c":
        advice = "complex numbers have no order that a GPU knows: sort keys.real, or abs(keys)"
    else:
        advice = "map them to numbers first, as np.unique(keys, return_inverse=True) does"
    return f"keys of {dtype} fit no texture: {advice}. Accepted: {NAMES}"


def precise_type(dtype: np.dtype[Any], precision: str | None) -> np.dtype[Any]:
    """Return the type of keys in a precision of textures; None keeps their own type."""
    if precision is None:
        return dtype
    if precision not in PRECISIONS:
        raise UnknownName(f"no precision is called {precision!r}: use {choices(PRECISIONS)}")
    if dtype.kind != "f":
        raise UnknownName(f"precision={precision!r} is for floats; these keys are {dtype}")
    return np.dtype(precision)


def convert(keys: Keys, dtype: np.dtype[Any]) -> Keys:
    """Return keys in a type; floats beyond its range become infinite, as in 2005."""
    with np.errstate(all="ignore"):
        return keys.astype(dtype, copy=False)


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
