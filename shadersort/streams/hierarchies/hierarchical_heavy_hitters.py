"""`HierarchicalHeavyHitters`: prefixes that come often apart from their longer heavy prefixes."""

from typing import Any, SupportsFloat, SupportsIndex

from shadersort.errors import CorruptSummary, UnsupportedKeys
from shadersort.streams.frequencies.counting_summary import CountingSummary
from shadersort.streams.hierarchies.address_prefixes import Addresses, named_hierarchy
from shadersort.streams.hierarchies.prefix_answers import PrefixesAnswered
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Arrays


class HierarchicalHeavyHitters(CountingSummary, PrefixesAnswered):
    """Finds the prefixes that make up a share of a stream, apart from their longer heavy prefixes.

    If one address sends half of all packets, its network sends at least half as well; that tells
    nothing new. A prefix is heavy if its items come often *without* the items that have a longer
    heavy prefix. The remaining items are called unexplained.

    **Guarantee** for n values in any order, parts merged or not, and any support:

    - *coverage*: a prefix that is not reported has at most support · n unexplained values, if the
      reported prefixes are taken as heavy;
    - *accuracy*: a reported prefix comes at least (support − epsilon) · n times. If k reported
      prefixes are the next ones below it, it comes (support − (k + 1) · epsilon) · n times without
      them. Its estimate is never too large, and too small by at most epsilon · n;
    - counts and unexplained counts lie within the bounds that are reported with them.

    Each level holds the counts of a `FrequencySummary` and needs its space; a window is sorted once
    for all levels.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.
    hierarchy
        "ipv4": addresses as numbers (see `ipv4_numbers`); "bits": unsigned integers by their
        leading bits; "ip": IPv4 and IPv6 addresses as text, or packed as an array of type V16.
        An IPv4 address is counted as ::ffff:a.b.c.d, so the length of its prefixes is 96 more.
    digits
        How many bits an item of "bits" has, by default 64.
    step
        How many bits are removed from level to level: by default 8, or 16 of an IPv6 address (8 of
        an IPv4 address in any case).
    sorter
        Sorts the windows of numbers; addresses of "ip" are always sorted by NumPy.

    Examples
    --------
    >>> import numpy as np
    >>> summary = HierarchicalHeavyHitters(0.01, "bits", digits=8, step=4)
    >>> summary = summary.update([0x53] * 60 + [0x50, 0x51, 0x52, 0x54] * 10)
    >>> for row in summary.heavy_prefixes(0.3):
    ...     print(summary.spelt(row), row["estimate"], row["unexplained"])
    01010011 60 60
    0101**** 100 40
    >>> both = HierarchicalHeavyHitters(0.01, "ip").update(["10.0.0.1", "10.0.9.1", "::1"] * 40)
    >>> both.heavy_prefixes(0.5)[["prefix", "unexplained"]].tolist()
    [('10.0.0.0/16', 80)]
    >>> both.estimate("10.0.0.0/8")
    80
    """

    _array_name = "{} {}"
    _highlights = PrefixesAnswered._highlights

    def __init__(
        self,
        epsilon: SupportsFloat,
        hierarchy: str = "ipv4",
        *,
        digits: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        sorter: Sorter | None = None,
    ) -> None:
        self._hierarchy = named_hierarchy(hierarchy, digits, step)
        is_of_text = isinstance(self._hierarchy, Addresses)
        super().__init__(epsilon, self._hierarchy, sorter=None if is_of_text else sorter)
        self._adopt(self._hierarchy.dtype)
        self._asked_dtype = self._hierarchy.dtype

    @property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy of the prefixes."""
        return self._hierarchy

    def _append(self, values: Any) -> bool:
        return False  # every item is checked

    def _accepted(self, values: Any) -> Any:
        shape = self._hierarchy
        keys = shape.read(values) if isinstance(shape, Addresses) else super()._accepted(values)
        if not shape.fits(0, keys):
            raise UnsupportedKeys(f"some of these values have more than {shape.digits} bits")
        return keys

    def _parameters(self) -> dict[str, Any]:
        return {"epsilon": self._epsilon, **self._hierarchy.parameters}

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        items = [held.items for held in self._levels]
        if not all(map(self._hierarchy.fits, [0, *range(len(items))], [self._waiting(), *items])):
            raise CorruptSummary("a prefix has more bits than those of its level")
