"""Hierarchies of prefixes: of unsigned integers by their leading bits, and of IPv4 addresses.

Level 0 is the item itself. From level to level some bits at its end are removed; on the last level
none is left, and all items have one prefix. IPv6 addresses are in `address_prefixes.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, UnsupportedKeys
from shadersort.keys.types import Integers, Keys
from shadersort.streams.frequencies.sorted_windows import Items
from shadersort.streams.values import as_values


@dataclass(frozen=True)
class Hierarchy(Items):
    """Prefixes of unsigned integers."""

    name: str  # "ipv4" or "bits"
    digits: int  # how many bits an item has
    step: int  # how many bits are removed from level to level; before the last one maybe fewer

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
        number, rest = prefixes.dtype.type, self.digits - self.lengths[level]
        first = prefixes << number(rest)
        return first, first | number((1 << rest) - 1)

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
