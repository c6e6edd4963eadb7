"""`WordFrequencies`: how often words come, by a summary of their hashes and the words of these."""

from collections.abc import Iterable
from copy import copy
from typing import Any, Self, SupportsFloat, SupportsIndex

import numpy as np

from shadersort.errors import BadOption, BadWindow, CorruptSummary
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Keys
from shadersort.streams.any_window import AnyWindow
from shadersort.streams.blob import Blob
from shadersort.streams.estimates import EstimatesAnswered
from shadersort.streams.frequency_summary import FrequencySummary
from shadersort.streams.given_words import batches_of_words, weighted_words
from shadersort.streams.known_words import HashedWords, KnownWords
from shadersort.streams.locked import locked
from shadersort.streams.sliding_frequencies import SlidingFrequencies
from shadersort.streams.sliding_summary import LastOf
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays, Summary
from shadersort.streams.word_answers import WordEstimatesAnswered
from shadersort.streams.word_hashes import Hashes, hashes_of

LETTERS, WIDTHS = "letters", "widths"
"""The arrays of the words: their bytes one after the other, and how many bytes each has."""
PENDING = 1 << 23
"""Bytes of a stream that are kept before the words of new candidates are looked up in them; or
twice as many as the known words have, if that is more."""
OF_PART, OF_WORD = 1024, 32
"""Bytes that a part of a stream takes, and each word in it, besides its letters."""

Pending = tuple["Pending | None", HashedWords]
"""The last part of a stream, after those before it: a new part is added without copying others."""


