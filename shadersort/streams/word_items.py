"""Items that are words of a hierarchy, for `HierarchicalHeavyHitters`: read, counted by numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

import numpy as np

from shadersort.errors import BadOption, CorruptSummary, UnsupportedKeys
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.given_words import batches_of_words
from shadersort.streams.prefix_trees import PrefixTree, levels_of, numbers_of
from shadersort.streams.summary import Arrays
from shadersort.streams.word_hashes import Hashes, hashes_of
from shadersort.streams.word_hierarchies import WordHierarchy

SLOT_BITS = 16
"""The cache has 2**16 slots; a word has one, by the upper bits of its hash."""
CHUNK = 1 << 16
"""Words of a list that are read at once."""


class ItemNumbers(np.ndarray[Any, np.dtype[np.uint64]]):
    """Numbers of items whose words a summary has just read: only its own `update` takes them."""


class ItemCache:
    """The numbers of words that were read lately, by the hashes of their text."""

    def __init__(self) -> None:
        other_slots = ~np.arange(1 << SLOT_BITS, dtype=np.uint64)
        self._hashes = other_slots << np.uint64(64 - SLOT_BITS)  # of no word that has this slot
        self._numbers = np.zeros(1 << SLOT_BITS, np.uint64)

    def numbers(self, hashes: Hashes) -> tuple[Hashes, Mask]:
        """Return the numbers of words by their hashes, and which of them are known."""
        slots = hashes >> np.uint64(64 - SLOT_BITS)
        return self._numbers[slots], self._hashes[slots] == hashes

    def learn(self, hashes: Hashes, numbers: Hashes) -> None:
        """Keep the numbers of words, each in place of another word's."""
        slots = hashes >> np.uint64(64 - SLOT_BITS)
        self._hashes[slots], self._numbers[slots] = hashes, numbers


