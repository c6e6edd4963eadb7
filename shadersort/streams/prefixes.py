"""Hierarchies of prefixes of integers, in bits or decimal digits, and of IPv4 addresses.

Level 0 is the item itself. From level to level some digits at its end are removed; on the last
level none is left, and all items have one prefix.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, UnsupportedKeys, choices
from shadersort.keys.types import Integers, Keys
from shadersort.streams.item_counts import added_up
from shadersort.streams.values import number_type

HIERARCHIES = {"ipv4": (2, 32, 8), "bits": (2, 64, 8), "decimal": (10, 19, 1)}
"""By name: the base, the most digits that an item may have, and the usual step."""


@dataclass(frozen=True)
class Hierarchy:
    """Prefixes of the numbers below base**digits.

    Attributes
    ----------
    name
        "ipv4", "bits" or "decimal".
    base
        The base of the digits.
    digits
        How many digits an item has.
    step
        How many digits are removed from level to level; before the last level maybe fewer.
    """

    name: str
    base: int
    digits: int
    step: int

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many digits a prefix has on each level.

        Examples
        --------
        >>> named_hierarchy("ipv4").lengths, named_hierarchy("decimal", 5, 2).lengths
        ((32, 24, 16, 8, 0), (5, 3, 1, 0))
        """
        return (*range(self.digits, 0, -self.step), 0)

    @property
    def limit(self) -> int:
        """Items are less than this number."""
        limit: int = self.base**self.digits
        return limit

    def prefix_limit(self, level: int) -> int:
        """Return what prefixes on a level are less than."""
        limit: int = self.base ** self.lengths[level]
        return limit

    @property
    def too_large(self) -> str:
        """What a value is that is not below the limit: what follows "this value"."""
        return f"have more than {self.digits} {'bits' if self.base == 2 else 'digits'}"

    @property
    def of_text(self) -> str:
        """What to do with items that are text."""
        if self.name == "ipv4":
            return (
                "shadersort.streams.ipv4_numbers(addresses) turns addresses into numbers, and the "
                "hierarchy 'ip' takes text"
            )
        base = "" if self.base == 10 else f", {self.base}"
        return f"[int(word{base}) for word in words] turns digits into numbers"

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of items and prefixes."""
        return number_type(np.uint32 if self.limit <= 1 << 32 else np.uint64)

    def prefixes(self, items: Keys, digits: int) -> Keys:
        """Return items without their last digits, given their number."""
        divisor = self.base**digits
        if divisor > np.iinfo(items.dtype).max:
            return np.zeros_like(items)
        return np.asarray(items // items.dtype.type(divisor))

    def divisor(self, level: int) -> int:
        """Return what items are divided by to get their prefixes on a level.

        Examples
        --------
        >>> named_hierarchy("decimal", 3).divisor(2)
        100
        """
        divisor: int = self.base ** (self.digits - self.lengths[level])
        return divisor

    def at(self, level: int, items: Keys) -> Keys:
        """Return the prefixes of items on a level."""
        return self.prefixes(items, self.digits - self.lengths[level]) if level else items

    def span(self, level: int, prefixes: Keys) -> tuple[Keys, Keys]:
        """Return the first and the last item with each of some prefixes on a level.

        Examples
        --------
        >>> named_hierarchy("decimal", 3).span(1, np.array([12, 7]))
        (array([120,  70]), array([129,  79]))
        """
        divisor = self.divisor(level)
        if divisor > np.iinfo(prefixes.dtype).max:  # all items have one prefix
            return prefixes, np.full_like(prefixes, self.limit - 1)
        first = prefixes * prefixes.dtype.type(divisor)
        return first, first + prefixes.dtype.type(divisor - 1)

    def raised(self, level: int, items: Keys, *counts: Integers) -> tuple[Keys, ...]:
        """Return the prefixes one level up, given prefixes in order, and the sums of their counts.

        Examples
        --------
        >>> named_hierarchy("decimal", 3).raised(0, np.array([120, 125, 130]), np.array([1, 2, 3]))
        (array([12, 13]), array([3, 3]))
        """
        shorter = self.prefixes(items, self.lengths[level] - self.lengths[level + 1])
        return added_up((shorter,), *counts)

    def spelt(self, prefix: SupportsIndex, length: int) -> str:
        """Return a prefix with a number of digits as text.

        Examples
        --------
        >>> named_hierarchy("ipv4").spelt(0x0A01, 16), named_hierarchy("decimal", 5).spelt(7, 2)
        ('10.1.0.0/16', '07***')
        """
        number, rest = int(prefix), self.digits - length
        if self.name == "ipv4":
            return f"{IPv4Address(number << rest)}/{length}"
        shown = np.base_repr(number, self.base).zfill(length) if length else ""
        return shown + "*" * rest


def named_hierarchy(
    name: str, digits: SupportsIndex | None = None, step: SupportsIndex | None = None
) -> Hierarchy:
    """Return a hierarchy by its name, or raise BadOption."""
    if name not in HIERARCHIES:
        raise BadOption(f"hierarchy is {choices(HIERARCHIES)}, not {name!r}")
    base, most, usual = HIERARCHIES[name]
    if name == "ipv4" and digits not in (None, most):
        raise BadOption(f"an IPv4 address has {most} digits, bits that is, not {digits!r}")
    count = whole("digits", digits, most, most)
    return Hierarchy(name, base, count, whole("step", step, min(usual, count), count))


def whole(name: str, value: SupportsIndex | None, usual: int, most: int) -> int:
    """Return an integer from 1 to `most`, `usual` if it is None, or raise BadOption."""
    if value is None:
        return usual
    number = -1 if isinstance(value, bool) or not hasattr(value, "__index__") else int(value)
    if not 1 <= number <= most:
        raise BadOption(f"{name} is a whole number from 1 to {most} here, not {value!r}")
    return number


def ipv4_numbers(addresses: Iterable[str]) -> npt.NDArray[np.uint32]:
    """Return IPv4 addresses in dotted form as numbers; raise UnsupportedKeys for other text.

    Examples
    --------
    >>> ipv4_numbers(["10.1.2.3", "0.0.0.255"])
    array([167838211,       255], dtype=uint32)
    """
    if isinstance(addresses, str | bytes):
        raise UnsupportedKeys(f"this is one address; pass a list of them: [{addresses!r}]")
    try:
        return np.array([int(IPv4Address(each)) for each in addresses], np.uint32)
    except AddressValueError as error:
        raise UnsupportedKeys(f"no IPv4 address: {error}") from error
