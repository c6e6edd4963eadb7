"""Paths and URLs, and their leading directories: a hierarchy of words.

A path is its own word. "/shop/cart?id=7" lies below "/shop/cart", that below "/shop/", "/" and the
root: a query or a fragment is cut off first, then one component after the other.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Mask
from shadersort.streams.given_words import shown_word
from shadersort.streams.word_hierarchies import ROOT

SLASH, QUERY, FRAGMENT = b"/?#"
SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.\-]*://")
BARE_HOST = re.compile(rb"[A-Za-z][A-Za-z0-9+.\-]*://[^/?#]*(?=[?#]|$)", re.DOTALL)
"""A URL without a path, up to where its path would be."""


@dataclass(frozen=True)
class Paths:
    """Paths and URLs.

    The first component of a URL is its scheme with its host, "https://example.org/"; that of a path
    is "/", and all words may have other first components. A URL without a path gets the path "/".

    Attributes
    ----------
    depth
        How many components prefixes have at most. A path with more of them lies directly below its
        first `depth` ones.

    Examples
    --------
    >>> paths = Paths(depth=2)
    >>> words, bad = paths.read(Words.of([b"/a/b/c/d?x=/1"], np.arange(1)))
    >>> [words.data[:end].tobytes().decode() for end in paths.ends(words)[:, 0]]
    ['', '/', '/a/', '/a/b/', '/a/b/c/d', '/a/b/c/d?x=/1']
    """

    depth: int = 8

    @property
    def name(self) -> str:
        """The name of the hierarchy."""
        return "path"

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The arguments that make this hierarchy, besides its name."""
        return {"depth": self.depth}

    @property
    def item(self) -> str:
        """What an item is."""
        return "path"

    @property
    def deepest(self) -> int:
        """The largest depth of an item: "/", components, the rest of the path, and a query."""
        return self.depth + 3

    def read(self, words: Words) -> tuple[Words, Mask]:
        """Return the canonical form of words of a text, and which words are no items."""
        words = words.compact()
        bare = self.depths(words) < 0
        if bare.any():
            words = Words.of([_with_path(word) for word in words.listed()], words.lines)
        return words, words.widths == 0

    def depths(self, words: Words) -> Integers:
        """Return the depth of canonical words; −1 for a word that is none."""
        _, count, path_ends, scheme = self._slashes(words)
        depth = self._path_depths(words, count, path_ends) + (path_ends < words.ends)
        return np.where(scheme & (count == 0), -1, depth)

    def ends(self, words: Words) -> Integers:
        """Return where the prefixes of canonical words end: a row for each depth, from 0."""
        (slashes, first), count, path_ends, _ = self._slashes(words)
        deep = self._path_depths(words, count, path_ends)
        found = np.empty((self.deepest + 1, len(words)), np.int64)
        found[0] = words.starts
        for depth in range(1, self.deepest + 1):
            whole = np.where(depth <= deep, path_ends, words.ends)
            if depth <= self.depth + 1 and len(slashes):
                after = slashes[np.minimum(first + depth, len(slashes)) - 1] + 1
                whole = np.where(depth <= count, after, whole)
            found[depth] = whole
        return found

    def _path_depths(self, words: Words, count: Integers, path_ends: Integers) -> Integers:
        """Return the depths of paths without their queries, given the numbers of slashes."""
        at = np.maximum(path_ends - 1, 0)
        closed = words.data[at] == SLASH if len(words.data) else np.zeros(len(words), np.bool_)
        parts = count + (~closed & (path_ends > words.starts))
        return np.where(path_ends > words.starts, np.minimum(parts, self.depth + 2), 0)

    def _slashes(self, words: Words) -> tuple[tuple[Integers, Integers], Integers, Integers, Mask]:
        """Return all slashes and the first of each word, their number, path ends, and URLs."""
        marks = np.flatnonzero((words.data == QUERY) | (words.data == FRAGMENT))
        marks = np.append(marks, len(words.data))
        path_ends = np.minimum(marks[np.searchsorted(marks, words.starts)], words.ends)
        slashes = np.flatnonzero(words.data == SLASH)
        scheme = _with_scheme(words)
        first = np.searchsorted(slashes, words.starts) + 2 * scheme
        count = np.maximum(np.searchsorted(slashes, path_ends) - first, 0)
        return (slashes, first), count, path_ends, scheme

    def word_of(self, text: bytes) -> bytes:
        """Return the root, the only prefix that is no path itself."""
        return b""

    def text_of(self, word: bytes) -> str:
        """Return a canonical word as text; the root is empty."""
        return shown_word(word)

    def spelt(self, word: bytes) -> str:
        """Return a canonical word as text that can be printed."""
        text = word.decode("utf-8", "backslashreplace")
        return "".join(map(_shown, text)) if word else ROOT


def _shown(letter: str) -> str:
    """Return a letter, or its escape: what a log holds must not control a terminal."""
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def _with_scheme(words: Words) -> Mask:
    """Return which words begin with a scheme, as URLs do."""
    found = np.zeros(len(words), np.bool_)
    if not len(words.data):
        return found
    first = words.data[np.minimum(words.starts, len(words.data) - 1)]
    others = np.flatnonzero((first != SLASH) & (words.widths > 0))
    found[others] = [bool(SCHEME.match(word)) for word in words[others].listed()]
    return found


def _with_path(word: bytes) -> bytes:
    """Return a URL with the path "/" if it has none; other words as they are."""
    host = BARE_HOST.match(word)
    return word if host is None else host[0] + b"/" + word[host.end() :]
