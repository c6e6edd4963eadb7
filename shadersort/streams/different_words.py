"""The different words among some words, found by their hashes, which are then verified."""

import numpy as np

from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers
from shadersort.streams.word_hashes import PART, hashes_of, lengthened, parts_of


def different(words: Words) -> tuple[list[bytes], Integers]:
    """Return the different words, and for each word the place of its equal among them.

    Examples
    --------
    >>> found, places = different(Words.of([b"b", b"", b"b"], np.arange(1, 4)))
    >>> [found[place] for place in places]
    [b'b', b'', b'b']
    """
    _, first, places = np.unique(hashes_of(words), return_index=True, return_inverse=True)
    if not _same(words, first[places]):
        return _one_by_one(words)  # two different words have one hash
    return words[first].listed(), places


def _same(words: Words, others: Integers) -> bool:
    """Whether each word is equal to the one at another place."""
    widths = words.widths
    if (widths != widths[others]).any():
        return False
    data = lengthened(words)
    left = np.flatnonzero(others != np.arange(len(words)))
    for place in range(0, int(widths.max(initial=0)), PART):
        left = left[widths[left] > place]
        rest = widths[left] - place
        of_word = parts_of(data, words.starts[left] + place, rest)
        if (of_word != parts_of(data, words.starts[others[left]] + place, rest)).any():
            return False
    return True


def _one_by_one(words: Words) -> tuple[list[bytes], Integers]:
    found: dict[bytes, int] = {}
    places = [found.setdefault(word, len(found)) for word in words.listed()]
    return list(found), np.array(places, np.int64)
