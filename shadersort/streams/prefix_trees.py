"""`PrefixTree`: the words of items and of all their prefixes, by numbers.

The number of a prefix is its level in the upper 8 bits, and 56 bits of a hash of its word. Level 0
is the deepest one. So numbers in order lie level by level, and two words can only be confused if
they have one depth. The prefixes of n different items have a number twice with a probability of
about n² / 2^57.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.item_counts import added_up, positions_of
from shadersort.streams.word_hashes import Hashes, hashes_of
from shadersort.streams.word_hierarchies import WordHierarchy

HASHED = 56
"""Bits of a number that are a hash; the others are the level."""


def numbers_of(words: Words, levels: Integers | int) -> Hashes:
    """Return the numbers of prefixes, given their words and levels."""
    upper = np.asarray(levels, np.uint64) << np.uint64(HASHED)
    return np.asarray(hashes_of(words) >> np.uint64(64 - HASHED) | upper)


def levels_of(numbers: Hashes) -> Integers:
    """Return the levels of prefixes, given their numbers."""
    return (numbers >> np.uint64(HASHED)).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class PrefixTree:
    """Items and all their prefixes; a value that is replaced, never changed.

    Attributes
    ----------
    hierarchy
        Says what prefixes are.
    numbers
        The numbers of items and prefixes, in order.
    parents
        For each, the number of the prefix one level up; the root is its own.
    words
        The canonical word of each.
    """

    hierarchy: WordHierarchy
    numbers: Hashes
    parents: Hashes
    words: Words

    @classmethod
    def of(cls, hierarchy: WordHierarchy, words: Words) -> "PrefixTree":
        """Return the tree of canonical words.

        If two words of a depth have one number, it stands for a word that was given, not for the
        beginning of one.
        """
        ends, depths = hierarchy.ends(words), hierarchy.depths(words)
        above, parts = np.zeros(len(words), np.uint64), []
        for depth in range(hierarchy.deepest + 1):
            rows = np.concatenate([np.flatnonzero(depths == depth), np.flatnonzero(depths > depth)])
            here = Words(words.data, words.starts[rows], ends[depth, rows], rows)
            numbers = numbers_of(here, hierarchy.deepest - depth)
            found, first = np.unique(numbers, return_index=True)
            parents = above[rows[first]] if depth else found
            above[rows] = numbers
            parts.append((found, parents, here.starts[first], here.ends[first]))
        numbers, parents, starts, ends = (
            np.concatenate([part[i] for part in reversed(parts)]) for i in range(4)
        )
        return cls(hierarchy, numbers, parents, Words(words.data, starts, ends, starts))

    def __len__(self) -> int:
        return len(self.numbers)

    def joined(self, other: "PrefixTree") -> "PrefixTree":
        """Return the tree of all words; where both have a number, the word that is here stays."""
        _, there = positions_of(self.numbers, other.numbers)
        new = np.flatnonzero(~there)
        if not len(new):
            return self
        words = _beside(self.words, other.words[new])
        numbers = np.concatenate([self.numbers, other.numbers[new]])
        parents = np.concatenate([self.parents, other.parents[new]])
        order = np.argsort(numbers, kind="stable")
        return PrefixTree(self.hierarchy, numbers[order], parents[order], words[order])

    def only(self, numbers: Hashes) -> "PrefixTree":
        """Return the tree of some of the items and prefixes, with what is above them."""
        return PrefixTree.of(self.hierarchy, self.words_of(numbers).compact())

    def has(self, numbers: Hashes) -> Mask:
        """Return which numbers are in the tree."""
        return positions_of(self.numbers, numbers)[1]

    def words_of(self, numbers: Hashes) -> Words:
        """Return the words of numbers that are in the tree."""
        return self.words[self._rows(numbers)]

    def raised(self, level: int, items: Hashes, *counts: Integers) -> tuple[Keys, ...]:
        """Return the prefixes one level up in order, and the sums of their counts."""
        parents = self.parents[self._rows(items)]
        order = np.argsort(parents, kind="stable")
        return added_up((parents[order],), *(each[order] for each in counts))

    def by_level(self, items: Hashes, counts: Integers) -> Iterator[tuple[Keys, Integers]]:
        """Yield the prefixes on each level in order, and how often they come.

        Items, which are in order, begin on the level of their depth.
        """
        levels = np.arange(1, self.hierarchy.deepest + 2, dtype=np.uint64)
        ends = np.searchsorted(items, levels << np.uint64(HASHED))
        found: tuple[Keys, ...] = items[:0], counts[:0]
        begin = 0
        for level, end in enumerate(ends.tolist()):
            if level:
                found = self.raised(level - 1, *found)
            if end > begin:
                found = _added((items[begin:end], counts[begin:end]), found)
            yield found[0], found[1]
            begin = end

    def _rows(self, numbers: Hashes) -> Integers:
        return np.searchsorted(self.numbers, numbers)


def _added(some: tuple[Keys, ...], more: tuple[Keys, ...]) -> tuple[Keys, ...]:
    """Return the items of both in order, and the sums of their counts."""
    if not len(more[0]):
        return some
    items, counts = (np.concatenate(each) for each in zip(some, more, strict=True))
    order = np.argsort(items, kind="stable")
    return added_up((items[order],), counts[order])


def _beside(some: Words, more: Words) -> Words:
    """Return words of two blocks as words of one, in which prefixes still share their bytes."""
    first = len(some.data)
    return Words(
        np.concatenate([some.data, more.data]),
        np.concatenate([some.starts, more.starts + first]),
        np.concatenate([some.ends, more.ends + first]),
        np.concatenate([some.lines, more.lines]),
    )
