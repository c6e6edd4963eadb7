"""`KnownWords`: the words that belong to the hashes of a summary."""

from collections.abc import Iterable, Mapping

import numpy as np

from shadersort.keys.reading.words import Words
from shadersort.streams.item_counts import positions_of
from shadersort.streams.word_hashes import Hashes


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
        known = self._words
        self._words = {each: known[each] for each in wanted.tolist() if each in known}
        if len(self._words) == len(wanted):
            return
        unknown = np.sort(wanted[[each not in known for each in wanted.tolist()]])
        at, here = positions_of(unknown, hashes)
        rows = np.flatnonzero(here)[::-1]  # backwards, so that the first of equal words remains
        firsts = dict(zip(at[rows].tolist(), rows.tolist(), strict=True))
        found = words[np.fromiter(firsts.values(), np.int64, len(firsts))].listed()
        self._words |= zip(unknown[list(firsts)].tolist(), found, strict=True)

    def add(self, other: "KnownWords") -> None:
        """Take the words of another; where both know a hash, the word that is here stays."""
        self._words = other._words | self._words

    def items(self) -> Iterable[tuple[int, bytes]]:
        """Return the pairs of hashes and words."""
        return self._words.items()
