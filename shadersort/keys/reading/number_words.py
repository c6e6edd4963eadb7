"""Words as numbers of a type: which number a word is, and why it is none.

A type holds a word if reading loses nothing of it. Integers hold integers in their range. A double
holds every decimal in its range, rounded to the nearest double, but an integer without a point
only if it is exact. A shorter float holds the words whose double it keeps, and those that are
written as itself: float32 holds 0.1 and 16777216, not 16777217 or 3.14159265358979.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from shadersort.errors import UnsupportedKeys
from shadersort.keys.accepted import converted, is_number
from shadersort.keys.reading.decimals import doubles, integers
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Keys, Mask

INT64, FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)


class Parser(Protocol):
    """Reads words as numbers of one type."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers."""

    def __call__(self, words: Words) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are none; their numbers mean nothing."""

    def why(self, word: bytes) -> str:
        """Say why a word is no number: what follows "'2.5' is"."""


@dataclass(frozen=True, slots=True)
class NumberWords:
    """Reads words as numbers of a type.

    Examples
    --------
    >>> read = NumberWords(np.dtype(np.float32))
    >>> words = Words.of([b"0.1", b"16777217", b"1e3", b"none"], np.arange(1, 5))
    >>> read(words)
    (array([1.0000000e-01, 1.6777216e+07, 1.0000000e+03, 0.0000000e+00],
          dtype=float32), array([False,  True, False,  True]))
    >>> read.why(b"16777217")
    'not held by float32, which would make it 16777216.0'
    """

    dtype: np.dtype[Any]
    rounding: bool = False
    """Whether a float of at most 32 bits may be rounded, from the nearest double."""

    def __post_init__(self) -> None:
        if not is_number(self.dtype):
            raise UnsupportedKeys(
                f"numbers are integers, or floats of at most 64 bits, not {self.dtype}"
            )

    def __call__(self, words: Words) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are none; their numbers mean nothing."""
        if self.dtype.kind != "f":
            return self._integers(words)
        found, read = doubles(words)
        _read_together(words, found, read)
        bad = _completed(words, found, read, _double_of)
        if self.dtype == FLOAT64:
            return found, bad
        keys = converted(found, self.dtype)
        lost = np.isinf(keys) & np.isfinite(found) if self.rounding else _changed(found, keys)
        return keys, bad | lost

    def why(self, word: bytes) -> str:
        """Say why a word is no number of this type."""
        if not word:
            return "missing"
        try:
            number = _integer_of(word) if self.dtype.kind != "f" else float(_plain(word))
        except ValueError:
            return f"no number of type {self.dtype}"
        with np.errstate(over="ignore"):
            key = np.float64(number).astype(self.dtype) if self.dtype.kind == "f" else np.inf
        if np.isinf(key):
            return f"beyond the range of {self.dtype}"
        return f"not held by {self.dtype}, which would make it {float(str(key))}"

    def _integers(self, words: Words) -> tuple[Keys, Mask]:
        found, read = integers(words)
        limits = np.iinfo(self.dtype)
        keys = found.astype(self.dtype, copy=False)
        if keys is not found:
            of_words = np.iinfo(found.dtype)
            read &= found >= max(limits.min, of_words.min)
            read &= found <= min(limits.max, of_words.max)

        def integer_of(word: bytes) -> int:
            number = _integer_of(word)
            if not limits.min <= number <= limits.max:
                raise OverflowError
            return number

        return keys, _completed(words, keys, read, integer_of)


def _read_together(words: Words, found: npt.NDArray[np.float64], read: Mask) -> None:
    """Read the words that were not read yet by one call, if all of them are numbers."""
    left = np.flatnonzero(~read)
    listed = words[left].listed()
    if b"_" in b"".join(listed):
        return
    try:
        found[left] = np.fromiter(map(float, listed), np.float64, len(listed))
    except ValueError:
        return
    read[left] = np.abs(found[left]) < 1 << 53  # larger ones may be integers that are not exact


def _completed(words: Words, keys: Keys, read: Mask, number_of: Callable[[bytes], Any]) -> Mask:
    """Read the words that were not read yet, one by one; return which of them are no numbers."""
    left = np.flatnonzero(~read)
    bad = np.zeros(len(words), np.bool_)
    for place, word in zip(left.tolist(), words[left].listed(), strict=True):
        try:
            keys[place] = number_of(word)
        except (ValueError, OverflowError):
            bad[place] = True
            keys[place] = 0
    return bad


def _plain(word: bytes) -> bytes:
    """Return a word, or raise ValueError if it has an underscore, which Python would allow."""
    if b"_" in word:
        raise ValueError
    return word


def _integer_of(word: bytes) -> int:
    return int(_plain(word))


def _double_of(word: bytes) -> float:
    """Return the nearest double; raise OverflowError if it is infinite, or no exact integer."""
    number = float(_plain(word))
    if number - number != 0:  # infinite, or a NaN
        if number == number and b"inf" not in word.lower():
            raise OverflowError
    elif abs(number) >= 1 << 53 and word.lstrip(b"+-").isdigit() and not _exact(word, number):
        raise ValueError
    return number


def _exact(word: bytes, number: float) -> bool:
    """Whether a double is the integer that a word is, or is written as it."""
    integer = int(word)
    return int(number) == integer or Fraction(repr(number)) == integer


def _changed(found: npt.NDArray[np.float64], keys: Keys) -> Mask:
    """Return which doubles a shorter float does not hold."""
    changed = (keys != found) & ~np.isnan(found)
    for place in np.flatnonzero(changed).tolist():
        changed[place] = float(str(keys[place])) != found[place]
    return np.asarray(changed)


def no_numbers(words: Words) -> Mask:
    """Return which words are neither int64 nor float64.

    Examples
    --------
    >>> no_numbers(Words.of([b"title", b"1", b"", b"2.5"], np.arange(4)))
    array([ True, False,  True, False])
    """
    _, bad = NumberWords(INT64)(words)
    _, bad[bad] = NumberWords(FLOAT64)(words[bad])
    return bad


def guessed(words: Words) -> np.dtype[Any] | None:
    """Return the type of some words: int64, float64, or None if none of them is a number.

    Examples
    --------
    >>> guessed(Words.of([b"title", b"1", b"", b"2"], np.arange(4)))
    dtype('int64')
    """
    _, no_integer = NumberWords(INT64)(words)
    if not no_integer.any() and len(words):
        return INT64
    _, no_double = NumberWords(FLOAT64)(words[no_integer])
    if not no_double.all():
        return FLOAT64
    return None if no_integer.all() else INT64
