"""`KnownWords`: the words that belong to the hashes of a summary."""

from collections.abc import Iterable, Mapping

import numpy as np

from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Mask
from shadersort.streams.item_counts import positions_of
from shadersort.streams.word_hashes import Hashes

HashedWords = tuple[Hashes, Words]
"""Some words, and the hash of each."""
FIRST_BITS = np.uint64(64 - 16)
"""Shifts all bits of a hash away except the first 16."""


class KnownWords:
    """Keeps a word for each hash that is wanted, and forgets the others.

    A summary of hashes holds few of them, its candidates. Their words are all that must be kept. If
    two words of a stream have the same hash, the first one is kept. A shallow copy is independent.

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
        pairs = sorted((words or {}).items())
        self._hashes = np.array([each for each, _ in pairs], np.uint64)
        self._words = Words.of([word for _, word in pairs], np.arange(len(pairs)))

    def __len__(self) -> int:
        return len(self._hashes)

    @property
    def hashes(self) -> Hashes:
        """The hashes whose words are known, in order."""
        return self._hashes

    @property
    def words(self) -> Words:
        """The words of these hashes, in the same order, one after the other in one block."""
        return self._words

    def of(self, hashes: Hashes) -> list[bytes]:
        """Return the words of hashes; raises KeyError for a hash whose word is unknown."""
        at, here = positions_of(self._hashes, hashes)
        if not here.all():
            raise KeyError(int(hashes[~here][0]))
        return self._words[at].listed()

    def learn(self, hashes: Hashes, words: Words, wanted: Hashes) -> None:
        """Take the words of wanted hashes from among some words, and forget hashes not wanted.

        `wanted` has no hash twice.
        """
        self.learn_from([(hashes, words)], wanted)

    def learn_from(self, parts: Iterable[HashedWords], wanted: Hashes) -> None:
        """Do as `learn` does, for several parts of a stream in their order."""
        wanted = np.sort(wanted)
        at, here = positions_of(self._hashes, wanted)
        found = [(wanted[here], self._words[at[here]])]
        unknown = wanted[~here]
        for hashes, words in parts:
            rows, there = _first_rows(unknown, hashes)
            found.append((unknown[there], words[rows]))
            unknown = unknown[~there]
        self._hashes, self._words = _in_order(found)

    def add(self, other: "KnownWords") -> None:
        """Take the words of another; where both know a hash, the word that is here stays."""
        _, here = positions_of(self._hashes, other._hashes)
        more = other._hashes[~here], other._words[~here]
        self._hashes, self._words = _in_order([(self._hashes, self._words), more])

    def items(self) -> Iterable[tuple[int, bytes]]:
        """Return the pairs of hashes and words."""
        return zip(self._hashes.tolist(), self._words.listed(), strict=True)


def _first_rows(wanted: Hashes, hashes: Hashes) -> tuple[Integers, Mask]:
    """Return where hashes come first among others, for those that do, and which do.

    Examples
    --------
    >>> _first_rows(np.uint64([3, 5]), np.uint64([5, 9, 5]))
    (array([0]), array([False,  True]))
    """
    perhaps = np.zeros(1 << 16, np.bool_)
    perhaps[wanted >> FIRST_BITS] = True
    rows = np.flatnonzero(perhaps[hashes >> FIRST_BITS])  # much faster than looking up all
    at, here = positions_of(wanted, hashes[rows])
    first = np.full(len(wanted), -1)
    first[at[here][::-1]] = rows[here][::-1]  # backwards: of equal places the last one remains
    there = first >= 0
    return first[there], there


def _in_order(found: list[HashedWords]) -> HashedWords:
    """Return different hashes in order, and their words in a block of their own."""
    hashes = np.concatenate([each for each, _ in found])
    order = np.argsort(hashes)
    return hashes[order], Words.joined([words for _, words in found])[order].compact()
