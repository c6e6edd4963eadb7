"""Port numbers and the ranges that IANA gives them: a hierarchy of numbers."""

from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from shadersort.keys.reading.number_words import NumberWords
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.item_counts import added_up
from shadersort.streams.prefixes import Hierarchy

FIRSTS = (0, 1024, 49152)
"""The first port of each range."""
LAST = 65535
RANGES = ("system", "user", "dynamic")
"""The names of the ranges in RFC 6335."""


class PortWords:
    """Reads words as ports."""

    dtype = np.dtype(np.uint32)

    def __call__(self, words: Words) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are no ports."""
        ports, bad = NumberWords(np.dtype(np.uint16))(words)
        return ports.astype(self.dtype), bad

    def why(self, word: bytes) -> str:
        """Say why a word is no port."""
        return f"no port, a number from 0 to {LAST}" if word else "missing"


@dataclass(frozen=True)
class Ports(Hierarchy):
    """Ports; above a port, which has length 2, stand its range, of length 1, and all ports.

    Examples
    --------
    >>> ports = Ports()
    >>> ports.raised(0, np.array([22, 80, 8080]), np.array([1, 2, 4]))
    (array([0, 1]), array([3, 4]))
    >>> ports.spelt(443, 2), ports.spelt(1, 1), ports.spelt(0, 0)
    ('443', '1024-49151 (user)', 'all')
    """

    name: str = "port"
    base: int = 256
    digits: int = 2
    step: int = 1

    @property
    def too_large(self) -> str:
        """What a value is that is not below the limit."""
        return f"are no ports, which are numbers from 0 to {LAST}"

    def prefix_limit(self, level: int) -> int:
        """Return what prefixes on a level are less than."""
        return (LAST + 1, len(FIRSTS), 1)[level]

    def at(self, level: int, items: Keys) -> Keys:
        """Return the prefixes of ports on a level."""
        if level == 1:
            return np.asarray(np.searchsorted(FIRSTS, items, side="right") - 1).astype(items.dtype)
        return np.zeros_like(items) if level else items

    def span(self, level: int, prefixes: Keys) -> tuple[Keys, Keys]:
        """Return the first and the last port with each of some prefixes on a level."""
        if not level:
            return prefixes, prefixes
        ends = np.array((*FIRSTS, LAST + 1) if level == 1 else (0, LAST + 1), prefixes.dtype)
        return ends[prefixes], ends[prefixes + prefixes.dtype.type(1)] - prefixes.dtype.type(1)

    def raised(self, level: int, items: Keys, *counts: Integers) -> tuple[Keys, ...]:
        """Return the prefixes one level up, of prefixes in order, and the sums of their counts."""
        if level:
            return added_up((np.zeros_like(items),), *counts)
        return added_up((self.at(1, items),), *counts)

    def spelt(self, prefix: SupportsIndex, length: int) -> str:
        """Return a prefix of a length as text."""
        number = int(prefix)
        if length == 2:
            return str(number)
        if not length:
            return "all"
        last = (*FIRSTS[1:], LAST + 1)[number] - 1
        return f"{FIRSTS[number]}-{last} ({RANGES[number]})"
