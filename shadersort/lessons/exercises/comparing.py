"""Comparing results with what is expected, in words."""

from collections.abc import Mapping
from typing import Any

import numpy as np

KINDS = {"b": "True and False", "i": "whole numbers", "u": "whole numbers", "f": "floats"}
"""What arrays hold, in words, by the kind of their dtype."""

RELATIVE, ABSOLUTE = 1e-9, 1e-11
"""Allowed errors of float64 results: sums may be taken in any order."""

MOST_SHOWN = 64  # the largest array that is written in full


def same(yours: Any, expected: Any) -> bool:
    """Return whether shape and values of a result are the expected ones; NaN equals NaN.

    Numbers are compared exactly, and where one is a float64, up to rounding.
    """
    one, other = _array(yours), _array(expected)
    if one is None or other is None:  # lists of unequal lengths are no array
        return isinstance(yours, list) and isinstance(expected, list) and yours == expected
    if one.shape != other.shape:
        return False
    return (
        bool(_equal(one, other).all()) if _are_numbers(one, other) else np.array_equal(one, other)
    )


def _are_numbers(*arrays: Any) -> bool:
    return all(each.dtype.kind in KINDS for each in arrays)


def _equal(one: Any, other: Any) -> Any:
    """Return for each place of two arrays of numbers whether the numbers are the same."""
    if np.float64 in (one.dtype, other.dtype):
        return np.isclose(one, other, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True)
    return (one == other) | ((one != one) & (other != other))


def first_difference(yours: Any, expected: Any) -> str:
    """Return the first place at which two long arrays of one shape differ; "" for short ones."""
    one, other = _array(yours), _array(expected)
    if other is None or other.size <= MOST_SHOWN or shape(yours) != other.shape:
        return ""
    places = np.argwhere(~_equal(one, other)).tolist() if _are_numbers(one, other) else []
    if not places:
        return ""
    at = tuple(places[0])
    place = str(at[0]) if len(at) == 1 else str(at)
    return f"first at place {place}: {one[at]}, where {other[at]} is expected"


def difference(yours: Any, expected: Any) -> str:
    """Return how type, shape or dtype of a wrong result differ; "" if only values differ."""
    one, other = _array(yours), _array(expected)
    if (one is None or other is None or one.shape != other.shape) or (
        one.dtype.kind != other.dtype.kind and not _are_numbers(one, other)
    ):
        own, right = describe(yours), describe(expected)
        return f"the result is {own}, and {right} is expected" if own != right else ""
    own, right = (KINDS.get(each.dtype.kind, "") for each in (one, other))
    with np.errstate(invalid="ignore"):  # NaN and infinity are no whole numbers
        rounded = one.dtype.kind in "iu" and np.array_equal(other.astype(one.dtype), one)
    if own != right and ("b" in (one.dtype.kind, other.dtype.kind) or rounded):
        return f"the result holds {own}, and {right} are expected"
    return ""


def describe(value: Any) -> str:
    """Return the type of a value in words, with the length or shape that it has."""
    match value:
        case bool() | np.bool():
            return "True or False"
        case int() | float() | np.number():
            return "a number"
        case str():
            return "a text"
        case list() | tuple():
            return f"a {type(value).__name__} of length {len(value)}"
        case Mapping():
            return "a dictionary"
        case np.ndarray():
            return f"an array of shape {value.shape}" if value.ndim else describe(value[()])
    return f"a value of type {type(value).__name__}"


def shape(value: Any) -> tuple[int, ...] | None:
    """Return the shape of a value as an array, or None if it is none."""
    array = _array(value)
    return None if array is None else array.shape


def _array(value: Any) -> Any:
    """Return a value as an array, or None if lists of unequal lengths make none."""
    try:
        return np.asarray(value)
    except ValueError:
        return None
