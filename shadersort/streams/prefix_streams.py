"""What `HierarchicalHeavyHitters` takes: numbers, or text whose words it reads and keeps."""

from abc import abstractmethod
from typing import Any, SupportsFloat

import numpy as np

from shadersort.errors import UnsupportedKeys
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Keys, Mask
from shadersort.streams.given_weights import checked_weights
from shadersort.streams.given_words import is_word, weighted_words
from shadersort.streams.locked import locked
from shadersort.streams.number_items import NumberItems
from shadersort.streams.prefixes import Hierarchy
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.weighted import WeightedSummary
from shadersort.streams.word_hierarchies import WordHierarchy
from shadersort.streams.word_items import CHUNK, ItemCache, ItemNumbers, WordItems, words_of

LEAST_KNOWN = 1 << 17
"""Words and prefixes of words that may be known without being needed any more."""


class PrefixStream(WeightedSummary):
    """A summary of the items of a hierarchy.

    Text is read a part at a time. Its words and their prefixes are then known. If many are known
    that are not needed any more, they are forgotten before the next part is read.
    """

    def __init__(
        self, epsilon: SupportsFloat, items: NumberItems | WordItems, sorter: Sorter | None
    ) -> None:
        self._items = items
        self._cache: ItemCache | None = None
        self._allowed = LEAST_KNOWN
        super().__init__(epsilon, dtype=items.dtype, sorter=sorter)

    @property
    def _wanted(self) -> np.dtype[Any] | None:
        """The type of numbers; that of text is no type of an array on a device."""
        return np.dtype(str) if isinstance(self._items, WordItems) else self._dtype

    @property
    def hierarchy(self) -> Hierarchy | WordHierarchy:
        """The hierarchy of the prefixes."""
        return self._items.hierarchy

    @locked
    def read(self, words: Words) -> tuple[Keys, Mask]:
        """Return numbers of words of a text, which `update` takes next, and which are no items.

        It is for commands that read large texts: `update` reads text by itself.
        """
        assert isinstance(self._items, WordItems)
        if len(self._items.tree) > self._allowed:
            self._items, self._cache = self._items.only(self._held()), None
            self._allowed = max(LEAST_KNOWN, 2 * len(self._items.tree))
        self._cache = self._cache or ItemCache()
        self._items, numbers, bad = self._items.read(words, self._cache)
        return numbers.view(ItemNumbers), bad

    @abstractmethod
    def _held(self) -> Keys:
        """Return the items and prefixes that are needed, each once."""

    def _accepted(self, values: Any) -> Any:
        if isinstance(self._items, WordItems):
            return values
        with self._items.told_of_items(values):
            return super()._accepted(values)

    def _take(self, keys: Any) -> None:
        if isinstance(self._items, NumberItems):
            self._items.check_given(keys)
            super()._take(keys)
        elif isinstance(keys, ItemNumbers):
            super()._take(self.sorter.accepted(keys.view(np.ndarray), self._dtype))
        elif is_word(keys) or not hasattr(keys, "__getitem__"):
            self._take(self._numbers(keys))
        else:
            for first in range(0, len(keys), CHUNK):
                self._take(self._numbers(keys[first : first + CHUNK]))

    def _take_weighted(self, values: Any, weights: Any) -> None:
        if isinstance(self._items, NumberItems):
            keys = self.sorter.on_host(self._accepted(values))
            self._items.check_given(keys)
            self._take_often(keys, checked_weights(weights, len(keys)))
            return
        words, counts, missing = weighted_words(values, weights)
        self._count(0, missing)
        for first in range(0, len(words), CHUNK):
            part = slice(first, first + CHUNK)
            self._take_often(self._numbers(words[part]), counts[part])

    def _numbers(self, values: Any) -> Keys:
        """Return the numbers of text, or raise UnsupportedKeys if some is no item."""
        words, missing = words_of(values)
        self._see(0, missing)
        numbers, bad = self.read(words)
        if bad.any():
            word = words[bad].listed()[0].decode("utf-8", "backslashreplace")
            raise UnsupportedKeys(f"{word!r} is no {self._items.hierarchy.item}")  # type: ignore[union-attr]
        return numbers

    def _go_back(self, before: dict[str, Any]) -> None:
        super()._go_back(before)
        self._cache = None  # it may know words that the state before does not have

    def _settle(self) -> None:
        if isinstance(self._items, WordItems):
            self._items = self._items.settled()
