"""Words as numbers, many at a time: one pass over all words for each place of a digit.

A word of at most 18 digits is an integer of 64 bits. A decimal of at most 2**53, divided by a
power of ten of at most 10**22, is rounded once, so it is the nearest double. Other words, such as
those with an exponent, are left to Python.
"""

import numpy as np
import numpy.typing as npt

from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Mask

MOST_DIGITS = 18
"""Every number of so many digits is less than 2**63."""
WIDEST = MOST_DIGITS + 1
"""Characters of a word that is read here, without its sign: the digits and a point."""
MINUS, PLUS, POINT, ZERO = b"-+.0"

POWERS = 10.0 ** np.arange(WIDEST + 1)


def signed(words: Words) -> tuple[Words, Mask]:
    """Return words without their sign, and which of them have a minus."""
    letters = np.zeros(len(words), np.uint8)
    words.letters_at(0, letters)
    minus = letters == MINUS
    starts = words.starts + (minus | (letters == PLUS))
    return Words(words.data, starts, words.ends, words.lines), minus


def integers(words: Words) -> tuple[Integers, Mask]:
    """Return words as integers, and which of them were read; the numbers of others mean nothing.

    Examples
    --------
    >>> found, read = integers(Words.of([b"-12", b"2.5", b"x", b""], np.arange(4)))
    >>> found[read], read
    (array([-12]), array([ True, False, False, False]))
    """
    digits, minus = signed(words)
    widths = digits.widths
    read = (widths > 0) & (widths <= MOST_DIGITS)
    numbers = np.zeros(len(words), np.int64)
    letters = np.empty(len(words), np.uint8)
    for place in range(int(widths[read].max(initial=0))):
        digits.letters_at(place, letters)
        here = place < widths
        value = letters - ZERO  # other characters wrap to 10 or more
        read &= (value < 10) | ~here
        np.copyto(numbers, numbers * 10 + value, where=here & read)
    return np.where(minus, -numbers, numbers), read


def doubles(words: Words) -> tuple[npt.NDArray[np.float64], Mask]:
    """Return words as the nearest doubles, and which were read; others mean nothing.

    Examples
    --------
    >>> found, read = doubles(Words.of([b"-0", b".5", b"1e5", b"1.2.3", b"."], np.arange(5)))
    >>> found[read], read
    (array([-0. ,  0.5]), array([ True,  True, False, False, False]))
    """
    digits, minus = signed(words)
    widths = digits.widths
    read = (widths > 0) & (widths <= WIDEST)
    numbers = np.zeros(len(words), np.int64)
    point = np.full(len(words), -1, np.int64)  # the place of the point
    letters = np.empty(len(words), np.uint8)
    for place in range(int(widths[read].max(initial=0))):
        digits.letters_at(place, letters)
        here = (place < widths) & read
        value = letters - ZERO
        dot = (letters == POINT) & (point < 0) & here
        point[dot] = place
        read &= (value < 10) | dot | ~here
        np.copyto(numbers, numbers * 10 + value, where=here & (value < 10))
    pointed = point >= 0
    decimals = np.where(pointed, widths - 1 - point, 0)
    read &= (widths > pointed) & (widths - pointed <= MOST_DIGITS) & (numbers <= 1 << 53)
    values = numbers / POWERS[np.clip(decimals, 0, WIDEST)]
    return np.where(minus, -values, values), read