class WordFrequencies(AnyWindow, Summary, WordEstimatesAnswered):
    """Counts the words that come often in a stream that is too long to keep: any str or bytes.

    **Guarantee**: that of `FrequencySummary` for all words, or, with a window, that of
    `SlidingFrequencies` for the last ones: an estimate is never too large, and too small by at most
    `epsilon` · n. Words are counted by a fixed hash of 64 bits. Two words with one hash are counted
    as one, which is called by the first of them. Among n different words that has a probability of
    about n² / 2^65, if nobody has chosen them for their hashes.

    The summary holds what that summary holds for the hashes, and the words of these. Besides it
    holds the last words of the stream: 8 MiB, or twice as much as the words of the hashes.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.
    window
        Count the last words only, this many at most, and at least 1/epsilon; None counts all.
    shortest
        With a window, the error for fewer words than `shortest` is that for `shortest` words.
    sorter
        Sorts the windows of hashes; `NumPySorter()` by default.

    Examples
    --------
    >>> words = WordFrequencies(0.01).update("the cat and the dog and the bird".split())
    >>> words.most_common(2), words.estimate("cat")
    ([('the', 3), ('and', 2)], 1)
    >>> words.update(["the"] * 2).frequent_items(0.5)["item"]
    array(['the'], dtype=object)
    >>> recent = WordFrequencies(0.25, window=4).update("a b c d e f g g".split())
    >>> recent.most_common(1), recent.last(3).most_common()
    ([('g', 2)], [('g', 2), ('f', 1)])
    """

    _highlights = WordEstimatesAnswered._highlights

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        window: SupportsIndex | None = None,
        shortest: SupportsIndex = 1,
        sorter: Sorter | None = None,
    ) -> None:
        super().__init__(epsilon)
        self._hashes: FrequencySummary | SlidingFrequencies
        if window is not None:
            length = self._checked_window(window, self._epsilon)
            self._hashes = SlidingFrequencies.of_any_window(
                epsilon, length, shortest=shortest, dtype=np.uint64, sorter=sorter
            )
        elif shortest == 1:
            self._hashes = FrequencySummary(epsilon, dtype=np.uint64, sorter=sorter)
        else:
            raise BadWindow("shortest= is for the last words: say window= as well")
        self.seconds = self._hashes.seconds
        self._known = KnownWords()
        self._pending: Pending | None = None
        self._pending_bytes = 0

    @property
    def sorter(self) -> Sorter:
        """What sorts the windows of hashes."""
        return self._hashes.sorter

    @property
    def window(self) -> int | None:
        """The most words that a question may be about; None if it is about all."""
        return self._hashes.window if isinstance(self._hashes, SlidingFrequencies) else None

    @locked
    def update(self, words: Any, weights: Any = None) -> Self:
        """Take in words: one, a list, an array, a pandas column, or any iterable of these.

        Each word is a str or bytes; a str and the bytes of its UTF-8 are the same word. None, NaN
        and pandas' NA are missing values: they are counted in `nans` and left out. Only the order
        of words matters, not how updates split them. If anything fails, the summary stays as it
        was before. Returns this summary; raises UnsupportedKeys for values that are no words.

        `weights` are integers, at least 0, one for each word of a list or an array: how often it
        counts. Raises BadWeights for others, and BadOption if the summary has a window.
        """
        if weights is not None and self.window is not None:
            raise BadOption("words of a window take no weights: pass np.repeat(words, weights)")
        with self._or_as_before():
            self._hashes = self._hashes._snapshot()
            if weights is None:
                for batch, missing in batches_of_words(words):
                    self._take(batch, len(batch), missing)
            else:
                self._take_weighted(words, weights)
        return self

    def _take_weighted(self, words: Any, weights: Any) -> None:
        given, counts, missing = weighted_words(words, weights)
        end = 0
        self._see(0, missing)
        for batch, _ in batches_of_words(given):
            begin, end = end, end + len(batch)
            some = counts[begin:end]
            self._take(batch, int(some.sum()), 0, some)

    def _take(self, words: Words, count: int, missing: int, weights: Any = None) -> None:
        """Take words, which count so often together."""
        self._see(count, missing)
        with self._timed("hash"):
            hashes = hashes_of(words)
        self._hashes.update(hashes, weights)
        self._pending = self._pending, (hashes, words)
        self._pending_bytes += OF_PART + OF_WORD * len(words) + len(words.data)
        known = OF_WORD * len(self._known) + len(self._known.words.data)
        if self._pending_bytes > max(PENDING, 2 * known):
            self._settle()

    def _settle(self) -> None:
        """Keep the words of the hashes that are held, and no others."""
        parts: list[HashedWords] = []
        pending = self._pending
        while pending is not None:
            pending, part = pending
            parts.append(part)
        if parts:
            with self._timed("words"):
                self._learn(reversed(parts))

    def _learn(self, parts: Iterable[HashedWords]) -> None:
        known = copy(self._known)
        known.learn_from(parts, self._hashes._held_items())
        self._known, self._pending, self._pending_bytes = known, None, 0

    @locked
    def last(self, n: SupportsIndex) -> "LastWordFrequencies":
        """Return an object that answers for the last n words, or for all if there are fewer."""
        if not isinstance(self._hashes, SlidingFrequencies):
            raise BadWindow("this summary is of all words: say window= when it is made")
        return LastWordFrequencies(self, self._hashes._asked(n))

    def _hash_estimates(self) -> EstimatesAnswered:
        self._check_seen()
        return self._hashes

    def _words_of(self, hashes: Hashes) -> list[bytes]:
        self._settle()
        return self._known.of(hashes)

    @locked
    def _merge(self, other: Self) -> None:
        with self._or_as_before():
            self._settle()
            self._see(other._n, other._nans)
            hashes: Any = self._hashes._snapshot()
            self._hashes = hashes.merge(other._hashes)
            self._known = copy(self._known)
            self._known.add(other._known)
            self._learn(())

    @locked
    def __len__(self) -> int:
        return len(self._hashes)

    def _parameters(self) -> dict[str, Any]:
        if self.window is None:
            return {"epsilon": self._epsilon, "window": None}
        lengths = self._hashes._parameters()
        return {name: lengths[name] for name in ("epsilon", "window", "shortest")}

    def _options(self) -> dict[str, Any]:
        return {"sorter": self.sorter}

    def _arrays(self) -> dict[str, Keys]:
        words = self._known.words
        return {**self._hashes._arrays(), LETTERS: words.data, WIDTHS: words.widths}

    def _restore(self, arrays: Arrays) -> None:
        counts = {name: each for name, each in arrays.items() if name not in (LETTERS, WIDTHS)}
        counts["seen"] = np.array([self._n, 0], np.int64)
        self._hashes._restore_all(Blob("", self._hashes._parameters(), counts))
        words, held = _restored_words(arrays[LETTERS], arrays[WIDTHS]), self._hashes._held_items()
        if not np.array_equal(hashes_of(words), held):
            raise CorruptSummary("the words are not those of the hashes that are held")
        self._known = KnownWords(dict(zip(held.tolist(), words.listed(), strict=True)))


def _restored_words(letters: Keys, widths: Keys) -> Words:
    """Return words whose bytes lie one after the other, or raise CorruptSummary."""
    if letters.dtype != np.uint8 or widths.dtype != np.int64:
        raise CorruptSummary("the words are of another type")
    if np.any((widths < 0) | (widths > len(letters))) or widths.sum() != len(letters):
        raise CorruptSummary("the words have not as many bytes as they say")
    ends = np.cumsum(widths)
    return Words(letters, ends - widths, ends, np.arange(1, len(widths) + 1))


class LastWordFrequencies(LastOf, WordEstimatesAnswered):
    """Answers for the last n words of a stream; `WordFrequencies.last` returns it.

    The n words are the last ones at the time of each question.
    """

    def _hash_estimates(self) -> EstimatesAnswered:
        self._summary._check_seen()
        answers: EstimatesAnswered = self._summary._hashes.last(self._asked)
        return answers

    def _words_of(self, hashes: Hashes) -> list[bytes]:
        words: list[bytes] = self._summary._words_of(hashes)
        return words
