"""IPv4 and IPv6 addresses, with or without a port, and their networks: a hierarchy of words.

The word of an address is a byte that says its version and then its digits, which have `step` bits
each. A digit takes whole bytes, so that a network is the beginning of the words of its addresses.
Two more bytes are a port.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import Any

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.reading.words import Bytes, Words
from shadersort.keys.types import Integers, Mask
from shadersort.streams.address_words import AddressWords, ipv6_bytes, ports_of
from shadersort.streams.word_hierarchies import ROOT

COLON = ord(":")
PORT = 2
"""Bytes of a port."""
OLD_STEP = 8
"""Bits of a digit of an IPv4 address."""


@dataclass(frozen=True)
class Digits:
    """How the addresses of a version are written as digits, each in whole bytes."""

    version: int
    bits: int
    step: int

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """How many bits the prefixes have, from none to all."""
        return (0, *range(self.bits % self.step or self.step, self.bits + 1, self.step))

    @cached_property
    def ends(self) -> Integers:
        """How many bytes the prefixes have."""
        sizes = -(-np.diff(self.lengths) // 8)
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])

    @cached_property
    def places(self) -> Integers:
        """The place of each bit of an address among the bits of its digits."""
        sizes = np.diff(self.lengths)
        firsts = 8 * self.ends[1:] - sizes
        return np.concatenate(
            [np.arange(first, first + size) for first, size in zip(firsts, sizes, strict=True)]
        )

    def written(self, addresses: Bytes) -> Bytes:
        """Return addresses, a row of bytes each, as digits."""
        width = int(self.ends[-1])
        if 8 * width == self.bits:
            return addresses
        bits = np.zeros((len(addresses), 8 * width), np.uint8)
        bits[:, self.places] = np.unpackbits(addresses, axis=1)
        return np.packbits(bits, axis=1)

    def read(self, digits: Bytes) -> Bytes:
        """Return the addresses of digits, a row of bytes each."""
        return np.packbits(np.unpackbits(digits, axis=1)[:, self.places], axis=1)


@dataclass(frozen=True)
class Addresses:
    """Addresses of both versions and their networks, with ports or without.

    Attributes
    ----------
    step
        By how many bits prefixes of IPv6 addresses differ in length; IPv4 takes 8.
    ports
        Whether each address has a port.

    Examples
    --------
    >>> found, bad = Addresses().read(Words.of([b"10.1.2.3", b"2001:DB8::1"], np.arange(2)))
    >>> [Addresses().spelt(word) for word in found.listed()]
    ['10.1.2.3/32', '2001:db8::1/128']
    >>> Addresses().spelt(found.listed()[1][:5])
    '2001:db8::/32'
    """

    step: int = 16
    ports: bool = False

    @property
    def name(self) -> str:
        """The name of the hierarchy."""
        return "endpoint" if self.ports else "ip"

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The arguments that make this hierarchy, besides its name."""
        return {"step": self.step}

    @property
    def item(self) -> str:
        """What an item is."""
        if self.ports:
            return "address with a port, like 10.0.0.1:443 or [2001:db8::1]:443"
        return "IPv4 or IPv6 address"

    @cached_property
    def deepest(self) -> int:
        """The largest depth of an item."""
        return max(len(each.lengths) for each in self._versions.values()) + self.ports

    @cached_property
    def _versions(self) -> dict[int, Digits]:
        """The versions of addresses, by the first byte of their words."""
        return {ord("4"): Digits(4, 32, OLD_STEP), ord("6"): Digits(6, 128, self.step)}

    @cached_property
    def _ends(self) -> dict[int, Integers]:
        """Where the prefixes of a word end, by its first byte; a word has no other length."""
        return {
            tag: np.concatenate([[0], 1 + digits.ends, *([1 + digits.ends[-1:] + PORT] * ported)])
            for tag, digits in self._versions.items()
            for ported in (int(self.ports),)
        }

    def read(self, words: Words) -> tuple[Words, Mask]:
        """Return the canonical form of words of a text, and which words are no items."""
        words = words.compact()
        if not self.ports:
            return self._words_of(words, _with_colon(words), None)
        hosts, ports, wrong = ports_of(words)
        bracketed = (hosts.starts > words.starts) & ~wrong
        found, bad = self._words_of(hosts, bracketed, ports)
        return found, bad | wrong

    def _words_of(self, words: Words, new: Mask, ports: Bytes | None) -> tuple[Words, Mask]:
        """Return the words of addresses; those in `new` are of version 6."""
        width = 1 + max(int(each.ends[-1]) for each in self._versions.values()) + PORT
        rows, widths = np.zeros((len(words), width), np.uint8), np.zeros(len(words), np.int64)
        bad = np.zeros(len(words), np.bool_)
        for (tag, digits), here in zip(self._versions.items(), (~new, new), strict=True):
            if not (places := np.flatnonzero(here)).size:
                continue
            addresses, bad[places] = _addresses(words[places], digits.version)
            end = 1 + int(digits.ends[-1])
            rows[places, 0], rows[places, 1:end] = tag, digits.written(addresses)
            if ports is not None:
                rows[places, end : end + PORT] = ports[places]
            widths[places] = end + (PORT if ports is not None else 0)
        starts = width * np.arange(len(words))
        return Words(rows.reshape(-1), starts, starts + widths, words.lines), bad

    def depths(self, words: Words) -> Integers:
        """Return the depth of canonical words; −1 for a word that is none."""
        found = np.where(words.widths == 0, 0, -1)
        for tag, places in self._of_versions(words).items():
            ends, widths = self._ends[tag], words.widths[places]
            at = np.searchsorted(ends, widths)
            right = ends[np.minimum(at, len(ends) - 1)] == widths
            right[right] &= self._is_written(tag, words[places[right]])
            found[places] = np.where(right, at, -1)
        return found

    def _is_written(self, tag: int, words: Words) -> Mask:
        """Return which words have digits of no more bits than the step."""
        digits = self._versions[tag]
        width = int(digits.ends[-1])
        if 8 * width == digits.bits:
            return np.ones(len(words), np.bool_)
        rows = _rows_of(words, width + 1)[:, 1:]
        return np.asarray((digits.written(digits.read(rows)) == rows).all(axis=1))

    def ends(self, words: Words) -> Integers:
        """Return where the prefixes of canonical words end: a row for each depth, from 0."""
        found = np.tile(words.ends, (self.deepest + 1, 1))
        for tag, places in self._of_versions(words).items():
            ends = self._ends[tag]
            found[: len(ends), places] = words.starts[places] + ends[:, np.newaxis]
        found[0] = words.starts
        return found

    def _of_versions(self, words: Words) -> dict[int, Integers]:
        """Return the places of words by the first byte; an empty word has none."""
        if not len(words.data):
            return {}
        first = words.data[np.minimum(words.starts, len(words.data) - 1)]
        some = words.widths > 0
        return {tag: np.flatnonzero((first == tag) & some) for tag in self._versions}

    def word_of(self, text: bytes) -> bytes:
        """Return the word of a network; raise BadOption for other text."""
        if text == ROOT.encode():
            return b""
        try:
            network = ip_network(text.decode("ascii"))
            if b"%" in text:
                raise ValueError("an address here has no scope")
        except ValueError as error:
            raise BadOption(f"{text!r} is no {self.item}, and no network: {error}") from error
        tag = ord(str(network.version))
        digits = self._versions[tag]
        if network.prefixlen not in digits.lengths:
            lengths = ", ".join(map(str, digits.lengths))
            raise BadOption(f"{text!r} is no prefix here: they have {lengths} bits")
        packed = np.frombuffer(network.network_address.packed, np.uint8).reshape(1, -1)
        end = int(digits.ends[digits.lengths.index(network.prefixlen)])
        return bytes([tag]) + digits.written(packed)[0, :end].tobytes()

    def text_of(self, word: bytes) -> str:
        """Return a canonical word as text."""
        return self.spelt(word)

    def spelt(self, word: bytes) -> str:
        """Return a canonical word as text."""
        if not word:
            return ROOT
        digits = self._versions[word[0]]
        width = int(digits.ends[-1])
        padded = np.frombuffer(word[1 : 1 + width].ljust(width, b"\0"), np.uint8).reshape(1, -1)
        packed = digits.read(padded).tobytes()
        address = IPv4Address(packed) if digits.version == 4 else IPv6Address(packed)
        if len(word) > 1 + width:
            host = str(address) if digits.version == 4 else f"[{address}]"
            return f"{host}:{int.from_bytes(word[1 + width :], 'big')}"
        length = digits.lengths[int(np.searchsorted(digits.ends, len(word) - 1))]
        return f"{address}/{length}"


def _addresses(words: Words, version: int) -> tuple[Bytes, Mask]:
    """Return addresses of a version as rows of bytes, and which words are none."""
    if version == 6:
        return ipv6_bytes(words)
    numbers, bad = AddressWords()(words)
    return numbers.astype(">u4").view(np.uint8).reshape(-1, 4), bad


def _with_colon(words: Words) -> Mask:
    """Return which words of a compact block have a colon."""
    colons = np.flatnonzero(words.data == COLON)
    return np.asarray(np.searchsorted(colons, words.starts) < np.searchsorted(colons, words.ends))


def _rows_of(words: Words, width: int) -> Bytes:
    """Return words as rows of so many bytes, with zeros at the end."""
    places = words.starts[:, np.newaxis] + np.arange(width)
    rows = np.take(words.data, places, mode="clip")
    rows[places >= words.ends[:, np.newaxis]] = 0
    return rows
