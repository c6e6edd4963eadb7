"""Words of a text as IPv4 addresses, many at a time."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from shadersort.keys.reading.words import Bytes, Words
from shadersort.keys.types import Integers, Keys, Mask

POINT, ZERO = b".0"
OCTETS = 4


@dataclass(frozen=True, slots=True)
class AddressWords:
    """Reads words as IPv4 addresses in dotted form: numbers of 32 bits.

    It accepts what Python's `ipaddress` accepts: four numbers up to 255, without leading zeros.

    Examples
    --------
    >>> AddressWords()(Words.of([b"10.1.2.3", b"10.1.2", b"0.0.0.256"], np.arange(3)))
    (array([167838211,         0,         0], dtype=uint32), array([False,  True,  True]))
    """

    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.uint32)

    def __call__(self, words: Words) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are none; their numbers are zero."""
        points, bad = _points(words)
        starts = np.vstack([words.starts, points + 1])
        octets, wrong = _octets(words.data, starts, np.vstack([points, words.ends]))
        bad |= wrong.any(axis=0)
        octets[:, bad] = 0
        return np.ascontiguousarray(octets[::-1].T).view("<u4").reshape(-1).astype(np.uint32), bad

    def why(self, word: bytes) -> str:
        """Say why a word is no address."""
        return "no IPv4 address" if word else "missing"


def _points(words: Words) -> tuple[Integers, Mask]:
    """Return the places of three points in each word, and which words have not three."""
    found = np.flatnonzero(words.data == POINT)
    padded = np.append(found, np.full(OCTETS, len(words.data)))
    first = np.searchsorted(found, words.starts)
    places = np.vstack([padded[first + i] for i in range(OCTETS)])
    bad = (places[2] >= words.ends) | (places[3] < words.ends)
    return np.where(bad, words.starts, places[:3]), bad


def _octets(data: Bytes, starts: Integers, ends: Integers) -> tuple[Bytes, Mask]:
    """Return the numbers between two places each, and which are none from 0 to 255."""
    if not len(data):
        return np.zeros(starts.shape, np.uint8), np.ones(starts.shape, np.bool_)
    widths = ends - starts
    wrong = (widths < 1) | (widths > 3)
    numbers = np.zeros(starts.shape, np.int16)
    for place, power in enumerate((1, 10, 100)):
        digits = np.take(data, ends - 1 - place, mode="clip") - np.uint8(ZERO)
        here = place < widths
        wrong |= here & ((digits > 9) | ((digits == 0) & (widths > 1) & (place == widths - 1)))
        numbers += np.where(here, digits, 0).astype(np.int16) * np.int16(power)
    wrong |= numbers > 255
    return numbers.astype(np.uint8), np.asarray(wrong)
