"""A hash of 64 bits for each of many words, so that words can be counted as numbers.

The hash is fixed: the same word has the same hash on every machine and in every release, because
summaries that hold hashes are saved and merged. Two different words of a stream with n different
words have equal hashes with a probability of about n² / 2^65. That holds for words that nobody
chose by their hashes; whoever knows the hash can construct words that collide.
"""

import numpy as np
import numpy.typing as npt

from shadersort.keys.reading.words import Bytes, Words
from shadersort.keys.types import Integers, Mask

Hashes = npt.NDArray[np.uint64]

PART = 8
"""Bytes of a word that are mixed in at once."""

# Odd numbers whose bits look random. Multiplying by an odd number and a shifted xor can both be
# undone, so different parts never lose what came before them.
BEGIN, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def hashes_of(words: Words) -> Hashes:
    """Return a hash of 64 bits for each word; an empty word has one as well.

    Examples
    --------
    >>> found = hashes_of(Words.of([b"ab", b"ba", b"ab"], np.arange(3)))
    >>> found[0] == found[2], found[0] == found[1]
    (np.True_, np.False_)
    """
    widths = words.widths
    found = _mixed(widths.astype(np.uint64) ^ np.uint64(BEGIN))
    data = _lengthened(words.data)
    longest = int(widths.max(initial=0))
    left = np.arange(len(words))
    for place in range(0, longest, PART):
        left = left[widths[left] > place]
        parts = parts_of(data, words.starts[left] + place, widths[left] - place)
        found[left] = _mixed(found[left] ^ parts)
    return found


def equal_words(words: Words, others: Words) -> Mask:
    """Return which words are equal to those at the same places of as many others.

    Examples
    --------
    >>> equal_words(Words.of([b"ab", b"b"], np.arange(2)), Words.of([b"ab", b"c"], np.arange(2)))
    array([ True, False])
    """
    equal = np.asarray(words.widths == others.widths)
    data, others_data = _lengthened(words.data), _lengthened(others.data)
    left = np.flatnonzero(equal)
    for place in range(0, int(words.widths[left].max(initial=0)), PART):
        left = left[equal[left] & (words.widths[left] > place)]
        widths = words.widths[left] - place
        parts = parts_of(data, words.starts[left] + place, widths)
        equal[left] = parts == parts_of(others_data, others.starts[left] + place, widths)
    return equal


def _lengthened(data: Bytes) -> Bytes:
    """Return bytes followed by as many as a part has, so that a part may begin anywhere."""
    return np.append(data, np.zeros(PART, np.uint8))


def parts_of(data: Bytes, starts: Integers, widths: Integers) -> Hashes:
    """Return up to eight bytes from each place as a number, the first byte the lowest."""
    overlapping = np.ndarray(len(data) - PART + 1, "<u8", data, strides=(1,))
    missing = np.maximum(PART - widths, 0).astype(np.uint64) * np.uint64(8)
    kept = np.uint64(0xFFFF_FFFF_FFFF_FFFF) >> missing
    return np.asarray(overlapping[starts].astype(np.uint64) & kept)


def _mixed(numbers: Hashes) -> Hashes:
    """Return numbers with their bits mixed; different numbers stay different."""
    for factor in (FIRST, SECOND):
        numbers = (numbers ^ (numbers >> np.uint64(32))) * np.uint64(factor)
    return np.asarray(numbers ^ (numbers >> np.uint64(32)))
