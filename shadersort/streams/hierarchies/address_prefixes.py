"""IPv4 and IPv6 addresses as 16 bytes, their networks, and how both are read from text.

An IPv4 address is the IPv6 address that stands for it, ::ffff:a.b.c.d (RFC 4291). So its networks
of 32, 24, 16, 8 and 0 bits have 128, 120, 112, 104 and 96 bits here, and one hierarchy has both
versions. Items and prefixes are of NumPy's type S16, whose order is that of the addresses; a prefix
has zeros in place of its last bits.
"""

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network
from socket import AF_INET, AF_INET6, inet_pton
from typing import Any, SupportsIndex

import numpy as np

from shadersort.errors import BadOption, UnsupportedKeys, choices
from shadersort.files.words import Words
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.frequencies.text_items import list_texts
from shadersort.streams.hierarchies.prefixes import Hierarchy, whole

BYTES, BITS = 16, 128
"""Bytes and bits of an address."""
MAPPED = bytes(10) + b"\xff\xff"
"""What an IPv4 address begins with."""
IPV4 = 96
"""Bits before those of an IPv4 address."""
PACKED = np.dtype(f"V{BYTES}")
"""The type of an array of addresses that are bytes, and not text."""
IPV4_NUMBERS = np.dtype(np.uint32)
HIERARCHIES = {"ipv4": 32, "bits": 64, "ip": BITS}
"""By name, the most bits of an item."""
STEPS = {"ipv4": 8, "bits": 8, "ip": 16}
"""By name, how many bits are removed from level to level, unless a caller says otherwise."""


@dataclass(frozen=True)
class Addresses(Hierarchy):
    """IPv4 and IPv6 addresses and their networks; those of IPv4 differ in length by 8 bits."""

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many bits a prefix has on each level."""
        of_ipv4 = range(BITS, IPV4 - 1, -STEPS["ipv4"])
        return tuple(sorted({*of_ipv4, *range(BITS, 0, -self.step), 0}, reverse=True))

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of items and prefixes."""
        return np.dtype(f"S{BYTES}")

    def at(self, level: int, items: Keys, before: int = 0) -> Keys:
        """Return the prefixes on a level of items, or of prefixes on a level before."""
        return self._masked(np.bitwise_and, level, items).reshape(items.shape)

    def span(self, level: int, prefixes: Keys) -> tuple[Keys, Keys]:
        """Return the first and the last item with each of some prefixes on a level."""
        return prefixes, self._masked(np.bitwise_or, level, prefixes, beyond=True)

    def _masked(self, operation: Any, level: int, items: Keys, *, beyond: bool = False) -> Keys:
        """Combine the bytes of addresses with the bits of a prefix, or with those beyond it."""
        bits = np.packbits((np.arange(BITS) >= self.lengths[level]) == beyond)
        rows = np.ascontiguousarray(items).view(np.uint8).reshape(-1, BYTES)
        return np.asarray(operation(rows, bits).view(self.dtype).reshape(-1))

    def read(self, values: Any) -> Keys:
        """Return addresses given as text, or as bytes of the type V16; or raise UnsupportedKeys."""
        if getattr(values, "dtype", None) == PACKED:
            return np.ascontiguousarray(values).view(self.dtype)
        texts = list_texts(values)
        rows = list(map(parse_address, texts))
        if None in rows:
            raise UnsupportedKeys(f"{texts[rows.index(None)]!r} is no IPv4 or IPv6 address")
        return np.frombuffer(b"".join(filter(None, rows)), self.dtype)

    def parse_prefixes(self, prefixes: Any, length: SupportsIndex | None) -> tuple[Integers, Keys]:
        """Return the levels and the bytes of addresses and networks that are given as text."""
        if length is not None:
            raise BadOption("networks that are text say their own length: pass no length")
        found = [self._network_of(text) for text in list_texts(prefixes)]
        levels = np.array([self.lengths.index(each.prefixlen) for each in found], np.int64)
        packed = b"".join(each.network_address.packed for each in found)
        return levels, np.frombuffer(packed, self.dtype)

    def _network_of(self, text: Any) -> IPv6Network:
        try:
            network = ip_network(text)
        except ValueError as error:
            raise BadOption(f"{text!r} is no network: {error}") from error
        if isinstance(network, IPv4Network):
            packed = MAPPED + network.network_address.packed
            network = IPv6Network((packed, IPV4 + network.prefixlen))
        if network.prefixlen not in self.lengths:
            raise BadOption(f"{text!r} is no prefix here: lengths are {self.lengths}, IPv4's + 96")
        return network

    def column(self, level: int, prefixes: Keys) -> Keys:
        """Return the prefixes of a level as text, for a table."""
        texts = np.empty(len(prefixes), object)
        texts[:] = [self.spelt(each, self.lengths[level]) for each in prefixes.tolist()]
        return texts

    def spelt(self, prefix: Any, length: int) -> str:
        """Return a prefix with a number of bits as text; text is returned as it is."""
        if isinstance(prefix, str):
            return prefix
        address = IPv6Address(prefix.ljust(BYTES, b"\0"))
        of_ipv4 = address.ipv4_mapped if length >= IPV4 else None
        return f"{of_ipv4}/{length - IPV4}" if of_ipv4 else f"{address}/{length}"

    def fits(self, level: int, numbers: Any) -> bool:
        """Whether all addresses are prefixes on a level: the bits after its length are zeros."""
        return not level or bool(np.all(self.at(level, numbers) == numbers))


def named_hierarchy(
    name: str, digits: SupportsIndex | None = None, step: SupportsIndex | None = None
) -> Hierarchy:
    """Return a hierarchy by its name, or raise BadOption."""
    if name not in HIERARCHIES:
        raise BadOption(f"hierarchy is {choices(HIERARCHIES)}, not {name!r}")
    most = HIERARCHIES[name]
    if name != "bits" and digits not in (None, most):
        raise BadOption(f"digits= is for the hierarchy 'bits', not for {name!r}")
    bits = whole("digits", digits, most, most)
    kind = Addresses if name == "ip" else Hierarchy
    return kind(name, bits, whole("step", step, min(STEPS[name], bits), bits))


def parse_address(text: Any) -> bytes | None:
    """Return the sixteen bytes of an address, or None for other text and for one with a scope."""
    try:
        if ":" not in text:
            return MAPPED + inet_pton(AF_INET, text)
        return None if "%" in text else inet_pton(AF_INET6, text)
    except (OSError, TypeError, ValueError):
        return None


@dataclass(frozen=True)
class AddressWords:
    """Reads words as IPv4 addresses, numbers of 32 bits; or as both versions, if `PACKED`."""

    dtype: np.dtype[Any] = IPV4_NUMBERS

    def __call__(self, words: Words) -> tuple[Keys, Mask]:
        """Return a number or the bytes for each word, and which words are no addresses."""
        start = b"" if self.dtype == PACKED else MAPPED
        found = [parse_address(word.decode("utf-8", "replace")) or b"" for word in words.texts]
        bad = np.array([not (each and each.startswith(start)) for each in found], np.bool_)
        size = self.dtype.itemsize
        packed = b"".join(each[-size:] or bytes(size) for each in found)
        return np.frombuffer(packed, self.dtype.newbyteorder(">")).astype(self.dtype), bad

    def why(self, word: bytes) -> str:
        """Say why a word is no address."""
        if self.dtype == PACKED:
            return "no IPv4 or IPv6 address" if word else "missing"
        more = "; for IPv6 pass hierarchy='ip'" if b":" in word else ""
        return f"no IPv4 address{more}" if word else "missing"
