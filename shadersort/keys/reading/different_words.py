"""The different words among some words, found by hashes of 64 bits that are then verified."""

import numpy as np
import numpy.typing as npt

from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers

WIDEST = 64
"""Bytes of a word up to which words are hashed together; longer ones are compared by Python."""
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)


def different(words: Words) -> tuple[list[bytes], Integers]:
    """Return the different words, and for each word the place of its equal among them.

    Examples
    --------
    >>> found, places = different(Words.of([b"b", b"", b"b"], np.arange(1, 4)))
    >>> [found[place] for place in places]
    [b'b', b'', b'b']
    """
    if words.widths.max(initial=0) > WIDEST:
        return _one_by_one(words)
    letters = _letters(words)
    hashes = _hashes(letters, words.widths)
    _, first, places = np.unique(hashes, return_index=True, return_inverse=True)
    same = first[places]
    if (letters != letters[same]).any() or (words.widths != words.widths[same]).any():
        return _one_by_one(words)  # two words have one hash
    return words[first].listed(), places


def _letters(words: Words) -> npt.NDArray[np.uint64]:
    """Return the bytes of each word, eight to a number, filled up with zeros."""
    width = -(-int(words.widths.max(initial=1)) // 8) * 8
    letters = np.zeros((len(words), width), np.uint8)
    for place in range(int(words.widths.max(initial=0))):
        words.letters_at(place, letters[:, place])
    return letters.view(np.uint64)


def _hashes(letters: npt.NDArray[np.uint64], widths: Integers) -> npt.NDArray[np.uint64]:
    hashes = widths.astype(np.uint64)
    for numbers in letters.T:
        hashes = (hashes ^ numbers) * MULTIPLIER
        hashes ^= hashes >> SHIFT
    return hashes


def _one_by_one(words: Words) -> tuple[list[bytes], Integers]:
    found: dict[bytes, int] = {}
    places = [found.setdefault(word, len(found)) for word in words.listed()]
    return list(found), np.array(places, np.int64)
