"""Exact counts of a few items, by a second read of a stream whose summary has named them."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Keys
from shadersort.streams.item_counts import looked_up, positions_of
from shadersort.streams.values import plain_zeros
from shadersort.streams.word_hashes import equal_words, hashes_of


class ExactCounts(ABC):
    """How often a few items come in what it was updated with."""

    def __init__(self, ordered: Keys) -> None:
        self._ordered = ordered
        self._counts = np.zeros(len(ordered), np.int64)

    @abstractmethod
    def update(self, values: Any) -> Self:
        """Count the items among some values."""

    @abstractmethod
    def of(self, items: Any) -> list[int]:
        """Return the counts of items."""

    def _count(self, places: Integers) -> None:
        self._counts += np.bincount(places, minlength=len(self._ordered))


class ExactNumberCounts(ExactCounts):
    """How often a few numbers come.

    Examples
    --------
    >>> exact = ExactNumberCounts(np.array([7, 5, 7]))
    >>> exact.update(np.array([5, 5, 9])).update(np.array([7])).of(np.array([7, 5]))
    [1, 2]
    """

    def __init__(self, items: Keys) -> None:
        super().__init__(np.unique(plain_zeros(items)))

    def update(self, values: Keys) -> Self:
        """Count the items among some numbers."""
        at, here = positions_of(self._ordered, plain_zeros(values))
        self._count(at[here])
        return self

    def of(self, items: Keys) -> list[int]:
        """Return the counts of items."""
        counts: list[int] = looked_up(plain_zeros(items), self._ordered, self._counts).tolist()
        return counts


class ExactWordCounts(ExactCounts):
    """How often a few words come, by their bytes and not by their hashes.

    Attributes
    ----------
    others
        The counts of other words that have the hash of one of these.

    Examples
    --------
    >>> exact = ExactWordCounts([b"a", b"b"])
    >>> exact.update(Words.of([b"b", b"c", b"b"], np.arange(3))).of([b"a", b"b"])
    [0, 2]
    """

    def __init__(self, items: Sequence[bytes]) -> None:
        words = Words.of(items, np.arange(len(items)))
        hashes, first = np.unique(hashes_of(words), return_index=True)
        self._words = words[first]
        self.others: Counter[bytes] = Counter()
        super().__init__(hashes)

    def update(self, words: Words) -> Self:
        """Count the items among some words."""
        at, here = positions_of(self._ordered, hashes_of(words))
        at, words = at[here], words[here]
        same = equal_words(words, self._words[at])
        self._count(at[same])
        if not same.all():
            self.others.update(words[~same].listed())
        return self

    def of(self, items: Sequence[bytes]) -> list[int]:
        """Return the counts of items."""
        counts = zip(self._words.listed(), self._counts.tolist(), strict=True)
        known = self.others | Counter(dict(counts))
        return [known[item] for item in items]
