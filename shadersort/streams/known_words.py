"""`KnownWords`: the words that belong to the hashes of a summary."""

from collections.abc import Iterable, Mapping

import numpy as np

from shadersort.keys.reading.words import Words
from shadersort.streams.item_counts import positions_of
from shadersort.streams.word_hashes import Hashes

HashedWords = tuple[Hashes, Words]
"""Some words, and the hash of each."""
FIRST_BITS = np.uint64(64 - 16)
"""Shifts all bits of a hash away except the first 16."""


class KnownWords:
    """Keeps a word for each hash that is wanted, and forgets the others.

    A summary of hashes holds few of them, its candidates. Their words are all that must be kept. If
    two words of a stream have the same hash, the first one is kept.

    Examples
    --------
    >>> from shadersort.streams.word_hashes import hashes_of
    >>> words = Words.of([b"many", b"few", b"many"], np.arange(3))
    >>> hashes = hashes_of(words)
    >>> known = KnownWords()
    >>> known.learn(hashes, words, wanted=hashes[:1])
    >>> known.of(hashes[:1]), len(known)
    ([b'many'], 1)
    """

    def __init__(self, words: Mapping[int, bytes] | None = None) -> None:
        self._words = dict(words or {})

    def __len__(self) -> int:
        return len(self._words)

    @property
    def hashes(self) -> Hashes:
        """The hashes whose words are known, in order."""
        return np.sort(np.fromiter(self._words, np.uint64, len(self._words)))

    def of(self, hashes: Hashes) -> list[bytes]:
        """Return the words of hashes; raises KeyError for a hash whose word is unknown."""
        return [self._words[each] for each in hashes.tolist()]

    def learn(self, hashes: Hashes, words: Words, wanted: Hashes) -> None:
        """Take the words of wanted hashes from among some words, and forget hashes not wanted.

        `wanted` has no hash twice.
        """
        self.learn_from([(hashes, words)], wanted)

    def learn_from(self, parts: Iterable[HashedWords], wanted: Hashes) -> None:
        """Do as `learn` does, for several parts of a stream in their order."""
        known = self._words
        listed = wanted.tolist()
        self._words = {each: known[each] for each in listed if each in known}
        if len(self._words) == len(listed):
            return
        unknown = np.sort(wanted[[each not in known for each in listed]])
        for hashes, words in parts:
            self._words = _first_words(unknown, hashes, words) | self._words

    def add(self, other: "KnownWords") -> None:
        """Take the words of another; where both know a hash, the word that is here stays."""
        self._words = other._words | self._words

    def items(self) -> Iterable[tuple[int, bytes]]:
        """Return the pairs of hashes and words."""
        return self._words.items()


def _first_words(wanted: Hashes, hashes: Hashes, words: Words) -> dict[int, bytes]:
    """Return the first word of each hash that is wanted and there; `wanted` is in order."""
    perhaps = np.zeros(1 << 16, np.bool_)
    perhaps[wanted >> FIRST_BITS] = True
    rows = np.flatnonzero(perhaps[hashes >> FIRST_BITS])  # much faster than looking up all
    at, here = positions_of(wanted, hashes[rows])
    at, rows = at[here][::-1], rows[here][::-1]  # backwards, so that the first of equals remains
    firsts = dict(zip(at.tolist(), rows.tolist(), strict=True))
    found = words[np.fromiter(firsts.values(), np.int64, len(firsts))].listed()
    return dict(zip(wanted[list(firsts)].tolist(), found, strict=True))
