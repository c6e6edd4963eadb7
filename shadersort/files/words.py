"""Words of texts, and words as numbers of a type: which number a word is, and why it is none.

A type holds a word if reading loses nothing of it. Integers hold integers in their range. A double
holds every decimal in its range, rounded to the nearest double, but an integer without a point
only if it is exact. A shorter float holds the words whose double it keeps, and those that are
written as itself: float32 holds 0.1 and 16777216, not 16777217 or 3.14159265358979.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from typing import Any, Protocol

import numpy as np

from shadersort.files.source import as_numbers
from shadersort.keys.decimals import plain_numbers
from shadersort.keys.inputs import convert
from shadersort.keys.types import Integers, Keys, Mask

BLANKS = (b" ", b"\t", b"\r", b"\v", b"\f")  # white space within lines, as `bytes.strip` takes it
INT64, FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)


class Words:
    """Words of an input, without white space at either end; a word without bytes is missing.

    They are given as a list, or as lines of bytes, which are divided only if the list is needed.
    """

    def __init__(self, given: list[bytes] | bytes, lines: Sequence[int] | Integers) -> None:
        if isinstance(given, bytes) and any(blank in given for blank in BLANKS):
            given = [line.strip() for line in given.split(b"\n")[:-1]]
        self._given, self.lines = given, lines  # the line or row of each word, from 1

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def texts(self) -> list[bytes]:
        """The words as a list."""
        given = self._given
        return given.split(b"\n")[:-1] if isinstance(given, bytes) else given

    @cached_property
    def block(self) -> bytes:
        """The words as lines; a line end within a word, which is no number, is a blank."""
        if isinstance(self._given, bytes):
            return self._given
        block = b"\n".join([*self.texts, b""])
        if block.count(b"\n") > len(self.texts):
            block = b"\n".join([*(text.replace(b"\n", b" ") for text in self.texts), b""])
        return block

    def where(self, mask: Mask) -> "Words":
        """Return some of the words."""
        return Words(list(compress(self.texts, mask)), list(compress(self.lines, mask)))

    def no_numbers(self) -> Mask:
        """Return which words are neither int64 nor float64."""
        _, bad = NumberWords(INT64)(self)
        _, bad[bad] = NumberWords(FLOAT64)(self.where(bad))
        return bad

    def guess_type(self) -> np.dtype[Any] | None:
        """Return the type of the words: int64, float64, or None if none of them is a number."""
        _, bad = NumberWords(INT64)(self)
        if bad.any() and not NumberWords(FLOAT64)(self.where(bad))[1].all():
            return FLOAT64
        return None if bad.all() else INT64

    def show_first(self) -> str:
        """Return the first word as messages show it."""
        return repr(self.texts[0].decode("utf-8", "backslashreplace")[:40])


class Parser(Protocol):
    """Reads words as numbers of one type."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers."""

    def __call__(self, words: Words, /) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are none; their numbers mean nothing."""

    def why(self, word: bytes) -> str:
        """Say why a word is no number: what follows "'2.5' is"."""


@dataclass(frozen=True, slots=True)
class NumberWords:
    """Reads words as numbers of a type."""

    dtype: np.dtype[Any]
    rounding: bool = False  # whether a shorter float is the rounded nearest double

    def __post_init__(self) -> None:
        as_numbers(np.empty(0, self.dtype))

    def __call__(self, words: Words) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are none; their numbers mean nothing."""
        if self.dtype.kind != "f":
            return _read(words, int, self.dtype)
        found, bad = _read(words, float, FLOAT64)
        for place in np.flatnonzero(np.abs(found) >= 1 << 53).tolist():
            bad[place] = not _is_exact(words.texts[place], found[place])
        if self.dtype == FLOAT64:
            return found, bad
        keys = convert(found, self.dtype)
        if self.rounding:
            return keys, bad | (np.isinf(keys) & np.isfinite(found))
        changed = (keys != found) & ~np.isnan(found)
        changed[changed] = keys[changed].astype(str).astype(FLOAT64) != found[changed]
        return keys, bad | changed

    def why(self, word: bytes) -> str:
        """Say why a word is no number of this type."""
        try:
            number = (float if self.dtype.kind == "f" else int)(word.replace(b"_", b"?"))
        except ValueError:
            return f"no number of type {self.dtype}"
        key = convert(np.array([number]), self.dtype)[0] if self.dtype.kind == "f" else np.inf
        if np.isinf(key):
            return f"beyond the range of {self.dtype}"
        return f"not held by {self.dtype}, which would make it {float(str(key))}"


def _read(words: Words, number: Callable[[bytes], Any], dtype: Any) -> tuple[Keys, Mask]:
    """Return words as numbers, and which are none; Python reads those that are not plain."""
    keys, plain = plain_numbers(words.block, dtype)
    bad = ~plain
    if plain.all() or dtype.kind == "i":  # all int64 are plain
        return keys, bad
    texts = list(compress(words.texts, bad))
    try:
        if b"_" not in words.block:
            keys[bad] = np.fromiter(map(number, texts), dtype, len(texts))
            return keys, np.zeros_like(bad)
    except (ValueError, OverflowError):
        pass
    for place, word in zip(np.flatnonzero(bad).tolist(), texts, strict=True):
        with suppress(ValueError, OverflowError):
            keys[place] = number(word.replace(b"_", b"?"))  # Python would allow it
            bad[place] = False
    return keys, bad


def _is_exact(word: bytes, number: float) -> bool:
    """Whether a large double is what a word says: infinity, a decimal or just this integer."""
    if np.isinf(number):
        return b"inf" in word.lower()
    if not (digits := word.lstrip(b"+-").lstrip(b"0")).isdigit():
        return True
    number = abs(float(number))
    return int(number) == int(digits) or Fraction(repr(number)) == int(digits)
