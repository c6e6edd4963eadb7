"""Answers about words, from the answers of a summary of their hashes."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, SupportsFloat, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from shadersort.errors import UnsupportedKeys
from shadersort.keys.types import Integers
from shadersort.streams.estimates import (
    SHOWN,
    CountedItem,
    EstimatesAnswered,
    checked_count,
    highlights,
)
from shadersort.streams.given_words import batches_of_words, is_word, shown_word
from shadersort.streams.locked import locked
from shadersort.streams.word_hashes import Hashes, hashes_of

Word = str | bytes
Several = list[str] | list[bytes] | tuple[Word, ...] | npt.NDArray[Any]
"""Words; a str is also a sequence of words for type checkers, so a sequence says too little."""


class WordEstimatesAnswered(ABC):
    """Answers questions about how often words come."""

    @abstractmethod
    def _hash_estimates(self) -> EstimatesAnswered:
        """Return what answers for the hashes of words, or raise EmptySummary."""

    @abstractmethod
    def _words_of(self, hashes: Hashes) -> list[bytes]:
        """Return the words of hashes that are held."""

    @property
    @locked
    def count_error(self) -> int:
        """The most by which an estimate may be too small now; at most εn, and often less."""
        return self._hash_estimates().count_error

    @overload
    def estimate(self, words: Word) -> int: ...

    @overload
    def estimate(self, words: Several) -> Integers: ...

    @overload
    def estimate(self, words: Any) -> Any: ...

    def estimate(self, words: Any) -> Any:
        """Return how often a word, or each of several, comes: never too many, at most εn too few.

        A word in gives an int out, a list or an array an array of int64.
        """
        return self.bounds(words)[0]

    @locked
    def bounds(self, words: Any) -> tuple[Any, Any]:
        """Return how often a word, or each of several, comes: at least, and at most."""
        batches = list(batches_of_words(words))
        if any(missing for _, missing in batches):
            raise UnsupportedKeys("a missing value is no word: `nans` is the number of those seen")
        found = np.concatenate([np.empty(0, np.uint64), *(hashes_of(each) for each, _ in batches)])
        lower, upper = self._hash_estimates().bounds(found)
        return (int(lower[0]), int(upper[0])) if is_word(words) else (lower, upper)

    @locked
    def frequent_items(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the words that make up a share of the stream, the most frequent first.

        Every word that comes more than support · n times is in the table, and none that comes less
        than (support − epsilon) · n times. Words that come equally often are in their own order.

        Parameters
        ----------
        support
            A share from epsilon to 1.

        Returns
        -------
        A structured array of items, each a str, with how often each comes: the estimate, the lower
        bound (equal to the estimate, which is never too large) and the upper bound.
        """
        found = self._hash_estimates().frequent_items(support)
        words = self._shown(found["item"])
        counts = found["estimate"].tolist()
        order = sorted(range(len(found)), key=lambda row: (-counts[row], words[row]))
        table = np.empty(len(found), [("item", np.object_), *found.dtype.descr[1:]])
        for name in ("estimate", "lower", "upper"):
            table[name] = found[name][order]
        table["item"] = np.array([*words, None], np.object_)[order]
        return table

    @locked
    def most_common(self, n: SupportsIndex | None = None) -> list[tuple[str, int]]:
        """Return the n words with the largest estimates, and these, as `Counter.most_common` does.

        A word that is not in the list comes at most `count_error` times more than the last one in
        it. Words that come equally often are in their own order.

        Parameters
        ----------
        n
            How many words; None returns all that the summary holds. It may hold fewer.

        Examples
        --------
        >>> from shadersort.streams import WordFrequencies
        >>> WordFrequencies(0.01).update("to be or not to be".split()).most_common(3)
        [('be', 2), ('to', 2), ('not', 1)]
        """
        count = None if n is None else checked_count(n)
        pairs = self._hash_estimates().most_common()
        words = self._shown(np.array([item for item, _ in pairs], np.uint64))
        counted = zip(words, (count for _, count in pairs), strict=True)
        return sorted(counted, key=lambda pair: (-pair[1], pair[0]))[:count]

    @locked
    def __iter__(self) -> Iterator[CountedItem]:
        """Yield the words that are held, in order, with bounds of how often each comes."""
        held = [*self._hash_estimates()]
        words = self._shown(np.array([each.item for each in held], np.uint64))
        named = (each._replace(item=word) for each, word in zip(held, words, strict=True))
        return iter(sorted(named))

    def _shown(self, hashes: Hashes) -> list[str]:
        return [shown_word(word) for word in self._words_of(hashes)]

    def _highlights(self) -> list[tuple[str, object]]:
        """Return the most frequent words, for a notebook."""
        return highlights(self.most_common(SHOWN), self.count_error)
