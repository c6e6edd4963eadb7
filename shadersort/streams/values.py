"""The values of a stream: numbers of one type, given as scalars, arrays or iterators."""

import operator
from contextlib import suppress
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, KeysNotFlat, UnsupportedKeys
from shadersort.keys.columns import as_column, is_of_integers, is_typed
from shadersort.keys.inputs import STREAMED, is_number
from shadersort.keys.types import Keys

LONGEST = 1 << 62  # streams and windows are shorter than this


def number_type(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """Return a type of numbers in native byte order, or raise UnsupportedKeys."""
    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except TypeError as error:
        raise UnsupportedKeys(f"{dtype!r} is no type of numbers: use 'float32', say") from error
    if not is_number(found):
        raise UnsupportedKeys(
            f"streams are of integers, or of floats of at most 64 bits, not of {found}: convert "
            "them; a FrequencySummary that has seen no numbers counts text"
        )
    return found.newbyteorder("=")


def as_values(values: Any, dtype: np.dtype[Any] | None) -> Keys:
    """Return a scalar or an array as a flat array of a type, None being its own.

    A conversion must not change a value (UnsupportedKeys). Only Python's floats are rounded.
    """
    if type(values) is np.ndarray and values.ndim == 1 and dtype and values.dtype == dtype:
        return values
    values = as_column(values)
    array = check_rounding(STREAMED.array(values), values)
    if array.ndim > 1:
        raise KeysNotFlat(f"values have one dimension, not {array.ndim}: pass values.ravel()")
    untyped = array.size == 0 and not is_typed(values)
    found = dtype or np.dtype(np.float64) if untyped else array.dtype
    native = array.reshape(-1).astype(number_type(found), copy=False)
    return native if dtype is None else _convert(native, dtype, rounding=not is_typed(values))


def check_rounding(array: Keys, values: Any) -> Keys:
    """Return the array of some values; raise UnsupportedKeys if it has rounded integers.

    NumPy rounds integers beside floats and beside missing ones, and those of a list that has
    integers from 2**63 on and smaller ones: these become uint64 here.
    """
    gaps = is_of_integers(values)
    if array.dtype != np.float64 or (is_typed(values) and not gaps):
        return array
    large = np.abs(array) >= 1 << 53
    if not large.any():
        return array
    if gaps:
        raise UnsupportedKeys("some of these integers are missing: drop the missing ones first")
    given = np.asarray(values, object)
    if all(isinstance(number, int | np.integer) for number in given.flat):
        if min(given.flat) < 0:
            raise UnsupportedKeys("no type of NumPy has both integers below 0 and beyond 2**63 - 1")
        return given.astype(np.uint64)
    for number, kept in zip(given[large].ravel().tolist(), array[large].tolist(), strict=True):
        if isinstance(number, int | np.integer) and int(number) != kept:
            raise UnsupportedKeys(f"no float64 is {number}: give it to a stream of integers")
    return array


def _convert(values: Keys, dtype: np.dtype[Any], *, rounding: bool) -> Keys:
    """Return values in the type of the stream, if that changes none of them."""
    if values.dtype.kind == dtype.kind and values.dtype.itemsize <= dtype.itemsize:
        return values.astype(dtype, copy=False)
    with np.errstate(all="ignore"):  # what does not fit is seen by comparing
        converted = values.astype(dtype)
        if rounding and values.dtype.kind == dtype.kind == "f":
            same = np.isinf(converted) == np.isinf(values)
        else:  # there and back, and by signs: int64 and uint64 are compared as floats
            back, kept = converted.astype(values.dtype), (converted < 0) == (values < 0)
            same = (back == values) & kept | (converted != converted) & (values != values)
    if not np.all(same):
        raise UnsupportedKeys(
            f"some of these {values.dtype} values are no {dtype}, the type of this stream: "
            "convert them, or make a summary with dtype="
        )
    return converted


def plain_zeros(keys: Keys) -> Keys:
    """Return keys with 0.0 for −0.0: they are one value, and sorters leave them in any order."""
    return keys + keys.dtype.type(0) if keys.dtype.kind == "f" else keys


def check_length(length: SupportsIndex, name: str) -> int:
    """Return the length of a stream or a window, at least 1, or raise BadOption."""
    with suppress(TypeError):
        count = 0 if isinstance(length, bool) else operator.index(length)
        if 1 <= count < LONGEST:
            return count
    raise BadOption(f"{name} is a number of values, from 1 to 2**62 - 1, not {length!r}")
