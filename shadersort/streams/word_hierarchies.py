"""What a hierarchy of words is: items are words, and their prefixes are shorter words.

Every item and every prefix has one word, its canonical form: an address is its bytes, not its text.
The prefix one level up is the beginning of that word, up to a place that the hierarchy knows. The
shortest prefix, the root, is the empty word. A prefix with k prefixes above it has depth k.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Mask

ROOT = "all"
"""How the root is printed."""


class WordHierarchy(Protocol):
    """Reads items as words, and knows where their prefixes end."""

    @property
    def name(self) -> str:
        """The name of the hierarchy."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The arguments that make this hierarchy, besides its name."""

    @property
    def deepest(self) -> int:
        """The largest depth of an item."""

    @property
    def item(self) -> str:
        """What an item is: what follows "this word is no"."""

    def read(self, words: Words) -> tuple[Words, Mask]:
        """Return the canonical form of words of a text, and which words are no items.

        The canonical words lie in a block of their own. Those of bad words mean nothing.
        """

    def depths(self, words: Words) -> Integers:
        """Return the depth of canonical words; −1 for a word that is none."""

    def ends(self, words: Words) -> Integers:
        """Return where the prefixes of canonical words end: a row for each depth, from 0.

        Rows that are deeper than a word mean nothing for it.
        """

    def text_of(self, word: bytes) -> str:
        """Return a canonical word as text, from which it is read again; bytes may be surrogates."""

    def word_of(self, text: bytes) -> bytes:
        """Return the word of a prefix that is no item; raise BadOption for other text."""

    def spelt(self, word: bytes) -> str:
        """Return a canonical word as text that can be printed."""
