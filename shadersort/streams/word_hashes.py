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
KEPT = np.array([(1 << 8 * width) - 1 for width in range(PART + 1)], np.uint64)
"""The bits of so many bytes of a part."""
NOTHING = np.uint64(0)

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
    data = lengthened(words)
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
    data, others_data = lengthened(words), lengthened(others)
    left = np.flatnonzero(equal)
    for place in range(0, int(words.widths[left].max(initial=0)), PART):
        left = left[equal[left] & (words.widths[left] > place)]
        widths = words.widths[left] - place
        parts = parts_of(data, words.starts[left] + place, widths)
        equal[left] = parts == parts_of(others_data, others.starts[left] + place, widths)
    return equal


def lengthened(words: Words) -> Bytes:
    """Return the block of words; each byte of a word is followed by as many as a part has."""
    if int(words.ends.max(initial=0)) + PART <= len(words.data):
        return words.data
    return np.append(words.data, np.zeros(PART, np.uint8))


def parts_of(
    data: Bytes, starts: Integers, widths: Integers, flipped: np.uint64 = NOTHING
) -> Hashes:
    """Return up to eight bytes from each place as a number, the first byte the lowest.

    The bits in `flipped` are inverted. Bytes beyond the width are zero.
    """
    overlapping = np.ndarray(len(data) - PART + 1, "<u8", data, strides=(1,))
    parts = overlapping[np.minimum(starts, len(overlapping) - 1)] ^ flipped
    return np.asarray(parts & KEPT.take(widths, mode="clip"), np.uint64)


def _mixed(numbers: Hashes) -> Hashes:
    """Return numbers with their bits mixed; different numbers stay different."""
    for factor in (FIRST, SECOND):
        numbers = (numbers ^ (numbers >> np.uint64(32))) * np.uint64(factor)
    return np.asarray(numbers ^ (numbers >> np.uint64(32)))