@dataclass(frozen=True, slots=True, eq=False)
class WordItems:
    """The items of a hierarchy of words that are known; a value that is replaced, never changed.

    Attributes
    ----------
    tree
        The items and their prefixes.
    unread
        Canonical words of further items, whose prefixes are not in the tree yet.
    """

    tree: PrefixTree
    unread: tuple[Words, ...] = ()

    @classmethod
    def none_of(cls, hierarchy: WordHierarchy) -> "WordItems":
        """Return no items of a hierarchy."""
        empty = Words.of([], np.empty(0, np.int64))
        return cls(PrefixTree.of(hierarchy, empty))

    dtype = np.dtype(np.uint64)

    @property
    def hierarchy(self) -> WordHierarchy:
        """The hierarchy of the items."""
        return self.tree.hierarchy

    @property
    def levels(self) -> int:
        """The number of levels."""
        return self.hierarchy.deepest + 1

    @property
    def sharing(self) -> int:
        """For how many summaries a window is long enough: the tree grows once in a window."""
        return 2 * self.levels

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that make this hierarchy."""
        return {"hierarchy": self.hierarchy.name, **self.hierarchy.parameters}

    def settled(self) -> "WordItems":
        """Return the same items, all of them in the tree."""
        if not self.unread:
            return self
        return WordItems(self.tree.joined(PrefixTree.of(self.hierarchy, Words.joined(self.unread))))

    def only(self, numbers: Hashes) -> "WordItems":
        """Return some of the items and prefixes, with what is above them."""
        return WordItems(self.settled().tree.only(numbers))

    def joined(self, other: "WordItems") -> "WordItems":
        """Return the items of both."""
        return WordItems(self.settled().tree.joined(other.settled().tree))

    def read(self, words: Words, cache: ItemCache) -> tuple["WordItems", Hashes, Mask]:
        """Return these items with those of words, their numbers, and which words are none."""
        hashes = hashes_of(words)
        numbers, known = cache.numbers(hashes)
        bad = np.zeros(len(words), np.bool_)
        if known.all():
            return self, numbers, bad
        new = np.flatnonzero(~known)
        different, first, which = np.unique(hashes[new], return_index=True, return_inverse=True)
        canonical, wrong = self.hierarchy.read(words[new[first]])
        right = np.flatnonzero(~wrong)
        found = np.zeros(len(different), np.uint64)
        canonical = canonical[right]
        levels = self.hierarchy.deepest - self.hierarchy.depths(canonical)
        found[right] = numbers_of(canonical, levels)
        cache.learn(different[right], found[right])
        numbers[new], bad[new] = found[which], wrong[which]
        return replace(self, unread=(*self.unread, canonical)), numbers, bad

    def by_level(self, items: Hashes, counts: Integers) -> Iterator[tuple[Keys, Integers]]:
        """Yield the prefixes on each level in order, and how often they come."""
        return self.tree.by_level(items, counts)

    def raised(self, level: int, items: Hashes, *counts: Integers) -> tuple[Keys, ...]:
        """Return the prefixes one level up in order, and the sums of their counts."""
        return self.tree.raised(level, items, *counts)

    def asked(self, prefixes: Any, length: SupportsIndex | None) -> tuple[Integers, Hashes]:
        """Return the levels and the numbers of prefixes that are given as text."""
        if length is not None:
            raise BadOption("prefixes that are text say their own length: pass no length")
        words = self._words_of(prefixes)
        levels = self.hierarchy.deepest - self.hierarchy.depths(words)
        return levels, numbers_of(words, levels)

    def reported(self, table: Any) -> tuple[Integers, Hashes]:
        """Return the levels and the numbers of the rows of a table."""
        return self.asked(table["prefix"], None)

    def _words_of(self, prefixes: Any) -> Words:
        """Return the words of items and prefixes that are given as text."""
        given, missing = words_of(prefixes)
        if missing:
            raise UnsupportedKeys(f"{missing} of these prefixes are missing")
        found, bad = self.hierarchy.read(given)
        if not bad.any():
            return found
        listed = found.listed()
        for place, text in zip(np.flatnonzero(bad).tolist(), given[bad].listed(), strict=True):
            listed[place] = self.hierarchy.word_of(text)
        return Words.of(listed, found.lines)

    def length(self, level: int) -> int:
        """Return the depth of the prefixes on a level."""
        return self.hierarchy.deepest - level

    def column(self, numbers: Hashes) -> Keys:
        """Return prefixes as text, for a table."""
        texts = np.empty(len(numbers), object)
        texts[:] = [self.hierarchy.text_of(word) for word in self._listed(numbers)]
        return texts

    def spelt(self, row: Any) -> str:
        """Return the prefix of a reported row as text that can be printed."""
        return self.hierarchy.spelt(self._words_of(row["prefix"]).listed()[0])

    def _listed(self, numbers: Hashes) -> list[bytes]:
        return self.tree.words_of(numbers).compact().listed()

    def arrays(self, numbers: Hashes) -> dict[str, Keys]:
        """Return the words of some different items and prefixes as flat arrays by name."""
        words = self.settled().tree.words_of(numbers).compact()
        return {"words": words.data, "ends": words.ends}

    def restored(self, arrays: Arrays) -> "WordItems":
        """Return the items that gave arrays; raise CorruptSummary for others."""
        data, ends = arrays["words"], arrays["ends"]
        if data.dtype != np.uint8 or ends.dtype != np.int64:
            raise CorruptSummary("the words are no bytes, or their places no integers of 64 bits")
        starts = np.concatenate([np.zeros(1, np.int64), ends])[: len(ends)]
        if np.any(starts > ends) or (int(ends[-1]) if len(ends) else 0) != len(data):
            raise CorruptSummary("the words lie elsewhere than their places say")
        words = Words(data, starts, ends, np.arange(len(ends)))
        if np.any(self.hierarchy.depths(words) < 0):
            raise CorruptSummary(f"a word is no {self.hierarchy.item}, or not in canonical form")
        return WordItems(PrefixTree.of(self.hierarchy, words))

    def check(self, level: int, numbers: Hashes) -> None:
        """Raise CorruptSummary unless restored numbers on a level are known."""
        if np.any(levels_of(numbers) != level):
            raise CorruptSummary("a prefix is on a level that is not its own")
        self.check_items(numbers)

    def check_items(self, numbers: Hashes) -> None:
        """Raise CorruptSummary unless restored numbers of items are known."""
        if not self.tree.has(numbers).all():
            raise CorruptSummary("a prefix has no word")


class ItemParser:
    """Reads words of a text as items of a summary, which then takes their numbers."""

    dtype = WordItems.dtype

    def __init__(self, summary: Any) -> None:
        self._summary = summary

    def __call__(self, words: Words) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are none."""
        numbers, bad = self._summary.read(words)
        return numbers, bad

    def is_title(self, word: bytes) -> bool:
        """Whether the first word of a column that may have a title is one: no path has no slash."""
        return self._summary.hierarchy.name == "path" and b"/" not in word

    def why(self, word: bytes) -> str:
        """Say why a word is no item."""
        return f"no {self._summary.hierarchy.item}" if word else "missing"


def words_of(values: Any) -> tuple[Words, int]:
    """Return text, or a list or array of text, as words, and how many values are missing.

    Raises UnsupportedKeys for values that are no text, and KeysNotFlat.

    Examples
    --------
    >>> words, missing = words_of(["/a", None, b"/b"])
    >>> words.listed(), missing
    ([b'/a', b'/b'], 1)
    """
    try:
        batches = list(batches_of_words(values))
    except UnsupportedKeys as error:
        raise UnsupportedKeys(
            "items of this hierarchy are text, or lists or arrays of text, and some of these "
            "values are not: numbers are for the hierarchies 'ipv4', 'bits' and 'decimal'"
        ) from error
    return Words.joined([words for words, _ in batches]), sum(missing for _, missing in batches)
