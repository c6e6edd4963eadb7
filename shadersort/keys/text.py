"""Keys as text, one a line: written with enough digits, and read with correct rounding.

It is written by hand because float() rounds a decimal to a double first, and rounding that to a
float32 or a float16 may give another key than the nearest one.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.accepted import converted
from shadersort.keys.types import Keys


def lines_of(keys: Keys) -> bytes:
    r"""Return keys as lines, each with the fewest digits that are read back as the same key.

    The payload and the sign of a NaN are not written.

    Examples
    --------
    >>> lines_of(np.float32([0.1, -0.0, np.nan]))
    b'0.1\n-0.0\nnan\n'
    """
    same = keys.dtype.kind != "f" or keys.itemsize == 8  # Python's numbers have the same digits
    return "".join(f"{key!s}\n" for key in (keys.tolist() if same else keys)).encode("ascii")


def parsed(words: Sequence[bytes], dtype: np.dtype[Any]) -> Keys:
    """Return the keys nearest to decimal numbers; of two equally near keys, the even one.

    Raises ValueError for a word that is not a number, OverflowError for one out of range.

    Examples
    --------
    >>> parsed([b"0.1", b"inf"], np.dtype("float32"))
    array([0.1, inf], dtype=float32)
    """
    if dtype.kind != "f":
        return np.array([int(word) for word in words], dtype)
    doubles = np.fromiter(map(float, words), np.float64, len(words))
    keys = converted(doubles, dtype)
    for i in np.flatnonzero(_midway(doubles, keys)).tolist():
        keys[i : i + 1] = converted(_towards(words[i].decode(), doubles[i : i + 1]), dtype)
    for i in np.flatnonzero(np.isinf(keys)).tolist():
        if b"inf" not in words[i].lower():  # the word is a number beyond the range
            raise OverflowError
    return keys


def parsed_items(words: Sequence[bytes], dtype: np.dtype[Any]) -> Keys:
    """Return what `parsed` does, but raise ValueError for an integer that the type does not hold.

    Examples
    --------
    >>> parsed_items([b"0.1", b"9007199254740992"], np.dtype("float64"))
    array([1.00000000e-01, 9.00719925e+15])
    >>> parsed_items([b"9007199254740993"], np.dtype("float64"))
    Traceback (most recent call last):
    ValueError: no float64 is 9007199254740993
    """
    keys = parsed(words, dtype)
    for word, key in zip(words, keys.tolist(), strict=True):
        if word.lstrip(b"+-").isdigit() and int(word) != key:
            raise ValueError(f"no {dtype} is {word.decode()}")
    return keys


def _midway(doubles: npt.NDArray[np.float64], keys: Keys) -> npt.NDArray[np.bool_]:
    """Return which doubles lie halfway between two keys: there the decimal's last digits decide."""
    with np.errstate(all="ignore"):
        nearest = keys.astype(np.float64)
        away = np.where(doubles > nearest, np.inf, -np.inf).astype(keys.dtype)
        other = np.nextafter(keys, away).astype(np.float64)
        return np.asarray((doubles != nearest) & (doubles - nearest == other - doubles))


def _towards(word: str, double: Keys) -> Keys:
    """Return the double next to a rounded one, towards the decimal; itself if it is exact."""
    exact, near = Fraction(word), Fraction(double.item())
    return double if exact == near else np.nextafter(double, np.inf if exact > near else -np.inf)
