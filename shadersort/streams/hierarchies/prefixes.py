"""Hierarchies of prefixes: of unsigned integers by their leading bits, and of addresses.

Level 0 is the item itself. From level to level some bits at its end are removed; on the last level
none is left, and all items have one prefix.

IPv4 addresses alone are numbers. Beside IPv6, an IPv4 address is the IPv6 address that stands for
it, ::ffff:a.b.c.d (RFC 4291), and all are 16 bytes. So the networks of IPv4 of 32, 24, 16, 8 and 0
bits have 128, 120, 112, 104 and 96 bits, and one hierarchy has both versions. These items and
prefixes are of NumPy's type S16, whose order is that of the addresses; a prefix has zeros in place
of its last bits.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_network
from socket import AF_INET, AF_INET6, inet_pton
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, UnsupportedKeys, choices
from shadersort.files.words import Words
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.frequencies.item_counts import add_up
from shadersort.streams.frequencies.text_items import list_texts
from shadersort.streams.values import as_values

BYTES, BITS = 16, 128  # of an address
MAPPED, IPV4 = bytes(10) + b"\xff\xff", 96  # what an IPv4 address begins with, and its bits
PACKED = np.dtype(f"V{BYTES}")  # of addresses that are bytes, and not text
IPV4_NUMBERS = np.dtype(np.uint32)
HIERARCHIES = {"ipv4": (32, 8), "bits": (64, 8), "ip": (BITS, 16)}
"""By name: the most bits of an item, and how many are removed from level to level by default."""


@dataclass(frozen=True)
class Hierarchy:
    """Prefixes of unsigned integers; without digits, items of any type, which have none."""

    name: str = "items"  # or "ipv4", "bits", "ip"
    digits: int = 0  # how many bits an item has
    step: int = 1  # how many bits are removed from level to level; before the last one maybe fewer

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many bits a prefix has on each level."""
        return (*range(self.digits, 0, -self.step), 0)

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that make this hierarchy."""
        digits = {} if self.name == "ip" else {"digits": self.digits}
        return {"hierarchy": self.name, **digits, "step": self.step}

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of items and prefixes."""
        return np.dtype(np.uint32 if self.digits <= 32 else np.uint64)

    def at(self, level: int, items: Keys, before: int = 0) -> Keys:
        """Return the prefixes on a level of items, or of prefixes on a level before."""
        bits = self.lengths[before] - self.lengths[level]
        return np.asarray(items >> items.dtype.type(bits)) if bits else items

    def span(self, level: int, prefixes: Keys) -> tuple[Keys, Keys]:
        """Return the first and the last item with each of some prefixes on a level."""
        rest = self.digits - self.lengths[level]
        if not rest:
            return prefixes, prefixes
        number = prefixes.dtype.type
        first = prefixes << number(rest)
        return first, first | number((1 << rest) - 1)

    def sum_prefixes(self, level: int, items: Keys, *counts: Integers) -> tuple[Keys, ...]:
        """Return the prefixes one level up of prefixes in order, and the sums of their counts."""
        return add_up((self.at(level + 1, items, level),), *counts)

    def by_level(self, items: Keys, counts: Integers) -> Iterator[tuple[Keys, Integers]]:
        """Yield the prefixes of items on each level in order, and how often they come."""
        yield items, counts
        for level in range(len(self.lengths) - 1):
            items, counts = self.sum_prefixes(level, items, counts)
            yield items, counts

    def parse_prefixes(self, prefixes: Any, length: SupportsIndex | None) -> tuple[Integers, Keys]:
        """Return the levels and the numbers of prefixes of a length."""
        if length is None or length not in self.lengths:
            raise BadOption(f"length= is how many bits prefixes have, {self.lengths}, not {length}")
        values = as_values(prefixes, self.dtype)
        return np.full(len(values), self.lengths.index(int(length))), values

    def column(self, level: int, prefixes: Keys) -> Keys:
        """Return the prefixes of a level as they stand in a table."""
        return prefixes

    def spelt(self, prefix: Any, length: int) -> str:
        """Return a prefix with a number of bits as text."""
        rest = self.digits - length
        if self.name == "ipv4":
            return f"{IPv4Address(int(prefix) << rest)}/{length}"
        return (f"{int(prefix):0{length}b}" if length else "") + "*" * rest

    def fits(self, level: int, numbers: Any) -> bool:
        """Whether all numbers are prefixes on a level: none has more bits."""
        length = self.lengths[level]
        return length == 8 * self.dtype.itemsize or not len(numbers) or not numbers.max() >> length


@dataclass(frozen=True)
class Addresses(Hierarchy):
    """IPv4 and IPv6 addresses and their networks; those of IPv4 differ in length by 8 bits."""

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many bits a prefix has on each level."""
        of_ipv4 = range(BITS, IPV4 - 1, -HIERARCHIES["ipv4"][1])
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
        if not isinstance(network, IPv6Network):
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
    most, usual = HIERARCHIES[name]
    if name != "bits" and digits not in (None, most):
        raise BadOption(f"digits= is for the hierarchy 'bits', not for {name!r}")
    bits = whole("digits", digits, most, most)
    kind = Addresses if name == "ip" else Hierarchy
    return kind(name, bits, whole("step", step, min(usual, bits), bits))


def whole(name: str, value: SupportsIndex | None, usual: int, most: int) -> int:
    """Return an integer from 1 to `most`, `usual` if it is None, or raise BadOption."""
    if value is None:
        return usual
    if not hasattr(value, "__index__") or isinstance(value, bool) or not 1 <= int(value) <= most:
        raise BadOption(f"{name} is a whole number from 1 to {most} here, not {value!r}")
    return int(value)


def ipv4_numbers(addresses: Iterable[str]) -> npt.NDArray[np.uint32]:
    """Return IPv4 addresses in dotted form as numbers; raise UnsupportedKeys for other text."""
    if isinstance(addresses, str | bytes):
        raise UnsupportedKeys(f"this is one address; pass a list of them: [{addresses!r}]")
    try:
        return np.array([int(IPv4Address(each)) for each in addresses], np.uint32)
    except ValueError as error:
        raise UnsupportedKeys(f"no IPv4 address: {error}") from error


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
        of_ipv4 = "no IPv4 address; for IPv6 pass hierarchy='ip'"
        return (
            (of_ipv4 if self.dtype != PACKED else "no IPv4 or IPv6 address") if word else "missing"
        )
