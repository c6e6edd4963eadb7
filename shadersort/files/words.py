"""Words of texts, and words as numbers of a type: which number a word is, and why it is none.

A type holds a word if reading loses nothing of it. Integers hold integers in their range. A double
holds every decimal in its range, rounded to the nearest double, but an integer without a point
only if it is exact. A shorter float holds the words whose double it keeps, and those that are
written as itself: float32 holds 0.1 and 16777216, not 16777217 or 3.14159265358979.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import Any, Protocol

import numpy as np

from shadersort.errors import UnsupportedKeys
from shadersort.keys.accepted import converted, is_number
from shadersort.keys.types import Keys, Mask

INT64, FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)


@dataclass(frozen=True, slots=True)
class Words:
    """Words of an input, without white space at either end; a word without bytes is missing."""

    texts: list[bytes]
    lines: Sequence[int]  # the line or row of each word, from 1

    def __len__(self) -> int:
        return len(self.texts)

    def where(self, mask: Mask) -> "Words":
        """Return some of the words."""
        return Words(list(compress(self.texts, mask)), list(compress(self.lines, mask)))

    def no_numbers(self) -> Mask:
        """Return which words are neither int64 nor float64."""
        _, bad = NumberWords(INT64)(self.texts)
        _, bad[bad] = NumberWords(FLOAT64)(self.where(bad).texts)
        return bad

    def guess_type(self) -> np.dtype[Any] | None:
        """Return the type of the words: int64, float64, or None if none of them is a number."""
        _, bad = NumberWords(INT64)(self.texts)
        _, no_float = NumberWords(FLOAT64)(self.where(bad).texts)
        if not no_float.all():
            return FLOAT64
        return None if bad.all() else INT64

    def show_first(self) -> str:
        """Return the first word as messages show it."""
        word = self.texts[0]
        try:
            return repr(word.decode()[:40])
        except UnicodeDecodeError:  # it has another encoding
            return repr(word[:40])[1:]


class Parser(Protocol):
    """Reads words as numbers of one type."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers."""

    def __call__(self, texts: list[bytes], /) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are none; their numbers mean nothing."""

    def why(self, word: bytes) -> str:
        """Say why a word is no number: what follows "'2.5' is"."""


@dataclass(frozen=True, slots=True)
class NumberWords:
    """Reads words as numbers of a type."""

    dtype: np.dtype[Any]
    rounding: bool = False  # whether a shorter float is the rounded nearest double

    def __post_init__(self) -> None:
        if not is_number(self.dtype):
            what = f"floats of at most 64 bits, not {self.dtype}"
            raise UnsupportedKeys(f"numbers are integers, or {what}")

    def __call__(self, texts: list[bytes]) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are none; their numbers mean nothing."""
        if self.dtype.kind != "f":
            return _read(texts, int, self.dtype)
        found, bad = _read(texts, float, FLOAT64)
        for place in np.flatnonzero(np.abs(found) >= 1 << 53).tolist():
            bad[place] = not _is_exact(texts[place], found[place])
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
            number = (float if self.dtype.kind == "f" else int)(word.replace(b"_", b"?"))
        except ValueError:
            return f"no number of type {self.dtype}"
        with np.errstate(over="ignore"):
            key = np.float64(number).astype(self.dtype) if self.dtype.kind == "f" else np.inf
        if np.isinf(key):
            return f"beyond the range of {self.dtype}"
        return f"not held by {self.dtype}, which would make it {float(str(key))}"


def _read(texts: list[bytes], number: Callable[[bytes], Any], dtype: Any) -> tuple[Keys, Mask]:
    """Return words as Python reads them, all at once; one by one if some are no numbers."""
    bad = np.zeros(len(texts), np.bool_)
    try:
        if b"_" not in b"".join(texts):
            return np.fromiter(map(number, texts), dtype, len(texts)), bad
    except (ValueError, OverflowError):
        pass
    keys = np.zeros(len(texts), dtype)
    for place, word in enumerate(texts):
        try:
            keys[place] = number(word.replace(b"_", b"?"))  # Python would allow it
        except (ValueError, OverflowError):
            bad[place] = True
    return keys, bad


def _is_exact(word: bytes, number: float) -> bool:
    """Whether a large double is what a word says: infinity, a decimal or just this integer."""
    if np.isinf(number):
        return b"inf" in word.lower()
    if not (digits := word.lstrip(b"+-").lstrip(b"0")).isdigit():
        return True
    number = abs(float(number))
    return int(number) == int(digits) or Fraction(repr(number)) == int(digits)


def _changed(found: Keys, keys: Keys) -> Mask:
    """Return which doubles a shorter float does not hold."""
    changed = (keys != found) & ~np.isnan(found)
    for place in np.flatnonzero(changed).tolist():
        changed[place] = float(str(keys[place])) != found[place]
    return np.asarray(changed)
